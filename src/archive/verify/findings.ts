/** Counts of one kind of record. */
export interface KindCounts {
  /** Name of the kind in the report. */
  readonly kind: string
  inArchive: number
  restored: number
  /** null: made anew of the archive of another program, and not compared. */
  equal: number | null
}

const MOST_NAMED = 5

/** Results of a verification: counts for each kind, and its first differences as sentences. */
export class Findings {
  /** Zero means that everything was equal. */
  differencesCount = 0
  private readonly byKind = new Map<string, KindCounts>()
  private readonly named = new Map<string, { count: number; readonly sentences: string[] }>()

  get kinds(): readonly KindCounts[] {
    return [...this.byKind.values()]
  }

  /** The line of a kind in the table of counts. */
  kind(kind: string, first: Omit<KindCounts, 'kind'> = { inArchive: 0, restored: 0, equal: 0 }): KindCounts {
    const line = this.byKind.get(kind) ?? { kind, ...first }
    this.byKind.set(kind, line)
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

  /** The first differences of each kind, and how many more there are. */
  sentences(): string[] {
    return [...this.named].flatMap(([kind, { count, sentences }]) => {
      const more = count - sentences.length
      return more === 0 ? sentences : [...sentences, `${kind}: ${more} more differences`]
    })
  }
}

/** The counts as a text table, one line for each kind. */
export function countsTable(kinds: readonly KindCounts[]): string {
  const rows = kinds.map(({ kind, inArchive, restored, equal }) => [kind, inArchive, restored, equal ?? 'rebuilt'])
  return [['', 'in the archive', 'restored', 'equal'], ...rows]
    .map(([kind, ...cells]) => `  ${String(kind).padEnd(14)}${cells.map((cell) => String(cell).padStart(16)).join('')}`)
    .join('\n')
}
