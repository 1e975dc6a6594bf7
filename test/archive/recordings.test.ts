// What archives carry of recordings and repairs, and that it all comes back.
import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readArchive } from '../../src/archive/verify/reading.ts'
import { type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import {
  archiveOf,
  bytesOf,
  contentOf,
  dataOf,
  type Entries,
  entriesOf,
  exported,
  OWN_FORMAT,
  restored,
  zipOf,
} from './archives.ts'
import * as tempo from './restore/tempo-archive.ts'
import { line, verified } from './verify/verifying.ts'

const DAY_MS = 86_400_000

interface Made {
  readonly zip: Uint8Array
  readonly entries: Entries
  readonly ids: Readonly<Record<Kind, string>>
  readonly content: ReadonlyMap<string, string>
}
type Kind = 'plain' | 'cropped' | 'twiceCropped' | 'reverted' | 'completed' | 'strava' | 'foreign' | 'fractions'

/** Steps of both feet, whose halves are not whole numbers. */
function fractions(startMs: number): Uint8Array {
  const points = straightPoints({ n: 1301, startMs, speedMps: 3.07, hr: 140 })
  return gpxFile({ points: points.map((point, t) => ({ ...point, cad: 167 + (t % 5) })), creator: 'watch' })
}

/** A run of each kind. */
async function library(app: TestApp): Promise<Record<Kind, string>> {
  const imported = async (name: string, bytes: Uint8Array | string) =>
    (await app.upload('/workouts/import', [{ name, bytes }])).json.id as string
  const at = (day: number) => START_MS + day * DAY_MS
  const plain = await imported('plain.fit', fitRun({ seconds: 900 }))
  const cropped = await imported('cropped.fit', hillyRun(at(1), { calories: 300, avgHr: 151 }))
  await app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromStartSeconds: 100.5 } })
  const twiceCropped = await imported('twice.gpx', gpxRun({ startMs: at(2), seconds: 1200 }))
  for (const crop of [{ removeFromStartSeconds: 30 }, { removeFromEndSeconds: 60 }]) {
    await app.call('POST', `/workouts/${twiceCropped}/crop`, { json: crop })
  }
  const reverted = await imported('reverted.fit', hillyRun(at(3)))
  await app.call('POST', `/workouts/${reverted}/crop`, { json: { removeFromEndSeconds: 200 } })
  app.clock.nowMs += 60_000
  expect((await app.call('POST', `/workouts/${reverted}/revert`)).status).toBe(200)
  const summary = { 'Activity ID': 7, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const row = { ...summary, 'Activity Name': 'Of the table', 'Elapsed Time': 1200, Distance: 3.6, 'Elevation Gain': 33 }
  const strava = await app.upload('/workouts/import/bulk', [
    zipUpload({
      'activities.csv': stravaCsv([{ ...row, Filename: 'activities/7.gpx' }]),
      'activities/7.gpx': gpxRun({ startMs: at(4), seconds: 1200 }),
    }),
  ])
  expect(strava.json).toMatchObject({ successful: 1 })
  const foreign = await archiveOf({
    ...tempo.tempoLibrary(),
    'data/settings.json': {},
    'data/best-efforts.json': [
      {
        id: tempo.id(600),
        distance: '1K',
        distanceM: 1000,
        timeS: 200,
        workoutId: tempo.id(1),
        calculatedAt: '2024-06-01T00:00:00Z',
      },
    ],
  })
  expect((await restored(app, foreign)).json).toMatchObject({ success: true })
  const completed = tempo.id(2)
  const bare = tempo.workout(2, {
    shoeId: null,
    rawFileName: null,
    distanceM: 3600,
    rawGpxData: { source: 'gpx_import' },
  })
  const startMs = tempo.START_MS + DAY_MS
  const route = {
    'data/workouts.json': [{ ...bare, StartedAt: new Date(startMs).toISOString() }],
    'data/routes.json': [tempo.route(completed)],
    'data/splits.json': tempo.splits(completed),
  }
  expect((await restored(app, await archiveOf(route))).json).toMatchObject({ success: true })
  const original = gpxFile({ points: straightPoints({ n: 1201, startMs, hr: 150 }), creator: 'watch' })
  expect((await app.upload('/workouts/import', [{ name: 'later.gpx', bytes: original }])).json.action).toBe('updated')
  const ofFractions = await imported('fractions.gpx', fractions(at(6)))
  await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
  await app.call('POST', `/workouts/${ofFractions}/recalculate-splits`)
  const { items } = (await app.call('GET', '/workouts')).json
  const ofTable = items.find((item: { name: string | null }) => item.name === 'Of the table')
  return {
    ...{ plain, cropped, twiceCropped, reverted, completed, strava: ofTable.id, foreign: tempo.id(1) },
    fractions: ofFractions,
  }
}

