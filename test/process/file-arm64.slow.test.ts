import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { corpusDir, corpusFile } from '../corpus.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { arm64Emulator, builtFile } from './built-file.ts'
import { oneFile, type RealServer, startServer } from './real-server.ts'

const emulator = arm64Emulator()
/** An emulator takes ten times as long, and a busy machine takes its time. */
const EMULATED_MS = 240_000
const LOADS_MS = 60_000
const work = mkdtempSync(join(tmpdir(), 'harrier-arm64-'))
const SRC = new URL('../../src/', import.meta.url).pathname
const HASHES = new URL('math-hash.ts', import.meta.url).pathname

/** Two watches, and points alone. */
function files(): readonly (readonly [name: string, bytes: Uint8Array])[] {
  if (corpusDir === null) {
    const [steady, hilly, points] = [fitRun(), hillyRun(START_MS + 1e8), gpxRun({ startMs: START_MS + 2e8 })]
    return [
      ['steady.fit', steady],
      ['hilly.fit', hilly],
      ['points.gpx', points],
    ]
  }
  const names = ['fit/running-with-developer-data.fit', 'fit/3386684871-vivoactive-hr.fit', 'gpx/strava-export.gpx']
  return names.map((name) => [name.slice(name.indexOf('/') + 1), corpusFile(name)] as const)
}

describe.skipIf(emulator === null)('the file for ARM, emulated', () => {
  let x64: { readonly command: readonly string[]; readonly dataDir: string; server: RealServer }
  let arm64: typeof x64
  const both = () => [x64, arm64] as const

  beforeAll(async () => {
    const made = async (name: string, command: readonly string[]) => {
      const dataDir = join(work, name)
      mkdirSync(dataDir)
      return { command, dataDir, server: await startServer({ command, dataDir }) }
    }
    const built = async (name: string) => await builtFile(name, join(work, 'built', name))
    x64 = await made('x64', [process.env.BUILT_PROGRAM ?? (await built('harrier-linux-x64'))])
    arm64 = await made('arm64', [...(emulator ?? []), await built('harrier-linux-arm64')])
  }, EMULATED_MS)
  afterAll(async () => {
    await Promise.all([x64, arm64].map((one) => one?.server.end('SIGKILL')))
    rmSync(work, { recursive: true, force: true })
  })

  test('starts, and answers with the page', async () => {
    expect(Bun.spawnSync([...arm64.command, '--version']).stdout.toString()).toEndWith(', linux arm64\n')
    const [ours, theirs] = await Promise.all(both().map(({ server }) => server.call('/')))
    expect(theirs?.status).toBe(200)
    expect(await theirs?.text()).toBe((await ours?.text()) ?? '')
  })

  test(
    'gives the same numbers of the same files, to the last bit',
    async () => {
      await Promise.all(both().map(({ server }) => importAll(server)))
      await Promise.all(both().map(({ server }) => loadsComputed(server)))
      const [ours = [], theirs = []] = await Promise.all(both().map(({ server }) => answers(server)))
      expect(ours.length).toBe(1 + 8 * files().length)
      expect(ours.join('\n')).not.toContain('"load":null')
      expect(ours.join('\n').length).toBeGreaterThan(100_000)
      for (const [i, answer] of ours.entries()) expect(theirs[i]).toBe(answer)

      const [stored = [], storedTheirs = []] = both().map(({ dataDir }) => storedNumbers(dataDir))
      expect(stored.length).toBeGreaterThan(10)
      expect(storedTheirs).toEqual(stored)
    },
    EMULATED_MS,
  )

  test(
    'and every Math function in use gives the same for 200,000 values',
    async () => {
      const used = await mathInUse()
      expect(used).toContain('atan2')
      const [ours, theirs] = both().map(({ command }) => {
        const child = Bun.spawnSync([...command, HASHES, ...used], { env: { BUN_BE_BUN: '1' } })
        return child.stdout.toString().trim().split('\n')
      })
      expect(ours).toHaveLength(used.length)
      expect(theirs).toEqual(ours ?? [])
    },
    EMULATED_MS,
  )
})

async function importAll(server: RealServer): Promise<void> {
  await server.login()
  for (const [name, bytes] of files()) {
    const answer = await server.call('/workouts/import', oneFile(name, bytes))
    expect([name, await answer.json()]).toEqual([name, expect.objectContaining({ action: 'created' })])
  }
}

/** Loads come a moment after what they are made of; an emulator's moment is longer than an answer waits for them. */
async function loadsComputed({ call }: RealServer): Promise<void> {
  const endMs = Date.now() + LOADS_MS
  for (;;) {
    const answer = await call('/training/today')
    expect(answer.status).toBe(200)
    const { recomputing } = (await answer.json()) as { recomputing: boolean }
    if (!recomputing) return
    if (Date.now() > endMs) throw new Error('The loads of the runs were not computed')
    await Bun.sleep(50)
  }
}

/** All that is answered about the runs, without what two imports of one file differ in. */
async function answers({ call }: RealServer): Promise<string[]> {
  const list = (await (await call('/workouts?sortBy=startedAt')).json()) as { items: { id: string }[] }
  const parts = ['', '/samples', '/time-series?pageSize=5000', '/laps', '/intervals', '/sources', '/similar-routes']
  const paths = list.items.flatMap(({ id }) => [...parts, '/training'].map((part) => `/workouts/${id}${part}`))
  const texts: string[] = []
  for (const path of ['/stats/best-efforts', ...paths]) {
    const answer = await call(path)
    expect([path, answer.status]).toEqual([path, 200])
    texts.push(
      JSON.stringify(await answer.json(), (key, value) =>
        /(?:^i|I)ds?$|^(?:created|updated|imported|added)At$/.test(key) ? undefined : value,
      ),
    )
  }
  return texts
}

/** Every number with a fraction in any table, as it is stored. */
function storedNumbers(dataDir: string): string[] {
  const database = new Database(join(dataDir, 'harrier.sqlite'), { readonly: true })
  try {
    const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const lines = tables.flatMap(({ name }) => {
      const rows = database.query(`SELECT * FROM "${name}"`).values() as unknown[][]
      return rows.map(
        (row) => `${name} ${row.filter((value) => typeof value === 'number' && value % 1 !== 0).join(' ')}`,
      )
    })
    return lines.filter((line) => line.endsWith(' ') === false).toSorted()
  } finally {
    database.close()
  }
}

/** The functions that anything but the page calls. */
async function mathInUse(): Promise<string[]> {
  const found = new Set<string>()
  for await (const path of new Glob('**/*.ts').scan(SRC)) {
    if (path.startsWith('web/')) continue
    const source = await Bun.file(SRC + path).text()
    for (const [, name] of source.matchAll(/\bMath\.([a-z]\w*)/g)) found.add(name ?? '')
    if (source.includes(' ** ')) found.add('pow')
  }
  found.delete('random')
  return [...found].filter((name) => typeof Math[name as 'pow'] === 'function').toSorted()
}
