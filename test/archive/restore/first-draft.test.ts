// Own archives of before recordings and repairs had files: what their rows say becomes recordings by the rules of the
// migration that carried libraries over.
import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import {
  archiveOf,
  DATA_FORMAT,
  dataOf,
  type Entries,
  entriesOf,
  exported,
  OWN_FORMAT,
  restored,
  zipOf,
} from '../archives.ts'
import { verified } from '../verify/verifying.ts'
import { counts } from './restoring.ts'
import * as tempo from './tempo-archive.ts'

const DAY_MS = 86_400_000

/** An export without what is new in it. */
async function firstDraft(app: TestApp): Promise<{ zip: Uint8Array; entries: Entries }> {
  const entries = await entriesOf(app, await exported(app))
  for (const path of [OWN_FORMAT.recordings, OWN_FORMAT.repairs]) entries.delete(path)
  const rewritten = (path: string, change: (value: Record<string, unknown>[] & Record<string, unknown>) => void) => {
    const value = dataOf(entries, path)
    change(value)
    entries.set(path, new TextEncoder().encode(JSON.stringify(value)))
  }
  rewritten(OWN_FORMAT.workouts, (rows) => {
    for (const row of rows) delete row.inputs
  })
  rewritten(OWN_FORMAT.splits, (rows) => {
    for (const row of rows) delete row.exactPaceS
  })
  rewritten('manifest.json', (manifest) => {
    manifest.dataFormat = DATA_FORMAT
    const { recordings: _, repairs: __, ...statistics } = manifest.statistics as Record<string, unknown>
    manifest.statistics = statistics
  })
  return { zip: await zipOf(entries), entries }
}

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and compared
async function recordingsOf(app: TestApp, workoutId: string): Promise<any[]> {
  const rows = dataOf(await entriesOf(app, await exported(app)), OWN_FORMAT.recordings)
  return rows.filter((row: { workoutId: string }) => row.workoutId === workoutId)
}

async function imported(app: TestApp, name: string, bytes: Uint8Array | string): Promise<string> {
  const answer = await app.upload('/workouts/import', [{ name, bytes }])
  expect([answer.status, name]).toEqual([200, name])
  return answer.json.id
}

/** Restores what `make` stored, as the first draft would have written it. */
async function carriedOver(make: (app: TestApp) => Promise<string>) {
  await using source = await testApp()
  const id = await make(source)
  const { zip } = await firstDraft(source)
  const before = (await source.call('GET', `/workouts/${id}`)).json
  const target = await testApp()
  const { json } = await restored(target, zip)
  expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
  const after = (await target.call('GET', `/workouts/${id}`)).json
  return { target, id, zip, before, after, rows: await recordingsOf(target, id) }
}

