// The rules of who may import whom, as functions over one source file.

export interface SourceFile {
  /** Relative to `src`, such as `workouts/import.ts`. */
  readonly path: string
  readonly source: string
}

interface Import {
  /** What is imported: a path relative to `src` for own files, else a package name. */
  readonly target: string
  readonly isOwn: boolean
  readonly isType: boolean
}

/** A feature may import the ones before it, and of each of them only the files of `DOORS`. */
const ORDER = [
  ['settings'],
  ['shoes', 'map'],
  ['weather'],
  ['workouts'],
  ['media', 'stats', 'repair', 'places'],
  ['training', 'ground'],
  ['strava', 'archive', 'downloads', 'receipts'],
  ['takeouts'],
  ['uploads'],
  ['sync'],
  ['watch'],
] as const
const FEATURES: readonly string[] = [...ORDER.flat(), 'auth', 'events', 'system', 'page']
/** What others may use of a feature beside its queries and its shapes. */
const DOORS: readonly string[] = [
  'settings/zones.ts',
  'shoes/edit.ts',
  'map/address.ts',
  'places/places.ts',
  'workouts/detail.ts',
  'workouts/list.ts',
  'workouts/detail-response.ts',
  'workouts/edit.ts',
  'workouts/received-zip.ts',
  'workouts/upload.ts',
  'media/exported.ts',
  'media/store.ts',
  'stats/best-efforts.ts',
  'workouts/import.ts',
  'workouts/import-totals.ts',
  'strava/import.ts',
  'strava/zip.ts',
  'archive/restore/restore.ts',
  'takeouts/kind.ts',
  'takeouts/import.ts',
  'takeouts/recognise.ts',
  'takeouts/source.ts',
  'uploads/zips.ts',
]
/** What features use of `events` beside its types. */
const EVENT_SENDERS: readonly string[] = ['events/progress.ts', 'events/runs.ts']
/** Small files beside the folders that everybody may use but the engine. */
const COMMON: readonly string[] = [
  'errors.ts',
  'disk-full.ts',
  'json-object.ts',
  'garbage.ts',
  'pace.ts',
  'turns.ts',
  'texts.ts',
  'private-files.ts',
  'embedded.ts',
  'itself.ts',
]
/** Below the features: folder to what it may import of our own. */
const FOUNDATIONS: Readonly<Record<string, readonly string[]>> = {
  engine: ['engine'],
  formats: ['formats', 'engine', 'texts.ts', 'garbage.ts'],
  workers: ['workers', 'formats', 'engine', 'log.ts', ...COMMON],
  db: ['db', 'engine'],
  library: ['library', 'db', 'workers', 'formats', 'engine', 'deps.ts', ...COMMON],
  backups: ['backups', 'library', 'db', 'workers', 'engine', 'config.ts', 'deps.ts', 'log.ts', ...COMMON],
  http: ['http', 'zip', 'engine', 'config.ts', 'deps.ts', 'log.ts', ...COMMON],
  zip: ['zip', ...COMMON],
}
/** What every feature may use. */
const SHARED = [...Object.keys(FOUNDATIONS), 'deps.ts', 'config.ts', 'log.ts', ...COMMON]
/** Below the features: folder to the packages it may use besides Node's own. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  formats: [],
  workers: [],
  zip: [],
  library: ['drizzle-orm', 'drizzle-orm/sqlite-core', '@photostructure/tz-lookup'],
}
/** The files that put everything together. */
const ASSEMBLY: readonly string[] = [
  'main.ts',
  'serve.ts',
  'app.ts',
  'jobs.ts',
  'backup.ts',
  'verify.ts',
  'rebuild.ts',
  'reset-password.ts',
  'work-folder.ts',
]
/** Who asks others: for weather, and for the ground of maps once the runner wants it. */
const OUTSIDE: readonly string[] = ['weather/client.ts', 'map/client.ts', 'sync/intervals/client.ts']
/** Programs that leave something to clear away when they are told to stop. */
const PROCESSES: readonly string[] = ['serve.ts', 'work-folder.ts']
/** Who alone writes rows: what came in and what was decided, and the numbers that follow from both. */
const WRITERS: readonly { readonly by: readonly string[]; readonly tables: Readonly<Record<string, string>> }[] = [
  {
    by: ['library/commit.ts'],
    tables: {
      recordings: 'recording',
      samples: 'samples',
      documents: 'document',
      formers: 'former',
      namings: 'naming',
      observations: 'observation',
      media: 'media',
      shoes: 'shoe',
      trainingGoals: 'training_goal',
      races: 'race',
      truthMarks: 'truth_mark',
      places: 'place',
      settings: 'settings',
      trainingSettings: 'training_settings',
    },
  },
  {
    by: ['library/derive.ts', 'library/effort-rows.ts', 'library/ground.ts', 'library/training/rows.ts'],
    tables: {
      workouts: 'workout',
      workoutSplits: 'workout_split',
      workoutBestEfforts: 'workout_best_effort',
      archivedBestEfforts: 'archived_best_effort',
      effortWords: 'effort_word',
      trainingChoices: 'training_choice',
      routeIndexes: 'workout_route',
      workoutTrainings: 'workout_training',
      grounds: 'ground',
      groundSquares: 'ground_square',
      groundDirty: 'ground_dirty',
    },
  },
]
/** Words of how runs were kept before, which the move of old libraries alone may use. */
const BYGONE = /capsule|onTrial|Keeper|stash|outlived/
/** The move of old libraries. */
const MOVES = 'db/moves/'
/** Tables that are still written both by drizzle and as SQL; none is added, and one that is not any more comes off. */
const WRITTEN_IN_TWO_WAYS: readonly string[] = [
  'archived_best_effort',
  'forgotten',
  'receipt',
  'receipt_item',
  'workout',
  'workout_best_effort',
]
/** More lines in a file or files in a folder are reported. */
const MOST_FILES = 25
const MOST_LINES = 300
const ENGINE_BANS = [
  'Date.now',
  'Bun.',
  'fetch(',
  'await ',
  'async ',
  'Math.random',
  'new Date()',
  'performance.now',
] as const
const ELYSIA_VALUES = /^((\w[\w-]*\/)+routes\.ts|auth\/gate\.ts|http\/[\w-]+\.ts|app\.ts)$/

