// What is deleted, undone, undone again, or can no longer be undone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { png } from '../../../fixtures/media.ts'
import { fit, gpx, readings } from '../recordings.ts'
import { daysBefore, type Filling, MINUTE_MS } from './filling.ts'

/** Changes that can no longer be undone. */
export async function longAgo({ call, file, receipt, upload }: Filling): Promise<void> {
  const kept = await file('old.fit', fit({ startMs: daysBefore(60), seed: 11 }))
  await call('PATCH', `/workouts/${kept}`, { name: 'Before the harvest', notes: 'dry' })
  const cropped = await file('old crop.gpx', gpx({ startMs: daysBefore(61), seed: 12 }))
  await call('POST', `/workouts/${cropped}/crop`, { removeFromEndSeconds: 30 })
  const purged = await file('purged.fit', fit({ startMs: daysBefore(62), seed: 13 }))
  await call('DELETE', `/workouts/${purged}`)
  const undone = await file('undone then.fit', fit({ startMs: daysBefore(63), seed: 14 }))
  await call('PATCH', `/workouts/${undone}`, { rpe: 7 })
  await call('POST', `/receipts/${receipt()}/undo`, {})
  const [media] = await upload(`/workouts/${kept}/media`, [{ name: 'old.png', bytes: png(2) }])
  await call('DELETE', `/workouts/${kept}/media/${media.id}`)
  const parts = await file('old split.fit', fit({ startMs: daysBefore(64), seconds: 360, seed: 15 }))
  await call('POST', `/workouts/${parts}/split`, { atElapsedS: [200] })
  const first = await file('old join 1.fit', fit({ startMs: daysBefore(65), seconds: 200, seed: 16 }))
  const second = await file(
    'old join 2.fit',
    fit({ startMs: daysBefore(65) + 400_000, seconds: 180, fromM: 700, seed: 17 }),
  )
  await call('POST', '/workouts/join', { ids: [first, second] })
}

export async function watching({ app, call, file }: Filling, folder: string): Promise<void> {
  const deleted = fit({ startMs: daysBefore(19), seed: 201 })
  await call('DELETE', `/workouts/${await file('deleted before it came.fit', deleted)}`)
  writeFileSync(join(folder, 'watched.fit'), fit({ startMs: daysBefore(20), seed: 200 }))
  writeFileSync(join(folder, 'deleted.fit'), deleted)
  writeFileSync(join(folder, 'broken.fit'), 'no run')
  for (let look = 0; look < 2; look += 1) {
    await app.watch.look(true)
    await app.watch.rest()
    app.pass(MINUTE_MS)
  }
}

export async function trash({ call, file, receipt, upload }: Filling): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(15 - day), seed: 210 + day })
  const plain = await file('deleted.fit', fit(at(0)))
  await call('PATCH', `/workouts/${plain}`, { name: 'Deleted', notes: 'with words' })
  await upload(`/workouts/${plain}/media`, [{ name: 'deleted.png', bytes: png(20) }])
  await call('DELETE', `/workouts/${plain}`)
  const cropped = await file('cropped, deleted.gpx', gpx(at(1)))
  await call('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 30 })
  await call('DELETE', `/workouts/${cropped}`)
  // a completed one
  const made = at(2)
  const distanceM = readings(made).at(-1)!.distanceM
  const { id } = await call('POST', '/workouts', {
    startedAt: new Date(made.startMs).toISOString(),
    durationS: 300,
    distanceM,
  })
  await file('completed, deleted.fit', fit(made))
  await call('DELETE', `/workouts/${id}`)
  // gone with its import
  await upload('/workouts/import', [
    { name: 'gone 1.fit', bytes: fit(at(3)) },
    { name: 'gone 2.gpx', bytes: gpx(at(4)) },
  ])
  await call('POST', `/receipts/${receipt()}/undo`, {})
  const restored = await file('restored.fit', fit(at(5)))
  await call('DELETE', `/workouts/${restored}`)
  await call('POST', `/trash/${restored}/restore`)
  const forever = await file('forever.fit', fit(at(6)))
  await call('DELETE', `/workouts/${forever}?forever=true`)
  const emptied = await file('out of the trash.fit', fit(at(7)))
  await call('DELETE', `/workouts/${emptied}`)
  await call('DELETE', `/trash/${emptied}`)
  // a part of a split, and a joined run
  const whole = await file('part deleted.fit', fit({ ...at(8), seconds: 360 }))
  const { workouts } = await call('POST', `/workouts/${whole}/split`, { atElapsedS: [150] })
  await call('DELETE', `/workouts/${workouts[1].id}`)
  const first = await file('joined, deleted 1.fit', fit({ ...at(9), seconds: 150 }))
  const second = await file(
    'joined, deleted 2.fit',
    fit({ startMs: at(9).startMs + 200_000, seconds: 150, fromM: 500, seed: 221 }),
  )
  await call('POST', '/workouts/join', { ids: [first, second] })
  await call('DELETE', `/workouts/${first}`)
  // the same file again beside the deleted one
  await file('deleted.fit', fit(at(0)))
}

export async function undone({ call, file, receipt, upload }: Filling): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(5 - day), seed: 230 + day, way: 'circle' as const })
  const { receiptId } = await upload('/workouts/import', [
    { name: 'kept.fit', bytes: fit(at(0)) },
    { name: 'sent away.fit', bytes: fit(at(1)) },
  ])
  const { items } = (await call('GET', `/receipts/${receiptId}`)).items
  await call('PATCH', `/workouts/${items[0].workoutId}`, { name: 'Edited since' })
  await call('POST', `/receipts/${receiptId}/undo`, {})
  await upload('/workouts/import', [
    { name: 'again 1.fit', bytes: fit(at(2)) },
    { name: 'again 2.fit', bytes: fit(at(3)) },
  ])
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('POST', `/receipts/${receipt()}/undo`, {})
  const deleted = await file('deleted, undone.fit', fit(at(4)))
  await call('DELETE', `/workouts/${deleted}`)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await file('latest.fit', fit(at(4.5)))
}
