import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** The files of a built page by address. @param folder where it was built */
export async function pageFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = { '/': join(folder, 'index.html') }
  for (const name of ['manifest.webmanifest', 'service-worker.js']) files[`/${name}`] = join(folder, name)
  for (const part of ['assets', 'icons']) {
    for (const name of await readdir(join(folder, part))) files[`/${part}/${name}`] = join(folder, part, name)
  }
  files['/favicon.ico'] = join(folder, 'icons', 'favicon.ico')
  return files
}

async function sourceHash(): Promise<string> {
  const paths = await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: SOURCES }))
  const hash = createHash('sha256').update(Bun.version).update(FORMATS_TAG)
  for (const path of paths.sort()) hash.update(`\n${path}\n`).update(await readFile(join(SOURCES, path)))
  for (const path of [PACKAGES, import.meta.path]) hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

/** The bundler writes one stylesheet of everything, and for each `import()` one more, which nothing asks for. */
async function bundle(outDir: string): Promise<void> {
  const child = Bun.spawn(
    [
      ...[process.execPath, 'build', ENTRY, '--outdir', outDir, '--format', 'esm', '--splitting'],
      ...['--target', 'browser', '--production', '--public-path', '/assets/'],
      ...['--entry-naming', '[name]-[hash].[ext]', '--chunk-naming', 'part-[name]-[hash].[ext]'],
      ...['--asset-naming', '[name]-[hash].[ext]'],
    ],
    { cwd: SOURCES, env: { NODE_ENV: 'production' }, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const [code, words] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (code !== 0) throw new Error(`The bundler ended with ${code}: ${words.trim()}`)
  const names = await readdir(outDir)
  await Promise.all(names.filter((name) => /^part-.*\.css$/.test(name)).map((name) => rm(join(outDir, name))))
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
  const tags = [
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
