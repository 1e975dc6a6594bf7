import { filledLibrary } from './library.ts'
import {
  asked,
  atRest,
  type BenchServer,
  json,
  latenciesOf,
  startServer,
  tell,
  timesText,
  waitsDuring,
} from './server.ts'

const QUESTIONS = [
  ...['weekly', 'relative-effort', 'weekly-recap', 'best-efforts', 'yearly', 'yearly-weekly'],
  ...['available-periods', 'available-years', 'insights', 'insights?timezoneOffsetMinutes=60'],
].map((path) => `/stats/${path}`)
/** Filters of the list that fit most runs, so that counting and summing them takes longest. */
const LISTS = [
  '/workouts',
  '/workouts?days=local&leftOut=false&startDate=2000-01-01',
  '/workouts?minLoad=1&maxLoad=900',
  '/workouts?minPaceS=200&maxPaceS=500&minElevGainM=1',
  '/workouts?device=e&sortBy=load',
  '/workouts?days=local&startDate=2000-01-01&minLoad=1&minHeartRateBpm=60&sortBy=pace',
]

/** The real process on a library of one-hour runs: every /stats answer, and the long recomputations with their neighbours. */
export async function bench(workouts = 10_000): Promise<void> {
  const server = await startServer(await filledLibrary(workouts))
  await server.login()
  await atRest(server)
  console.log(`stats: ${workouts} stored one-hour runs, over HTTP (budget p99 30 ms)`)
  const { items } = JSON.parse(await asked(server, '/workouts?pageSize=1'))
  for (const path of [...LISTS, `/workouts/${items[0].id}?includeRaw=false`, ...QUESTIONS]) {
    tell(path.slice(0, 46), timesText(await latenciesOf(server, path)))
  }
  tell('insights, after each write', timesText(await afterWrites(server, '/stats/insights')))
  const zones = { calculationMethod: 'AgeBased', age: 40, recalculateExisting: true }
  for (const [path, what, body] of [
    ['/stats/best-efforts/recalculate', 'rebuild of best efforts (budget 5 s)', {}],
    ['/settings/heart-rate-zones/update-with-recalc', 'new zones and all efforts', zones],
    ['/workouts/recalculate-splits', 'all splits cut again', {}],
  ] as const) {
    const started = performance.now()
    const waits = await waitsDuring(server, asked(server, path, json('POST', body)))
    const seconds = (performance.now() - started) / 1000
    tell(what, `${seconds.toFixed(2)} s; others wait ${timesText(waits)} (budget 150)`)
  }
  await server.stop()
  await server.remove()
}

/** The first answer after something was written is made again. */
export async function afterWrites(server: BenchServer, path: string, times = 60): Promise<number[]> {
  const latencies: number[] = []
  for (let i = 0; i < times; i += 1) {
    const unitPreference = i % 2 === 0 ? 'imperial' : 'metric'
    await asked(server, '/settings/unit-preference', json('PUT', { unitPreference }))
    latencies.push(...(await latenciesOf(server, path, { times: 1, warm: 0 })))
  }
  return latencies.slice(times / 6)
}
