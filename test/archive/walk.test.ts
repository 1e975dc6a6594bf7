// The library with everything goes through archive, restore, archive again and a verification.
import { beforeAll, describe, expect, test } from 'bun:test'
import { readArchive } from '../../src/archive/verify/verify.ts'
import { type TestApp, testApp } from '../app.ts'
import { BOTH_FEET } from '../fixtures/both-feet.ts'
import { fitRun, gpxRun, hillyRun } from '../fixtures/runs.ts'
import { butUpdated } from '../fixtures/updated.ts'
import { rowsOf } from '../library/as-stored.ts'
import {
  contentOf,
  DATA_FORMAT,
  dataOf,
  type Entries,
  entriesOf,
  exported,
  OWN_FORMAT,
  restored,
  textOf,
} from './archives.ts'
import { ASKED, at, DAY_MS, everything } from './everything.ts'
import { counts, filesOf } from './restore/restoring.ts'
import { line, verified } from './verify/verifying.ts'

let source: TestApp
let ids: Record<string, string>
let zip: Uint8Array
let entries: Entries
let content: ReadonlyMap<string, string>
beforeAll(async () => {
  source = await testApp()
  ids = await everything(source)
  zip = await exported(source)
  entries = await entriesOf(source, zip)
  content = await contentOf(source)
  return () => source.close()
})

const live = () => Object.entries(ids).flatMap(([name, id]) => (name === 'deleted' ? [] : [id]))

