// Archives that are restored: of another Harrier and in the form of Tempo.
import { testApp } from '../../../app.ts'
import { archiveOf, exported, restored } from '../../../archive/archives.ts'
import * as tempo from '../../../archive/restore/tempo-archive.ts'
import { jpeg, photo } from '../../../fixtures/media.ts'
import { fit, gpx, points } from '../recordings.ts'
import { BEGUN_MS, DAY_MS, daysBefore, type Filling, filling, hourlyWeather, type Json, weatherOf } from './filling.ts'

/** An archive of another Harrier with parts, a join, stated efforts; and archives in the form of Tempo. */
export async function archives({ upload, call }: Filling): Promise<void> {
  await upload('/workouts/import/export', [{ name: 'other harrier.zip', bytes: await ownArchive() }])
  const route = points({ startMs: tempo.START_MS, seconds: 600, speedMps: 3, way: 'north', seed: 70 })
  const stated = (n: number, more: Json = {}) =>
    tempo.workout(n, { StartedAt: new Date(tempo.START_MS + n * DAY_MS).toISOString(), rawFileName: null, ...more })
  const effort = (n: number, of: number, distance: string, distanceM: number, timeS: number) => ({
    ...{
      id: tempo.id(600 + n),
      distance,
      distanceM,
      timeS,
      workoutId: tempo.id(of),
      calculatedAt: '2024-06-01T00:00:00Z',
    },
  })
  const foreign = await archiveOf({
    'data/settings.json': {},
    'data/shoes.json': [
      { id: tempo.SHOE, brand: 'Asics', model: 'Nimbus', initialMileageM: 5000, createdAt: '2024-01-01T00:00:00Z' },
    ],
    'data/workouts.json': [
      stated(1, {
        durationS: 600,
        distanceM: 1900,
        rawFileName: 'run.gpx',
        weather: JSON.stringify({ source: 'open_meteo', temperature: 11.5, relativeHumidity: 0.83 }),
      }),
      stated(2, { runType: 'Race', calories: 300, elevLossM: 7 }),
      stated(3, { durationS: 1200, distanceM: 3000.4, relativeEffort: 55 }),
      stated(4, { shoeId: null, name: null, notes: 'Words only', durationS: 1500, distanceM: 5000 }),
    ],
    'data/routes.json': [
      tempo.route(tempo.id(1), route),
      tempo.route(tempo.id(2), points({ startMs: 0, seconds: 300, seed: 71 })),
    ],
    'data/splits.json': [...tempo.splits(tempo.id(1)), ...tempo.splits(tempo.id(2)), ...tempo.splits(tempo.id(3))],
    'data/time-series.json': tempo.heartRates(tempo.id(3), 10),
    'data/best-efforts.json': [
      effort(1, 1, '1K', 1000, 310),
      effort(2, 3, '1K', 1000, 240),
      effort(3, 4, '5K', 5000, 1450),
      effort(4, 2, '1 mile', 1609.344, 400),
    ],
    'data/media-metadata.json': [
      {
        id: tempo.MEDIA,
        workoutId: tempo.id(1),
        filename: 'a/b.jpg',
        filePath: '/srv/b.jpg',
        mimeType: 'image/jpeg',
        fileSizeBytes: 300,
        caption: 'From Tempo',
        createdAt: '2024-05-05T00:00:00Z',
      },
    ],
    [`workouts/${tempo.id(1)}/raw/run.gpx`]: gpx({ startMs: tempo.START_MS + DAY_MS, seconds: 600, seed: 70 }),
    [`workouts/${tempo.id(1)}/media/${tempo.MEDIA}/b.jpg`]: jpeg(300),
  })
  await upload('/workouts/import/export', [{ name: 'tempo.zip', bytes: foreign }])
  await call('POST', `/workouts/${tempo.id(3)}/recalculate-effort`)
}

async function ownArchive(): Promise<Uint8Array> {
  await using app = await testApp({ weather: hourlyWeather })
  const { call, file, upload } = filling(app)
  app.clock.nowMs = BEGUN_MS - 30 * DAY_MS
  const startMs = daysBefore(120)
  const shoe = await call('POST', '/shoes', { brand: 'Inov-8', model: 'Trailfly' })
  const whole = await file('whole.fit', fit({ startMs, seconds: 600, seed: 80 }, { session: { calories: 140 } }))
  await call('PATCH', `/workouts/${whole}`, { name: 'Elsewhere', shoeId: shoe.id, runType: 'Long Run' })
  await upload(`/workouts/${whole}/media`, [{ name: 'elsewhere.jpg', bytes: photo('2025:07:22 07:08:00', '+00:00') }])
  await call('POST', `/workouts/${whole}/split`, { atElapsedS: [300] })
  const first = await file('first.fit', fit({ startMs: startMs + DAY_MS, seconds: 240, seed: 81 }))
  const second = await file(
    'second.gpx',
    gpx({ startMs: startMs + DAY_MS + 500_000, seconds: 200, fromM: 800, seed: 82 }),
  )
  await call('POST', '/workouts/join', { ids: [first, second], gap: 'pause' })
  const cropped = await file('cropped.fit', fit({ startMs: startMs + 2 * DAY_MS, seconds: 400, seed: 83 }))
  await call('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 40 })
  await call('POST', `/workouts/${cropped}/mend`, {
    fromElapsedS: 100,
    toElapsedS: 140,
    channel: 'heartRate',
    fill: 'gap',
  })
  const reverted = await file('reverted.fit', fit({ startMs: startMs + 3 * DAY_MS, seconds: 360, seed: 84 }))
  await call('POST', `/workouts/${reverted}/cut`, { fromElapsedS: 100, toElapsedS: 160, closeGap: true })
  await call('POST', `/workouts/${reverted}/revert`)
  await call('PATCH', `/workouts/${reverted}/best-efforts/400`, { isRecord: false })
  await call('POST', '/workouts', {
    startedAt: new Date(startMs + 4 * DAY_MS).toISOString(),
    durationS: 1800,
    distanceM: 5200,
    name: 'By hand, elsewhere',
  })
  const foreign = await archiveOf({
    'data/workouts.json': [
      tempo.workout(30, {
        StartedAt: new Date(startMs + 5 * DAY_MS).toISOString(),
        shoeId: null,
        rawFileName: null,
        durationS: 1500,
        distanceM: 5000,
      }),
    ],
    'data/best-efforts.json': [
      {
        id: tempo.id(630),
        distance: '5K',
        distanceM: 5000,
        timeS: 1470,
        workoutId: tempo.id(30),
        calculatedAt: '2024-07-01T00:00:00Z',
      },
    ],
  })
  await restored(app, foreign)
  await weatherOf(app)
  return await exported(app)
}
