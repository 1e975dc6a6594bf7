import type { ImportKind, ImportProgress } from '../../base/events.ts'
import { createStore, useStore } from '../store.ts'
import { addedCounts, type Counts, countsOf, NO_RUNS } from './outcomes.ts'
import { isOwnImport, ownProgress } from './queue.ts'

/** Event of the service at the end of an import. */
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

/** An import started by another window or device, or by this one before it was reloaded. */
export interface Elsewhere extends Omit<ImportProgress, 'filename'> {
  /** Sum over the ended imports of this kind. */
  readonly counts: Counts
  readonly isUnderWay: boolean
  /** Why the last one ended early; null: it did not. */
  readonly problem: string | null
}

/** Files imported one by one count as one import until none has arrived for this long. */
const QUIET_MS = 4000

const imports = createStore<readonly Elsewhere[]>([])
const quiet: { timer?: ReturnType<typeof setTimeout> } = {}

/**
 * Imports of other clients. A single file, such as a watch sends every day, is not listed, since the views show its
 * run.
 */
export function useElsewhere(): readonly Elsewhere[] {
  return useStore(imports).filter(({ kind, total, counts, problem }) => {
    return kind !== 'files' || total > 1 || sum(counts) > 1 || problem !== null
  })
}

/** Removes ended imports from the list. */
export function clearElsewhere(): void {
  imports.set(imports.get().filter(({ isUnderWay }) => isUnderWay))
}

/** Shows a progress event of an import of any client. */
export function showProgress(stated: ImportProgress): void {
  const { kind, processed, total } = stated
  if (isOwnImport(kind)) ownProgress(stated)
  else put({ counts: NO_RUNS, ...underWay(kind), kind, processed, total, isUnderWay: true, problem: null })
}

/** Shows the end event of an import of any client. */
export function showDone({ kind, error, stopped, ...stated }: ImportDone): void {
  const known = underWay(kind)
  if (isOwnImport(kind) || known === null) return
  const { successful = 0, updated = 0, skipped = 0, errors = 0 } = stated
  const counts = addedCounts(known.counts, countsOf({ successful, updated, skipped, errors }))
  const problem = error ?? stopped ?? null
  const end = () => put({ ...known, counts, problem, isUnderWay: false })
  if (kind !== 'files' || problem !== null) end()
  else {
    put({ ...known, counts })
    quiet.timer = setTimeout(end, QUIET_MS)
  }
}

/**
 * Clears running imports after the event stream was interrupted; on reconnecting, the service sends the progress of
 * those still running.
 */
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
