/** How many of one kind of thing. */
export interface KindCounts {
  /** As the report calls it. */
  readonly kind: string
  inArchive: number
  restored: number
  /** null: rebuilt from other parts of the archive, so not compared value by value. */
  equal: number | null
}

const MOST_NAMED = 5
const MOST_NOTES = 20

/** What a verification found: counts a kind, and the first differences of each kind in words. */
export class Findings {
  readonly kinds: KindCounts[] = []
  /** Whether everything was equal depends on this alone. */
  differencesCount = 0
  private readonly noted: string[] = []
  private notesCount = 0
  private readonly named = new Map<string, { count: number; readonly sentences: string[] }>()

  /** A new line of the table. */
  kind(kind: string, counts: Omit<KindCounts, 'kind'> = { inArchive: 0, restored: 0, equal: 0 }): KindCounts {
    const line = { kind, ...counts }
    this.kinds.push(line)
    return line
  }

  /** @param sentence what is different, with the id and the field */
  differ(kind: string, sentence: string): void {
    this.differencesCount += 1
    const named = this.named.get(kind) ?? { count: 0, sentences: [] }
    named.count += 1
    if (named.sentences.length < MOST_NAMED) named.sentences.push(sentence)
    this.named.set(kind, named)
  }

  /** @param sentence what a restore may do, and a reader may want to know */
  note(sentence: string): void {
    this.notesCount += 1
    if (this.noted.length < MOST_NOTES) this.noted.push(sentence)
  }

  get notes(): readonly string[] {
    const more = this.notesCount - this.noted.length
    return more === 0 ? this.noted : [...this.noted, `${more} more notes`]
  }

  /** The first of each kind, and how many more there are. */
  sentences(): string[] {
    return [...this.named].flatMap(([kind, { count, sentences }]) => {
      const more = count - sentences.length
      return more === 0 ? sentences : [...sentences, `${kind}: ${more} more differences`]
    })
  }
}

/** Counts as a table that a person can read, one line a kind. */
export function countsTable(kinds: readonly KindCounts[]): string {
  const rows = kinds.map(({ kind, inArchive, restored, equal }) => [kind, inArchive, restored, equal ?? 'rebuilt'])
  return [['', 'in the archive', 'restored', 'equal'], ...rows]
    .map(([kind, ...cells]) => `  ${String(kind).padEnd(14)}${cells.map((cell) => String(cell).padStart(16)).join('')}`)
    .join('\n')
}
