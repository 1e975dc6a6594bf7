// Runs by hand, and what a runner fixes, splits and joins.
import { photo, png, video } from '../../../fixtures/media.ts'
import { fit, gpx, points, treadmill } from '../recordings.ts'
import { daysBefore, type Filling, HOUR_MS, type Json } from './filling.ts'
import type { Shoes } from './settings.ts'

export async function byHand({ call }: Filling, { mach }: Shoes): Promise<void> {
  const run = (day: number, more: Json = {}) =>
    call('POST', '/workouts', {
      startedAt: new Date(daysBefore(day)).toISOString(),
      durationS: 2400,
      distanceM: 7000,
      ...more,
    })
  await run(80, { name: 'Treadmill', indoor: true, shoeId: mach, rpe: 4, calories: 500 })
  await run(79, {
    avgHeartRateBpm: 150,
    maxHeartRateBpm: 170,
    timeZone: 'America/New_York',
    runType: 'Easy Run',
    elevGainM: 40,
  })
  const { id } = await run(78, { notes: 'Numbers to be corrected' })
  await call('PATCH', `/workouts/${id}/numbers`, { distanceM: 7100, avgHeartRateBpm: 148 })
  await call('PATCH', `/workouts/${id}/numbers`, {
    startedAt: new Date(daysBefore(78) + HOUR_MS).toISOString(),
    calories: 480,
  })
}

export async function repairs({ call, file, receipt }: Filling): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(70 - day), seed: 100 + day })
  const repaired = async (name: string, bytes: Uint8Array, ...steps: readonly [string, Json][]) => {
    const id = await file(name, bytes)
    for (const [path, body] of steps) await call('POST', `/workouts/${id}/${path}`, body)
    return id
  }
  const whole = { session: { totalDistanceM: 1000, calories: 99, totalMovingS: 290 } }
  await repaired('crop.fit', fit(at(0), whole), ['crop', { removeFromStartSeconds: 30, removeFromEndSeconds: 12.5 }])
  await repaired(
    'crop twice.gpx',
    gpx(at(1)),
    ['crop', { removeFromStartSeconds: 20 }],
    ['crop', { removeFromStartSeconds: 15 }],
  )
  await repaired('cut.fit', fit({ ...at(2), seconds: 420 }), [
    'cut',
    { fromElapsedS: 100, toElapsedS: 200, closeGap: false },
  ])
  await repaired('cut closed.gpx', gpx({ ...at(3), seconds: 420 }), [
    'cut',
    { fromElapsedS: 100, toElapsedS: 160, closeGap: true },
  ])
  const spiked = points({ ...at(4), seconds: 300 }).map((point, t) =>
    t >= 150 && t < 154 ? { ...point, lat: point.lat + 0.004 } : point,
  )
  const spike = await file('spike.gpx', gpx(at(4), { points: spiked }))
  await call('POST', `/workouts/${spike}/mend`, {
    fromElapsedS: 145,
    toElapsedS: 158,
    channel: 'position',
    fill: 'interpolate',
  })
  await repaired(
    'mend.fit',
    fit(at(5)),
    ['mend', { fromElapsedS: 30, toElapsedS: 90, channel: 'heartRate', fill: 'gap' }],
    ['mend', { fromElapsedS: 150, toElapsedS: 200, channel: 'elevation', fill: 'interpolate' }],
  )
  await repaired('shifted.fit', fit(at(6)), ['shift', { offsetSeconds: 5400 }])
  await repaired(
    'zone.gpx',
    gpx({ ...at(7), way: 'town' }),
    ['shift', { timeZone: 'Europe/Berlin' }],
    ['crop', { removeFromStartSeconds: 25 }],
  )
  await repaired(
    'started.fit',
    fit(at(8)),
    ['shift', { startedAt: new Date(at(8).startMs - HOUR_MS).toISOString() }],
    ['shift', { timeZone: 'Asia/Tokyo' }],
  )
  await repaired('belt.fit', treadmill({ ...at(9), seconds: 360 }), ['distance', { distanceM: 1250 }])
  await repaired('official.gpx', gpx({ ...at(10), seconds: 360 }), ['distance', { distanceM: 1200 }])
  await repaired(
    'distance back.fit',
    treadmill({ ...at(11), seconds: 240 }),
    ['distance', { distanceM: 800 }],
    ['distance', { distanceM: null as unknown as number }],
  )
  await repaired(
    'everything.fit',
    fit({ ...at(12), seconds: 480 }, whole),
    ['crop', { removeFromStartSeconds: 20 }],
    ['cut', { fromElapsedS: 100, toElapsedS: 130, closeGap: true }],
    ['shift', { offsetSeconds: -600 }],
    ['distance', { distanceM: 1300 }],
    ['mend', { fromElapsedS: 300, toElapsedS: 320, channel: 'cadence', fill: 'gap' }],
  )
  await repaired(
    'reverted.fit',
    fit(at(13), whole),
    ['crop', { removeFromStartSeconds: 50 }],
    ['shift', { offsetSeconds: 60 }],
    ['revert', {}],
  )
  await repaired('undone crop.fit', fit(at(14), whole), ['crop', { removeFromStartSeconds: 50 }])
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await repaired('redone crop.fit', fit(at(15), whole), ['crop', { removeFromEndSeconds: 60 }])
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('POST', `/receipts/${receipt()}/undo`, {})
}

