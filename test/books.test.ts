// Links, paths and sections of the docs, and the events that the document lists.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from './app.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const ROOT = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const BOOKS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const SECTIONS = new Map(BOOKS.map((name) => [name.slice(0, -3), sectionsOf(read(`docs/${name}`))]))
const PAPERS = ['README.md', 'CONTRIBUTING.md', ...BOOKS.map((name) => `docs/${name}`)]
const SOURCES = ['src', 'test', 'bench', 'build'].flatMap((folder) =>
  [...new Bun.Glob('**/*.{ts,tsx,js,css,sql,json}').scanSync(join(ROOT, folder))]
    .filter((path) => !/swagger-ui\/|books\.test\.ts$|oracles\.json$/.test(path))
    .map((path) => `${folder}/${path}`),
)

/** Sections by what a reference calls them: `7`, `7.2`, `A.6`, `C` (of a table whose rows have letters), `"What is kept"`. */
function sectionsOf(markdown: string): ReadonlySet<string> {
  const sections = new Set<string>()
  let chapter = ''
  for (const line of markdown.split('\n')) {
    const heading = /^#{2,4} (?:(\d+(?:\.\d+)*|[A-Z]\.\d+|[A-Z](?=\.))\.? )?(.*)$/.exec(line)
    const [, number, title] = heading ?? []
    if (title !== undefined) sections.add(`"${title.replace(/ \+$/, '')}"`)
    if (number !== undefined) sections.add(number)
    if (number !== undefined && !number.includes('.')) chapter = number
    const item = /^(\d+)\. /.exec(line)
    if (item !== null && /^[A-Z]$/.test(chapter)) sections.add(`${chapter}.${item[1]}`)
    const [row = ''] = /^\| [A-Z] [^|]*/.exec(line) ?? []
    for (const [, letter = ''] of row.matchAll(/(?:\||,) ([A-Z]) /g)) sections.add(letter)
  }
  return sections
}

const ONE = String.raw`\d+(?:\.\d+)*|[A-N]\.\d+|[A-N](?=[,.;:)]|$| and | to )|"[^"]+"`
/** ` 1.2, 7.1`, ` A.4 and A.5`, `, "What is kept"` after the name of a book. */
const NAMED = new RegExp(`^(?:,? (?=")| )(?:${ONE})(?:(?:, | and | to )(?:${ONE})(?=[\\s).,;:]|$))*`)

/** What a text names of the docs, comment signs and line breaks apart, that no book has. */
function unresolved(text: string, isPaper: boolean): string[] {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
    .replace(/`/g, '')
  return [...plain.matchAll(/\b(docs\/)?([a-z][a-z-]*)\.md(?=([^\n]{0,120}))/g)].flatMap(
    ([, folder, book = '', tail = '']) => {
      // other files end in .md, too
      if (isPaper ? !SECTIONS.has(book) : folder === undefined) return []
      const named = NAMED.exec(tail)?.[0].match(new RegExp(ONE, 'g')) ?? []
      return named.filter((section) => !SECTIONS.get(book)?.has(section)).map((section) => `${book}.md ${section}`)
    },
  )
}

test('the docs have the sections that comments, tests and other docs name', () => {
  const named = [...SOURCES, ...PAPERS].flatMap((path) =>
    unresolved(read(path), PAPERS.includes(path)).map((reference) => `${path}: ${reference}`),
  )
  expect(named).toEqual([])
  expect(unresolved('// docs/api.md 7.2, 99.1 and 7, docs/ways.md A.4 to Z, docs/algorithms.md 0, C)', false)).toEqual([
    'api.md 99.1',
  ])
})

test('links and paths of the docs lead to files that exist', () => {
  const links = PAPERS.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => join(path, '..', to)),
  )
  expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const paths = PAPERS.flatMap((paper) => {
    // algorithms.md names files of the engine and their tests
    const bases = paper === 'docs/algorithms.md' ? ['', 'src', 'src/engine', 'test/engine'] : ['', 'src']
    const named = /`((?:src|test|bench|build|docs)\/[\w./-]+|(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|css|sql))`/g
    const found = [...read(paper).matchAll(named)].map(([, path = '']) => path)
    return found.map((path) => ({ path, isThere: bases.some((base) => existsSync(join(ROOT, base, path))) }))
  })
  expect(paths.length).toBeGreaterThan(200)
  expect(paths.filter(({ isThere }) => !isThere)).toEqual([])
  for (const name of BOOKS) expect(read('README.md')).toContain(name)
})

test('the document describes every event of the service', async () => {
  await using app = await testApp()
  const { json: document } = await app.call('GET', '/swagger/json')
  const sent = [...read('src/base/events.ts').matchAll(/'([a-z_]+\.[a-z]+)'/g)].map(([, name = '']) => name)
  const events = [...new Set([...sent, 'stopped'])].filter((name) => name !== 'credentials.changed')
  expect(events.length).toBeGreaterThan(10)
  const { description } = document.paths['/events'].get
  expect(events.filter((name) => !description.includes(name))).toEqual([])
})