let made: Made
beforeAll(async () => {
  await using app = await testApp()
  const ids = await library(app)
  const zip = await exported(app)
  made = { zip, ids, entries: await entriesOf(app, zip), content: await contentOf(app) }
})

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and compared
type Rows = any[]
const rowsOf = (kind: keyof typeof OWN_FORMAT, workout: Kind): Rows =>
  dataOf(made.entries, OWN_FORMAT[kind]).filter((row: { workoutId: string }) => row.workoutId === made.ids[workout])

describe('an archive', () => {
  test('lists the recordings of each workout by arrival, and the one whose samples count', () => {
    const shown = (kind: Kind) =>
      rowsOf('recordings', kind).map((row) => [row.seq, row.position, row.origin, row.kind, row.hasOriginal])
    expect(shown('plain')).toEqual([[0, 0, 'upload', 'file', true]])
    expect(shown('strava')).toEqual([
      [0, 0, 'strava_archive', 'file', true],
      [1, 1, 'strava_archive', 'row', false],
    ])
    expect(shown('foreign')).toEqual([[0, 0, 'archive', 'archive', true]])
    expect(shown('completed')).toEqual([
      [0, 1, 'archive', 'archive', false],
      [1, 0, 'upload', 'file', true],
    ])
    expect(rowsOf('recordings', 'completed')[0]).toMatchObject({
      hasEstimatedTimes: true,
      channels: ['position'],
      totals: { distanceM: 3600, durationS: 1200, relativeEffort: 41 },
      rawMembers: ['rawGpxData'],
    })
    // the raw data of the later file, of which the workout's row has that of the first
    expect(rowsOf('recordings', 'completed')[1].rawData.rawGpxData.trackPoints).toHaveLength(1201)
    expect(rowsOf('recordings', 'cropped')[0].totals).toMatchObject({ calories: 300 })
  })

  test('contains samples once: uncut samples only where they differ from the time series', () => {
    const columns = (kind: Kind) =>
      rowsOf('recordings', kind).map((row) => Object.keys(row.samples?.columns ?? {}).join(' '))
    expect(columns('plain')).toEqual([''])
    expect(columns('strava')).toEqual(['', ''])
    expect(columns('reverted')).toEqual([''])
    // what old readers take as whole numbers
    expect(columns('fractions')).toEqual(['cadenceRpm'])
    expect(columns('completed')).toEqual(['elapsedMs distanceM lat lon', ''])
    expect(columns('cropped')[0]).toStartWith('elapsedMs distanceM heartRateBpm cadenceRpm powerWatts')
    expect(rowsOf('recordings', 'cropped')[0].samples.columns.elapsedMs).toHaveLength(1501)
    expect(rowsOf('timeSeries', 'cropped').length).toBeLessThan(1450)
    for (const row of dataOf(made.entries, OWN_FORMAT.recordings))
      if (row.samples !== null) {
        expect(row.samples).toMatchObject({ startMs: expect.any(Number), off: expect.any(Array) })
      }
  })

  test('lists the repairs, also those that were reverted', () => {
    expect(rowsOf('repairs', 'twiceCropped')).toMatchObject([
      { seq: 0, kind: 'crop', data: { fromMs: 30_000, toMs: 1_200_000 }, undoneAt: null },
      { seq: 1, kind: 'crop', data: { fromMs: 30_000, toMs: 1_140_000 }, undoneAt: null },
    ])
    expect(rowsOf('repairs', 'reverted')).toMatchObject([
      { data: { fromMs: 0, toMs: 1_300_000 }, madeAt: '2025-11-20T13:05:11Z', undoneAt: '2025-11-20T13:06:11Z' },
    ])
    const { statistics } = dataOf(made.entries, 'manifest.json')
    expect(statistics).toMatchObject({ workouts: 8, recordings: 10, repairs: 4 })
  })

  test('shows earlier readers the settled run, and no totals but the calories for a repaired one', () => {
    const ofRow = (kind: Kind) =>
      dataOf(made.entries, OWN_FORMAT.workouts).find((row: { id: string }) => row.id === made.ids[kind])
    const { recording } = ofRow('cropped')
    const known = Object.entries(recording.deviceTotals).filter(([, value]) => value !== null)
    expect(known).toEqual([['caloriesKcal', ofRow('cropped').calories]])
    expect(recording.samples.startMs).toBe(START_MS + DAY_MS + 100_500)
    expect(ofRow('plain').recording.deviceTotals).toMatchObject({
      distanceM: rowsOf('recordings', 'plain')[0].totals.distanceM ?? null,
    })
    expect(ofRow('completed')).toMatchObject({ rawFileName: 'later.gpx', rawFileType: 'gpx' })
    expect([...made.entries.keys()]).toContain(`workouts/${made.ids.completed}/raw/later.gpx`)
  })
})

