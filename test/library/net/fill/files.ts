// Runs that come as files, one by one, as an export of Strava's, and twice.
import { gzipSync } from 'node:zlib'
import { stravaCsv } from '../../../fixtures/csv.ts'
import { healthExport, healthFile, healthRun } from '../../../fixtures/health.ts'
import { jpeg, png } from '../../../fixtures/media.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'
import { suuntoFile } from '../../../fixtures/suunto.ts'
import { fit, gpx, points, readings, tcx, treadmill } from '../recordings.ts'
import { daysBefore, type Filling, type Json } from './filling.ts'
import type { Shoes } from './settings.ts'

/** Every format in one call, also a double, a ride and a broken file. */
export async function formats({ upload, call, app }: Filling): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(300 - day), seed: 20 + day })
  const pause = points({ ...at(4), seconds: 360 })
  const twoRuns = [
    ...readings({ ...at(6), seconds: 240 }),
    ...readings({ ...at(7), seconds: 240 }).map((reading) => ({ ...reading, t: reading.t + 500 })),
  ]
  await upload('/workouts/import', [
    {
      name: 'laps and power.fit',
      bytes: fit(at(0), {
        samples: readings({ ...at(0), seconds: 480 }).map((reading) => ({
          ...reading,
          powerW: 240 + (reading.t % 17),
          temperatureC: 14,
        })),
        laps: [0, 120, 240, 360].map((startS, k) => ({
          startS,
          elapsedS: 120,
          timerS: 120,
          distanceM: 360,
          intensity: k % 2,
          trigger: 0,
          avgHr: 150,
        })),
        session: { calories: 88, workoutRpe: 50 },
        localOffsetS: 3600,
        weather: { condition: 3, temperatureC: 9, feelsLikeC: 7, humidity: 81, windSpeedMps: 4, windDirection: 90 },
        workoutName: 'Fartlek',
      }),
    },
    {
      name: 'stopped.fit',
      bytes: fit(
        { ...at(1), seconds: 420 },
        {
          timer: [
            [0, 0],
            [200, 4],
            [230, 0],
          ],
          session: { totalMovingS: 380 },
        },
      ),
    },
    { name: 'small.fit.gz', bytes: gzipSync(fit(at(2), { compressedTimestamps: true })) },
    { name: 'words.gpx', bytes: gpx(at(3), { name: 'Über den Berg 🏃', desc: 'Notes of the file', type: 'Race' }) },
    { name: 'pause.gpx', bytes: gpx(at(4), { segments: [pause.slice(0, 150), pause.slice(210)] }) },
    { name: 'laps.tcx', bytes: tcx({ ...at(5), seconds: 420 }) },
    {
      name: 'two.fit',
      bytes: fit(
        { ...at(6), seconds: 240 },
        {
          samples: twoRuns,
          session: [
            { startS: 0, totalElapsedS: 240, totalTimerS: 240, totalDistanceM: 700 },
            { startS: 500, totalElapsedS: 240, totalTimerS: 240, totalDistanceM: 710 },
          ],
        },
      ),
    },
    { name: 'suunto.json', bytes: suuntoFile({ startMs: daysBefore(291), seconds: 300, pause: [100, 130] }) },
    { name: 'treadmill.fit', bytes: treadmill({ ...at(9), seconds: 360 }) },
    { name: 'again.gpx', bytes: gpx(at(3), { name: 'Über den Berg 🏃', desc: 'Notes of the file', type: 'Race' }) },
    { name: 'ride.fit', bytes: fit(at(10), { session: { sport: 2 } }) },
    { name: 'broken.fit', bytes: new TextEncoder().encode('no run at all') },
  ])
  const { key } = (await app.call('POST', '/auth/api-keys', { json: { label: 'script', scope: 'upload' } })).json
  const sent = await app.call('POST', '/workouts/import/raw?name=raw.tcx', {
    token: key,
    body: new Uint8Array(tcx({ startMs: daysBefore(200), seconds: 240, seed: 41, way: 'circle' })),
  })
  if (sent.status !== 200) throw new Error(sent.text)
  await call(
    'POST',
    '/workouts/import/health',
    healthExport([healthRun({ startMs: daysBefore(199), seconds: 360, id: 'by key' })]),
  )
}

