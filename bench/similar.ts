import { openDb } from '../src/db/open.ts'
import { consoleLog } from '../src/log.ts'
import { workerAnalyzer } from '../src/workers/analyzer.ts'
import { routeIndex } from '../src/workers/route-index.ts'
import { similarRoutes } from '../src/workouts/same-ground/similar.ts'
import { addWorkout, NOW_MS } from '../test/fixtures/feature-app.ts'
import { addRouteIndex, madeRoutes } from '../test/fixtures/route-library.ts'
import { percentile, watchWaits } from './waits.ts'

const ROUTES = 10_000
const QUERIES = 300
/** One run a day: 27 years. */
const STEP_MS = 86_400_000
const BUDGET_MS: Readonly<Record<number, number>> = { 2: 50, 100: 150 }

/** Similar routes among 10,000 seeded ones: what asking takes, and the longest time that others wait meanwhile. */
export async function benchSimilar(): Promise<void> {
  const db = openDb(':memory:')
  const analyzer = workerAnalyzer(consoleLog('error'))
  const ids = fill(db)
  console.log(`similar: ${ROUTES} routes, ${QUERIES} questions about runs of the latest tenth`)
  for (const maxYears of [2, 100]) {
    const times: number[] = []
    const waits: number[] = []
    let found = 0
    for (let k = 0; k < QUERIES; k += 1) {
      const id = ids[ROUTES - 1 - Math.floor((k * ROUTES) / 10 / QUERIES)]!
      const watch = watchWaits()
      const started = performance.now()
      found += (await similarRoutes({ db, analyzer }, id, { maxResults: 10, maxYears })).length
      times.push(performance.now() - started)
      waits.push(watch.stop())
    }
    console.log(
      `  maxYears ${String(maxYears).padStart(3)}: p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms (budget ${BUDGET_MS[maxYears]}), others wait at most ${percentile(waits, 1)} ms, ${(found / QUERIES).toFixed(1)} matches`,
    )
  }
  analyzer.close()
  db.$client.close()
}

function fill(db: ReturnType<typeof openDb>): string[] {
  const started = performance.now()
  const ids = Array.from({ length: ROUTES }, () => Bun.randomUUIDv7())
  let indexMs = 0
  db.transaction((tx) => {
    for (const [k, route] of madeRoutes(ROUTES, 3).entries()) {
      const startedAt = NOW_MS - (ROUTES - k) * STEP_MS
      addWorkout({ db }, { id: ids[k]!, startedAt, routePreview: [[0, 0]] })
      const before = performance.now()
      const index = routeIndex(route)
      indexMs += performance.now() - before
      addRouteIndex(tx, ids[k]!, { startedAtMs: startedAt, index })
    }
  })
  const bytes = db.$client
    .query<{ bytes: number }, []>('SELECT avg(length(path) + length(sketch)) AS bytes FROM workout_route')
    .get()
  console.log(
    `similar: made in ${((performance.now() - started) / 1000).toFixed(1)} s, ${(indexMs / ROUTES).toFixed(2)} ms and ${bytes?.bytes.toFixed(0)} bytes a route`,
  )
  return ids
}

if (import.meta.main) await benchSimilar()
