// Who may import whom, no state in modules, no await in a transaction, and who alone writes rows (docs/architecture.md 2).
import { expect, test } from 'bun:test'
import { Glob } from 'bun'

interface SourceFile {
  /** Relative to `src`, such as `workouts/import.ts`. */
  readonly path: string
  readonly source: string
}

interface Import {
  /** A path relative to `src` for own files, else a package name. */
  readonly target: string
  readonly isOwn: boolean
  readonly isType: boolean
}

/** From the top: a file imports its own wing and those of later steps; wings of one step do not know each other. */
const WINGS = [
  ...[['main.ts'], ['commands'], ['app.ts'], ['imports', 'page'], ['archive'], ['features'], ['library']],
  ...[['workers', 'http'], ['formats'], ['zip'], ['db'], ['engine', 'base']],
]
/** Of the features each may import the ones before it, but not their routes. */
const FEATURES = [
  ...[['settings'], ['shoes', 'map'], ['weather'], ['workouts'], ['media', 'stats', 'repair', 'places']],
  ...[
    ['training', 'ground'],
    ['calendar', 'downloads', 'receipts'],
    ['events', 'auth', 'share', 'system'],
  ],
]
/** What is known out of this order. */
const EXCEPTIONS: readonly (readonly [path: RegExp, target: RegExp])[] = [
  [/^base\/config\.ts$/, /^engine\/units\.ts$/],
  [/^page\/routes\.ts$/, /^web\/addresses\.ts$/],
  [/^features\/events\//, /^features\/auth\//],
]
/** The packages that a wing may use besides Node's own; absent: all. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ...{ engine: [], base: ['bun:jsc'], formats: [], workers: [], zip: [] },
  library: ['drizzle-orm', 'drizzle-orm/sqlite-core', '@photostructure/tz-lookup'],
}
const ELYSIA_VALUES = /^((\w[\w-]*\/)+routes\.ts|features\/auth\/gate\.ts|http\/[\w-]+\.ts|app\.ts)$/
/** What only these files may say. */
const PRIVILEGES: readonly (readonly [said: RegExp, by: RegExp, why: string])[] = [
  [
    /\b(Bun|process|import\.meta)(\.env\b|\[)|\benv\b[^}]*\} = (Bun|process)\b/,
    /^base\/config\.ts$/,
    'the environment',
  ],
  [
    /(?<![.\w])(globalThis\.)?fetch\(/,
    /^(features\/(weather|map)|imports\/sync)\/client\.ts$|^web\//,
    'who asks others',
  ],
  [/Math\.hypot/, /^web\//, 'its last bit depends on the platform'],
  [/\.listen\(/, /^commands\/serve\.ts$/, 'who listens'],
  [/\bprocess\.(on|once)\(/, /^commands\/(serve|work-folder)\.ts$/, 'who handles signals'],
  [/\b(db|tx|snapshot)\s*\.(run|all|get|values|session|dialect|_)\b/, /^db\//, 'SQL goes to $client'],
  // there is one main thread, whose slices of work all share
  [/^(export )?(let|var) /m, /^web\/|^base\/pace\.ts$/, 'a file keeps no state'],
  [/Date\.now|Bun\.|fetch\(|await |async |Math\.random|new Date\(\)|performance\.now/, /^(?!engine\/)/, 'pure engine'],
]
/** Who alone writes rows: what came in and what was decided, and the numbers that follow from both. */
const WRITERS = [
  {
    by: /^library\/commit\.ts$/,
    drizzles:
      'recordings|samples|documents|earlierVersions|runRecordings|observations|media|shoes|trainingGoals|races|truthMarks|places|settings|trainingSettings',
  },
  {
    by: /^library\/(derive|ground)\.ts$/,
    drizzles:
      'workouts|workoutSplits|workoutBestEfforts|archivedBestEfforts|effortWords|trainingChoices|routeIndexes|workoutTrainings|grounds|groundSquares|groundDirty',
  },
].map(({ by, drizzles }) => ({ by, names: drizzles.split('|') }))

async function sources(): Promise<SourceFile[]> {
  const src = new URL('../src/', import.meta.url).pathname
  const paths = [...new Glob('**/*.{ts,tsx}').scanSync(src)].toSorted()
  return Promise.all(paths.map(async (path) => ({ path, source: await Bun.file(src + path).text() })))
}

/** The names of tables by those of drizzle. */
function tablesOf(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const schema = files.filter(({ path }) => path.startsWith('db/schema')).map(({ source }) => source)
  const found = schema.join('\n').matchAll(/export const (\w+) = sqliteTable\(\s*'(\w+)'/g)
  return new Map([...found].map(([, name = '', table = '']) => [name, table]))
}

/** Everything in one file that breaks a rule, as sentences. */
function violations(file: SourceFile, tables: ReadonlyMap<string, string>): string[] {
  const { path } = file
  const code = withoutComments(file.source)
  const said = PRIVILEGES.filter(([pattern, by]) => pattern.test(code) && !by.test(path)).map(([, , why]) => why)
  const awaits = /\b(async|await)\b/
  const transactions = [...code.matchAll(/\.transaction\(/g)].map(({ index }) => balanced(code, index + 12))
  const rows = WRITERS.filter(({ by }) => !by.test(path)).flatMap(({ names }) =>
    names.filter((name) => {
      const drizzles = `\\b(insert|update|delete)\\(${name}\\)|\\b(insertRow|updateRows)\\(\\w+, ${name}\\b`
      const sql = `\\b(INSERT (OR \\w+ )?INTO|UPDATE|DELETE FROM) "?${tables.get(name)}\\b`
      return new RegExp(`${drizzles}|${sql}`).test(code)
    }),
  )
  return [
    ...importsOf(file).flatMap((one) => (one.isOwn ? ownImport(path, one) : packageImport(path, one))),
    ...said,
    // it commits at the first await: whatever its callback awaits, or an async callback, is outside of it
    ...transactions.filter((call) => awaits.test(call)).map(() => 'a transaction must not await'),
    ...rows.map((name) => `${name} are written by others alone`),
  ].map((rule) => `${path}: ${rule}`)
}

function ownImport(path: string, { target, isType }: Import): string[] {
  const [wing, other] = [folderOf(path), folderOf(target)]
  if (target === 'package.json') return []
  if (wing !== 'web' && stepOf(wing) === -1) return [`there is no rule for ${wing}`]
  const isForbidden =
    (target.endsWith('/routes.ts') && path !== 'app.ts') ||
    (target === 'library/ground.ts' && !/^library\/(derive|new-ground)\.ts$/.test(path)) ||
    (!mayUse(path, { target, isType, wing, other }) &&
      !EXCEPTIONS.some(([from, to]) => from.test(path) && to.test(target)))
  return isForbidden ? [`must not import ${target}`] : []
}

const stepOf = (wing: string) => WINGS.findIndex((step) => step.includes(wing))

function mayUse(path: string, of: Omit<Import, 'isOwn'> & { readonly wing: string; readonly other: string }) {
  const { target, isType, wing, other } = of
  if (wing === 'web') return isType || ['web', 'engine'].includes(other) || target === 'base/texts.ts'
  if (wing !== other) return stepOf(wing) < stepOf(other)
  if (wing !== 'features') return true
  const [own, asked] = [path, target].map((file) => file.split('/')[1]!) as [string, string]
  const rank = (name: string) => FEATURES.findIndex((names) => names.includes(name))
  return own === asked || (rank(asked) !== -1 && rank(asked) < rank(own))
}

function packageImport(path: string, { target, isType }: Import): string[] {
  const folder = folderOf(path)
  const isNodes = target.startsWith('node:') && folder !== 'engine'
  const isForbidden =
    (target === 'bun:sqlite' && folder !== 'db') ||
    (target === 'elysia' && !isType && !ELYSIA_VALUES.test(path)) ||
    (PACKAGES[folder] !== undefined && !PACKAGES[folder].includes(target) && !isNodes)
  return isForbidden ? [`must not import the package ${target}`] : []
}

/** The wing of a file of ours, or its name when it is in `src` itself. */
function folderOf(path: string): string {
  return path.split('/')[0]!
}

/** The text from one parenthesis to its partner. */
function balanced(code: string, open: number): string {
  let depth = 0
  for (let index = open; index < code.length; index += 1) {
    if (code[index] === '(') depth += 1
    else if (code[index] === ')') depth -= 1
    if (depth === 0) return code.slice(open, index + 1)
  }
  return code.slice(open)
}

function importsOf({ path, source }: SourceFile): Import[] {
  const statement = /^(?:import|export)\s+(type\s+)?([^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
  const late = withoutComments(source).matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)
  return [
    ...[...source.matchAll(statement)].map(([, type, names = '', target = '']) => {
      const inner = /^\{([^}]*)\}\s+from\s+$/.exec(names.trimStart())?.[1]
      const isType = type !== undefined || (inner !== undefined && !/(^|,)\s*(?!type )\w/.test(inner))
      return { target, isType }
    }),
    ...[...late].map(([, target = '']) => ({ target, isType: false })),
  ].map(({ target, isType }) => {
    const isOwn = target.startsWith('.')
    return { isOwn, isType, target: isOwn ? new URL(target, `file:///${path}`).pathname.slice(1) : target }
  })
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
}

/** Files that are in a circle of imports, of types too: what remains when files that import none of the rest are left out. */
function circles(files: readonly SourceFile[]): string[] {
  const rest = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]))
  const isFree = (path: string) => !rest.get(path)!.some((target) => rest.has(target))
  for (let free: string[] = []; ; ) {
    free = [...rest.keys()].filter(isFree)
    if (free.length === 0) return [...rest.keys()]
    for (const path of free) rest.delete(path)
  }
}

test('every file of the source keeps to its place, and files never import each other in a circle, be it types', async () => {
  const files = await sources()
  const tables = tablesOf(files)
  expect(files.length).toBeGreaterThan(40)
  expect(WRITERS.flatMap(({ names }) => names.filter((name) => !tables.has(name)))).toEqual([])
  expect(files.flatMap((file) => violations(file, tables))).toEqual([])
  expect(circles(files)).toEqual([])
})

test.each([
  [1, 'engine/geo.ts', `import { x } from '../features/shoes/queries.ts'`],
  [1, 'engine/geo.ts', `import { x } from 'node:fs'`],
  [1, 'engine/geo.ts', `export const a = () => Date.now()`],
  [1, 'zip/reader.ts', `import { x } from '../formats/gpx.ts'`],
  [1, 'formats/gpx.ts', `import type { Deps } from '../library/deps.ts'`],
  [1, 'library/add-run.ts', `import { x } from '@fastify/busboy'`],
  [1, 'library/add-run.ts', `import type { x } from '../features/events/stream.ts'`],
  [1, 'features/shoes/queries.ts', `import { x } from '../workouts/queries.ts'`],
  [1, 'features/stats/weekly.ts', `import { x } from './routes.ts'`],
  [1, 'archive/restore.ts', `import { x } from '../imports/receive.ts'`],
  [1, 'helpers/text.ts', `import './more.ts'`],
  [1, 'web/page.ts', `import { x } from '../library/numbers.ts'`],
  [1, 'base/lock.ts', `import { Database } from 'bun:sqlite'`],
  [1, 'features/shoes/queries.ts', `await import('elysia')`],
  [1, 'base/log.ts', `const level = process.env.LOG_LEVEL`],
  [1, 'features/shoes/edit.ts', `db.transaction((tx) => { f(tx, (await g())) })`],
  [1, 'features/shoes/queries.ts', `let cached = null`],
  [1, 'features/media/store.ts', `tx.delete(media).where(eq(media.id, id)).run()`],
  [1, 'features/workouts/cut.ts', `client.query('DELETE FROM workout_split WHERE idx = 1')`],
  [0, 'imports/files/import.ts', `import { x } from '../../features/settings/queries.ts'`],
  [0, 'features/shoes/edit.ts', `import { type Event } from '../../base/events.ts'`],
  [0, 'features/shoes/routes.ts', `import { Elysia } from 'elysia'`],
  [
    0,
    'features/shoes/edit.ts',
    `function a() {\n  let sum = 0\n  db.transaction((tx) => { write(tx) })\n}\nawait done()`,
  ],
  [0, 'features/shoes/edit.ts', `// fetch() is not used here\nconst a = 'https://x'`],
])('%d rule is broken by %s when it has %s', (count, path, source) => {
  const tables = new Map([['workoutSplits', 'workout_split']])
  expect(violations({ path, source }, tables)).toHaveLength(count)
})

test('a circle of imports is found', () => {
  const [a, b] = [`import type { B } from './b.ts'`, `import { c } from './run/c.ts'`]
  const files = (c: string) =>
    Object.entries({ a, b, 'run/c': c }).map(([name, source]) => ({ path: `engine/${name}.ts`, source }))
  expect(circles(files(''))).toEqual([])
  expect(circles(files(`import { a } from '../a.ts'`))).toHaveLength(3)
})
