import { isoTime } from '../../engine/calendar/timestamp.ts'

export const GROUPS = [
  ...(['settings', 'shoes', 'workouts', 'routes', 'splits'] as const),
  ...(['timeSeries', 'media', 'bestEfforts', 'rawFiles'] as const),
] as const
export type Group = (typeof GROUPS)[number]

export interface GroupCounts {
  imported: number
  skipped: number
  errors: number
}

/** The answer of a restore (CONTRACT 7.5). */
export interface RestoreSummary {
  readonly success: boolean
  readonly importedAt: string
  readonly statistics: Readonly<Record<Group, GroupCounts>>
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
}

/** Sentences of one kind. */
interface Told {
  count: number
  /** What the first ones were about. */
  readonly about: string[]
}

const MOST_SENTENCES = 100
const MOST_NAMED = 5

/** Counts and sentences of one restore: what happens ten thousand times is one sentence with its count. */
export class RestoreReport {
  readonly counts: Readonly<Record<Group, GroupCounts>>
  private readonly warnings = new Map<string, Told>()
  private readonly errors = new Map<string, Told>()

  constructor() {
    const zero = (): GroupCounts => ({ imported: 0, skipped: 0, errors: 0 })
    this.counts = Object.fromEntries(GROUPS.map((group) => [group, zero()])) as Record<Group, GroupCounts>
  }

  imported(group: Group, count = 1): void {
    this.counts[group].imported += count
  }

  skipped(group: Group, count = 1): void {
    this.counts[group].skipped += count
  }

  /** How many of each group something was said of. */
  told(): Readonly<Record<Group, number>> {
    const sums = GROUPS.map((group) => {
      const { imported, skipped, errors } = this.counts[group]
      return [group, imported + skipped + errors] as const
    })
    return Object.fromEntries(sums) as Record<Group, number>
  }

  /** @param before what had been told of before these parts: those of which nothing was said since are skipped */
  skippedRest(before: Readonly<Record<Group, number>>, parts: Readonly<Partial<Record<Group, number>>>): void {
    const now = this.told()
    for (const group of GROUPS) this.skipped(group, Math.max(0, (parts[group] ?? 0) - (now[group] - before[group])))
  }

  /**
   * A record that could not be restored.
   * @param what one of few sentences, the same for all records of its kind
   * @param which the record: an id or a name
   */
  failed(group: Group, what: string, { which, count = 1 }: { which?: string; count?: number } = {}): void {
    this.counts[group].errors += count
    tell(this.errors, what, { which, count })
  }

  /** What ended the restore as a whole. */
  broken(what: string): void {
    tell(this.errors, what, { which: undefined, count: 1 })
  }

  warn(what: string, { which, count = 1 }: { which?: string; count?: number } = {}): void {
    tell(this.warnings, what, { which, count })
  }

  summary(nowMs: number): RestoreSummary {
    return {
      success: this.errors.size === 0,
      importedAt: isoTime(nowMs),
      statistics: this.counts,
      warnings: sentences(this.warnings),
      errors: sentences(this.errors),
    }
  }
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