export async function splits({ call, file, receipt, upload }: Filling): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(50 - day), seed: 130 + day })
  const split = async (id: string, ...atElapsedS: readonly number[]): Promise<string[]> => {
    const { workouts } = await call('POST', `/workouts/${id}/split`, { atElapsedS })
    return workouts.map((part: { id: string }) => part.id)
  }
  const two = await file(
    'in two.fit',
    fit({ ...at(0), seconds: 480 }, { session: { calories: 120, totalDistanceM: 1600 } }),
  )
  await call('PATCH', `/workouts/${two}`, { name: 'In two', notes: 'of the whole', runType: 'Workout', rpe: 8 })
  const taken = (seconds: number) =>
    new Date(at(0).startMs + seconds * 1000).toISOString().slice(0, 19).replace(/-/g, ':').replace('T', ' ')
  await upload(`/workouts/${two}/media`, [
    { name: 'early.jpg', bytes: photo(taken(60), '+00:00') },
    { name: 'late.jpg', bytes: photo(taken(400), '+00:00') },
    { name: 'late.mp4', bytes: video(at(0).startMs + 450_000) },
  ])
  await split(two, 240)
  const three = await file('in three.gpx', gpx({ ...at(1), seconds: 540 }, { name: 'In three' }))
  const parts = await split(three, 150.5, 360)
  await call('PATCH', `/workouts/${parts[1]}`, { name: 'The middle' })
  await call('POST', `/workouts/${parts[2]}/crop`, { removeFromEndSeconds: 30 })
  const cropped = await file('cropped, then split.fit', fit({ ...at(2), seconds: 480 }))
  await call('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 40 })
  await split(cropped, 200)
  await split(await file('split undone.fit', fit({ ...at(3), seconds: 300 })), 120)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await split(await file('split redone.fit', fit({ ...at(4), seconds: 300 })), 120)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('POST', `/receipts/${receipt()}/undo`, {})
}

export async function joins({ call, file, receipt, upload }: Filling): Promise<void> {
  const at = (day: number) => daysBefore(40 - day)
  const pair = async (
    day: number,
    { gap, inPlace }: { gap?: string; inPlace?: (ids: readonly string[]) => Promise<unknown> } = {},
  ) => {
    const first = await file(
      `join ${day}, first.fit`,
      fit({ startMs: at(day), seconds: 200, seed: 150 + day }, { session: { calories: 50 } }),
    )
    const second = await file(
      `join ${day}, second.gpx`,
      gpx({ startMs: at(day) + 300_000, seconds: 180, fromM: 900, seed: 160 + day }),
    )
    await inPlace?.([first, second])
    await call('POST', '/workouts/join', { ids: [second, first], ...(gap === undefined ? {} : { gap }) })
    return [first, second] as const
  }
  await pair(0, {
    inPlace: async ([first, second]) => {
      await call('PATCH', `/workouts/${first}`, { name: 'Joined', notes: 'one' })
      await call('PATCH', `/workouts/${second}`, { notes: 'two', rpe: 6 })
      await upload(`/workouts/${second}/media`, [{ name: 'second.png', bytes: png(9) }])
    },
  })
  await pair(1, { gap: 'straight' })
  const [closed] = await pair(2, { gap: 'none' })
  await call('POST', `/workouts/${closed}/crop`, { removeFromStartSeconds: 30 })
  await pair(3, { inPlace: ([, second]) => call('POST', `/workouts/${second}/crop`, { removeFromStartSeconds: 20 }) })
  await pair(4)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await pair(5)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('POST', `/receipts/${receipt()}/undo`, {})
  // parts of one file, together again
  const whole = await file('split, then joined.fit', fit({ startMs: at(6), seconds: 360, seed: 170 }))
  const { workouts } = await call('POST', `/workouts/${whole}/split`, { atElapsedS: [180] })
  await call('POST', '/workouts/join', { ids: workouts.map(({ id }: { id: string }) => id) })
  const [inParts] = await pair(7)
  await call('POST', `/workouts/${inParts}/split`, { atElapsedS: [150] })
}
