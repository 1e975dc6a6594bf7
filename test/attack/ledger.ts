import { isDeepStrictEqual } from 'node:util'

/** Members of a detail answer that are known. */
export type Detail = Readonly<Record<string, unknown>>

/** One workout as far as the service has acknowledged it. */
export interface Run {
  readonly id: string
  /** SHA-256 of the uploaded original; null: it was deleted while an export was written from which the run came back. */
  readonly sha256: string | null
  detail: Detail
  /** SHA-256 by media id. */
  photos: Map<string, string>
  /** A call about it is under way; the next caller waits. */
  isBusy: boolean
  /** What an unanswered call may have brought about instead; empty: everything was answered. */
  doubts: readonly Doubt[]
  /** Grows with every change. */
  version: number
}

export type Doubt =
  | { readonly kind: 'gone' }
  /** These members are others; those that are not named may be anything when `isDerived`. */
  | { readonly kind: 'changed'; readonly detail: Detail; readonly isDerived: boolean }
  | { readonly kind: 'photos'; readonly added: readonly string[]; readonly removed: readonly string[] }

/** A run that was sent and whose id is not known yet; it is recognised by its start. */
export interface Planned {
  readonly startedAt: string
  readonly sha256: string
  /** SHA-256 by file name. */
  readonly photos: ReadonlyMap<string, string>
  /** true: it has to be there. */
  isAcknowledged: boolean
}

/** An export, with those of its runs that did not change while it was written. */
export interface Archive {
  readonly bytes: Uint8Array
  readonly runs: ReadonlyMap<string, Pick<Run, 'sha256' | 'detail' | 'photos'>>
}

/** What the service has acknowledged so far. */
export class Ledger {
  readonly runs = new Map<string, Run>()
  readonly planned = new Map<string, Planned>()
  readonly deleted = new Set<string>()
  archive: Archive | null = null
  /** A restore was sent and not answered: deleted runs may be back. */
  isRestoring = false

  /** Changes a run that is free meanwhile. @param doubts how it may be when no answer comes */
  async change(run: Run, doubts: readonly Doubt[], call: () => Promise<void>): Promise<void> {
    run.isBusy = true
    run.doubts = doubts
    run.version += 1
    // on a failure it stays in doubt until it is looked at again
    await call()
    run.version += 1
    run.doubts = []
    run.isBusy = false
  }
}

/**
 * Its load is on the scale of all runs, and its type is suggested beside the others: another run may change
 * them, and so when it last changed.
 */
const OF_OTHERS: readonly string[] = ['load', 'loadSource', 'suggestedRunType', 'updatedAt']

/** Where a workout is not as it has to be. @returns null when it is as known or as one of the doubts allows */
export function departure(run: Run, detail: Detail, photos: ReadonlyMap<string, string>): string | null {
  const states = [{ kind: 'changed', detail: {}, isDerived: false } as const, ...run.doubts]
  const faults = states.map((doubt) => {
    if (doubt.kind === 'gone') return 'it may be gone'
    const known = doubt.kind === 'changed' ? { ...(doubt.isDerived ? {} : run.detail), ...doubt.detail } : run.detail
    const wrong = Object.keys(known).filter(
      (key) => !OF_OTHERS.includes(key) && !isDeepStrictEqual(known[key], detail[key]),
    )
    if (wrong.length > 0)
      return wrong.map((key) => `${key} ${shown(detail[key])} instead of ${shown(known[key])}`).join()
    const { added, removed } = doubt.kind === 'photos' ? doubt : { added: [], removed: [] }
    return photosDeparture(run.photos, photos, { added, removed })
  })
  return faults.includes(null) ? null : faults.join('; or ')
}

function photosDeparture(
  known: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): string | null {
  for (const [id, sha256] of known) {
    if (!found.has(id) && !removed.includes(id)) return `the photo ${id} is missing`
    if (found.has(id) && found.get(id) !== sha256) return `the photo ${id} has other bytes`
  }
  for (const [id, sha256] of found) {
    if (!known.has(id) && !added.includes(sha256)) return `the photo ${id} was never sent`
  }
  return null
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80)
}
