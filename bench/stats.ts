import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../src/db/open.ts'
import { ENGINE_VERSION } from '../src/engine/analyze.ts'
import { NO_TOTALS } from '../src/engine/numbers.ts'
import { encodePreview } from '../src/engine/route/preview-code.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../src/engine/run/zones.ts'
import { fitFormat } from '../src/formats/fit/fit.ts'
import type { RunDocument } from '../src/library/documents/run.ts'
import { packTrack } from '../src/workers/pack.ts'
import { routeIndex } from '../src/workers/route-index.ts'
import { analyze } from '../test/fixtures/derived.ts'
import { addRouteIndex } from '../test/fixtures/route-library.ts'
import { atRest } from './against-library.ts'
import { benchRun, seeded } from './library.ts'
import { startServer } from './server.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const DAY_MS = 86_400_000
/** Runs whose samples are made; the library repeats them, so that each record is held by a hundred runs. */
export const DISTINCT_RUNS = 100
const QUESTIONS = [
  ...['weekly', 'relative-effort', 'weekly-recap', 'best-efforts', 'yearly', 'yearly-weekly'],
  ...['available-periods', 'available-years', 'insights', 'insights?timezoneOffsetMinutes=60'],
] as const
/** Filters of the list that fit most runs, so that counting and summing them takes longest. */
const FILTERS = [
  'days=local&leftOut=false&startDate=2000-01-01',
  'minLoad=1&maxLoad=900',
  'minPaceS=200&maxPaceS=500&minElevGainM=1',
  'device=e&sortBy=load',
  'days=local&startDate=2000-01-01&minLoad=1&minHeartRateBpm=60&sortBy=pace',
] as const

/** The real process on a library of one-hour runs: every /stats answer, and the long recomputations with their neighbours. */
export async function benchStats(workouts = 10_000): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
  const file = join(dataDir, 'harrier.sqlite')
  fillLibrary(file, workouts)
  const server = await startServer(dataDir)
  await server.login()
  await atRest(server)
  console.log(`stats: ${workouts} stored one-hour runs, over HTTP (budget p99 10 ms)`)
  const newest = (await (await server.call('/workouts?pageSize=1')).json()) as { items: { id: string }[] }
  await timeQuestion(server, '/workouts')
  for (const filters of FILTERS) await timeQuestion(server, `/workouts?${filters}`)
  await timeQuestion(server, `/workouts/${newest.items[0]?.id}?includeRaw=false`)
  for (const question of QUESTIONS) await timeQuestion(server, `/stats/${question}`)
  await timeAfterChanges(server, 'insights')
  await timeLong(server, '/stats/best-efforts/recalculate', 'rebuild of best efforts, nothing differs (budget 5 s)')
  const zones = { calculationMethod: 'AgeBased', age: 40, recalculateExisting: true }
  await timeLong(server, '/settings/heart-rate-zones/update-with-recalc', 'new zones and all efforts', zones)
  await timeLong(server, '/workouts/recalculate-splits', 'all splits cut anew')
  await server.stop()
  for (const [share, what] of [
    [300, 'about 300 runs differ'],
    [workouts, 'every run differs'],
  ] as const) {
    falsifyEfforts(file, share)
    const again = await startServer(dataDir)
    await again.login()
    await timeLong(again, '/stats/best-efforts/recalculate', `rebuild of best efforts, ${what}`)
    await again.stop()
  }
  await server.remove()
}