describe('a workout of an own archive of the first draft', () => {
  test('of a file is one recording of it, with its totals', async () => {
    const made = await carriedOver((app) => imported(app, 'a.fit', hillyRun(START_MS, { calories: 300, avgHr: 151 })))
    await using _ = made.target
    expect(made.after).toEqual({ ...made.before, splits: expect.any(Array) })
    expect(made.rows).toMatchObject([
      {
        ...{ id: made.id, seq: 0, position: 0, origin: 'upload', kind: 'file', hasOriginal: true, fileType: 'fit' },
        ...{ fileSession: 0, totals: { calories: 300, avgHeartRateBpm: 151, distanceM: 4200 } },
        words: { device: made.before.device, source: made.before.source },
        channels: ['position', 'elevation', 'heartRate', 'cadence', 'power'],
      },
    ])
    // its pauses and its totals count in what is derived again
    const crop = await made.target.call('POST', `/workouts/${made.id}/crop`, { json: { removeFromEndSeconds: 1 } })
    expect(crop.status).toBe(200)
    expect((await made.target.call('POST', `/workouts/${made.id}/revert`)).json).toMatchObject({
      ...{ distanceM: 4200, calories: 300, avgHeartRateBpm: 151, movingTimeS: made.before.movingTimeS },
    })
    expect((await verified(made.zip)).differences).toEqual([])
  })

  test('of a row of Strava without file is that row', async () => {
    const made = await carriedOver((app) =>
      imported(
        app,
        'activities.csv',
        'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Elevation Gain,Filename\n' +
          '1,"Nov 9, 2025, 7:00:00 AM",Without file,Run,1800,5.2,31,\n',
      ),
    )
    await using _ = made.target
    expect(made.after).toEqual(made.before)
    expect(made.rows).toMatchObject([
      {
        origin: 'strava_archive',
        kind: 'row',
        totals: { distanceM: 5200, durationS: 1800, elevGainM: 31 },
        samples: null,
      },
    ])
  })

  test('of a file and the row that names it becomes a row, which comes first for the climb, and the file', async () => {
    const made = await carriedOver(async (app) => {
      const row = { 'Activity ID': 7, 'Activity Date': 'Nov 5, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
      await app.upload('/workouts/import/bulk', [
        zipUpload({
          'activities.csv': stravaCsv([{ ...row, 'Elevation Gain': 33, Calories: 250, Filename: 'activities/7.gpx' }]),
          'activities/7.gpx': gpxRun({ seconds: 1200 }),
        }),
      ])
      return (await app.call('GET', '/workouts')).json.items[0].id
    })
    await using _ = made.target
    expect(made.after).toMatchObject({ calories: 250, distanceM: made.before.distanceM })
    expect(made.rows).toMatchObject([
      { seq: 0, position: 1, origin: 'strava_archive', kind: 'row', totals: { elevGainM: 33, calories: 250 } },
      { id: made.id, seq: 1, position: 0, origin: 'strava_archive', kind: 'file', totals: {}, hasOriginal: true },
    ])
  })

  test('that was cropped keeps its cut samples, the limit of the climb and the calories, without a repair', async () => {
    const made = await carriedOver(async (app) => {
      const id = await imported(app, 'a.fit', hillyRun(START_MS, { calories: 300, avgHr: 151 }))
      await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 500 } })
      return id
    })
    await using _ = made.target
    expect(made.after).toMatchObject({
      durationS: 1000,
      calories: made.before.calories,
      elevGainM: made.before.elevGainM,
    })
    const [row] = made.rows
    expect(Object.keys(row.totals)).toEqual(['calories'])
    expect(row.samples).toMatchObject({ startMs: START_MS + 500_000, columns: null })
    expect((await made.target.call('POST', `/workouts/${made.id}/revert`)).status).toBe(400)
    const again = await made.target.call('POST', `/workouts/${made.id}/crop`, { json: { removeFromEndSeconds: 100 } })
    expect(again.json).toMatchObject({ durationS: 900 })
  })

  test('of another program is an archive recording with its stated numbers and splits', async () => {
    const made = await carriedOver(async (app) => {
      await restored(app, await archiveOf({ ...tempo.tempoLibrary(), 'data/settings.json': {} }))
      return tempo.id(1)
    })
    await using _ = made.target
    expect(made.after).toEqual(made.before)
    expect(made.rows).toMatchObject([
      {
        id: made.id,
        origin: 'archive',
        kind: 'archive',
        totals: { elevGainM: 12.5, relativeEffort: 41 },
        hasOriginal: true,
      },
    ])
    expect((await verified(made.zip)).differences).toEqual([])
  })

  test('whose splits and effort were recalculated since keeps these as computed by Harrier', async () => {
    const made = await carriedOver(async (app) => {
      await restored(app, await archiveOf({ ...tempo.tempoLibrary(), 'data/settings.json': {} }))
      const zones = { calculationMethod: 'AgeBased', age: 40 }
      await app.call('PUT', '/settings/heart-rate-zones', { json: zones })
      await app.call('POST', `/workouts/${tempo.id(1)}/recalculate-effort`)
      await app.call('POST', `/workouts/${tempo.id(1)}/recalculate-splits`)
      return tempo.id(1)
    })
    await using _ = made.target
    expect(made.after.relativeEffort).toBe(made.before.relativeEffort)
    const rows = dataOf(await entriesOf(made.target, await exported(made.target)), OWN_FORMAT.workouts)
    expect(rows[0].inputs.ours).toEqual(made.before.hrZoneSeconds === null ? ['splits'] : ['effort', 'splits'])
  })
})

test('the pace of every split is that of the archive, to the last digit', async () => {
  await using source = await testApp()
  await source.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
  const ids: string[] = []
  for (const [day, speedMps] of [2.61, 2.77, 2.93, 3.07, 3.23, 3.41].entries()) {
    const file = fitRun({ startMs: START_MS + day * DAY_MS, seconds: 3000, speedMps })
    ids.push(await imported(source, `${day}.fit`, file))
    await source.call('POST', `/workouts/${ids.at(-1)}/recalculate-splits`)
  }
  await using target = await testApp()
  const zip = await exported(source)
  expect((await restored(target, zip)).json).toMatchObject({ success: true, statistics: { workouts: counts(6) } })
  for (const id of ids) {
    const { splits } = (await source.call('GET', `/workouts/${id}`)).json
    expect((await target.call('GET', `/workouts/${id}`)).json.splits).toEqual(splits)
  }
  // old readers take whole seconds
  const rows: { paceS: number }[] = dataOf(await entriesOf(source, zip), OWN_FORMAT.splits)
  expect(rows.every(({ paceS }) => Number.isInteger(paceS))).toBe(true)
})