/** Everything in one file that breaks a rule, as sentences. */
export function violations(file: SourceFile): string[] {
  const imports = importsOf(file)
  const code = withoutComments(file.source)
  return [
    ...foreignImports(file.path, imports),
    ...packageImports(file.path, imports),
    ...engineImpurities(file.path, code),
    ...privileges(file.path, code),
    ...sqlDetours(file.path, code),
    ...state(file.path, code),
    ...awaitedTransactions(file.path, code),
    ...foreignRows(file.path, code),
    ...(BYGONE.test(file.source) && !file.path.startsWith(MOVES)
      ? [`${file.path}: ${BYGONE.exec(file.source)} is of before`]
      : []),
  ]
}

/** Rows are written by those who may, in drizzle's words or in SQL. */
function foreignRows(path: string, code: string): string[] {
  if (path.startsWith(MOVES)) return []
  return WRITERS.filter(({ by }) => !by.includes(path)).flatMap(({ by, tables }) =>
    Object.entries(tables)
      .filter(([name, table]) => {
        const drizzles = `\\b(insert|update|delete)\\(${name}\\)|\\b(insertRow|updateRows)\\(\\w+, ${name}\\b`
        const sql = `\\b(INSERT (OR \\w+ )?INTO|UPDATE|DELETE FROM) "?${table}\\b`
        return new RegExp(`${drizzles}|${sql}`).test(code)
      })
      .map(([, table]) => `${path}: ${by[0]} alone writes ${table}`),
  )
}

/** What only all files together show: circles of imports, of types too. */
export function structureViolations(files: readonly SourceFile[]): string[] {
  const own = new Set(files.map(({ path }) => path))
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ target, isOwn }) => isOwn && own.has(target))
        .map(({ target }) => target),
    ]),
  )
  return [
    ...circles(graph).map((circle) => `these files import each other: ${circle.toSorted().join(', ')}`),
    ...writesInTwoWays(files),
  ]
}

