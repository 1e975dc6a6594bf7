// kill -9 of the real server in the midst of what writes, and what must hold afterwards, whatever it was.
import { afterAll, expect } from 'bun:test'
import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../attack/random.ts'
import { faultsOf, leftovers, namesIn, storedIn } from '../library/whole.ts'
import { tempFolder } from '../temp-folder.ts'
import { allOf, type Call, groundOf, type LibraryState, type ShownRun, stateOf } from './library-state.ts'
import { type RealServer, startServer } from './real-server.ts'

/** Kills of each kind; KILLS=20 for more. */
export const KILLS = Number(process.env.KILLS ?? 3)
/** A kill comes up to this much after its moment, so that it falls between any two steps. */
const JITTER_MS = 6
/** It comes at the latest so many times, and so much, after what the write takes: it may never end. */
const LATEST = 2
const LATEST_MS = 500
/** What a dead process left over is gone so soon after the next start, however busy the machine is. */
const SWEPT_MS = 60_000
/** Not every call under way is refused when the process dies. */
const REFUSED_MS = 500

export interface Write {
  readonly name: string
  /** Variables of the process that writes. */
  readonly env?: Readonly<Record<string, string>>
  /** What is there before. */
  readonly prepare?: (call: Call) => Promise<unknown>
  /** Repeated it does what is left to do. @param acknowledged gets starts of runs and names of photos that were answered */
  write(call: Call, acknowledged: string[]): Promise<unknown>
}

export interface Started {
  readonly server: RealServer
  readonly call: Call
  end(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Folders of one account, and servers on them, of one test file. */
export function killing() {
  const root = tempFolder()
  const running = new Set<RealServer>()
  const empty = join(root, 'empty')
  let cookie = ''
  afterAll(() => Promise.all([...running].map((server) => server.end('SIGKILL'))))

  async function start(dataDir: string, env: Write['env'] = {}): Promise<Started> {
    const server = await startServer({ dataDir, env })
    running.add(server)
    const end = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') => {
      await server.end(signal)
      running.delete(server)
    }
    return { server, call: (path, init) => server.call(path, init, cookie), end }
  }

  function copied(folder: string): string {
    const copy = mkdtempSync(join(root, 'run-'))
    cpSync(folder, copy, { recursive: true })
    return copy
  }

  /** A folder in which nothing is but the account and what is prepared. */
  async function made(prepare: Write['prepare']): Promise<string> {
    if (cookie === '') {
      const first = await start(empty)
      cookie = await first.server.login()
      await first.end('SIGTERM')
    }
    const folder = copied(empty)
    if (prepare === undefined) return folder
    const { call, end } = await start(folder)
    await prepare(call)
    await end('SIGTERM')
    return folder
  }

  /** What is written without a kill, how long it takes, and from where it began. */
  async function uninterrupted({ prepare, env, write }: Write) {
    const base = await made(prepare)
    const dataDir = copied(base)
    const { call, end } = await start(dataDir, env)
    const before = await stateOf(call)
    const startMs = performance.now()
    await write(call, [])
    const ms = performance.now() - startMs
    const after = await endOf(call)
    await end('SIGTERM')
    expect(faultsOf(dataDir)).toEqual([])
    return { base, before, after, ms, stored: total(dataDir) }
  }

  /** Kills, looks, and goes on with the same write, which must end where it would have ended. */
  async function expectSurvived(kind: Write, random: Random, kills = KILLS): Promise<LibraryState> {
    const { base, before, after, ms, stored } = await uninterrupted(kind)
    const dataDir = copied(base)
    let process = await start(dataDir, kind.env)
    for (let left = kills; left > 0; left -= 1) {
      const acknowledged: string[] = []
      let isOver = false
      const writing = kind
        .write(process.call, acknowledged)
        .catch(() => null)
        .finally(() => {
          isOver = true
        })
      const missing = stored - total(dataDir)
      if (missing === 0 || random.chance(0.25)) await Bun.sleep(random.below(ms))
      else {
        // right after the rows, or while the next files still have none
        const counted = random.chance(0.5) ? total : placed
        const wanted = counted(dataDir) + 1 + random.below(Math.ceil(missing / left))
        const untilMs = Date.now() + LATEST * ms + LATEST_MS
        while (counted(dataDir) < wanted && !isOver && Date.now() < untilMs) await Bun.sleep(1)
        await Bun.sleep(random.below(2) * random.below(JITTER_MS))
      }
      await process.end()
      await Promise.race([writing, Bun.sleep(REFUSED_MS)])
      process = await start(dataDir)
      await expectSound(process, dataDir)
      const found = await stateOf(process.call)
      expectPart(found, after)
      expect(found.runs.length).toBeGreaterThanOrEqual(before.runs.length)
      for (const said of acknowledged) expect(JSON.stringify(found)).toContain(said)
      if (kind.env === undefined) continue
      await process.end()
      process = await start(dataDir, kind.env)
    }
    await kind.write(process.call, [])
    // once more: there is nothing left to do
    await kind.write(process.call, [])
    await expectSound(process, dataDir)
    expect(await endOf(process.call)).toEqual(after)
    await process.end()
    return after
  }

  return { start, made, copied, root, expectSurvived }
}

/** All that is answered in the end, with what follows from it later, and how much all receipts say was created. */
async function endOf(call: Call) {
  const receipts = await allOf<{ counts: { created: number } }>(call, '/receipts')
  const created = receipts.reduce((sum, { counts }) => sum + counts.created, 0)
  return { ...(await stateOf(call)), created, ground: await groundOf(call) }
}

function total(dataDir: string): number {
  const { runs, photos } = storedIn(dataDir)
  return runs + photos
}

function placed(dataDir: string): number {
  return [...namesIn(join(dataDir, 'files/raw')), ...namesIn(join(dataDir, 'files/media'))].length
}

/** Rows and files agree, nothing is left over, and no receipt is unfinished. */
export async function expectSound({ call, server }: Started, dataDir: string): Promise<void> {
  for (const untilMs = Date.now() + SWEPT_MS; leftovers(dataDir).length > 0 && Date.now() < untilMs; ) {
    await Bun.sleep(10)
  }
  expect([faultsOf(dataDir), leftovers(dataDir), server.log()]).toEqual([[], [], server.log()])
  const receipts = await allOf<{ finishedAt: string | null }>(call, '/receipts')
  expect(receipts.filter(({ finishedAt }) => finishedAt === null)).toEqual([])
}

/** Every run is one of the whole library's, each at most once; of photos some may still be missing. */
export function expectPart(found: LibraryState, whole: LibraryState): void {
  const left = [...whole.runs]
  for (const { photos, ...run } of found.runs) {
    const [one] = left.splice(placeOf(run, left), 1)
    const { photos: known = [], ...rest } = one ?? {}
    expect(run).toEqual(rest as typeof run)
    expect(photos.filter((photo) => !known.includes(photo))).toEqual([])
    expect(new Set(photos).size).toBe(photos.length)
  }
}

function placeOf({ startedAt, detail }: Omit<ShownRun, 'photos'>, runs: readonly ShownRun[]): number {
  const at = runs.findIndex((one) => one.startedAt === startedAt && one.detail.distanceM === detail.distanceM)
  return at === -1 ? runs.findIndex((one) => one.startedAt === startedAt) : at
}