describe('an archive', () => {
  test('is restored into an empty library, which is the same: every entry, every answer, and what is done next', async () => {
    await using target = await testApp()
    target.clock.nowMs = source.clock.nowMs + DAY_MS
    const first = (await restored(target, zip)).json
    expect(first).toMatchObject({ success: true, warnings: [], errors: [] })
    expect(first.statistics).toEqual({
      ...{ settings: counts(1), shoes: counts(4), workouts: counts(44), routes: counts(37), splits: counts(112) },
      ...{ timeSeries: counts(31_496), media: counts(6), bestEfforts: counts(6), rawFiles: counts(46) },
    })
    const expectEqual = async () => {
      const after = await contentOf(target)
      expect([...after.keys()]).toEqual([...content.keys()])
      for (const [name, text] of content) expect(`${name} ${after.get(name)}`).toBe(`${name} ${text}`)
    }
    await expectEqual()
    // what is not in archives of its own
    const raw = ({ deps }: TestApp) => rowsOf(deps, 'recording', 'id', 'has_raw', 'raw_view', 'laps')
    const known = new Set(raw(target).map(({ id }) => id))
    expect(raw(target)).toEqual(raw(source).filter(({ id }) => known.has(id)))
    // once more it changes nothing
    expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(0, 44))
    await expectEqual()
    expect(filesOf(target, 'tmp')).toEqual([])

    target.clock.nowMs = source.clock.nowMs
    const both = async (method: string, path: string, options = {}) => {
      const [one, other] = [await source.call(method, path, options), await target.call(method, path, options)]
      expect([path, other.status, butUpdated(other.json)]).toEqual([path, one.status, butUpdated(one.json)])
    }
    for (const path of [...ASKED, `/workouts/${ids['by hand 0']}/time-series`]) await both('GET', path)
    const photos: { placedBy: string | null }[] = await target.ok('GET', `/workouts/${ids.plain}/media`)
    expect(photos.map(({ placedBy }) => placedBy)).toContain('time')
    const races = [{ name: 'Coming' }, { name: 'City', workoutId: ids.plain, isLinked: true }]
    expect(await target.ok('GET', '/races')).toMatchObject(races)
    const parts = ['', '/sources', '/ground', '/best-efforts', '/laps', '/training', '/media', '/samples']
    for (const id of live()) for (const part of parts) await both('GET', `/workouts/${id}${part}`)
    // what was moved, split or joined is still known by its file
    for (const [name, bytes] of [
      ['x.gpx', gpxRun({ startMs: at(8) })],
      ['y.fit', hillyRun(at(30))],
      ['z.fit', fitRun({ startMs: at(31) + 900_000 })],
    ] as const) {
      expect((await target.upload('/workouts/import', [{ name, bytes }])).json.action).toBe('skipped')
    }
    for (const app of [source, target]) app.clock.nowMs += 1000
    for (const id of live()) await both('POST', `/workouts/${id}/revert`)
    for (const name of ['fractions', 'completed', 'foreign', 'paused']) {
      await both('POST', `/workouts/${ids[name]}/crop`, { json: { removeFromStartSeconds: 33.5 } })
    }
    for (const [name, stated] of [['corrected', true] as const, ['stated', false] as const]) {
      await both('PATCH', `/workouts/${ids[name]}`, { json: { stated } })
    }
    for (const id of live()) await both('GET', `/workouts/${id}`)
    await both('GET', '/stats/best-efforts')
    await target.ok('POST', `/receipts/${first.receiptId}/undo`, { force: true })
    expect((await target.ok('GET', '/workouts')).totalCount).toBe(0)
    expect([await target.ok('GET', '/races'), (await target.ok('GET', '/truth/fitness')).marks]).toEqual([[], []])
  }, 120_000)

  test('is equal in every kind when it is verified, and a reading names what is in it', async () => {
    const { differences, notes, kinds } = await verified(zip)
    expect([differences, notes]).toEqual([[], []])
    expect(kinds).toEqual(
      Object.entries({
        ...{ settings: 1, shoes: 4, 'original files': 46, workouts: 44, routes: 37, splits: 112, samples: 31_496 },
        ...{ 'best efforts': 6, 'media files': 6, media: 6, library: 57, manifest: 39, 'other files': 1 },
      }).map(([kind, count]) => ({ kind, ...line(count) })),
    )
    await using scratch = await testApp()
    const path = `${scratch.deps.config.dataDir}/a.zip`
    await Bun.write(path, zip)
    const { summary, problems } = await readArchive(path)
    expect(problems).toEqual([])
    expect(summary).toContain('44 workouts, 37 routes, 112 splits')
  })

  test('has no path of the server, nothing twice, neither the trash nor receipts', () => {
    expect([...entries.keys()].slice(-2)).toEqual(['manifest.json', 'README.txt'])
    expect(textOf(entries, 'README.txt')).toContain('The trash and the history of changes are not included.')
    for (const name of entries.keys()) {
      if (name.startsWith('workouts/')) continue
      for (const hidden of [source.deps.config.dataDir, 'filePath', ids.deleted!]) {
        expect([name, hidden, textOf(entries, name).includes(hidden)]).toEqual([name, hidden, false])
      }
    }
    for (const row of dataOf(entries, DATA_FORMAT.workouts)) {
      expect([row.rawFileData, row.route, row.splits, row.timeSeries, row.media]).toEqual([null, null, [], [], []])
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and compared
type Rows = any[]
const of = (file: keyof typeof OWN_FORMAT, name: string): Rows =>
  dataOf(entries, OWN_FORMAT[file]).filter((row: { workoutId?: string; id: string }) => {
    return (row.workoutId ?? row.id) === ids[name]
  })
const run = (name: string) => of('library', name)[0]

describe('of the library', () => {
  test('members are exact: totals, raw data, corrections, uncut samples, and repairs with when they were undone', () => {
    expect(run('completed').recordings).toMatchObject([
      {
        ...{ hasEstimatedTimes: true, channels: ['position'], rawData: { rawGpxData: { source: 'gpx_import' } } },
        totals: { distanceM: 3600, durationS: 1200, relativeEffort: 41 },
      },
      { file: `workouts/${ids.completed}/raw/later.gpx`, rawData: null, rawView: { ofOriginal: 'rawGpxData' } },
    ])
    const [recording] = run('cropped').recordings
    expect(recording).toMatchObject({ totals: { calories: 300 }, samples: { sampleCount: 1501 } })
    expect(of('timeSeries', 'cropped').length).toBeLessThan(1450)
    const corrections = ['plain', 'corrected', 'stated'].map((name) => run(name).recordings[0].corrections)
    expect(corrections).toEqual([[], [BOTH_FEET], [BOTH_FEET]])
    expect(run('twiceCropped').to.track.repairs).toMatchObject([
      { kind: 'crop', fromMs: 30_000, toMs: 1_200_000 },
      { kind: 'crop', fromMs: 30_000, toMs: 1_140_000 },
    ])
    expect(run('reverted').to.track.repairs).toMatchObject([
      { kind: 'cut', undoneAt: expect.any(Number) },
      { kind: 'distance', undoneAt: expect.any(Number) },
    ])
    // the first part has the file of a split, and all have its facts
    const parts = [0, 1, 2].map((number) => run(`together ${number}`).recordings[0])
    expect(parts.map(({ isShared }) => isShared)).toEqual([false, true, true])
    expect(new Set(parts.map(({ samples }) => samples.track)).size).toBe(1)
  })

  test('other programs see one file of a run, and what no recording gives', () => {
    expect(of('workouts', 'completed')).toMatchObject([{ rawFileName: 'later.gpx', rawFileType: 'gpx' }])
    expect([...entries.keys()]).toContain(`workouts/${ids.completed}/raw/later.gpx`)
    expect(of('workouts', 'withoutFile')).toMatchObject([{ calories: 302, rawFileName: null }])
    expect(of('timeSeries', 'minutes')[0]).toMatchObject({ powerWatts: 250, temperatureC: 12 })
    expect(JSON.parse(of('workouts', 'foreign')[0].weather)).toMatchObject({ source: 'open_meteo', temperature: 11.5 })
  })
})
