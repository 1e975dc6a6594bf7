// Records deleted runs as older code packed them (README.md): bun test/library/net/make-trash.ts SCHEMA CHECKOUT
// CHECKOUT is a working tree of a commit whose newest migration is that of SCHEMA, with its packages installed.
import { Database } from 'bun:sqlite'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gpxFile } from '../../fixtures/gpx.ts'
import { type TcxPoint, tcxFile } from '../../fixtures/tcx.ts'
import { startServer } from '../../process/real-server.ts'
import { hashed } from './answers.ts'
import { filesOf, packed } from './library.ts'
import { PATHS_OF_A_RUN, type Trash, trashPath } from './trash.ts'

const BEGUN_MS = Date.UTC(2025, 5, 1, 6)
const points: (TcxPoint & { lat: number; lon: number })[] = Array.from({ length: 900 }, (_, s) => ({
  ...{ timeMs: BEGUN_MS + s * 1000, lat: 47 + (s * 3) / 111_170, lon: 8, distanceM: s * 3 },
  ...{ ele: 400 + 20 * Math.sin(s / 60), hr: 140 + Math.round(15 * Math.sin(s / 90)), runCadence: 84 },
}))
const laps = [0, 400].map((from) => ({
  ...{ startMs: BEGUN_MS + from * 1000, totalTimeS: from === 0 ? 400 : 499, distanceM: from === 0 ? 1200 : 1497 },
  ...{ calories: 60, tracks: [points.slice(from, from === 0 ? 400 : 900)] },
}))
const later = points.map((point) => ({ ...point, timeMs: point.timeMs + 86_400_000, lat: point.lat + 0.1 }))

const [schema = '', checkout = ''] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), `harrier-${schema}-`))
const server = await startServer({
  dataDir,
  command: [process.execPath, join(checkout, 'src/main.ts')],
  cwd: checkout,
})
await server.login()

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read
async function call(method: string, path: string, json?: unknown): Promise<any> {
  const body = json instanceof FormData ? json : JSON.stringify(json)
  const headers: Record<string, string> = json instanceof FormData ? {} : { 'content-type': 'application/json' }
  const response = await server.call(path, json === undefined ? { method } : { method, headers, body })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${Buffer.from(bytes)}`)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? JSON.parse(Buffer.from(bytes).toString('utf8')) : hashed(bytes)
}

async function imported(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('file', new File([bytes.slice()], name))
  return (await call('POST', '/workouts/import', form)).id
}

const words = { name: 'In the rain', notes: 'wet', runType: 'Workout', rpe: 7 }
const shoe = await call('POST', '/shoes', { brand: 'Mizar', model: 'Seven' })
const edited = await imported('words.tcx', tcxFile([{ laps }]))
await call('PATCH', `/workouts/${edited}`, { ...words, shoeId: shoe.id })
const cropped = await imported('cropped.gpx', gpxFile({ points: later, name: 'Far too long' }))
await call('POST', `/workouts/${cropped}/crop`, { startTrimSeconds: 60, endTrimSeconds: 90 })

const runs: Record<string, Record<string, unknown>> = {}
for (const id of [edited, cropped]) {
  const answers = PATHS_OF_A_RUN.map(async (path) => [path, await call('GET', `/workouts/${id}${path}`)] as const)
  runs[id] = Object.fromEntries(await Promise.all(answers))
}
for (const id of [edited, cropped]) await call('DELETE', `/workouts/${id}`)
const { items } = await call('GET', '/trash')
await server.end('SIGTERM')

const db = new Database(join(dataDir, 'harrier.sqlite'))
// tests sign in as the runner of their own
db.run('DELETE FROM user')
db.run('PRAGMA journal_mode = DELETE')
db.run('VACUUM')
db.close()
const answers: Trash = { items, runs }
const files = new Map([...filesOf(dataDir), ['answers.json', Buffer.from(JSON.stringify(answers))] as const])
const bytes = packed(files)
writeFileSync(trashPath(schema), bytes)
console.log(`${trashPath(schema)}: ${bytes.length} bytes, ${items.length} runs`)
