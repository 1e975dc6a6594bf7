import { type Db, openDb } from '../src/db/open.ts'
import { gpsDistance } from '../src/engine/run/distance.ts'
import type { Track } from '../src/engine/track.ts'
import { consoleLog } from '../src/log.ts'
import { workerAnalyzer } from '../src/workers/analyzer.ts'
import { packTrack } from '../src/workers/pack.ts'
import { routeIndex } from '../src/workers/route-index.ts'
import { passesOfStretch } from '../src/workouts/same-ground/passes.ts'
import { addWorkout, NOW_MS } from '../test/fixtures/feature-app.ts'
import { addRecording } from '../test/fixtures/recordings.ts'
import { addRouteIndex, type MadeRoute, madeRoutes } from '../test/fixtures/route-library.ts'
import { seeded } from './library.ts'
import { percentile, watchWaits } from './waits.ts'

const ROUTES = 10_000
/** One run a day: 27 years. */
const STEP_MS = 86_400_000
const STRETCH_M = 500
const MOST_QUESTIONS = 600
const BUDGETS = [
  { name: 'up to 300 runs pass', from: 1, to: 300, questions: 200, budgetMs: 150 },
  { name: 'about 3,000 runs pass', from: 2300, to: 3500, questions: 30, budgetMs: 1000 },
] as const

/** Passes through stretches among 10,000 seeded runs: what asking takes, and the longest time that others wait meanwhile. */
export async function benchPasses(): Promise<void> {
  const db = openDb(':memory:')
  const analyzer = workerAnalyzer(consoleLog('error'))
  const { signal } = new AbortController()
  const ids = fillRoutes(db, ROUTES)
  // the Worker is there when the first question that counts is asked
  await passesOfStretch({ db, analyzer, signal }, ids[0]!, {})
  const random = seeded(5)
  const lengthOf = db.$client.query<{ lengthM: number }, [string]>(
    'SELECT length_m AS lengthM FROM workout_route WHERE workout_id = ?',
  )
  const found = BUDGETS.map(() => ({ times: [] as number[], waits: [] as number[], runs: 0, passes: 0 }))
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const id = ids[Math.floor(random() * ROUTES)]!
    const fromM = asked % 5 === 0 ? 300 : 500 + Math.floor(random() * 4000)
    if ((lengthOf.get(id)?.lengthM ?? 0) < 1.1 * (fromM + STRETCH_M)) continue
    const watch = watchWaits()
    const started = performance.now()
    const { count, runCount } = await passesOfStretch({ db, analyzer, signal }, id, { fromM, toM: fromM + STRETCH_M })
    const ms = performance.now() - started
    const waitMs = watch.stop()
    const at = BUDGETS.findIndex(({ from, to }) => runCount >= from && runCount <= to)
    const sum = found[at]
    if (sum === undefined || sum.times.length >= BUDGETS[at]!.questions) continue
    sum.times.push(ms)
    sum.waits.push(waitMs)
    sum.runs += runCount
    sum.passes += count
    if (found.every(({ times }, k) => times.length >= BUDGETS[k]!.questions)) break
  }
  for (const [at, { name, budgetMs }] of BUDGETS.entries()) {
    const { times, waits, runs, passes } = found[at]!
    if (times.length === 0) console.log(`  ${name}: no such stretch`)
    else {
      console.log(
        `  ${name}: ${times.length} questions, ${Math.round(runs / times.length)} runs and ${Math.round(passes / times.length)} passes each, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms (budget ${budgetMs}), others wait at most ${percentile(waits, 1)} ms (budget 50)`,
      )
    }
  }
  analyzer.close()
  db.$client.close()
}

/** A run a day on seeded routes. @returns their ids */
export function fillRoutes(db: Db, count: number): string[] {
  const started = performance.now()
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7())
  for (const [k, route] of madeRoutes(count, 3).entries()) {
    db.transaction((tx) => {
      const startedAt = NOW_MS - (count - k) * STEP_MS
      addWorkout({ db }, { id: ids[k]!, startedAt, routePreview: [[0, 0]] })
      const track = everySecond(route, startedAt)
      addRouteIndex(tx, ids[k]!, { startedAtMs: startedAt, index: routeIndex(track) })
      addRecording({ db: tx, now: () => startedAt }, ids[k]!, { samples: packTrack(track) })
    })
  }
  const bytes = db.$client
    .query<{ bytes: number }, []>('SELECT avg(length(time_hr) + length(track)) AS bytes FROM samples')
    .get()
  console.log(
    `passes: ${count} runs with their tracks made in ${((performance.now() - started) / 1000).toFixed(1)} s, ${bytes?.bytes.toFixed(0)} bytes of positions, times and heart rates a run`,
  )
  return ids
}

/** At 3 m/s, a position a second: the points of a made route are 9 m apart. */
function everySecond(route: MadeRoute, startMs: number): Track {
  const n = 3 * route.latDeg.length - 2
  const between = (values: Float64Array) =>
    Float64Array.from({ length: n }, (_, i) => {
      const [k, part] = [Math.floor(i / 3), (i % 3) / 3]
      const value = values[k]! + (part === 0 ? 0 : part * (values[k + 1]! - values[k]!))
      return Math.round(value * 1e7) / 1e7
    })
  const tS = Float64Array.from({ length: n }, (_, i) => i)
  const [latDeg, lonDeg] = [between(route.latDeg), between(route.lonDeg)]
  const none = () => new Float64Array(n).fill(Number.NaN)
  const metres = gpsDistance(tS, { latDeg, lonDeg }, [])!.distanceM
  return {
    ...{ n, startMs, tS, latDeg, lonDeg, off: [], indoor: false },
    ...{ distanceSource: 'gps', elevationSource: 'unknown', positionUnit: 'e7' },
    distanceM: metres.map((value) => Math.round(value * 100) / 100),
    heartRateBpm: tS.map((seconds) => Math.round(145 + 12 * Math.sin(seconds / 97))),
    elevM: tS.map((seconds) => Math.round(10 * (40 + 8 * Math.sin(seconds / 310))) / 10),
    ...{ cadenceRpm: none(), powerW: none(), temperatureC: none(), speedMps: none() },
  }
}

if (import.meta.main) await benchPasses()
