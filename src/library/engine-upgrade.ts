import type { By } from '../base/by.ts'
import type { Tx } from '../db/open.ts'
import { FormatError } from '../formats/format.ts'
import { derivedRun, timedEfforts, whileCurrent } from './change-run.ts'
import { commitItem, insertRecording } from './commit.ts'
import type { Deps } from './deps.ts'
import { markUpgraded, olderRuns, someOlder } from './derive.ts'
import { recordingIds, runHead } from './documents/run.ts'
import { appendTo, beginReceipt, finishReceipt } from './receipts/record.ts'
import { recordingsByIds } from './recordings.ts'
import { isDatabaseTrouble, rederive, rewriteRun, unlessStopped } from './rederive.ts'
import { type Reading, readAgain, refusalOf, withReadings } from './reread.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'events' | 'worker'>

/** Since this version files are corrected as they are read; of its runs none is read again, whose runner may have declined. */
const CORRECTING_VERSION = 5
/** Workouts upgraded between two events. */
const BATCH = 50
const BY: By = { actor: 'upgrade', isAutomatic: true, left: () => {} }

/**
 * Derives the numbers of every workout again that come from an older engine, and reads its originals again where that one
 * did not correct files; meanwhile requests get the old values. When stopped, it continues at the next start. A workout that cannot be read keeps
 * its numbers and is not tried again until the next engine version. Never fails.
 */
export async function upgradeWorkouts(deps: Needs, signal: AbortSignal): Promise<void> {
  let derived = 0
  const older = olderRuns(deps.db)
  if (older > 0) deps.log.info(`Deriving ${older} runs again`)
  try {
    while (!signal.aborted && olderRuns(deps.db) > 0) {
      derived += await upgradeBatch(deps, someOlder(deps.db, BATCH), signal)
    }
  } catch (error) {
    deps.log.error('The numbers of workouts of an older engine could not be derived again', error)
  }
  if (derived === 0) return
  deps.log.info(`Derived the numbers of ${derived} workouts again`)
  deps.events.emit({ event: 'ground.updated', data: {} })
}

/** @returns number of workouts written. Clients are notified once, even when the disk became full after some */
async function upgradeBatch(deps: Needs, older: ReturnType<typeof someOlder>, signal: AbortSignal): Promise<number> {
  const { db, log, events } = deps
  let saved = 0
  try {
    const others: string[] = []
    for (const { id, engineVersion } of older) {
      if (signal.aborted) break
      if (engineVersion < CORRECTING_VERSION && (await isCorrected(deps, id, signal))) saved += 1
      else others.push(id)
    }
    const { unreadable } = await rederive(deps, others, {
      what: 'everything',
      signal,
      write: (tx, head, derived) => {
        rewriteRun(tx, deps, head, derived)
        saved += 1
      },
    })
    for (const { id, error } of unreadable) {
      log.error(`The numbers of workout ${id} could not be derived again and stay unchanged`, error)
      markUpgraded(db, id)
    }
  } finally {
    if (saved > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  }
  return saved
}

/** Corrects a run whose files state something wrongly. @returns whether they do */
async function isCorrected(deps: Needs, id: string, signal: AbortSignal): Promise<boolean> {
  return await whileCurrent(deps.db, [id], () => correctRun(deps, id, signal)).catch((error: unknown) => {
    if (isDatabaseTrouble(error)) throw error
    // what cannot be read keeps its samples
    if (!(error instanceof FormatError)) deps.log.warn(`The original of workout ${id} is not read again: ${error}`)
    return false
  })
}

/** @returns whether anything of the run was corrected @throws FormatError when an original cannot be read */
async function correctRun(deps: Needs, id: string, signal: AbortSignal): Promise<boolean> {
  const { db, events, now: nowOf } = deps
  const head = runHead(db, id)
  if (head === null || head.body.choices?.stated || refusalOf(head.body.track) !== null) return false
  const archives = db.$client.query("SELECT 1 FROM receipt WHERE id = ? AND origin = 'archive'")
  const readings: Reading[] = []
  for (const recording of recordingsByIds(db, recordingIds(head.body.track))) {
    // what an archive brought counts as it states
    const isArchived = recording.kind === 'archive' || archives.get(recording.receiptId) !== null
    if (recording.storedAs === null || isArchived) continue
    const run = await unlessStopped(readAgain(deps, recording), signal)
    if (run === null) return false
    if (!Bun.deepEquals(run.corrections, recording.corrections)) readings.push({ recording, run })
  }
  const [first] = readings
  if (first === undefined) return false
  const { to, asked: before, recordings = [] } = await withReadings(deps, head, readings)
  const derived = await derivedRun(deps, id, { to, asked: before, recordings })
  const nowMs = nowOf()
  const filename = first.recording.fileName ?? ''
  const warnings = readings.flatMap(({ run }) => run.corrections).map(({ reason: message }) => ({ filename, message }))
  const receiptId = db.transaction((tx) => {
    const receipt = upgradeReceipt(tx, deps)
    for (const recording of recordings) insertRecording(tx, recording)
    const asked = timedEfforts(tx, id, { asked: before, ...derived.analysis, nowMs })
    const changes = [{ kind: 'run', id, from: head.seq, to, asked, derived } as const]
    commitItem(tx, deps, { changes, item: { outcome: 'changed', workoutId: id, filename } }, receipt)
    finishReceipt(tx, receipt.id, { nowMs, warnings })
    return receipt.id
  })
  events.emit({ event: 'receipt.created', data: { id: receiptId } })
  return true
}

/** One for all runs, also after a restart. */
function upgradeReceipt(tx: Tx, deps: Needs) {
  const open = tx.$client.query<{ id: string }, [string, number]>(
    'SELECT id FROM receipt WHERE actor = ?1 AND undone_at IS NULL AND coalesce(undo_until, ?2) >= ?2 LIMIT 1',
  )
  const known = open.get(BY.actor, deps.now())
  if (known !== null) return appendTo(tx, known.id)
  return beginReceipt(tx, { ...deps, by: BY }, { kind: 'bulk_edit', title: 'Corrected what files state wrongly' })
}
