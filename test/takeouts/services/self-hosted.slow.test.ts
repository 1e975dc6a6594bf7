import { describe, expect, test } from 'bun:test'
import { isoTime } from '../../../src/engine/calendar/timestamp.ts'
import { smallZip } from '../../../src/formats/small-zip.ts'
import { testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { endurainRow, endurainStreams, fitTrackeeRow, gpxOf } from '../../fixtures/self-hosted.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectCutsRefused } from '../../formats/cuts.ts'
import { expectExport, PATH } from './expect-export.ts'

const [RUN, SECOND] = knownRuns(2) as [ReturnType<typeof knownRuns>[number], ReturnType<typeof knownRuns>[number]]

describe('FitTrackee', () => {
  test('an export with 400 runs, a tenth of them without a file, is imported and undone', async () => {
    const runs = knownRuns(400)
    const hasFile = ({ number }: typeof RUN) => number % 10 > 0
    const rows = runs.map((run) => fitTrackeeRow(run, hasFile(run) ? { file: `${run.number}.gpx` } : {}))
    const others = [
      fitTrackeeRow(RUN, { sport_label: 'Cycling (Transport)' }),
      fitTrackeeRow(RUN, { sport_label: 'Hiking' }),
      fitTrackeeRow(knownRuns(401)[400]!, { file: 'broken.gpx' }),
    ]
    const file = zipUpload({
      'user_workouts_data.json': JSON.stringify([...rows, ...others], null, 4),
      'user_data.json': '{"username":"me"}',
      ...Object.fromEntries(runs.filter(hasFile).map((run) => [`workout_files/${run.number}.gpx`, gpxOf(run)])),
      'workout_files/broken.gpx': gpxOf(RUN).subarray(0, 900),
    })
    const truth = { runs, skippedSports: { ride: 1, hike: 1 }, errors: ['workout_files/broken.gpx'], ignored: 1 }
    await expectExport(file, { kind: 'fittrackee', ...truth })
  }, 120_000)

  test('title, notes and shoe count, but for a title that it made up; older exports name GPX files', async () => {
    const equipments = [
      { label: 'My bike', equipment_type: { label: 'Bike' } },
      { label: 'Nike Pegasus', equipment_type: { label: 'Shoe' }, is_active: false },
    ]
    const file = zipUpload({
      'user_workouts_data.json': JSON.stringify([
        fitTrackeeRow(RUN, { gpx: 'a.gpx', description: 'Wind', notes: 'Rain', equipments }),
        fitTrackeeRow(SECOND, { gpx: 'b.gpx', title: 'Running - 2025-10-31 08:00:00' }),
      ]),
      'gpx/a.gpx': gpxOf(RUN),
      'gpx/b.gpx': gpxOf(SECOND),
    })
    await using app = await testApp()
    const { json } = await app.upload(PATH, [file])
    expect(json).toMatchObject({ kind: 'fittrackee', successful: 2, shoesCreated: 1 })
    const [first, second] = (await app.ok('GET', '/workouts')).items
    const [shoe] = await app.ok('GET', '/shoes')
    expect([shoe.brand, shoe.model, shoe.retiredAt]).toEqual(['Nike', 'Pegasus', isoTime(app.deps.now())])
    expect(first).toMatchObject({ name: 'Run 0', shoeId: shoe.id })
    expect((await app.ok('GET', `/workouts/${first.id}`)).notes).toBe('Wind\n\nRain')
    expect(second.name).toBe('Running 10/2/17 10:49 am')
  })
})

describe('Endurain', () => {
  const exported = (files: Readonly<Record<string, unknown>>) =>
    zipUpload({
      'counts.json': '{"activities":1}',
      ...Object.fromEntries(
        Object.entries(files).map(([name, value]) => [
          name,
          value instanceof Uint8Array || typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    })

  test('an export with 400 runs, with files, streams or totals alone, is imported and undone', async () => {
    const runs = knownRuns(400)
    const kindOf = ({ number }: typeof RUN) => (['file', 'streams', 'file', 'totals'] as const)[number % 4]!
    const rows = runs.map((run) => endurainRow(run))
    const streams = runs.filter((run) => kindOf(run) === 'streams').flatMap(endurainStreams)
    const withFile = runs.filter((run) => kindOf(run) === 'file')
    const broken = endurainRow(RUN, { id: 9000 })
    const file = exported({
      'data/activities_000.json': rows.slice(0, 300),
      'data/activities_001.json': [...rows.slice(300), endurainRow(RUN, { activity_type: 4 }), broken],
      'data/activity_streams_000.json': streams.filter((_, k) => k % 2 === 0),
      'data/activity_streams_001.json': streams.filter((_, k) => k % 2 === 1),
      'activity_files/9000.gpx': gpxOf(RUN).subarray(0, 900),
      'data/user.json': [{ id: 1 }],
      ...Object.fromEntries(withFile.map((run) => [`activity_files/${run.number + 1}.gpx`, gpxOf(run)])),
    })
    const truth = { runs, skippedSports: { ride: 1 }, errors: ['activity_files/9000.gpx'], ignored: 2 }
    await expectExport(file, { kind: 'endurain', ...truth })
  }, 120_000)

  test('a run has its words, shoe and photos; streams are kept as a ZIP that is read again', async () => {
    const file = exported({
      'data/activities.json': [
        endurainRow(RUN, { description: 'Wind', gear_id: 7 }),
        endurainRow(SECOND, { activity_type: 'Trail run', gear_id: 7 }),
      ],
      'data/gears.json': [
        { id: 7, nickname: 'Nike Pegasus', gear_type: 2, active: false },
        { id: 8, nickname: 'Unworn', gear_type: 2, is_active: 0 },
      ],
      'data/activity_streams.json': endurainStreams(SECOND),
      'activity_files/1.gpx': gpxOf(RUN),
      'activity_media/1_photo.jpg': jpeg(),
    })
    await using app = await testApp()
    const { json } = await app.upload(PATH, [file])
    expect(json).toMatchObject({ kind: 'endurain', successful: 2, shoesCreated: 1, mediaImported: 1, warnings: [] })
    const [first, second] = (await app.ok('GET', '/workouts')).items
    const [shoe] = await app.ok('GET', '/shoes')
    expect([first.shoeId, second.shoeId]).toEqual([shoe.id, shoe.id])
    expect(shoe.retiredAt).toBe(isoTime(app.deps.now()))
    expect((await app.ok('GET', `/workouts/${first.id}`)).notes).toBe('Wind')
    expect(second).toMatchObject({ name: 'Run 1', hasRoute: true, avgHeartRateBpm: 121 })
    const { recordings } = await app.ok('GET', `/workouts/${second.id}/sources`)
    expect(recordings[0]).toMatchObject({ origin: 'endurain', fileType: 'zip', filename: 'activity-2.zip' })
  })

  test('streams of more than 100 MiB cost only their own run', async () => {
    // not so even that the ZIP would be taken for a bomb
    const pad = Array.from({ length: 400_000 }, (_, k) => String(k).padStart(10)).join('')
    const streams = Array.from({ length: 27 }, () => ({ activity_id: 1, pad }))
    const file = exported({
      'data/activities.json': [endurainRow(RUN), endurainRow(SECOND)],
      'data/activity_streams.json': [...streams, ...endurainStreams(SECOND)],
    })
    await using app = await testApp()
    const { json } = await app.upload(PATH, [file])
    const errorDetails = [{ filename: 'data/activity-1.zip', error: 'Its streams are larger than 100 MiB' }]
    expect(json).toMatchObject({ successful: 1, errors: 1, errorDetails })
  })

  test('its ZIP is refused when it is cut', () => {
    const parts = { 'data/activities.json': [endurainRow(RUN)], 'data/activity_streams.json': endurainStreams(RUN) }
    const files = Object.entries(parts).map(([name, value]) => ({ name, bytes: Buffer.from(JSON.stringify(value)) }))
    expectCutsRefused(smallZip(files), 'a.zip')
  })
})