export async function strava({ upload, call, file }: Filling, { gone }: Shoes): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(160 - day), seed: 50 + day })
  const date = (day: number) => new Date(at(day).startMs).toISOString().slice(0, 19).replace('T', ' ')
  const row = (day: number, more: Json = {}) => ({
    'Activity ID': 1000 + day,
    'Activity Date': date(day),
    'Activity Name': `Strava ${day}`,
    'Activity Type': 'Run',
    ...(more as Record<string, string | number>),
  })
  const summary = {
    'Elapsed Time': 300,
    Distance: 0.9512,
    'Moving Time': 290,
    'Average Heart Rate': 151,
    'Max Heart Rate': 168,
    Calories: 75,
    'Elevation Gain': 9,
  }
  const rows = [
    row(0, {
      Filename: 'activities/0.fit',
      'Activity Gear': 'Hoka Mach',
      'Perceived Exertion': 6,
      'Weather Temperature': 12.5,
      'Weather Condition': 3,
      Humidity: 0.71,
      Media: 'media/1.jpg|media/2.png',
    }),
    row(1, {
      Filename: 'activities/1.gpx.gz',
      'Activity Gear': 'Nike Zoom Fly',
      'Activity Description': 'Public',
      'Activity Private Note': 'Private',
      Competition: 1,
    }),
    row(2, { Filename: 'activities/2.tcx', 'Activity Gear': 'Nike Zoom Fly', 'Long Run': 1 }),
    row(3, { ...summary, 'Activity Gear': 'Brooks Ghost' }),
    row(4, { ...summary, 'Activity Gear': 'Unknown Pair' }),
    row(5, { ...summary, 'Activity Description': 'To be completed' }),
    row(6, { ...summary, 'Weather Temperature': 21, 'Weather Condition': 1, Humidity: 0.4 }),
    row(7, { ...summary, 'Activity Type': 'Ride' }),
    row(8, { Filename: 'activities/missing.fit' }),
  ]
  await upload('/workouts/import/bulk', [
    zipUpload({
      'activities.csv': stravaCsv(rows),
      'activities/0.fit': fit({ ...at(0), way: 'circle' }),
      'activities/1.gpx.gz': gzipSync(gpx({ ...at(1), way: 'circle' })),
      'activities/2.tcx': tcx({ ...at(2), seconds: 480, way: 'circle' }),
      'media/1.jpg': jpeg(900),
      'media/2.png': png(5),
      'media.csv': 'Media Filename,Media Caption\nmedia/1.jpg,"At the ""top"""\n',
    }),
  ])
  await call('POST', '/shoes/from-import', { names: ['Nike Zoom Fly'] })
  await upload('/workouts/import', [{ name: 'activities.csv', bytes: stravaCsv([row(9, summary), row(10, summary)]) }])
  const { items } = await call('GET', '/workouts?keyword=Strava%205')
  await call('PATCH', `/workouts/${items[0].id}`, { name: 'Strava 5, renamed', shoeId: gone })
  await file('completes 5.fit', fit({ ...at(5), seconds: 300 }, { session: { totalDistanceM: 951.2 } }))
  // a file first, then the row of it
  await file('known.fit', fit({ ...at(11), seconds: 300 }, { session: { totalDistanceM: 951.2 } }))
  await upload('/workouts/import/bulk', [
    zipUpload({ 'activities.csv': stravaCsv([row(11, summary), row(3, summary)]) }),
  ])
}

/** Runs of several recordings. */
export async function completions({ upload, call, file }: Filling): Promise<void> {
  // a watch that sends the run again, with its route
  const health = { startMs: daysBefore(100), seconds: 300, id: 'richer' }
  await file('health.json', healthFile([healthRun({ ...health, hasRoute: false })]))
  await file('health with route.json', healthFile([healthRun(health)]))
  // by hand, then its file
  const made = { startMs: daysBefore(99), seconds: 300, seed: 90 }
  const distanceM = readings(made).at(-1)!.distanceM
  const { id } = await call('POST', '/workouts', {
    startedAt: new Date(made.startMs).toISOString(),
    durationS: 300,
    distanceM,
    name: 'By hand first',
  })
  await file('by hand first.fit', fit(made))
  await call('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 20 })
  // rows, then their files by an archive
  const row = {
    'Activity ID': 77,
    'Activity Date': new Date(daysBefore(98)).toISOString().slice(0, 19).replace('T', ' '),
    'Activity Name': 'Row first',
    'Activity Type': 'Run',
    'Elapsed Time': 300,
  }
  const run = { startMs: daysBefore(98), seconds: 300, seed: 91 }
  const Distance = readings(run).at(-1)!.distanceM / 1000
  await upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': stravaCsv([{ ...row, Distance }]) })])
  await upload('/workouts/import/bulk', [
    zipUpload({
      'activities.csv': stravaCsv([{ ...row, Distance, Filename: 'activities/77.fit' }]),
      'activities/77.fit': fit(run),
    }),
  ])
}
