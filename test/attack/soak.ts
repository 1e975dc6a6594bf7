// bun run soak [minutes] [--seed N]: mixed load on the real service; the first half on one process, whose memory and
// descriptors have to stay, the second half with stops and kills. bun run soak kills [N]: kills in the midst of each deed.
// After each start everything acknowledged is there and nothing half.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Defect } from './attack.ts'
import { expectKept, expectSound } from './inspection.ts'
import { Ledger } from './ledger.ts'
import { anything, type Client, DEEDS } from './load.ts'
import { maker } from './made-runs.ts'
import { randomOf } from './random.ts'
import { Service, Stopped, takenBy } from './service.ts'

const CLIENTS = 3
const MINUTE_MS = 60_000
/** Lines of the series. */
const LINES = 20
/** Most files open under load beyond those at rest: connections of the clients, and files being read. */
const MORE_FILES = 24
/** Growth is judged only after this time, when the service has warmed up. */
const JUDGED_MS = 4 * MINUTE_MS
const MORE_MIB = 32
const KILLED = ['import', 'bulk', 'restore', 'export', 'crop', 'media', 'delete'] as const
/** A restart at least this often in the second half. */
const LIFE_MS = 6_000
const RUNS = { steady: 120, killed: 40 }
const MAIN_FOLDER = new URL('../../src/', import.meta.url).pathname

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const isKills = positionals[0] === 'kills'
const amount = Number(positionals[isKills ? 1 : 0] ?? (isKills ? 100 : 1))
const dataDir = mkdtempSync(join(tmpdir(), 'harrier-soak-'))
const service = new Service(dataDir)
const ledger = new Ledger()
const random = randomOf(seed, 'soak')
const make = maker(random)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // cancelled work stops
  process.once(signal, () => void service.stop('SIGKILL').finally(() => process.exit(130)))
}
// until the end is reached nothing is proven
process.exitCode = 1
console.log(`bun run soak ${isKills ? 'kills ' : ''}${amount} --seed ${seed}`)
try {
  await service.start()
  await service.json('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 40 })
  if (isKills) await kills(amount)
  else {
    await steady((amount * MINUTE_MS) / 2)
    await restarted((amount * MINUTE_MS) / 2)
  }
  await expectBackedUp()
  await service.stop('SIGTERM')
  console.log(
    `${service.requests} requests, ${service.starts} starts, ${ledger.runs.size} runs at the end: all as acknowledged`,
  )
  process.exitCode = 0
  rmSync(dataDir, { recursive: true, force: true })
} catch (error) {
  await service.stop('SIGKILL').catch(() => null)
  console.log(error instanceof Defect ? `Found: ${error.message}` : error)
  console.log(`bun run soak ${isKills ? 'kills ' : ''}${amount} --seed ${seed}; the data folder is ${dataDir}`)
  process.exit(1)
}

function clientOf(name: string | number, size: number): Client {
  return { service, ledger, make, size, random: randomOf(seed, service.starts, name) }
}

/** Load of several clients until it is to end or the service stops. @throws Defect */
async function loadUntil(isOver: () => boolean, size: number): Promise<void> {
  let hasFailed = false
  const work = async (client: Client) => {
    try {
      while (!isOver() && !hasFailed) await anything(client)
    } catch (error) {
      if (error instanceof Stopped) return
      hasFailed = true
      throw error
    }
  }
  await allOf(Array.from({ length: CLIENTS }, (_, k) => work(clientOf(k, size))))
}

/** Waits for all, then throws the first failure. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(works)) if (settled.status === 'rejected') throw settled.reason
}

/** One process all the time. */
async function steady(durationMs: number): Promise<void> {
  const startMs = Date.now()
  const isOver = () => Date.now() - startMs > durationMs
  const series: { readonly anonMiB: number; readonly files: number }[] = []
  const look = setInterval(
    () => {
      const taken = takenBy(service.pid)
      if (taken === null) return
      series.push(taken)
      const second = String(Math.round((Date.now() - startMs) / 1000)).padStart(6)
      const { rssMiB, anonMiB, files, threads } = taken
      console.log(
        `${second} s ${service.requests} requests ${ledger.runs.size} runs: RSS ${rssMiB} MiB, anonymous ${anonMiB} MiB, ${files} descriptors, ${threads} threads`,
      )
    },
    Math.max(1000, durationMs / LINES),
  )
  await loadUntil(isOver, RUNS.steady).finally(() => clearInterval(look))
  await expectKept(service, ledger)
  await expectSound(dataDir)
  const third = Math.floor(series.length / 3)
  const most = (part: typeof series, key: 'anonMiB' | 'files') => Math.max(...part.map((taken) => taken[key]))
  if (third === 0) return
  const [before, last] = [series.slice(0, 2 * third), series.slice(-third)]
  const files = most(last, 'files') - most(series.slice(0, third), 'files')
  if (files > MORE_FILES) throw new Defect(`${files} descriptors more than in the beginning`)
  // a machine that was busy with other work meanwhile makes any third a quiet one
  const grown = most(last, 'anonMiB') - most(before, 'anonMiB')
  if (durationMs > JUDGED_MS && grown > MORE_MIB) throw new Defect(`It grew by ${grown} MiB in the last third`)
}

/** Stopped or killed every few seconds, at any moment. */
async function restarted(durationMs: number): Promise<void> {
  const endMs = Date.now() + durationMs
  while (Date.now() < endMs) {
    const loading = loadUntil(() => false, RUNS.killed)
    const lifeMs = Math.min(random.below(LIFE_MS), Math.max(500, endMs - Date.now()))
    await Promise.race([Bun.sleep(lifeMs), loading])
    await endAndLook(random.chance(0.3) ? 'SIGTERM' : 'SIGKILL', loading)
  }
}

async function endAndLook(signal: 'SIGTERM' | 'SIGKILL', loading: Promise<void>): Promise<void> {
  await allOf([service.stop(signal), loading])
  await service.start()
  await expectKept(service, ledger)
  await expectSound(dataDir)
}

/** Each deed in turn, killed at a moment within its usual time, while others load the service as well. */
async function kills(count: number): Promise<void> {
  const usualMs = new Map<string, number>()
  const answered = new Map<string, number>()
  for (let k = 0; k < count; k += 1) {
    const name = KILLED[k % KILLED.length]!
    if (ledger.runs.size < RUNS.killed / 2) await loadUntil(() => ledger.runs.size >= RUNS.killed, RUNS.killed)
    // something to restore from, and something to be restored
    if (name === 'restore') await prepareRestore()
    const startedMs = performance.now()
    const client = clientOf('killed', RUNS.killed)
    const deed = DEEDS[name](client).then(
      () => {
        answered.set(name, (answered.get(name) ?? 0) + 1)
        usualMs.set(name, 0.7 * (usualMs.get(name) ?? 0) + 0.3 * (performance.now() - startedMs))
      },
      (error) => {
        if (!(error instanceof Stopped)) throw error
      },
    )
    const others = loadUntil(() => false, RUNS.killed)
    const usual = Math.max(20, usualMs.get(name) ?? 300)
    await Promise.race([Bun.sleep((random.below(1300) / 1000) * usual), allOf([deed]), others])
    // a deed that is over as well: its answer must hold
    await endAndLook('SIGKILL', allOf([deed, others]))
    if ((k + 1) % 20 === 0) console.log(`${k + 1} kills, ${service.requests} requests, ${ledger.runs.size} runs`)
  }
  const stated = KILLED.map((name) => `${name} ${answered.get(name) ?? 0}/${Math.ceil(count / KILLED.length)}`)
  console.log(`Answered before the kill: ${stated.join(', ')}`)
}

async function prepareRestore(): Promise<void> {
  const client = clientOf('prepare', RUNS.killed)
  if (ledger.archive === null || random.chance(0.3)) await DEEDS.export(client)
  for (let k = 0; k < 4; k += 1) await DEEDS.delete(client)
}

/** The program's own checks: a backup while it runs, and whether that restores. */
async function expectBackedUp(): Promise<void> {
  const file = join(dataDir, 'backup.zip')
  for (const args of [
    ['commands/backup.ts', file],
    ['commands/verify.ts', file],
  ]) {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, TMPDIR: dataDir }
    const run = Bun.spawn([process.execPath, MAIN_FOLDER + args[0], args[1] ?? ''], {
      env,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const stated = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
    if ((await run.exited) !== 0) throw new Defect(`${args[0]} ended with ${run.exitCode}: ${stated.slice(-2000)}`)
  }
}
