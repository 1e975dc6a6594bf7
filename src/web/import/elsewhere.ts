import type { ImportKind, ImportProgress } from '../../events/emitter.ts'
import { createStore, useStore } from '../store.ts'
import { addedCounts, type Counts, countsOf, NO_RUNS } from './outcomes.ts'
import { isOwnImport, ownProgress } from './queue.ts'

/** That an import ended, as the service tells every page. */
export interface ImportDone {
  readonly kind: ImportKind
  readonly successful?: number
  readonly updated?: number
  readonly skipped?: number
  readonly errors?: number
  /** Why it ended before its last run. */
  readonly stopped?: string
  /** Why it was refused. */
  readonly error?: string
}

/** An import of another window or device, or of this one before it was loaded anew. */
export interface Elsewhere extends Omit<ImportProgress, 'filename'> {
  /** Of the imports of this kind that ended, one after the other. */
  readonly counts: Counts
  readonly isUnderWay: boolean
  /** Why the last one ended early; null: it did not. */
  readonly problem: string | null
}

/** Files that come one by one are one import until none has come for so long. */
const QUIET_MS = 4000

const imports = createStore<readonly Elsewhere[]>([])
const quiet: { timer?: ReturnType<typeof setTimeout> } = {}

/** One file that somebody sends, such as a watch every day, is no news: the views show its run. */
export function useElsewhere(): readonly Elsewhere[] {
  return useStore(imports).filter(({ kind, total, counts, problem }) => {
    return kind !== 'files' || total > 1 || sum(counts) > 1 || problem !== null
  })
}

/** Takes what has ended off the list. */
export function clearElsewhere(): void {
  imports.set(imports.get().filter(({ isUnderWay }) => isUnderWay))
}

/** @param told by the service while an import is at work, whoever sent it */
export function tellProgress(told: ImportProgress): void {
  const { kind, processed, total } = told
  if (isOwnImport(kind)) ownProgress(told)
  else put({ counts: NO_RUNS, ...underWay(kind), kind, processed, total, isUnderWay: true, problem: null })
}

/** @param told by the service when an import is over, whoever sent it */
export function tellDone({ kind, error, stopped, ...told }: ImportDone): void {
  const known = underWay(kind)
  if (isOwnImport(kind) || known === null) return
  const { successful = 0, updated = 0, skipped = 0, errors = 0 } = told
  const counts = addedCounts(known.counts, countsOf({ successful, updated, skipped, errors }))
  const problem = error ?? stopped ?? null
  const settle = () => put({ ...known, counts, problem, isUnderWay: false })
  if (kind !== 'files' || problem !== null) settle()
  else {
    put({ ...known, counts })
    quiet.timer = setTimeout(settle, QUIET_MS)
  }
}

/** After a gap in what is told nobody knows whether they still are: who begins to listen is told of those that are. */
export function forgetElsewhere(): void {
  imports.set(imports.get().filter(({ isUnderWay }) => !isUnderWay))
}

function underWay(kind: ImportKind): Elsewhere | null {
  return imports.get().find((entry) => entry.kind === kind && entry.isUnderWay) ?? null
}

function put(entry: Elsewhere): void {
  if (entry.kind === 'files') clearTimeout(quiet.timer)
  imports.set([...imports.get().filter(({ kind }) => kind !== entry.kind), entry])
}

function sum({ imported, completed, here, failed }: Counts): number {
  return imported + completed + here + failed
}
