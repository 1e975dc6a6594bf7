import { join } from 'node:path'
import { watchWaits } from '../test/process/waits.ts'
import { atRest, filledLibrary } from './against-library.ts'
import { type BenchServer, startServer } from './server.ts'
import { percentile } from './waits.ts'

const SINGLE = 110
/** The first answers compile what all later ones use. */
const WARM = 10

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read
type Json = any

/**
 * Changes of single runs and of 10,000 one-hour runs at once on the real server. Beside the latter somebody asks for
 * /health: the longest that the thread of the requests worked before it answered.
 */
export async function benchWrites(): Promise<void> {
  const server = await startServer(await filledLibrary(join(import.meta.dir, '..')))
  await server.login()
  await atRest(server)
  console.log('writes: 10,000 stored one-hour runs, over HTTP')
  const { items } = await asked(server, 'GET', `/workouts?pageSize=${SINGLE - WARM}`)
  const ids: string[] = items.map(({ id }: Json) => id)
  const single = async (what: string, budgetMs: number, of: (id: string, k: number) => Sent) => {
    const tookMs: number[] = []
    for (let k = 0; k < SINGLE; k += 1) {
      const sent = of(ids[k % ids.length]!, k)
      const startedMs = performance.now()
      await asked(server, ...sent)
      if (k >= WARM) tookMs.push(performance.now() - startedMs)
    }
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(tookMs, share))
    console.log(`  ${what.padEnd(32)} p50 ${p50} ms, p99 ${p99} ms (budget ${budgetMs})`)
  }
  const many = async (what: string, ...sent: Sent): Promise<Json> => {
    const watched = watchWaits({ address: server.url, pid: server.pid })
    const startedMs = performance.now()
    const answer = await asked(server, ...sent)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(2)
    // what it left to the background belongs to it
    await Bun.sleep(2000)
    console.log(`  ${what.padEnd(32)} ${seconds} s, others wait ${await watched.end()} ms (budget 50)`)
    return answer
  }
  const undone = async (what: string) => {
    const [{ id }] = (await asked(server, 'GET', '/receipts?pageSize=1')).items
    await many(what, 'POST', `/receipts/${id}/undo`)
  }
  await single('PATCH of a name', 10, (id, k) => ['PATCH', `/workouts/${id}`, { name: `Name ${k}` }])
  const trim = { startTrimSeconds: 10, endTrimSeconds: 10 }
  await single('crop of an hour', 60, (id) => ['POST', `/workouts/${id}/crop`, trim])
  // a run that is in the trash comes back in turn
  const pair = (k: number): [method: string, path: string] => {
    const id = ids[Math.floor(k / 2) % ids.length]!
    return k % 2 === 0 ? ['DELETE', `/workouts/${id}`] : ['POST', `/trash/${id}/restore`]
  }
  await single('deletion or restore of an hour', 100, (_, k) => pair(k))
  const shoe = await asked(server, 'POST', '/shoes', { brand: 'Mizar', model: 'Seven' })
  const everyRun = { filter: {}, set: { shoeId: shoe.id } }
  await many('all get a shoe (budget 3 s)', 'POST', '/workouts/bulk-edit', everyRun)
  await undone('that undone')
  await many('all get a shoe', 'POST', '/workouts/bulk-edit', everyRun)
  await many('the shoe is deleted', 'DELETE', `/shoes/${shoe.id}`)
  await undone('the shoe comes back')
  const zones = { calculationMethod: 'AgeBased', age: 40, recalculateExisting: true }
  await many('new zones', 'POST', '/settings/heart-rate-zones/update-with-recalc', zones)
  await server.stop()
  await server.remove()
}

type Sent = readonly [method: string, path: string, body?: Json]

async function asked(server: BenchServer, ...[method, path, body]: Sent): Promise<Json> {
  const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await server.call(path, { method, ...json })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}
