import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Config } from '../base/config.ts'
import { closeBelow } from '../base/private-files.ts'
import { EXTENSIONS, FORMAT_NAMES } from '../formats/registry.ts'

/** Sources of the page; this process reads them only as bytes. */
const SOURCES = join(import.meta.dir, '../web')
/** Determines the packages of the bundle and their versions. */
const PACKAGES = join(import.meta.dir, '../../package.json')
const ENTRY = 'main.tsx'
/** Copied unchanged: `theme-start.js` must run before the first paint, so it is not a module. */
const STARTER = 'theme-start.js'
/** The service worker; the list of files to cache is put in front of it. */
const SERVICE_WORKER = 'service-worker.js'
const PLACE_OF_ASSETS = '<!-- assets -->'
/** Replaced with the supported formats, so that the page can name them without a request. */
const PLACE_OF_FORMATS = '<!-- formats -->'
const FORMATS_TAG = `<meta name="formats" content="${FORMAT_NAMES}" data-extensions="${EXTENSIONS.join(' ')}">`

/**
 * The folder with the built page: `index.html`, `assets/` with hashed names, `icons/`, the manifest and the service
 * worker. It is kept in DATA_DIR/web under a hash of all its inputs, and is built by another process, since the bundler
 * would stay in the memory of this one.
 * @returns its path
 * @throws Error with the bundler's message
 */
export async function builtPage({ dataDir }: Pick<Config, 'dataDir'>): Promise<string> {
  const home = join(dataDir, 'web')
  const folder = join(home, await sourceHash())
  if (await Bun.file(join(folder, 'index.html')).exists()) return folder

  const draft = join(dataDir, 'tmp', `web-${randomUUID()}`)
  try {
    await buildPage(draft)
    // the bundler and copied files have their own file modes
    await closeBelow(draft)
    await rm(home, { recursive: true, force: true })
    await mkdir(home, { recursive: true })
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

/** Builds the page into a new folder. @throws Error with the bundler's message */
export async function buildPage(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await bundle(join(folder, 'assets'))
  await writeIndex(folder)
  await writeServiceWorker(folder)
  await cp(join(SOURCES, 'icons'), join(folder, 'icons'), { recursive: true })
  await cp(join(SOURCES, 'manifest.webmanifest'), join(folder, 'manifest.webmanifest'))
}

async function sourceHash(): Promise<string> {
  const paths = await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: SOURCES }))
  const hash = createHash('sha256').update(Bun.version).update(FORMATS_TAG)
  for (const path of paths.sort()) hash.update(`\n${path}\n`).update(await readFile(join(SOURCES, path)))
  for (const path of [PACKAGES, import.meta.path]) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

async function bundle(outDir: string): Promise<void> {
  const metafile = join(outDir, 'metafile.json')
  await runBundler([ENTRY, '--outdir', outDir, '--format', 'esm', '--splitting', `--metafile=${metafile}`])
  for (const name of await readdir(outDir)) {
    if (name.endsWith('.css')) await rm(join(outDir, name))
  }
  const draft = join(outDir, '../styles')
  const sheets = await draftStyles(metafile, { sources: SOURCES, draft, entry: ENTRY })
  await runBundler([...sheets, '--outdir', outDir])
  await Promise.all([rm(metafile), rm(draft, { recursive: true })])
}

