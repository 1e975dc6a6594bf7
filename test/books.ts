// References to the docs of this repository: which sections a book has, and which of them a text names.

/** Sections by what a reference calls them: `7`, `7.2`, `A.6`, `"What is kept"`. */
export function sectionsOf(markdown: string): ReadonlySet<string> {
  const sections = new Set<string>()
  let chapter = ''
  for (const line of markdown.split('\n')) {
    const heading = /^#{2,4} (?:(\d+(?:\.\d+)*|[A-Z]\.\d+|[A-Z](?=\.))\.? )?(.*)$/.exec(line)
    if (heading !== null) {
      const [, number, title = ''] = heading
      if (number !== undefined) sections.add(number)
      if (number !== undefined && !number.includes('.')) chapter = number
      sections.add(`"${title.replace(/ \+$/, '')}"`)
      continue
    }
    const item = /^(\d+)\. /.exec(line)
    if (item !== null && /^[A-Z]$/.test(chapter)) sections.add(`${chapter}.${item[1]}`)
  }
  return sections
}

export interface Reference {
  /** Such as `api`. */
  readonly book: string
  /** null: the whole book. */
  readonly section: string | null
}

/** What a text names of the docs, comment signs and line breaks apart. */
export function referencesIn(text: string): Reference[] {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
    .replace(/`/g, '')
  return [...plain.matchAll(/\b(?:docs\/)?([a-z][a-z-]*)\.md(?=([^\n]{0,120}))/g)].flatMap(
    ([, book = '', tail = '']) => {
      const sections = sectionsNamed(tail)
      return (sections.length === 0 ? [null] : sections).map((section) => ({ book, section }))
    },
  )
}

const SECTION = /^(?:\d+(?:\.\d+)*|[A-N]\.\d+|[A-N](?=[),.;:]|$)|"[^"]+")/

/** The sections in the text after the name of a book: ` 1.2, 7.1`, ` A.4 and A.5`, `, "What is kept"`. */
function sectionsNamed(tail: string): string[] {
  const start = /^,? (?=["])|^ /.exec(tail)
  const first = start === null ? null : SECTION.exec(tail.slice(start[0].length))
  if (start === null || first === null) return []
  let rest = tail.slice(start[0].length + first[0].length)
  const found = [first[0]]
  for (;;) {
    const next = /^(?:, | and | to )(\d+(?:\.\d+)?|[A-N]\.\d+|[A-N](?=[,.;)]|$|,? and )|"[^"]+")(?=[\s).,;:]|$)/.exec(
      rest,
    )
    if (next === null) return found
    found.push(next[1] ?? '')
    rest = rest.slice(next[0].length)
  }
}
