import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/db/open.ts'
import { arm64Emulator, builtFile } from '../test/process/built-file.ts'
import { atRest, cpuMsOf } from './against-library.ts'
import { fillPlaces } from './places.ts'
import { type BenchServer, startServer } from './server.ts'

const RUNS = 10_000
/** The busiest square of the made runs, of zoom 14. */
const [X, Y] = [8801, 5374]
const tile = (z: number) => `${z}/${Math.floor(X * 2 ** (z - 14))}/${Math.floor(Y * 2 ** (z - 14))}`
const QUESTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([6, 10, 12, 13, 14, 15].map((z) => [`heat tile, zoom ${z}`, `/map/heat/${tile(z)}`])),
  'the same filtered': `/map/heat/${tile(13)}?minDistanceM=5000`,
  squares: '/map/squares',
  'runs near home': '/map/runs?lat=52.5&lon=13.4',
}

/**
 * What the map of 10,000 runs costs the file for 64-bit ARM on an emulated Cortex-A72, beside the one for this machine: an
 * estimate of a Raspberry Pi 4, and an upper bound, since an emulator translates each instruction.
 */
export async function benchEmulated(): Promise<void> {
  const emulator = arm64Emulator()
  if (emulator === null) return
  const built = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
  const own = [await builtFile('harrier-linux-x64', built)]
  const arm = [...emulator, await builtFile('harrier-linux-arm64', built)]
  const first = await startServer(undefined, own)
  await first.login()
  await first.stop()
  const db = openDb(join(first.dataDir, 'harrier.sqlite'))
  fillPlaces(db)
  db.$client.close()
  const [ours, emulated] = [await answersOf(own, first.dataDir), await answersOf(arm, first.dataDir)]
  console.log(
    `emulated: the map of ${RUNS} runs, ms of CPU of the first answer here and on an emulated Cortex-A72, and again`,
  )
  for (const [name, [one = Number.NaN, repeated = Number.NaN]] of ours) {
    const [slow = Number.NaN, slowAgain = Number.NaN] = emulated.get(name)!
    console.log(
      `  ${name.padEnd(20)} ${one} and ${slow} (${(slow / one).toFixed(1)} times), again ${repeated} and ${slowAgain}`,
    )
  }
  await first.remove()
  await rm(built, { recursive: true, force: true })
}

/** CPU milliseconds of each question, asked twice. */
async function answersOf(command: readonly string[], dataDir: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const server = await startServer(dataDir, command)
  try {
    await server.login()
    await atRest(server)
    const times = new Map<string, readonly number[]>()
    for (const [name, path] of Object.entries(QUESTIONS))
      times.set(name, [await cpuOf(server, path), await cpuOf(server, path)])
    return times
  } finally {
    await server.stop()
  }
}

async function cpuOf(server: BenchServer, path: string): Promise<number> {
  const before = await cpuMsOf(server.pid)
  const answer = await server.call(path)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return (await cpuMsOf(server.pid)) - before
}
