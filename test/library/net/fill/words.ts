// Photos, words and shoes of runs.
import { jpeg, png } from '../../../fixtures/media.ts'
import { fit } from '../recordings.ts'
import { daysBefore, type Filling } from './filling.ts'
import type { Shoes } from './settings.ts'

export async function pictures({ call, file, upload }: Filling): Promise<void> {
  const id = await file('pictures.fit', fit({ startMs: daysBefore(30), seed: 180, way: 'circle' }))
  const [first, second, third] = await upload(`/workouts/${id}/media`, [
    { name: 'a.jpg', bytes: jpeg(800) },
    { name: 'b.png', bytes: png(12) },
    { name: 'c.jpg', bytes: jpeg(700) },
  ])
  await call('PATCH', `/workouts/${id}/media/${first.id}`, { caption: 'At the lake' })
  await call('DELETE', `/workouts/${id}/media/${second.id}`)
  await call('DELETE', `/workouts/${id}/media/${third.id}?forever=true`)
}

export async function edits(
  { app, call, file, pass, receipt }: Filling,
  { gone, returned, mach }: Shoes,
): Promise<void> {
  const at = (day: number) => ({ startMs: daysBefore(28 - day), seed: 190 + day, way: 'circle' as const })
  const ids: string[] = []
  for (let day = 0; day < 6; day += 1) ids.push(await file(`edit ${day}.fit`, fit(at(day))))
  const [joined, overtaken, excepted, shod, away] = ids as [string, string, string, string, string]
  // one receipt
  for (const json of [{ name: 'First' }, { name: 'Second', rpe: 3 }]) {
    await app.call('PATCH', `/workouts/${joined}`, { json })
    pass(1)
  }
  await call('PATCH', `/workouts/${overtaken}`, { name: 'Overtaken' })
  const overtakenBy = receipt()
  pass(15)
  await call('PATCH', `/workouts/${overtaken}`, { notes: 'later' })
  await call('POST', `/receipts/${overtakenBy}/undo`, { dryRun: true })
  await call('PATCH', `/workouts/${excepted}`, { runType: 'Race', leftOut: true })
  await call('PATCH', `/workouts/${excepted}`, { name: null })
  await call('POST', '/workouts/bulk-edit', { ids: [shod, away], set: { shoeId: gone, notesAppend: 'in bulk' } })
  await call('POST', '/workouts/bulk-edit', { filter: { keyword: 'Strava' }, set: { rpe: 5 } })
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('PATCH', `/workouts/${ids[5]}`, { shoeId: returned })
  await call('DELETE', `/shoes/${returned}`)
  await call('POST', `/receipts/${receipt()}/undo`, {})
  await call('DELETE', `/shoes/${gone}`)
  await call('PATCH', `/workouts/${away}`, { shoeId: mach })
}
