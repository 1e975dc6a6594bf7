import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { Stopped } from '../../features/workouts/schemas.ts'
import { flag, integer, meaning, moment, nullable, text, uuid } from '../../http/schemas.ts'

const GROUPS = [
  'settings',
  'shoes',
  'workouts',
  'routes',
  'splits',
  'timeSeries',
  'media',
  'bestEfforts',
  'rawFiles',
] as const
export type Group = (typeof GROUPS)[number]

const Counts = Type.Object(
  {
    imported: integer('Rows that were stored'),
    skipped: integer('Rows that are stored already, or belong to something that is'),
    errors: integer('Rows that could not be restored'),
  },
  { title: 'RestoreCounts' },
)

const ABOUT: Readonly<Record<Group, string>> = {
  settings: 'Settings, which replace the stored ones',
  shoes: 'Shoes',
  workouts: 'Runs',
  routes: 'Routes of runs',
  splits: 'Splits of runs',
  timeSeries: 'Samples of runs',
  media: 'Photos and videos',
  bestEfforts: 'Best efforts',
  rawFiles: 'Original files',
}

/** The answer to a restore (docs/api.md 7.5). */
export const RestoreAnswer = Type.Object(
  {
    success: flag('true: without errors'),
    importedAt: moment('When the restore ended'),
    statistics: Type.Object(
      Object.fromEntries(GROUPS.map((group) => [group, meaning(ABOUT[group], Counts)])) as Record<Group, typeof Counts>,
      { title: 'RestoreStatistics', description: 'What became of the rows of each file' },
    ),
    warnings: Type.Array(text('For people'), { description: 'At most 100, repetitions counted' }),
    errors: Type.Array(text('For people'), { description: 'At most 100, repetitions counted' }),
    receiptId: nullable(uuid('Receipt of this import; null: there is none')),
    stopped: Stopped,
  },
  { title: 'RestoreReport' },
)

export type RestoreSummary = Static<typeof RestoreAnswer>

interface Stated {
  count: number
  /** Names of the first records concerned. */
  readonly about: string[]
}

const MOST_SENTENCES = 100
const MOST_NAMED = 5

/**
 * Counts and messages of one restore: what was read and is neither imported nor an error is skipped. A message that occurs
 * ten thousand times is listed once with its count.
 */
export class RestoreReport {
  private readonly counts = eachGroup(() => ({ read: 0, imported: 0, errors: 0 }))
  private readonly warnings = new Map<string, Stated>()
  private readonly errors = new Map<string, Stated>()

  read(group: Group, count = 1): void {
    this.counts[group].read += count
  }

  readParts(parts: Readonly<Partial<Record<Group, number>>>): void {
    for (const group of GROUPS) this.read(group, parts[group] ?? 0)
  }

  imported(group: Group, count = 1): void {
    this.counts[group].imported += count
  }

  /**
   * A record that could not be restored.
   * @param what the same sentence for all records with this problem
   * @param which the record: an id or a name
   */
  failed(group: Group, what: string, { which, count = 1 }: { which?: string; count?: number } = {}): void {
    this.counts[group].errors += count
    note(this.errors, what, { which, count })
  }

  broken(what: string): void {
    note(this.errors, what, { which: undefined, count: 1 })
  }

  /** A function of its own, to be handed on. */
  readonly warn = (what: string, { which }: { readonly which?: string } = {}): void => {
    note(this.warnings, what, { which, count: 1 })
  }

  summary(nowMs: number): RestoreSummary {
    return {
      success: this.errors.size === 0,
      importedAt: isoTime(nowMs),
      statistics: eachGroup((group) => {
        const { read, imported, errors } = this.counts[group]
        return { imported, skipped: Math.max(0, read - imported - errors), errors }
      }),
      warnings: sentences(this.warnings),
      errors: sentences(this.errors),
      receiptId: null,
    }
  }
}

function eachGroup<T>(make: (group: Group) => T): Record<Group, T> {
  return Object.fromEntries(GROUPS.map((group) => [group, make(group)])) as Record<Group, T>
}

function note(
  sentencesOf: Map<string, Stated>,
  what: string,
  { which, count }: { which: string | undefined; count: number },
) {
  const stated = sentencesOf.get(what) ?? { count: 0, about: [] }
  stated.count += count
  if (which !== undefined && stated.about.length < MOST_NAMED) stated.about.push(which)
  sentencesOf.set(what, stated)
}

function sentences(stated: ReadonlyMap<string, Stated>): string[] {
  const all = [...stated].map(([what, { count, about }]) => {
    if (about.length === 0) return count === 1 ? what : `${what} (${count} times)`
    const more = count > about.length ? ` and ${count - about.length} more` : ''
    return `${what}: ${about.join(', ')}${more}`
  })
  if (all.length <= MOST_SENTENCES) return all
  return [...all.slice(0, MOST_SENTENCES - 1), `${all.length - MOST_SENTENCES + 1} further kinds`]
}