async function runBundler(what: readonly string[]): Promise<void> {
  const names = ['--entry-naming', '[name]-[hash].[ext]', '--chunk-naming', 'part-[name]-[hash].[ext]']
  const child = Bun.spawn(
    [
      process.execPath,
      'build',
      ...what,
      '--target',
      'browser',
      '--production',
      ...names,
      '--asset-naming',
      '[name]-[hash].[ext]',
      '--public-path',
      '/assets/',
    ],
    { cwd: SOURCES, env: { NODE_ENV: 'production' }, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const [code, words] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code !== 0) throw new Error(`The bundler ended with ${code}: ${words.trim()}`)
}

/** Writes `index.html` with the file names that the bundler chose. */
async function writeIndex(draft: string): Promise<void> {
  const assets = join(draft, 'assets')
  const starter = await readFile(join(SOURCES, STARTER))
  const starterName = `theme-start-${createHash('sha256').update(starter).digest('hex').slice(0, 8)}.js`
  await writeFile(join(assets, starterName), starter)

  const names = await readdir(assets)
  const script = named(names, /^main-\w+\.js$/)
  const style = named(names, /^main-\w+\.css$/)
  const chunks = await importsOf(assets, script)
  const later = names.flatMap((name) => {
    const part = /^part-([\w-]+)-\w+\.css$/.exec(name)?.[1]
    // src/web/ui/part.ts finds the styles of a part by this
    return part === undefined ? [] : `<meta name="styles-of-${part}" content="/assets/${name}">`
  })
  const tags = [
    ...later.toSorted(),
    `<script src="/assets/${starterName}"></script>`,
    `<link rel="stylesheet" href="/assets/${style}">`,
    ...[...chunks].map((chunk) => `<link rel="modulepreload" href="/assets/${chunk}">`),
    `<script type="module" src="/assets/${script}"></script>`,
  ]
  const html = await readFile(join(SOURCES, 'index.html'), 'utf8')
  await writeFile(
    join(draft, 'index.html'),
    html.replace(PLACE_OF_FORMATS, FORMATS_TAG).replace(PLACE_OF_ASSETS, tags.join('\n    ')),
  )
}

/** Its bytes differ for every build with other files, by which browsers notice a new version. */
async function writeServiceWorker(folder: string): Promise<void> {
  const script = await readFile(join(SOURCES, SERVICE_WORKER), 'utf8')
  const index = await readFile(join(folder, 'index.html'))
  const files = ['/app', ...(await readdir(join(folder, 'assets'))).toSorted().map((name) => `/assets/${name}`)]
  const build = createHash('sha256').update(index).update(JSON.stringify(files)).digest('hex').slice(0, 16)
  const stated = `const BUILD = ${JSON.stringify(build)}\nconst FILES = ${JSON.stringify(files)}\n`
  await writeFile(join(folder, SERVICE_WORKER), stated + script)
}

function named(names: readonly string[], pattern: RegExp): string {
  const name = names.find((known) => pattern.test(known))
  if (name === undefined) throw new Error(`The bundler wrote no ${pattern} but ${names.join(', ')}`)
  return name
}

/**
 * Chunks that the start of the page imports, so that the browser can load them at once instead of discovering them one
 * by one.
 */
async function importsOf(assets: string, script: string, known = new Set<string>()): Promise<Set<string>> {
  const text = await readFile(join(assets, script), 'utf8')
  const found = text.matchAll(/(?:from|import)\s*["'](?:\/assets\/|\.\/)([\w.-]+\.js)["']/g)
  for (const [, name = ''] of found) {
    if (known.has(name)) continue
    known.add(name)
    await importsOf(assets, name, known)
  }
  return known
}

/** The part of the bundler's metafile that styles need. */
interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { path: string; kind: string }[] }>>
  readonly outputs: Readonly<Record<string, { readonly entryPoint?: string }>>
}

/**
 * Distributes the styles of a build: the bundler would put the styles of parts that are loaded later into the first
 * stylesheet as well, which would make the first load larger.
 * @param metafile description of the build by the bundler
 * @param draft a new folder that gets one file of imports per stylesheet, to be bundled
 * @param entry the page's first module
 * @returns paths of those files: `main.css`, and `part-NAME.css` for each part with styles of its own
 */
async function draftStyles(
  metafile: string,
  { sources, draft, entry }: { readonly sources: string; readonly draft: string; readonly entry: string },
): Promise<string[]> {
  const { inputs, outputs } = JSON.parse(await readFile(metafile, 'utf8')) as Metafile
  const first = stylesFrom(entry, inputs)
  const parts = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const sheets: (readonly [name: string, paths: readonly string[]])[] = [['main', first]]
  for (const part of new Set(parts)) {
    const own = stylesFrom(part, inputs).filter((path) => !first.includes(path))
    if (part !== entry && own.length > 0) sheets.push([`part-${basename(part, extname(part))}`, own])
  }
  return await Promise.all(
    sheets.map(async ([name, paths]) => {
      const sheet = join(draft, `${name}.css`)
      await writeFile(sheet, paths.map((path) => `@import ${JSON.stringify(join(sources, path))};\n`).join(''))
      return sheet
    }),
  )
}

/** Styles of a module and of all its imports, in the bundler's order. */
function stylesFrom(entry: string, inputs: Metafile['inputs']): string[] {
  const seen = new Set<string>()
  const styles: string[] = []
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { path: next, kind } of inputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next)
    }
    if (path.endsWith('.css')) styles.push(path)
  }
  visit(entry)
  return styles
}