test('export, restore, export: every file is equal, recordings and repairs included', async () => {
  await using target = await testApp()
  target.clock.nowMs += DAY_MS
  expect((await restored(target, made.zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
  const after = await contentOf(target)
  expect([...after.keys()]).toEqual([...made.content.keys()])
  for (const [name, content] of made.content) expect(`${name} ${after.get(name)}`).toBe(`${name} ${content}`)
})

test('a verification finds no difference', async () => {
  const { differences, kinds } = await verified(made.zip)
  expect(differences).toEqual([])
  expect(kinds).toContainEqual({ kind: 'recordings', ...line(10) })
  expect(kinds).toContainEqual({ kind: 'repairs', ...line(4) })
  await using scratch = await testApp()
  const path = join(scratch.deps.config.dataDir, 'a.zip')
  await Bun.write(path, made.zip)
  const { summary, problems } = await readArchive(path)
  expect(problems).toEqual([])
  expect(summary).toContain('10 recordings, 4 repairs')
})

test('a reading names a row that is nested too deep, and counts it', async () => {
  await using scratch = await testApp()
  const path = join(scratch.deps.config.dataDir, 'a.zip')
  const entries = new Map(made.entries)
  const text = new TextDecoder().decode(entries.get('data/repairs.json')!)
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`
  entries.set('data/repairs.json', new TextEncoder().encode(`[${deep},${deep},${text.slice(1)}`))
  await Bun.write(path, await zipOf(entries))
  const { summary, problems } = await readArchive(path)
  expect(problems[0]).toBe(
    'Rows of data/repairs.json that are nested deeper than 500 levels and were skipped: row 1 and 1 more',
  )
  expect(summary).toContain('10 recordings, 6 repairs')
})

test('what was restored answers as before, derives the same again, and a crop can be undone', async () => {
  await using source = await testApp()
  const ids = await library(source)
  await using target = await testApp()
  target.clock.nowMs = source.clock.nowMs
  await restored(target, await exported(source))
  const both = async (method: string, path: string, options = {}) => {
    const [one, other] = [await source.call(method, path, options), await target.call(method, path, options)]
    expect([path, other.status, other.json]).toEqual([path, one.status, one.json])
  }
  for (const kind of Object.values(ids)) await both('GET', `/workouts/${kind}`)
  for (const kind of Object.values(ids)) await both('GET', `/workouts/${kind}/sources`)
  for (const kind of ['cropped', 'twiceCropped'] as const) await both('POST', `/workouts/${ids[kind]}/revert`)
  for (const kind of ['fractions', 'completed', 'foreign'] as const) {
    await both('POST', `/workouts/${ids[kind]}/crop`, { json: { removeFromStartSeconds: 33.5 } })
    await both('POST', `/workouts/${ids[kind]}/revert`)
  }
  for (const kind of Object.values(ids)) await both('GET', `/workouts/${kind}`)
  await both('GET', '/stats/best-efforts')
})

describe('a changed archive is detected by verification', () => {
  const changes: readonly (readonly [string, 'recordings' | 'repairs', (rows: Rows) => void, RegExp])[] = [
    [
      'a total',
      'recordings',
      (rows) => void Object.assign(rows.find((row) => row.kind === 'row').totals, { elevGainM: '33' }),
      /totals\.elevGainM is "33" in the archive, null restored/,
    ],
    [
      'a recording of no kind',
      'recordings',
      (rows) =>
        void Object.assign(
          rows.find((row) => row.kind === 'row'),
          { kind: 'dream' },
        ),
      /^recordings [0-9a-f-]{36}: not restored$/,
    ],
    [
      'a sample',
      'recordings',
      (rows) =>
        void rows.find((row) => row.samples?.columns?.heartRateBpm).samples.columns.heartRateBpm.splice(9, 1, 300),
      /samples\.columns\.heartRateBpm\[9\] is 300 in the archive, null restored/,
    ],
    [
      'a repair that cannot be done',
      'repairs',
      (rows) => void Object.assign(rows[0].data, { fromMs: 1e9 }),
      /^repairs [0-9a-f-]{36}: not restored$/,
    ],
    [
      'when a repair was undone',
      'repairs',
      (rows) =>
        void Object.assign(
          rows.find((row) => row.undoneAt !== null),
          { undoneAt: 'yesterday' },
        ),
      /^repairs [0-9a-f-]{36}: not restored$/,
    ],
  ]
  for (const [name, file, change, found] of changes) {
    test(name, async () => {
      const rows: Rows = dataOf(made.entries, OWN_FORMAT[file])
      change(rows)
      const { differences } = await verified(await zipOf(new Map(made.entries).set(OWN_FORMAT[file], bytesOf(rows))))
      expect(differences.some((sentence) => found.test(sentence)) ? 'found' : differences).toBe('found')
    })
  }
})
