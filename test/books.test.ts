import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from './app.ts'
import { referencesIn, sectionsOf } from './books.ts'
import { operationsOf, type Schema } from './http/document.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const ROOT = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const BOOKS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const SECTIONS = new Map(BOOKS.map((name) => [name.slice(0, -3), sectionsOf(read(`docs/${name}`))]))
const PAPERS = ['README.md', 'CONTRIBUTING.md', ...BOOKS.map((name) => `docs/${name}`)]
const SOURCES = ['src', 'test', 'bench', 'build'].flatMap((folder) =>
  [...new Bun.Glob('**/*.{ts,tsx,js,css,sql,json}').scanSync(join(ROOT, folder))]
    .filter(
      (path) => !path.includes('swagger-ui/') && !path.endsWith('books.test.ts') && !path.endsWith('oracles.json'),
    )
    .map((path) => `${folder}/${path}`),
)

/** What a text names that no book has. */
function unresolved(text: string, within: 'sources' | 'papers'): string[] {
  return referencesIn(text)
    .filter(({ book }) => within === 'sources' || SECTIONS.has(book))
    .filter(({ book, section }) => section !== null && SECTIONS.get(book)?.has(section) !== true)
    .map(({ book, section }) => `${book}.md ${section}`)
}

describe('the docs', () => {
  test('have the sections that comments and tests name', () => {
    const named = SOURCES.flatMap((path) => {
      const text = read(path).replace(/(?<!docs\/)\b[\w-]+\.md\b/g, '')
      return unresolved(text, 'sources').map((reference) => `${path}: ${reference}`)
    })
    expect(named).toEqual([])
  })

  test('have the sections that they name of each other, and lead to files that exist', () => {
    const named = PAPERS.flatMap((path) => unresolved(read(path), 'papers').map((reference) => `${path}: ${reference}`))
    expect(named).toEqual([])
    const links = PAPERS.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => join(path, '..', to)),
    )
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('name files and folders of the repository that exist', () => {
    const named = PAPERS.flatMap((path) => [...read(path).matchAll(/`((?:src|test|bench|build|docs)\/[\w./-]+)`/g)])
    expect(named.length).toBeGreaterThan(100)
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    const short = PAPERS.flatMap((paper) => {
      // the tables of algorithms.md name files of the engine and their tests
      const bases = paper === 'docs/algorithms.md' ? ['', 'src', 'src/engine', 'test/engine'] : ['', 'src']
      const paths = [...read(paper).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:tsx?|css|sql))`/g)].map(
        ([, path = '']) => path,
      )
      return paths.map((path) => ({ path, isThere: bases.some((base) => existsSync(join(ROOT, base, path))) }))
    })
    expect(short.length).toBeGreaterThan(200)
    expect(short.filter(({ isThere }) => !isThere)).toEqual([])
  })

  test('are in this repository: nothing refers to any other', () => {
    const outside =
      /\b(?:CONTRACT|ALGORITHMS|DESIGN|TRAINING|STACK)(?:\.md)? \d|\bWAYS(?:\.md)? [A-N]\b|\b(?:SPEC|STYLE)(?:\.md)? \d/
    const found = [...SOURCES, ...PAPERS].filter((path) => outside.test(read(path)))
    expect(found).toEqual([])
  })

  test('list every call that the service has', async () => {
    await using app = await testApp()
    const { json: document } = await app.call('GET', '/swagger/json')
    const table = read('docs/api.md').split('\n## 14. ')[1] ?? ''
    const stated = [...table.matchAll(/^\| (?:\*\*\+\*\* )?`([A-Z]+ \/[^`]*)`/gm)].map(([, call]) => call)
    const served = operationsOf(document).map(([name]) => name.replace(/^\w+/, (method) => method.toUpperCase()))
    expect(stated.toSorted()).toEqual(served.toSorted())
  })

  test('name every tag and event that there is, and no call that there is not', async () => {
    await using app = await testApp()
    const { json: document } = await app.call('GET', '/swagger/json')
    const [, tags = ''] = /one tag \(([^)]+)\)/.exec(read('docs/api.md').replaceAll('\n', ' ')) ?? []
    expect(tags.split(', ').toSorted()).toEqual(document.tags.map(({ name }: { name: string }) => name).toSorted())
    const sent = [...read('src/events/emitter.ts').matchAll(/'([a-z_]+\.[a-z]+)'/g)].map(([, name = '']) => name)
    const events = [...new Set(sent)].filter((name) => name !== 'credentials.changed')
    expect(events.length).toBeGreaterThan(10)
    const { description } = document.paths['/events'].get
    const [, book = ''] = read('docs/api.md').split('\n## 9. ')
    for (const name of [...events, 'stopped'])
      expect([name, description, book]).toEqual([name, ...Array(2).fill(expect.stringContaining(name))])
    for (const path of [...PAPERS, ...SOURCES]) expect([path, /\/webhooks/.test(read(path))]).toEqual([path, false])
  })

  test.each([
    ['/stats/daily', (body: Schema) => body.properties?.days?.items, '- `daily`'],
    ['/auth/api-keys', (body: Schema) => body.items, '- `GET /auth/api-keys`'],
  ])('api.md names every member of %s', async (path, membersOf, paragraph) => {
    await using app = await testApp()
    const operations = new Map(operationsOf((await app.call('GET', '/swagger/json')).json))
    const schema = operations.get(`get ${path}`)?.responses[200]?.content?.['application/json']?.schema
    const members = Object.keys(membersOf(schema ?? {})?.properties ?? {})
    expect(members.length).toBeGreaterThan(5)
    const said = read('docs/api.md').split(`\n${paragraph}`)[1]?.split('\n- ')[0] ?? ''
    expect(members.filter((name) => !said.includes(`"${name}"`))).toEqual([])
  })

  test('show every folder of the sources in both maps', () => {
    const entries = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const folders = entries.map(({ name }) => name).toSorted()
    const shown = (text: string, line: RegExp) =>
      [...text.matchAll(line)].flatMap(([, names = '']) => names.split(' ').map((name) => name.slice(0, -1))).toSorted()
    expect(shown(read('README.md'), /^src\/([\w-]+\/(?: [\w-]+\/)*)/gm)).toEqual(folders)
    const [, tree = ''] = read('docs/architecture.md').split('\nsrc/\n')
    expect(shown(tree.split('\ntest/')[0] ?? '', /^ {2}([\w-]+\/(?: [\w-]+\/)*)/gm)).toEqual(folders)
    for (const name of BOOKS) expect(read('README.md')).toContain(name)
  })
})
