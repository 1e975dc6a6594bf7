// docs/api.md 12.2, first paragraph: the forms in which an archive may hold the same thing.
import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { gpxRun } from '../../fixtures/runs.ts'
import { archiveOf, contentOf, DATA_FORMAT, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { counts } from './restoring.ts'
import {
  heartRates,
  id,
  MEDIA,
  pascalCased,
  route,
  SHOE,
  START_MS,
  splits,
  tempoLibrary,
  workout,
} from './tempo-archive.ts'

const DAY_MS = 86_400_000
const SETTINGS = tempoLibrary()['data/settings.json'] as Record<string, unknown>

test('names in Pascal case, in the manifest as well, and unknown ones: the same library', async () => {
  const plain = tempoLibrary()
  const unknown = { Mood: 'good', Laps: [{ Id: 1 }], extra: null }
  const spelled = Object.entries(plain).map(([path, value]) => {
    if (!path.startsWith('data/')) return [path, value]
    const rows = typeof value === 'string' ? JSON.parse(value.replace('\ufeff', '')) : value
    const more = (row: object) => ({ ...row, ...unknown })
    return [path, pascalCased(Array.isArray(rows) ? rows.map(more) : more(rows))]
  })
  const manifest = { Version: '1.0.0', TempoVersion: '2', DataFormat: pascalCased(DATA_FORMAT), Statistics: {} }
  const zips = [await archiveOf(plain), await archiveOf({ ...Object.fromEntries(spelled), 'manifest.json': manifest })]
  const libraries: Map<string, string>[] = []
  for (const zip of zips) {
    await using app = await testApp()
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, warnings: [], errors: [], statistics: { workouts: counts(1) } })
    // ids that an archive does not have are new in each library
    const content = await contentOf(app)
    content.delete(DATA_FORMAT.bestEfforts)
    libraries.push(content)
  }
  expect([...libraries[1]!]).toEqual([...libraries[0]!])
})

const RAW = { rawGpxData: { metadata: { name: 'x' }, trackPoints: [] }, rawStravaData: { Calories: '301' } }
const WEATHER = { source: 'open_meteo', temperature: 11.5, relativeHumidity: 0.83 }
const served = { ...RAW, weather: expect.objectContaining({ temperature: 11.5, humidity: 83 }) }
const textsOf = (members: object) => {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))
}
/** Parts within the row of a workout are not parts: those of the data files count, once. */
const WITHIN = {
  shoe: { id: SHOE, brand: 'Hoka', model: 'Mach', workouts: null },
  ...{ route: route(id(1)), splits: splits(id(1)), timeSeries: heartRates(id(1), 60) },
  media: [{ id: MEDIA, workoutId: id(1), filename: 'b.jpg', workout: null }],
  bestEfforts: [{ id: id(5), distance: '1K', timeS: 1 }],
}

/** What is given of a workout, and what of it is served, or is in the next archive when it is of the original. */
const FORMS: readonly (readonly [given: Record<string, unknown>, shown: Record<string, unknown>])[] = [
  [{ StartedAt: '2024-05-01T06:30:00.9999999Z' }, { startedAt: '2024-05-01T06:30:00.999Z' }],
  [{ startedAt: '2024-05-03T06:30:00.0000001Z', StartedAt: undefined }, { startedAt: '2024-05-03T06:30:00Z' }],
  [{ StartedAt: '2024-05-04T08:30:00.2501234+02:00' }, { startedAt: '2024-05-04T06:30:00.250Z' }],
  [{ StartedAt: '2024-05-05T06:30:00.2501234' }, { startedAt: '2024-05-05T06:30:00.250Z' }],
  [{ ...RAW, weather: WEATHER }, served],
  [textsOf({ ...RAW, weather: WEATHER }), served],
  [WITHIN, { splitsCount: 0, hasRoute: false, shoe: null }],
  [{ rawFileName: 'C:\\tempo\\run.gpx' }, { rawFileName: 'run.gpx', rawFileType: 'gpx' }],
  [{ rawFileName: '../../etc/run.gpx' }, { rawFileName: 'run.gpx', rawFileType: 'gpx' }],
  [{ rawFileName: 'run.bin', rawFileType: 'GPX' }, { rawFileType: 'gpx' }],
  [{ rawFileName: 'run.gpx', rawFileType: '.gpx.gz' }, { rawFileType: 'gpx' }],
  [{ rawFileName: 'run.gpx', rawFileType: null }, { rawFileType: null }],
]

