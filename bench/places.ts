import { type Db, openDb } from '../src/db/open.ts'
import { routeIndexes } from '../src/db/schema.ts'
import { createEvents } from '../src/events/emitter.ts'
import { createCounted, createRevision } from '../src/ground/counted.ts'
import { createHeat } from '../src/ground/heat.ts'
import { runsNear } from '../src/ground/near.ts'
import { createSquares, squaresAnswer } from '../src/ground/squares.ts'
import { writeRunGround } from '../src/library/derive.ts'
import { fillGround } from '../src/library/ground-fill.ts'
import { refreshNewGround } from '../src/library/new-ground.ts'
import { consoleLog } from '../src/log.ts'
import { createStartPlaces } from '../src/places/queries.ts'
import { workerAnalyzer } from '../src/workers/analyzer.ts'
import { groundOf } from '../test/fixtures/derived.ts'
import { addWorkout, CONFIG, NOW_MS } from '../test/fixtures/feature-app.ts'
import { madeRoutes } from '../test/fixtures/route-library.ts'
import { seeded } from './library.ts'
import { fillRoutes } from './passes.ts'
import { percentile, watchWaits } from './waits.ts'

const RUNS = 10_000
/** Runs with their tracks, which take longer to make than to fill in. */
const FILLED = 1000
const LEVELS = [6, 10, 12, 13, 14, 15] as const
const TILES = 60
const STEP_MS = 86_400_000

/** Milliseconds of CPU, which a busy machine does not change much, and the longest time that others wait. */
async function measured(work: () => unknown) {
  const watch = watchWaits()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, waitMs: watch.stop() }
}

/** Where 10,000 seeded runs went: filling, heat map and places, and the longest time that others wait meanwhile. */
export async function benchPlaces(): Promise<void> {
  oneRun()
  await filling()
  const db = openDb(':memory:')
  fillPlaces(db)
  const { n, bytes } = db.$client
    .query<{ n: number; bytes: number }, []>('SELECT count(*) AS n, sum(length(line)) AS bytes FROM ground_square')
    .get()!
  const { used } = db.$client
    .query<{ used: number }, []>(
      "SELECT sum(pgsize) AS used FROM dbstat WHERE name LIKE 'ground%' OR name LIKE 'sqlite_autoindex_ground%'",
    )
    .get()!
  console.log(
    `places: ${RUNS} runs, ${(n / RUNS).toFixed(1)} squares, ${(bytes / RUNS).toFixed(0)} bytes of lines, ${(used / RUNS / 1024).toFixed(2)} KB of tables a run (budget 1.2)`,
  )
  await tiles(db)
  const fresh = await measured(() => refreshNewGround({ db, log: consoleLog('error'), events: createEvents() }, NEVER))
  console.log(
    `  new ground of all runs: ${(fresh.cpuMs / 1000).toFixed(1)} s of CPU (budget 2), others wait at most ${fresh.waitMs.toFixed(0)} ms (50)`,
  )
  const hottest = db.$client
    .query<{ id: string }, []>(
      `SELECT workout_id AS id FROM ground JOIN ground_square USING (run) WHERE id >> 24 =
         (SELECT id >> 24 FROM ground_square GROUP BY id >> 24 ORDER BY count(*) DESC LIMIT 1) LIMIT 1`,
    )
    .get()!
  db.$client.query('UPDATE workout SET left_out = 1 WHERE id = ?').run(hottest.id)
  const one = await measured(() => refreshNewGround({ db, log: consoleLog('error'), events: createEvents() }, NEVER))
  console.log(`  new ground after one run at home: ${one.cpuMs.toFixed(0)} ms of CPU (budget 200)`)
  const squares = createSquares(db, createCounted(db))
  const answer = () => squares({}).then((found) => squaresAnswer(db, found))
  const [asked, repeated] = [await measured(answer), await measured(answer)]
  console.log(
    `  squares: first ${asked.cpuMs.toFixed(0)} ms of CPU (budget 150), then ${repeated.cpuMs.toFixed(0)} ms (10), others wait at most ${asked.waitMs.toFixed(0)} ms (50)`,
  )
  const places = createStartPlaces({ db, jwtSecret: 'of a bench' })
  const first = await measured(places)
  console.log(`  places: ${places().places.length} in ${first.cpuMs.toFixed(0)} ms of CPU, kept then`)
  const home = places().places[0]!
  const runs = createCounted(db)({})
  let count = 0
  const near = await measured(async () => {
    count = (await runsNear(db, runs, { lat: home.lat, lon: home.lon })).count
  })
  console.log(
    `  runs near home: ${count} in ${near.cpuMs.toFixed(0)} ms of CPU, others wait at most ${near.waitMs.toFixed(0)} ms (50)`,
  )
  db.$client.close()
}