/** Files and folders that are long, for whoever reads the report of the tests. */
export function longOnes(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  const full = [...folders].filter(([, held]) => held.length > MOST_FILES)
  const lines = files.map(({ path, source }) => [path, source.split('\n').length - 1] as const)
  return [
    ...lines.filter(([, count]) => count > MOST_LINES).map(([path, count]) => `src/${path} has ${count} lines`),
    ...full.map(([folder, held]) => `src/${folder} holds ${held.length} files`),
  ]
}

/** A table is written by drizzle or as SQL; what `db/insert.ts` writes counts as drizzle's, whose definitions it takes. */
function writesInTwoWays(files: readonly SourceFile[]): string[] {
  const tables = files
    .filter(({ path }) => path.startsWith('db/schema'))
    .flatMap(({ source }) => [...source.matchAll(/export const (\w+) = sqliteTable\(\s*'(\w+)'/g)])
  const code = files
    .filter(({ path }) => !path.startsWith('db/'))
    .map(({ source }) => withoutComments(source))
    .join('\n')
  return tables.flatMap(([, variable, table]) => {
    const byDrizzle = new RegExp(
      `\\.(insert|update|delete)\\(${variable}\\)|(insertRow|updateRows)\\(\\w+, ${variable}\\b`,
    )
    const asSql = new RegExp(`(INTO|UPDATE( OR \\w+)?|DELETE FROM) ${table}\\b`)
    const isInTwo = byDrizzle.test(code) && asSql.test(code)
    if (isInTwo === WRITTEN_IN_TWO_WAYS.includes(table!)) return []
    return [`${table} is ${isInTwo ? '' : 'not '}written both by drizzle and as SQL`]
  })
}

/** Strongly connected components of more than one file (Tarjan 1972). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (path: string) => {
    index.set(path, index.size)
    low.set(path, index.size - 1)
    stack.push(path)
    for (const target of graph.get(path) ?? []) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path)!, low.get(target)!))
    }
    if (low.get(path) !== index.get(path)) return
    const circle = stack.splice(stack.indexOf(path))
    if (circle.length > 1 || graph.get(path)?.includes(path)) found.push(circle)
  }
  for (const path of graph.keys()) if (!index.has(path)) visit(path)
  return found
}

function foreignImports(path: string, imports: readonly Import[]): string[] {
  const folder = folderOf(path)
  const found: string[] = []
  const isPlanned = FOUNDATIONS[folder] !== undefined || FEATURES.includes(folder) || folder === 'web'
  if (folder !== path && !isPlanned) found.push(`${path}: there is no rule for the folder ${folder}`)
  for (const { target, isOwn, isType } of imports) {
    if (!isOwn || target === 'package.json') continue
    const other = folderOf(target)
    if (target.endsWith('/routes.ts') && path !== 'app.ts') found.push(`${path}: routes are imported by app.ts alone`)
    if (target === 'library/ground.ts' && path !== 'library/derive.ts')
      found.push(`${path}: library/derive.ts alone writes ground`)
    if (target === 'main.ts') found.push(`${path}: nothing imports main.ts`)
    if (ASSEMBLY.includes(path)) continue
    if (folder === path && FEATURES.includes(other) && !isType) found.push(`${path}: only types of ${target}`)
    if (folder === 'web') {
      if (other !== 'web' && other !== 'engine' && other !== 'texts.ts' && !isType)
        found.push(`${path}: the page imports the engine, texts.ts and types only, not ${target}`)
    } else if (FOUNDATIONS[folder] !== undefined) {
      if (!FOUNDATIONS[folder].includes(other)) found.push(`${path}: ${folder} must not import ${target}`)
    } else if (FEATURES.includes(folder) && !mayUse(folder, { target, isType })) {
      found.push(`${path}: ${folder} must not import ${target}`)
    }
  }
  return found
}

/** @returns the folder of a file of ours, or its name when it is in `src` itself */
function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path
}

function mayUse(folder: string, { target, isType }: { target: string; isType: boolean }): boolean {
  const other = folderOf(target)
  if (other === folder || SHARED.includes(other)) return true
  if (folder === 'page' && target === 'web/addresses.ts') return true
  if (other === 'events') return isType || EVENT_SENDERS.includes(target)
  const rank = (name: string) => ORDER.findIndex((features) => features.some((feature) => feature === name))
  if (rank(other) !== -1 && rank(folder) !== -1) {
    const isDoor = DOORS.includes(target) || /\/(queries|[\w-]*schemas)\.ts$/.test(target)
    return rank(other) < rank(folder) && isDoor
  }
  return other === 'auth' && folder === 'events'
}

