import type { Tx } from '../db/open.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { commitItem } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { compact, type RunDocument, recordingIds, runHead, wantedShoe } from './documents/run.ts'
import { namedShoes } from './gear.ts'
import { type Fills, gearShoe } from './gear-shoes.ts'
import { shoeExists } from './ids.ts'
import type { OpenReceipt } from './receipts/record.ts'
import { recordingsByIds } from './recordings.ts'
import { settledWords } from './run-rows.ts'

// What an export says of runs that are stored already.

const WORDS = ['name', 'notes', 'runType', 'rpe'] as const

interface Filling extends Fills {
  readonly receipt: OpenReceipt | null
  readonly filename: string | null
}

/**
 * Words of a run that was read again fill those of the stored one that are null, unless the runner removed them.
 * @returns false when nothing changed
 */
export function fillWords(
  tx: Tx,
  deps: DepsBy,
  id: string,
  run: AnalyzedRun,
  { receipt, filename, ...fills }: Filling,
): boolean {
  const head = runHead(tx, id)
  if (head === null) return false
  const { body, seq } = head
  const filled = missingWords(tx, body, run)
  const shoeId = isShoeless(tx, body) ? gearShoe(tx, deps, run.gear, { receipt, ...fills }) : null
  if (Object.keys(filled).length === 0 && shoeId === null) return false
  const words = { ...body.carried?.words, ...filled }
  const to = compact({ ...body, carried: { ...body.carried, words }, ...(shoeId === null ? {} : { shoeId }) })
  const item = { outcome: 'updated', workoutId: id, filename } as const
  commitItem(tx, deps, { changes: [{ kind: 'run', id, from: seq, to }], item }, receipt)
  return true
}

/** Whether `fillWords` would change something. */
export function canFill(tx: Tx, id: string, run: AnalyzedRun, createShoes: boolean): boolean {
  const head = runHead(tx, id)
  if (head === null) return false
  const hasShoe = run.gear !== null && (createShoes || namedShoes(tx).find(run.gear) !== null)
  return Object.keys(missingWords(tx, head.body, run)).length > 0 || (hasShoe && isShoeless(tx, head.body))
}

function missingWords(tx: Tx, body: RunDocument, run: AnalyzedRun): Partial<Pick<AnalyzedRun, (typeof WORDS)[number]>> {
  const settled = settledWords(body, recordingsByIds(tx, recordingIds(body.track)))
  const missing = WORDS.filter((word) => settled[word] === null && body.words?.[word] === undefined)
  return Object.fromEntries(missing.flatMap((word) => (run[word] === null ? [] : [[word, run[word]]])))
}

function isShoeless(tx: Tx, body: RunDocument): boolean {
  const worn = wantedShoe(body)
  return body.words?.shoeId === undefined && (worn === null || !shoeExists(tx, worn))
}