test('times, originals, raw data, weather and parts in each form', async () => {
  await using app = await testApp()
  const startedAt = (n: number) => new Date(START_MS + n * DAY_MS).toISOString()
  const rows = FORMS.map(([given], n) => {
    return workout(n + 1, { shoeId: null, rawFileName: null, StartedAt: startedAt(n + 9), ...given })
  })
  const originals = rows.flatMap(({ Id, rawFileName }, n) => {
    const bytes = gpxRun({ startMs: START_MS + (n + 9) * DAY_MS, seconds: 60 })
    return rawFileName === null ? [] : [[`workouts/${Id.toUpperCase()}/raw/run.gpx`, bytes] as const]
  })
  const zip = await archiveOf({ 'data/workouts.json': rows, ...Object.fromEntries(originals) })
  expect((await restored(app, zip)).json).toMatchObject({
    ...{ success: true, warnings: [], errors: [] },
    statistics: { workouts: counts(12), rawFiles: counts(5), splits: counts(0), media: counts(0) },
  })
  const archived: { id: string }[] = dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT.workouts)
  for (const [n, [, shown]] of FORMS.entries()) {
    const detail = await app.ok('GET', `/workouts/${id(n + 1)}`)
    expect({ ...archived.find((row) => row.id === id(n + 1)), ...detail }).toMatchObject(shown)
  }
})

test('a method of zones is a number, its name in any case, or what the bounds are', async () => {
  await using app = await testApp()
  for (const [calculationMethod, name] of [
    ...[[0, 'AgeBased'] as const, [1, 'Karvonen'] as const, [2, 'Custom'] as const, ['AgeBased', 'AgeBased'] as const],
    ...[['karvonen', 'Karvonen'] as const, ['CUSTOM', 'Custom'] as const, [{ valueOf: 1 }, 'Custom'] as const],
  ]) {
    const settings = { ...SETTINGS, calculationMethod, age: 44, maxHeartRateBpm: 190 }
    await restored(app, await archiveOf({ 'data/settings.json': settings }))
    expect(await app.ok('GET', '/settings/heart-rate-zones')).toMatchObject({
      calculationMethod: name,
      zones: [{ minBpm: 100, maxBpm: 120 }, {}, {}, {}, { minBpm: 170, maxBpm: 190 }],
    })
  }
})

const zeros = Object.fromEntries(Object.keys(SETTINGS).flatMap((name) => (name.startsWith('zone') ? [[name, 0]] : [])))
test.each([
  ['when their bounds are those of zones', {}, 200],
  ['unless zonesConfigured is false', { zonesConfigured: false }, 400],
  ['unless one bound is zero', { zone3MaxBpm: 0 }, 400],
  ['unless they fall', { zone4MinBpm: 120, zone4MaxBpm: 110 }, 400],
  ['unless all are zeros, which is how Tempo says that none were chosen', zeros, 400],
])('zones count as stored %s; null does not clear what is stored', async (_, more: object, status) => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  const settings = { ...SETTINGS, unitPreference: null, defaultShoeId: id(404), ...more }
  const { json } = await restored(app, await archiveOf({ 'data/settings.json': settings }))
  expect(json.statistics.settings).toEqual(counts(1))
  expect(json.warnings).toEqual(['The default shoe of the archive does not exist and was skipped'])
  expect((await app.call('POST', '/workouts/recalculate-relative-effort')).status).toBe(status)
  expect((await app.ok('GET', '/settings/unit-preference')).unitPreference).toBe('imperial')
})
