import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { corpusDir, corpusFile } from '../corpus.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { storedFractions } from '../library/whole.ts'
import { arm64Emulator, builtFile } from './built-file.ts'
import { allOf, plain, stateOf } from './library-state.ts'
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
      const [ours, theirs] = await Promise.all(both().map(({ server }) => stateOf(server.call)))
      expect(ours?.runs.length).toBe(files().length)
      expect(theirs).toEqual(ours)
      const [more = [], moreTheirs = []] = await Promise.all(both().map(({ server }) => answers(server)))
      expect(more.length).toBe(1 + 4 * files().length)
      expect(JSON.stringify(more)).not.toContain('"load":null')
      expect(moreTheirs).toEqual(more)
      // the numbers behind every other answer
      const [stored = [], storedTheirs = []] = both().map(({ dataDir }) => storedFractions(dataDir))
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

/** What is answered about the runs beside what they are. */
async function answers({ call }: RealServer): Promise<unknown[]> {
  const runs = await allOf<{ id: string }>(call, '/workouts')
  const parts = ['', '/time-series?pageSize=5000', '/similar-routes', '/training']
  const paths = runs.flatMap(({ id }) => parts.map((part) => `/workouts/${id}${part}`))
  return await Promise.all(
    ['/stats/best-efforts', ...paths].map(async (path) => [
      path.replace(/[\da-f-]{36}/, 'id'),
      await plain(await call(path)),
    ]),
  )
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