function packageImports(path: string, imports: readonly Import[]): string[] {
  const found: string[] = []
  for (const { target, isOwn, isType } of imports) {
    if (isOwn) continue
    if (target === 'bun:sqlite' && folderOf(path) !== 'db') found.push(`${path}: bun:sqlite belongs to db`)
    if (target === 'elysia' && !isType && !ELYSIA_VALUES.test(path))
      found.push(`${path}: elysia as a value belongs to routes`)
    const allowed = PACKAGES[folderOf(path)]
    const isNodes = target.startsWith('node:') && folderOf(path) !== 'engine'
    if (allowed !== undefined && !allowed.includes(target) && !isNodes) {
      found.push(`${path}: ${folderOf(path)} must not import the package ${target}`)
    }
  }
  return found
}

function engineImpurities(path: string, code: string): string[] {
  if (folderOf(path) !== 'engine') return []
  return ENGINE_BANS.filter((ban) => code.includes(ban)).map((ban) => `${path}: engine must not use ${ban}`)
}

function privileges(path: string, code: string): string[] {
  const found: string[] = []
  if (
    /\b(Bun|process|import\.meta)(\.env\b|\[)|\{[^}]*\benv\b[^}]*\} = (Bun|process)\b/.test(code) &&
    path !== 'config.ts'
  )
    found.push(`${path}: config.ts alone reads the environment`)
  if (/(?<![.\w])(globalThis\.)?fetch\(/.test(code) && !OUTSIDE.includes(path) && folderOf(path) !== 'web') {
    found.push(`${path}: only ${OUTSIDE.join(' and ')} call fetch`)
  }
  // a square root of a sum is rounded alike on every machine, Math.hypot is not
  if (code.includes('Math.hypot') && folderOf(path) !== 'web')
    found.push(`${path}: what Math.hypot gives depends on the platform`)
  if (/\.listen\(/.test(code) && path !== 'serve.ts') found.push(`${path}: serve.ts alone listens`)
  if (/\bprocess\.(on|once)\(/.test(code) && !PROCESSES.includes(path)) {
    found.push(`${path}: only ${PROCESSES.join(' and ')} handle signals`)
  }
  return found
}

/** SQL is prepared by `$client`, and nobody reads what drizzle keeps for itself. */
function sqlDetours(path: string, code: string): string[] {
  if (folderOf(path) === 'db') return []
  const found: string[] = []
  if (/\b(db|tx|snapshot)\s*\.(run|all|get|values)\b/.test(code)) found.push(`${path}: SQL goes to $client`)
  if (/\b(db|tx|snapshot)\s*\.(session|dialect|_)\b/.test(code)) found.push(`${path}: reads drizzle's own members`)
  return found
}

function state(path: string, code: string): string[] {
  const isState = /^(export )?(let|var) /m.test(code) && folderOf(path) !== 'web'
  return isState ? [`${path}: a file keeps no state`] : []
}

/** A transaction commits at the first await: whatever its callback awaits, or an async callback, is outside of it. */
function awaitedTransactions(path: string, code: string): string[] {
  const found: string[] = []
  for (let at = code.indexOf('.transaction('); at !== -1; at = code.indexOf('.transaction(', at + 1)) {
    const call = balanced(code, code.indexOf('(', at))
    if (/\b(async|await)\b/.test(call)) found.push(`${path}: a transaction must not await`)
  }
  return found
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
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  const found = [...source.matchAll(statement)].map(([, type, names, target]) => ({
    target: target ?? '',
    isType: type !== undefined || onlyTypes(names ?? ''),
  }))
  const late = [...withoutComments(source).matchAll(dynamic)].map(([, target]) => ({
    target: target ?? '',
    isType: false,
  }))
  return [...found, ...late].map(({ target, isType }) => {
    const isOwn = target.startsWith('.')
    return { isOwn, isType, target: isOwn ? new URL(target, `file:///${path}`).pathname.slice(1) : target }
  })
}

/** `{ type A, type B } from` */
function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}\s+from\s+$/.exec(names.trimStart())?.[1]
  if (inner === undefined) return false
  return inner.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
}
