import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { fitFile } from '../test/fixtures/fit.ts'
import { seededRandom } from '../test/fixtures/knots.ts'
import { asked, imported, json, startServer } from './server.ts'

const YEAR_MS = 365.25 * 86_400_000
/** Runs whose samples are made; a library repeats them, so that each record is held by a hundred runs. */
const DISTINCT_RUNS = 100
const RACES_EVERY = 97

const startMsOf = (seed: number) => Date.UTC(2015, 0, 1, 6) + seed * 90_000_000

/** The FIT file of one hour at 1 Hz with noise as of a real watch; another seed is another run on another day. */
export function benchRun(seed: number, seconds = 3600): Uint8Array {
  const random = seededRandom(seed)
  const noise = (size: number) => (random() + random() + random() - 1.5) * size
  let distanceM = 0
  let heading = random() * 6.28
  let lat = 52.37 + noise(0.05)
  let lon = 4.89 + noise(0.05)
  let hr = 95
  const samples = Array.from({ length: seconds + 1 }, (_, t) => {
    const speedMps = 2.8 + 0.4 * Math.sin(t / 170) + noise(0.1)
    if (t > 0) distanceM += speedMps
    heading += noise(0.05)
    lat += (Math.cos(heading) * speedMps + noise(0.3)) / 111_200
    lon += (Math.sin(heading) * speedMps + noise(0.3)) / 67_900
    hr += 0.02 * (120 + 12 * speedMps - hr) + noise(0.4)
    const elevM = Math.round((20 + 15 * Math.sin(t / 300) + noise(0.3)) * 5) / 5
    const [cadence, powerW] = [Math.round(84 + noise(3)), Math.round(250 + noise(40))]
    return { t, lat, lon, distanceM, elevM, speedMps, hr: Math.round(hr), cadence, powerW, temperatureC: 15 }
  })
  return fitFile({ startMs: startMsOf(seed), samples, manufacturer: 1, product: 3113 })
}

/** Where the rows of a run are that are not derived again at the next start. */
const TABLES = [
  ...['workout', 'recording', 'samples', 'document', 'run_recording', 'workout_split', 'workout_best_effort'],
  ...['workout_route', 'workout_training'],
]
const copied = (id: string) => `substr(${id}, 1, 30) || $copy`
const RECORDING = '(SELECT recording_id FROM run_recording WHERE run_id = made.id)'
/** What a copy of a row has of its own; the number of the copy ends its ids. */
const OWN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['id', 'workout_id', 'run_id', 'recording_id'].map((column) => [column, copied(column)])),
  body: `replace(body, ${RECORDING}, ${copied(RECORDING)})`,
  started_at: 'started_at + $laterMs',
  ...Object.fromEntries(['file_sha256', 'file_session', 'file_name', 'stored_as'].map((column) => [column, 'NULL'])),
}

/**
 * A data folder with so many one-hour runs up to today, as imports leave them but for their files.
 * @param years over which they are spread
 */
export async function filledLibrary(workouts: number, years = workouts / 900): Promise<string> {
  const server = await startServer()
  await server.login()
  for (let seed = 1; seed <= DISTINCT_RUNS; seed += 1) {
    const id = await imported(server, benchRun(seed))
    if (seed % RACES_EVERY === 0) await asked(server, `/workouts/${id}`, json('PATCH', { runType: 'Race' }))
  }
  await server.stop()
  const client = new Database(join(server.dataDir, 'harrier.sqlite'), { strict: true })
  const copies = workouts / DISTINCT_RUNS - 1
  for (const table of TABLES) {
    client.run(`CREATE TEMP TABLE made AS SELECT * FROM ${table}`)
    const columns = client.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all()
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => OWN[name] ?? name)
    const copy = client.prepare(`INSERT INTO ${table} (${names}) SELECT ${values} FROM made`)
    client.transaction(() => {
      for (let k = 0; k < copies; k += 1) {
        const laterMs = Date.now() - startMsOf(DISTINCT_RUNS) - Math.floor((k * years * YEAR_MS) / copies)
        copy.run({ copy: k.toString(16).padStart(6, '0'), laterMs })
      }
    })()
    copy.finalize()
    client.run('DROP TABLE made')
  }
  client.close()
  return server.dataDir
}