/** Runs with their ground; their paths and samples are not needed here. */
export function fillPlaces(db: Db, count = RUNS): void {
  db.transaction((tx) => {
    for (const [k, route] of madeRoutes(count, 3).entries()) {
      const [id, startedAt] = [Bun.randomUUIDv7(), NOW_MS - (count - k) * STEP_MS]
      addWorkout({ db }, { id, startedAt, routePreview: PREVIEW })
      tx.insert(routeIndexes)
        .values({ ...NO_ROUTE, workoutId: id, startedAt })
        .run()
      writeRunGround(tx, id, groundOf({ ...route, tS: route.latDeg.map((_, row) => row) }))
    }
  })
}

const NEVER = new AbortController().signal
const NOTHING = Buffer.alloc(0)
const PREVIEW = [
  [13.4, 52.5],
  [13.41, 52.5],
]
const NO_ROUTE = {
  ...{ lengthM: 1, southDeg: 0, northDeg: 0, westDeg: 0, eastDeg: 0 },
  ...{ sketch: NOTHING, path: NOTHING, trace: NOTHING },
}

async function filling(): Promise<void> {
  const db = openDb(':memory:')
  const log = consoleLog('error')
  const deps = { db, log, config: CONFIG, now: Date.now, analyzer: workerAnalyzer(log), events: createEvents() }
  fillRoutes(db, FILLED)
  const { cpuMs, waitMs } = await measured(() => fillGround(deps, new AbortController().signal))
  console.log(
    `  ${FILLED} filled in ${(cpuMs / 1000).toFixed(1)} s of CPU on both cores, ${((cpuMs * 10) / 1000).toFixed(0)} s for 10,000 (budget 30), others wait at most ${waitMs.toFixed(0)} ms (50)`,
  )
  deps.analyzer.close()
  db.$client.close()
}

function oneRun(): void {
  const routes = madeRoutes(300, 3).map((route) => ({ ...route, tS: route.latDeg.map((_, k) => k) }))
  for (const route of routes.slice(0, 100)) groundOf(route)
  const times = routes.slice(100).map((route) => {
    const before = process.cpuUsage()
    groundOf(route)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  console.log(
    `places: ground of one run, CPU p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms (budget 2)`,
  )
}

async function tiles(db: Db): Promise<void> {
  const counted = createCounted(db)
  const { signal } = new AbortController()
  const random = seeded(7)
  const squares = db.$client
    .query<{ key: number; runs: number }, []>(
      'SELECT id >> 24 AS key, count(*) AS runs FROM ground_square GROUP BY key ORDER BY runs DESC',
    )
    .all()
  for (const z of LEVELS) {
    const scale = 2 ** (z - 14)
    const tileOf = (key: number) => ({
      z,
      x: Math.floor(Math.floor(key / 16384) * scale),
      y: Math.floor((key % 16384) * scale),
    })
    const heat = createHeat({ db, counted, revision: createRevision(db) })
    const asked = (key: number) => measured(() => heat.tile(tileOf(key), { filter: {}, signal }))
    counted({})
    const hottest = await asked(squares[0]!.key)
    const again = await asked(squares[0]!.key)
    const times: number[] = []
    let waitMs = hottest.waitMs
    for (let k = 0; k < TILES; k += 1) {
      const one = await asked(squares[Math.floor(random() * squares.length)]!.key)
      times.push(one.cpuMs)
      waitMs = Math.max(waitMs, one.waitMs)
    }
    console.log(
      `  heat z${z}, CPU: hottest ${hottest.cpuMs.toFixed(0)} ms (budget 150), repeated ${again.cpuMs.toFixed(1)} ms (5), visited p50 ${percentile(times, 0.5)} ms, p90 ${percentile(times, 0.9)} ms (40), others wait at most ${waitMs.toFixed(0)} ms (50)`,
    )
  }
}

if (import.meta.main) await benchPlaces()
