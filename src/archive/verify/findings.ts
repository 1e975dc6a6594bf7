import { valueOfKey } from '../../base/json-object.ts'

/** Counts of one kind of record. */
export interface KindCounts {
  /** Name of the kind in the report. */
  readonly kind: string
  inArchive: number
  restored: number
  /** null: rebuilt from other parts of the archive, so not compared value by value. */
  equal: number | null
}

const MOST_NAMED = 5
const MOST_NOTES = 20

/** Results of a verification: counts for each kind, and its first differences as sentences. */
export class Findings {
  readonly kinds: KindCounts[] = []
  /** Zero means that everything was equal. */
  differencesCount = 0
  private readonly noted: string[] = []
  private notesCount = 0
  private readonly named = new Map<string, { count: number; readonly sentences: string[] }>()

  /** Adds a line to the table of counts. */
  kind(kind: string, counts: Omit<KindCounts, 'kind'> = { inArchive: 0, restored: 0, equal: 0 }): KindCounts {
    const line = { kind, ...counts }
    this.kinds.push(line)
    return line
  }

  /** @param sentence the difference, with id and field */
  differ(kind: string, sentence: string): void {
    this.differencesCount += 1
    const named = this.named.get(kind) ?? { count: 0, sentences: [] }
    named.count += 1
    if (named.sentences.length < MOST_NAMED) named.sentences.push(sentence)
    this.named.set(kind, named)
  }

  /** @param sentence a deviation that a restore may make and that is worth knowing */
  note(sentence: string): void {
    this.notesCount += 1
    if (this.noted.length < MOST_NOTES) this.noted.push(sentence)
  }

  get notes(): readonly string[] {
    const more = this.notesCount - this.noted.length
    return more === 0 ? this.noted : [...this.noted, `${more} more notes`]
  }

  /** The first differences of each kind, and how many more there are. */
  sentences(): string[] {
    return [...this.named].flatMap(([kind, { count, sentences }]) => {
      const more = count - sentences.length
      return more === 0 ? sentences : [...sentences, `${kind}: ${more} more differences`]
    })
  }
}

/** A sentence for each count that the manifest states otherwise. */
export function otherCounts(
  statistics: Readonly<Record<string, unknown>>,
  counts: readonly (readonly [name: string, count: number])[],
): string[] {
  return counts.flatMap(([name, count]) => {
    const stated = valueOfKey(statistics, name)
    if (stated === undefined || stated === count) return []
    return [`The manifest says ${JSON.stringify(stated)} ${name}, the archive has ${count}`]
  })
}

/** The counts as a text table, one line for each kind. */
export function countsTable(kinds: readonly KindCounts[]): string {
  const rows = kinds.map(({ kind, inArchive, restored, equal }) => [kind, inArchive, restored, equal ?? 'rebuilt'])
  return [['', 'in the archive', 'restored', 'equal'], ...rows]
    .map(([kind, ...cells]) => `  ${String(kind).padEnd(14)}${cells.map((cell) => String(cell).padStart(16)).join('')}`)
    .join('\n')
}
