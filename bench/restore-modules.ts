// How many modules a workout passes while an archive is restored: those of src/archive and src/library of which a function
// runs from the moment when the workout is taken up (`restoreWorkout` is called) until it is stored (its transaction has
// ended). What is done once for an archive, such as receiving and spooling it, settings, shoes and the summary, is not
// counted. Where a checkout has no src/library, the folders count that its functions were in. Every function that has a
// body tells of itself; the transpiled code is changed for it while modules are loaded.
//
//   bun bench/restore-modules.ts [folder of another checkout, whose code is measured with the same archives]
//   FUNCTIONS=1 lists the functions as well
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Entries, zipOf } from '../test/archive/archives.ts'
import { tempoLibrary } from '../test/archive/restore/tempo-archive.ts'
import { jpeg } from '../test/fixtures/media.ts'
import { hillyRun, START_MS } from '../test/fixtures/runs.ts'

const checkout = resolve(process.argv[2] ?? join(import.meta.dir, '..'))
const BEFORE_LIBRARY = ['workouts', 'weather', 'settings', 'shoes']
const FOLDERS = ['archive', ...(existsSync(join(checkout, 'src/library')) ? ['library'] : BEFORE_LIBRARY)]
/** Functions, methods and arrow functions, each at the end of a line as the transpiler prints them. */
const BODY =
  /^(?!\s*(?:if|for|while|switch|else|\}? ?catch)\b).*(?:\bfunction\b.*\)|=>|^\s*\}\)|^\s+(?:async |static |get |\*)*\w+\(.*\)) \{$/gm

const passed = new Map<string, Set<string>>()
let isOpen = false

Object.assign(globalThis, {
  passes: (path: string, line: string) => {
    if (/\brestoreWorkout\(/.test(line)) isOpen = true
    if (!isOpen) return
    const lines = passed.get(path) ?? new Set()
    passed.set(path, lines.add(line))
  },
})

Bun.plugin({
  name: 'passes',
  setup(build) {
    build.onLoad({ filter: new RegExp(`^${checkout}/src/(${FOLDERS.join('|')})/.*\\.ts$`) }, async ({ path }) => {
      const code = new Bun.Transpiler({ loader: 'ts', target: 'bun' }).transformSync(await Bun.file(path).text())
      const name = JSON.stringify(path.slice(checkout.length + '/src/'.length))
      const contents = code.replace(BODY, (line) => `${line} passes(${name}, ${JSON.stringify(line.trim())});`)
      return { contents, loader: 'js' }
    })
  },
})

const { testApp } = (await import(join(checkout, 'test/app.ts'))) as typeof import('../test/app.ts')
const archives = (await import(
  join(checkout, 'test/archive/archives.ts')
)) as typeof import('../test/archive/archives.ts')

/** The archive that the code writes itself: a run with shoe, photo, weather of its own, splits and best efforts. */
async function ownArchive(): Promise<Entries> {
  await using app = await testApp()
  const shoe = await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach' } })
  const run = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: hillyRun(START_MS, { calories: 300 }) }])
  const { id } = run.json
  await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(99) }])
  await app.call('PATCH', `/workouts/${id}`, { json: { shoeId: shoe.json.id, name: 'Hills' } })
  const entries = await archives.entriesOf(app, await archives.exported(app))
  return changed(entries, 'workouts', ([row]) => {
    row!.weather = JSON.stringify({ source: 'open_meteo', temperature: 11.5, weatherCode: 3 })
  })
}

/** The same as archives had it before recordings and repairs had files. */
function firstDraft(own: Entries): Entries {
  const entries: Entries = new Map([...own].filter(([name]) => !/data\/(recordings|repairs)\.json/.test(name)))
  changed(entries, 'workouts', ([row]) => void delete row!.inputs)
  const manifest = JSON.parse(new TextDecoder().decode(entries.get('manifest.json')))
  const { recordings: _, repairs: __, ...dataFormat } = manifest.dataFormat
  return entries.set('manifest.json', new TextEncoder().encode(JSON.stringify({ ...manifest, dataFormat })))
}

function changed(entries: Entries, kind: string, change: (rows: Record<string, unknown>[]) => void): Entries {
  const rows = JSON.parse(new TextDecoder().decode(entries.get(`data/${kind}.json`)))
  change(rows)
  return entries.set(`data/${kind}.json`, new TextEncoder().encode(JSON.stringify(rows)))
}

async function tell(what: string, zip: Uint8Array): Promise<void> {
  await using app = await testApp()
  const { db } = app.deps
  const transaction = db.transaction.bind(db)
  Object.assign(db, {
    transaction: (...args: Parameters<typeof transaction>) => {
      const result = transaction(...args)
      const stored = db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM workout').get()
      if (stored?.n === 1) isOpen = false
      return result
    },
  })
  passed.clear()
  const { json } = await archives.restored(app, zip)
  isOpen = false
  if (json?.statistics?.workouts?.imported !== 1) throw new Error(`Nothing was restored: ${JSON.stringify(json)}`)
  const paths = [...passed.keys()].toSorted()
  console.log(`${what}: ${paths.length} modules\n${paths.map((path) => `  ${path}`).join('\n')}`)
  if (Bun.env.FUNCTIONS) console.log(passed)
}

const own = await ownArchive()
await tell('own archive', await zipOf(own))
await tell('archive of the first draft', await zipOf(firstDraft(own)))
await tell('archive of another program', await archives.archiveOf(tempoLibrary()))