async function timeQuestion(server: Server, question: string): Promise<void> {
  const latencies: number[] = []
  for (let i = 0; i < 300; i += 1) {
    const sent = performance.now()
    const answer = await server.call(question)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${question} answered ${answer.status}`)
    // the first answers compile what all later ones use
    if (i >= 50) latencies.push(performance.now() - sent)
  }
  console.log(`  ${question.slice(0, 40).padEnd(40)} p50 ${share(latencies, 0.5)} ms, p99 ${share(latencies, 0.99)} ms`)
}

/** The first answer after something was written is made again. */
async function timeAfterChanges(server: Server, question: string): Promise<void> {
  const latencies: number[] = []
  for (let i = 0; i < 60; i += 1) {
    const unitPreference = i % 2 === 0 ? 'imperial' : 'metric'
    const body = JSON.stringify({ unitPreference })
    const headers = { 'content-type': 'application/json' }
    await (await server.call('/settings/unit-preference', { method: 'PUT', headers, body })).arrayBuffer()
    const sent = performance.now()
    await (await server.call(`/stats/${question}`)).arrayBuffer()
    if (i >= 10) latencies.push(performance.now() - sent)
  }
  const what = `${question}, after each write`
  console.log(`  ${what.padEnd(40)} p50 ${share(latencies, 0.5)} ms, p99 ${share(latencies, 0.99)} ms`)
}

/** How long a recomputation of the library takes, and how long others wait while it runs. */
async function timeLong(server: Server, path: string, what: string, body: unknown = {}): Promise<void> {
  const waits: number[] = []
  let isDone = false
  const started = performance.now()
  const headers = { 'content-type': 'application/json' }
  const long = server.call(path, { method: 'POST', headers, body: JSON.stringify(body) }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    const sent = performance.now()
    await (await server.call('/health')).arrayBuffer()
    waits.push(performance.now() - sent)
    await Bun.sleep(2)
  }
  const answer = await long
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
  console.log(`  ${what}: ${((performance.now() - started) / 1000).toFixed(2)} s`)
  const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => share(waits, part))
  console.log(`    other requests meanwhile: p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms (budget 50)`)
}

/** Workouts as imports store them: previews, weather and samples have their real sizes. */
export function fillLibrary(file: string, count: number): void {
  const db = openDb(file)
  const made = Array.from({ length: DISTINCT_RUNS }, (_, seed) => madeRun(seed + 1))
  const random = seeded(1)
  const insert = inserts(db)
  const firstMs = Date.now() - count * 0.4 * DAY_MS
  db.transaction(() => {
    for (let i = 0; i < count; i += 1) {
      const { analysis, packed, index } = made[i % DISTINCT_RUNS]!
      const startedAtMs = Math.floor(firstMs + i * 0.4 * DAY_MS + random() * 0.3 * DAY_MS)
      const id = Bun.randomUUIDv7()
      const temperature = Math.round(random() * 300) / 10
      const weather = {
        ...{ source: 'open_meteo', fetchedAt: '2025-01-01T00:00:00Z', temperature, humidity: 66, precipitation: 0.2 },
        ...{ weatherCode: 61, condition: 'Slight rain', windSpeed: 4.1, windDirection: 210, pressure: 1012.3 },
        ...{ apparentTemperature: 9.1, dewPoint: 5.2, windGust: 8.8, quality: 'final' },
      }
      insert.workout.run(
        id,
        startedAtMs,
        analysis.distanceM + Math.round(random() * 1000),
        300 + Math.round(random() * 100),
        Math.round(random() * 3000) / 10,
        Math.round(random() * 150),
        (['Easy Run', 'Long Run', null] as const)[i % 3]!,
        encodePreview(analysis.preview ?? []),
        JSON.stringify(weather),
        temperature,
        random() * 12,
      )
      insert.document.run(id, documentWith(id))
      insert.recording.run(id, startedAtMs)
      insert.naming.run(id)
      insert.samples.run(id, packed.sampleCount, packed.meta, packed.timeHr, packed.track, packed.rest)
      addRouteIndex(db, id, { startedAtMs, index })
      for (const { distanceIndex, timeMs, startMs } of analysis.bestEfforts) {
        insert.effort.run(id, distanceIndex, timeMs, startMs)
      }
    }
  })
  db.$client.close()
}

function documentWith(recordingId: string): string {
  const track = { recordings: [recordingId], repairs: [] }
  return JSON.stringify({ track, routeId: recordingId, createdAt: 0 } satisfies RunDocument)
}

function madeRun(seed: number) {
  const recording = fitFormat.parse(benchRun(seed), { filename: 'hour.fit' }).activities[0]?.recording ?? null
  const track = recording === null ? null : cleanRecording(recording)
  if (track === null) throw new Error('The made file has no track')
  const elevation = { thresholdM: 2, minDistanceM: 10 }
  const analysis = analyze(track, { totals: NO_TOTALS, splitLengthM: 1000, zones: DEFAULT_ZONES, elevation })
  return { analysis, packed: packTrack(track), index: routeIndex(track) }
}

function inserts({ $client: client }: Db) {
  return {
    workout: client.prepare(
      `INSERT INTO workout (id, started_at, distance_m, avg_pace_s, elev_gain_m, relative_effort, run_type, route_preview,
         weather, weather_temperature_c, weather_wind_speed_mps, created_at, duration_s, max_heart_rate_bpm,
         avg_heart_rate_bpm, max_cadence_rpm, max_power_watts, calories, name, search_text, name_key, splits_count,
         has_time_series_hr, engine_version, utc_offset_minutes, weather_humidity,
         weather_precipitation_mm, weather_wind_direction, weather_code)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 3600, 180, 150, 92, 380, 640, 'Morning run', 'morning run',
         'morning run', 11, 1, ${ENGINE_VERSION}, 60, 66, 0.2, 210, 61)`,
    ),
    recording: client.prepare(
      `INSERT INTO recording (id, origin, kind, started_at, totals, words, channels, has_raw, has_estimated_times, added_at)
       VALUES (?1, 'upload', 'file', ?2, '{"durationS":3600}', '{}', '["position"]', 0, 0, 0)`,
    ),
    document: client.prepare(
      `INSERT INTO document (id, seq, revision, body, asked)
       VALUES (?, 0, 0, ?, '{"zones":null,"splitUnitM":1000,"elevation":null}')`,
    ),
    naming: client.prepare('INSERT INTO naming (run_id, recording_id, place, live) VALUES (?1, ?1, 0, 1)'),
    samples: client.prepare(
      `INSERT INTO samples (recording_id, engine_version, sample_count, meta, time_hr, track, rest)
       VALUES (?, ${ENGINE_VERSION}, ?, ?, ?, ?, ?)`,
    ),
    effort: client.prepare(
      `INSERT INTO workout_best_effort (workout_id, distance_index, time_ms, start_ms, calculated_at)
       VALUES (?, ?, ?, ?, 0)`,
    ),
  }
}

function falsifyEfforts(file: string, workouts: number): void {
  const db = openDb(file)
  db.$client.run(
    `UPDATE workout_best_effort SET time_ms = time_ms + 7
     WHERE workout_id IN (SELECT id FROM workout ORDER BY id LIMIT ${workouts})`,
  )
  db.$client.close()
}

function share(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(2)
}
