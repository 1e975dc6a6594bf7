// The library with everything that archives carry: what a feature adds to archives is added here, and tested by the walk.
import { gzipSync } from 'node:zlib'
import type { TestApp } from '../app.ts'
import { bothFeetFit, bothFeetGpx } from '../fixtures/both-feet.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { jpeg, photo, png } from '../fixtures/media.ts'
import { fitRun, gpxRun, hillyRun, indoorRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { archiveOf, restored } from './archives.ts'
import * as tempo from './restore/tempo-archive.ts'

export const DAY_MS = 86_400_000
/** The clock of a test app shows 20 November 2025. */
export const at = (day: number) => START_MS + (day - 45) * DAY_MS

/** A call, and what is sent. */
type Call = readonly [call: string, json?: object]

/** Decided beside the runs, in this order. */
const DECIDED: readonly Call[] = [
  ['POST /shoes', { brand: 'Saucony', model: 'Kinvara', initialMileageM: 12_000.5, retireAtM: 650_000.5 }],
  ['POST /shoes', { brand: 'Hoka', model: 'Rincon', retiredAt: '2025-11-01T08:00:00Z' }],
  ['PUT /settings/page', { cards: [{ id: 'week', shown: false }], effort: 'relative' }],
  ['PUT /settings/training', { sex: 'female', minRunsPerWeek: 4, entries: [{ maxHeartRateBpm: 188, lthrBpm: 170 }] }],
  ['PUT /settings/heart-rate-zones', { calculationMethod: 'Karvonen', maxHeartRateBpm: 187, restingHeartRateBpm: 49 }],
  ['POST /places', { lat: 20, lon: 8, name: 'Home', isHome: true, hideM: 300 }],
  ['POST /places', { lat: 48, lon: 8, name: 'Park' }],
  ['PUT /settings/privacy', { trimEndsM: 200 }],
  ['POST /races', { date: '2025-12-16', name: 'Coming', distanceM: 10_000, goalTimeS: 2700, note: 'Flat' }],
  ['POST /truth/marks', { day: '2025-09-01', kind: 'sensor', name: 'Strap' }],
  ['POST /training/goals', { metric: 'runs', period: 'week', target: 3, name: 'Thrice' }],
  ['POST /training/goals', { metric: 'runs', period: 'dates', target: 9, from: '2025-11-01', to: '2025-12-24' }],
]

/** Answers that a library gives beside those of its runs. */
export const ASKED = [
  ...['/settings/page', '/settings/training', '/settings/heart-rate-zones', '/settings/unit-preference'],
  ...['/settings/privacy', '/settings/default-shoe', '/places', '/races', '/truth/fitness', '/training/goals'],
  ...['/training/load', '/training/proposals', '/training/today', '/shoes', '/stats/best-efforts', '/workouts'],
]

const SAMPLES = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
const LAPS = [0, 200].map((startS) => ({ startS, elapsedS: 200, intensity: 2 }))
/** Steps of both feet, whose halves are not whole numbers. */
const STEPS = straightPoints({ n: 1301, startMs: at(40), speedMps: 3.07 }).map((point, t) => {
  return { ...point, cad: 167 + (t % 5) }
})
const PAUSE = straightPoints({ n: 400, startMs: at(41) })
const SEGMENTS = { segments: [PAUSE.slice(0, 100), PAUSE.slice(300)], desc: 'two parts' }
/** What old readers take as whole numbers. */
const MINUTES = `time,distance,hr,cadence,power,temperature,ele\n${[0, 1, 2, 3]
  .map((n) => `2025-11-11T06:0${n}:00.250Z,${n * 170.5},14${n}.6,8${n}.5,250.4,11.7,4${n}.25`)
  .join('\n')}`

/** Files that are one run each, with what is then done to it. */
const RUNS: readonly (readonly [run: string, file: string, bytes: Uint8Array | string, ...changes: Call[]])[] = [
  [
    ...(['plain', 'morning.fit', fitRun({ seconds: 1500, speedMps: 3.3 })] as const),
    ['PATCH ', { runType: 'Race', wasRaced: true, notes: 'line\none "quoted" \u2028', rpe: 9 }],
    ['PATCH /best-efforts/804.672', { isRecord: false }],
  ],
  [
    ...(['named', 'abend lauf ä.gpx', gpxRun({ startMs: at(42), seconds: 900, name: 'Abendlauf 🏃' })] as const),
    ['PATCH ', { leftOut: true, loadSource: 'manual', loadManual: 44.4 }],
  ],
  [
    'paused',
    'pause.gpx.gz',
    gzipSync(gpxFile(SEGMENTS)),
    ['PATCH ', { loadSource: 'pace', excludeFromEstimates: true }],
  ],
  [
    'cropped',
    'c.fit',
    hillyRun(at(1), { calories: 300, avgHr: 151 }),
    ['POST /crop', { removeFromStartSeconds: 100.5 }],
  ],
  [
    ...(['twiceCropped', 'twice.gpx', gpxRun({ startMs: at(2), seconds: 1200 })] as const),
    ...[['POST /crop', { removeFromStartSeconds: 30 }] as const, ['POST /crop', { removeFromEndSeconds: 60 }] as const],
  ],
  [
    ...(['reverted', 'reverted.fit', hillyRun(at(3))] as const),
    ['POST /cut', { fromElapsedS: 200, toElapsedS: 400 }],
    ...[['POST /distance', { distanceM: 4000 }] as const, ['POST /revert', {}] as const],
  ],
  ['laps', 'laps.fit', fitFile({ startMs: at(4), samples: SAMPLES, laps: LAPS })],
  [
    ...(['cut', 'cut.fit', hillyRun(at(5), { calories: 300 })] as const),
    ['POST /cut', { fromElapsedS: 200, toElapsedS: 400 }],
    ['POST /cut', { fromElapsedS: 600.5, toElapsedS: 700, closeGap: true }],
    ['POST /crop', { removeFromEndSeconds: 33 }],
    ['PUT /intervals', { stretches: [{ startS: 30, endS: 60.5 }] }],
  ],
  [
    ...(['mended', 'mended.gpx', gpxRun({ startMs: at(6) })] as const),
    ['POST /mend', { fromElapsedS: 100, toElapsedS: 130, channel: 'position', fill: 'interpolate' }],
    ['POST /mend', { fromElapsedS: 10, toElapsedS: 60, channel: 'heartRate', fill: 'gap' }],
  ],
  [
    ...(['indoor', 'indoor.fit', indoorRun(at(7))] as const),
    ...[['POST /distance', { distanceM: 1900 }] as const, ['POST /shift', { offsetSeconds: -5400 }] as const],
  ],
  [
    ...(['moved', 'moved.gpx', gpxRun({ startMs: at(8) })] as const),
    ['POST /shift', { startedAt: '2025-09-25T03:00:00.250Z' }],
    ...[['POST /shift', { timeZone: 'Asia/Kathmandu' }] as const, ['PUT /intervals', { stretches: [] }] as const],
  ],
  // of a ride an unusual effort counts, and of a fast run none
  [
    'ride',
    'r.fit',
    fitRun({ startMs: at(-21), seconds: 1200, speedMps: 9 }),
    ['PATCH /best-efforts/5000', { isRecord: true }],
  ],
  [
    'fast',
    'f.fit',
    fitRun({ startMs: at(-20), seconds: 650, speedMps: 4 }),
    ['PATCH ', { efforts: false, runType: null }],
  ],
  ['corrected', 'both.fit', bothFeetFit({ startMs: at(9) })],
  ['stated', 'both.gpx', bothFeetGpx({ startMs: at(10) }), ['PATCH ', { stated: true }]],
  ['fractions', 'fractions.gpx', gpxFile({ points: STEPS, creator: 'watch' })],
  ['minutes', 'minutes.csv', MINUTES],
  ['deleted', 'deleted.fit', fitRun({ startMs: at(43) }), ['DELETE ']],
  // nine at 3 m/s, that others are unusual
  ...Array.from({ length: 9 }, (_, n) => {
    return [`usual ${n}`, 'a.fit', fitRun({ startMs: at(-9 - n), seconds: 650 })] as const
  }),
]

const HALF = { durationS: 1800, distanceM: 5000 }
/** By hand, and what of two is changed later. */
const BY_HAND: readonly (readonly [made: object, changed?: object])[] = [
  [
    { startedAt: '2025-11-08T07:00:00Z', durationS: 2700, distanceM: 8000.25, name: 'Treadmill' },
    { distanceM: 5100, calories: 400, startedAt: '2025-11-08T06:00:00Z' },
  ],
  [{ ...HALF, startedAt: '2025-11-09T07:00:00.123Z', avgHeartRateBpm: 150, timeZone: 'Asia/Tokyo' }],
  [
    { ...HALF, startedAt: '2025-11-10T07:00:00Z', elevGainM: 12.3, rpe: 3 },
    { elevGainM: null, durationS: 1750 },
  ],
]

/** Fills an empty library. @returns ids of live runs by what they are, and of the deleted one */
export async function everything(app: TestApp): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const call = (method: string, path: string, json?: object) => {
    app.clock.nowMs += 1000
    return app.ok(method, path, json)
  }
  for (const [name, json] of DECIDED) await call(...(name.split(' ') as [string, string]), json)
  const { id: shoeId } = await call('POST', '/shoes', { brand: 'Saucony', model: 'Kinvara' })
  await call('PUT', '/settings/default-shoe', { defaultShoeId: shoeId })
  for (const [run, file, bytes, ...changes] of RUNS) {
    ids[run] = await app.run(bytes, file)
    for (const [name, json] of changes) {
      const [method = '', path = ''] = name.split(' ')
      await call(method, `/workouts/${ids[run]}${path}`, json)
    }
  }
  const linked = { date: '2025-11-01', name: 'City', distanceM: 5000, workoutId: ids.plain }
  await call('POST', '/races', linked)
  const worn = await call('POST', '/shoes', { brand: 'Gone', model: 'Shoe' })
  await call('PATCH', `/workouts/${ids.laps}`, { shoeId: worn.id })
  await call('DELETE', `/shoes/${worn.id}`)
  for (const [number, [made, changed]] of BY_HAND.entries()) {
    const { id } = await call('POST', '/workouts', made)
    if (changed) await call('PATCH', `/workouts/${id}/numbers`, changed)
    ids[`by hand ${number}`] = id
  }
  const photos = [700, 701].map((length) => ({ name: 'same.jpg', bytes: jpeg(length) }))
  const taken = { name: 'on the way.jpg', bytes: photo('2025:11:01 07:05:00', '+00:00') }
  await app.upload(`/workouts/${ids.plain}/media`, [{ name: 'start/line.png', bytes: png(3) }, ...photos, taken])
  await app.upload(`/workouts/${ids.named}/media`, [{ name: 'ende.jpg', bytes: jpeg(90) }], { caption: 'Am Ziel' })
  Object.assign(ids, await ofTables(app), await ofArchives(app), await together(app, call))
  await call('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  await call('POST', `/workouts/${ids.fractions}/recalculate-splits`)
  return ids
}

/** A row with its file, and one without. */
async function ofTables(app: TestApp): Promise<Record<string, string>> {
  const row = (id: number, name: string, more: object) => ({
    ...{ 'Activity ID': id, 'Activity Date': `Nov ${id}, 2025, 7:00:00 AM`, 'Activity Type': 'Run' },
    ...{ 'Activity Name': name, 'Elapsed Time': 1200, Distance: 3.6, 'Elevation Gain': 33, ...more },
  })
  const rows = [row(5, 'Of the table', { Filename: 'activities/5.gpx' }), row(6, 'Without file', { Calories: 301.7 })]
  const original = gpxRun({ startMs: Date.UTC(2025, 10, 5, 7), seconds: 1200 })
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/5.gpx': original })
  await app.upload('/workouts/import/bulk', [zip])
  const idOf = async (word: string) => (await app.ok('GET', `/workouts?keyword=${word}`)).items[0].id as string
  return { ofTable: await idOf('table'), withoutFile: await idOf('Without') }
}

/** A run of an archive of another program, and one of which the original came later. */
async function ofArchives(app: TestApp): Promise<Record<string, string>> {
  const effort = { id: tempo.id(600), distance: '1K', distanceM: 1000, timeS: 200, workoutId: tempo.id(1) }
  const efforts = [{ ...effort, calculatedAt: '2024-06-01T00:00:00Z' }]
  const settings = { 'data/settings.json': {} }
  await restored(app, await archiveOf({ ...tempo.tempoLibrary(), ...settings, 'data/best-efforts.json': efforts }))
  const startMs = tempo.START_MS + DAY_MS
  const bare = { shoeId: null, rawFileName: null, distanceM: 3600, rawGpxData: { source: 'gpx_import' } }
  const route = {
    'data/workouts.json': [{ ...tempo.workout(2, bare), StartedAt: new Date(startMs).toISOString() }],
    'data/routes.json': [tempo.route(tempo.id(2))],
    'data/splits.json': tempo.splits(tempo.id(2)),
  }
  await restored(app, await archiveOf({ ...route, ...settings }))
  const bytes = gpxFile({ points: straightPoints({ n: 1201, startMs, hr: 150 }), creator: 'watch' })
  const { json } = await app.upload('/workouts/import', [{ name: 'later.gpx', bytes }])
  if (json.action !== 'updated') throw new Error(`The original was ${json.action}`)
  return { foreign: tempo.id(1), completed: tempo.id(2) }
}

/** Runs that were merged, split, joined, and these once more or back again. */
async function together(
  app: TestApp,
  call: (method: string, path: string, json?: object) => ReturnType<TestApp['ok']>,
): Promise<Record<string, string>> {
  const split = async (id: string, ...atElapsedS: number[]): Promise<string[]> =>
    (await call('POST', `/workouts/${id}/split`, { atElapsedS })).workouts.map((part: { id: string }) => part.id)
  const join = (...ids: string[]) => call('POST', '/workouts/join', { ids })
  const gpx = (day: number, more = {}) => app.run(gpxRun({ startMs: at(day), ...more }), 'a.gpx')
  const after = (day: number, seconds: number) => app.run(fitRun({ startMs: at(day) + seconds * 1000 }), 'b.fit')
  const pair = async (day: number) => {
    const [one, other] = [await gpx(day), await gpx(day, { startMs: at(day) + 5000, seconds: 590 })]
    await call('POST', `/workouts/${one}/merge`, { otherId: other })
    return [one, other]
  }

  const parts = await split(await app.run(hillyRun(at(30)), 'whole.fit'), 400, 900)
  const joined = [await gpx(31), await after(31, 900)]
  await call('POST', `/workouts/${joined[1]}/crop`, { removeFromStartSeconds: 20 })
  await join(...joined)
  const merged = await app.run(fitRun({ startMs: at(32), hr: 150 }))
  const other = await gpx(32, { startMs: at(32) + 5000, seconds: 595, hr: 120 })
  await call('POST', `/workouts/${merged}/merge`, { otherId: other })
  const { id: source } = (await app.ok('GET', `/workouts/${merged}/sources`)).recordings[1]
  await call('PUT', `/workouts/${merged}/field-sources`, { heartRate: source, position: source })
  const [alike] = await pair(33)
  const [unmerged, apart] = await pair(34)
  await call('POST', `/workouts/${unmerged}/unmerge`, {})
  const both = [await gpx(35), await gpx(35, { startMs: at(35) + 900_000 })]
  await join(...both)
  const [, rest] = await split(both[0]!, 300)
  await join(rest!, await after(35, 1800))
  const again = await gpx(36)
  await join(...(await split(again, 300)))
  const ids = [...parts, joined[0]!, merged, alike!, unmerged!, apart!, both[0]!, rest!, again]
  return Object.fromEntries(ids.map((id, number) => [`together ${number}`, id]))
}
