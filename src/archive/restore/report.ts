import { isoTime } from '../../engine/calendar/timestamp.ts'
import type { LeftOutRow } from '../format/data-rows.ts'
import { GROUPS, type Group, type RestoreSummary } from './schemas.ts'

/** Messages of one kind. */
interface Told {
  count: number
  /** Names of the first records concerned. */
  readonly about: string[]
}

const MOST_SENTENCES = 100
const MOST_NAMED = 5

/** Counts and messages of one restore. A message that occurs ten thousand times is listed once with its count. */
export class RestoreReport {
  private readonly counts: RestoreSummary['statistics'] = eachGroup(() => ({ imported: 0, skipped: 0, errors: 0 }))
  private readonly warnings = new Map<string, Told>()
  private readonly errors = new Map<string, Told>()

  imported(group: Group, count = 1): void {
    this.counts[group].imported += count
  }

  skipped(group: Group, count = 1): void {
    this.counts[group].skipped += count
  }

  /** How many records of each group were counted so far. */
  told(): Readonly<Record<Group, number>> {
    return eachGroup((group) => {
      const { imported, skipped, errors } = this.counts[group]
      return imported + skipped + errors
    })
  }

  /** Counts records as skipped that were not counted otherwise. @param before result of `told` before these parts */
  skippedRest(before: Readonly<Record<Group, number>>, parts: Readonly<Partial<Record<Group, number>>>): void {
    const now = this.told()
    for (const group of GROUPS) this.skipped(group, Math.max(0, (parts[group] ?? 0) - (now[group] - before[group])))
  }

  /**
   * A record that could not be restored.
   * @param what the same sentence for all records with this problem
   * @param which the record: an id or a name
   */
  failed(group: Group, what: string, { which, count = 1 }: { which?: string; count?: number } = {}): void {
    this.counts[group].errors += count
    tell(this.errors, what, { which, count })
  }

  /** A failure that ended the whole restore. */
  broken(what: string): void {
    tell(this.errors, what, { which: undefined, count: 1 })
  }

  warn(what: string, { which, count = 1 }: { which?: string; count?: number } = {}): void {
    tell(this.warnings, what, { which, count })
  }

  /** A function, to be handed to `dataRows`. */
  readonly leftOut = ({ what, which }: LeftOutRow): void => this.warn(what, { which })

  summary(nowMs: number): RestoreSummary {
    return {
      success: this.errors.size === 0,
      importedAt: isoTime(nowMs),
      statistics: this.counts,
      warnings: sentences(this.warnings),
      errors: sentences(this.errors),
      receiptId: null,
    }
  }
}

function eachGroup<T>(make: (group: Group) => T): Record<Group, T> {
  return Object.fromEntries(GROUPS.map((group) => [group, make(group)])) as Record<Group, T>
}

function tell(
  sentencesOf: Map<string, Told>,
  what: string,
  { which, count }: { which: string | undefined; count: number },
) {
  const told = sentencesOf.get(what) ?? { count: 0, about: [] }
  told.count += count
  if (which !== undefined && told.about.length < MOST_NAMED) told.about.push(which)
  sentencesOf.set(what, told)
}

function sentences(told: ReadonlyMap<string, Told>): string[] {
  const all = [...told].map(([what, { count, about }]) => {
    if (about.length === 0) return count === 1 ? what : `${what} (${count} times)`
    const more = count > about.length ? ` and ${count - about.length} more` : ''
    return `${what}: ${about.join(', ')}${more}`
  })
  if (all.length <= MOST_SENTENCES) return all
  return [...all.slice(0, MOST_SENTENCES - 1), `${all.length - MOST_SENTENCES + 1} further kinds`]
}
