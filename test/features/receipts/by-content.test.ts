// What is undone goes by what a document says now, not by how often it was changed.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { jpeg } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { butUpdated } from '../../fixtures/updated.ts'
import { headerOf, undo } from './library.ts'

const HOUR_MS = 3_600_000

let app: TestApp
let id: string
beforeEach(async () => {
  app = await testApp()
  id = await app.run(fitRun({ startMs: START_MS, seconds: 1500, speedMps: 3.3 }))
})
afterEach(() => app.close())

const left = async (method: string, path: string, json?: object) => {
  const receipt = headerOf(await app.call(method, path, json === undefined ? {} : { json }))
  app.clock.nowMs += HOUR_MS
  return receipt
}
const edited = (json: object) => left('PATCH', `/workouts/${id}`, json)
const undone = async (receipt: string | null) => {
  const { answer } = await undo(app, receipt)
  app.clock.nowMs += HOUR_MS
  expect(answer).toMatchObject({ undone: 1, kept: [] })
  return answer.receiptId as string
}
const said = async () => {
  const { name, notes, rpe, durationS } = await app.ok('GET', `/workouts/${id}`)
  return { name, notes, rpe, durationS }
}

test('a photo that came or went later keeps no edit, and no import', async () => {
  const { receiptId: imported } = (
    await app.upload('/workouts/import', [{ name: 'b.fit', bytes: fitRun({ startMs: START_MS + 24 * HOUR_MS }) }])
  ).json
  const edit = await edited({ notes: 'x' })
  for (const one of (await app.ok('GET', '/workouts')).items)
    await app.upload(`/workouts/${one.id}/media`, [{ name: 'a.jpg', bytes: jpeg(70) }])
  await undone(edit)
  await undone(imported)
  const [photo] = await app.ok('GET', `/workouts/${id}/media`)
  const again = await edited({ notes: 'y' })
  await app.ok('DELETE', `/workouts/${id}/media/${photo.id}`)
  await undone(again)
  expect((await said()).notes).toBeNull()
})

test('deleting a goal or a race leaves a receipt, by which it comes back and goes again', async () => {
  for (const [path, body, title] of [
    ['/training/goals', { metric: 'distanceM', period: 'year', target: 1_500_000 }, 'Deleted a goal'],
    ['/training/goals', { metric: 'runs', period: 'week', target: 3, name: 'Thrice' }, 'Deleted the goal Thrice'],
    ['/races', { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 }, 'Deleted the race City 10K'],
  ] as const) {
    await app.ok('POST', path, body)
    const before = await app.ok('GET', path)
    const receipt = await left('DELETE', `${path}/${before.at(-1).id}`)
    expect(await app.ok('GET', `/receipts/${receipt}`)).toMatchObject({ kind: 'delete', title, canUndo: true })
    const gone = await app.ok('GET', path)
    expect(gone).toHaveLength(before.length - 1)
    const back = await undone(receipt)
    expect(butUpdated(await app.ok('GET', path))).toEqual(butUpdated(before))
    const again = await undone(back)
    expect(await app.ok('GET', path)).toEqual(gone)
    await undone(again)
    expect(butUpdated(await app.ok('GET', path))).toEqual(butUpdated(before))
  }
})

test('three edits are undone step by step after one that was undone, and redone in the same way', async () => {
  const states = [await said()]
  const receipts: (string | null)[] = []
  await undone(await edited({ name: 'Taken back' }))
  for (const change of [{ name: 'One' }, { notes: 'two' }, { rpe: 3 }]) {
    receipts.push(await edited(change))
    states.push(await said())
  }
  await undone(await left('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 }))
  const middle = await undo(app, receipts[1]!)
  expect(middle.answer).toMatchObject({ undone: 0, kept: [{ reason: expect.stringMatching(/^It was edited later/) }] })
  const redos: string[] = []
  for (const [place, receipt] of [...receipts.entries()].toReversed()) {
    redos.push(await undone(receipt))
    expect(await said()).toEqual(states[place]!)
  }
  for (const [place, redo] of redos.toReversed().entries()) {
    await undone(redo)
    expect(await said()).toEqual(states[place + 1]!)
  }
})

test('an edit before a repair that was reverted by hand is undone; the repair itself is kept, as it says', async () => {
  const edit = await edited({ name: 'One' })
  const crop = await left('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
  await left('POST', `/workouts/${id}/revert`, {})
  const reason = expect.stringMatching(/^It was edited later: /)
  expect((await undo(app, crop)).answer).toMatchObject({ undone: 0, kept: [{ workoutId: id, reason }] })
  await undone(edit)
  expect((await said()).name).toBeNull()
})

test('a shoe that an import names and an edit of its run are undone apart, in either order', async () => {
  const row = { 'Activity ID': 1, 'Activity Date': 'Oct 3, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const csv = stravaCsv([{ ...row, 'Activity Gear': 'Brooks Ghost 7', 'Elapsed Time': 600, Distance: 1.8 }])
  await app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': csv })])
  id = (await app.ok('GET', '/workouts?sortOrder=asc')).items[0].id
  const shoeAndNotes = async () => {
    const { shoeId, notes } = await app.ok('GET', `/workouts/${id}`)
    return [shoeId !== null, notes]
  }
  for (const isShoeFirst of [false, true]) {
    const assigning = () => left('POST', '/shoes/from-import', { names: ['Brooks Ghost 7'] })
    const early = isShoeFirst ? await assigning() : null
    const edit = await edited({ notes: 'x' })
    const assigned = early ?? (await assigning())
    expect(await shoeAndNotes()).toEqual([true, 'x'])
    const first = isShoeFirst ? assigned : edit
    expect((await undo(app, first)).answer).toMatchObject({ kept: [] })
    expect(await shoeAndNotes()).toEqual(isShoeFirst ? [false, 'x'] : [true, null])
    expect((await undo(app, isShoeFirst ? edit : assigned)).answer).toMatchObject({ kept: [] })
    expect(await shoeAndNotes()).toEqual([false, null])
  }
})

test('a photo that went with a join cannot go back once the joined run is deleted permanently', async () => {
  const later = await app.run(fitRun({ startMs: START_MS + HOUR_MS, seconds: 900, speedMps: 3 }))
  await app.upload(`/workouts/${later}/media`, [{ name: 'a.jpg', bytes: jpeg(700) }])
  const receipt = await left('POST', '/workouts/join', { ids: [id, later] })
  const open = async () => {
    const { items } = await app.ok('GET', `/receipts/${receipt}`)
    return items.items
      .filter((item: { canUndo: boolean }) => item.canUndo)
      .map((item: { workoutId: string }) => item.workoutId)
  }
  expect((await open()).toSorted()).toEqual([id, later].toSorted())
  await app.ok('DELETE', `/workouts/${id}?forever=true`)
  expect(await open()).not.toContain(id)
})

test('a photo that was deleted cannot come back once its run is deleted permanently', async () => {
  await app.upload(`/workouts/${id}/media`, [{ name: 'a.jpg', bytes: jpeg(700) }])
  const [{ id: photo }] = await app.ok('GET', `/workouts/${id}/media`)
  const receipt = await left('DELETE', `/workouts/${id}/media/${photo}`)
  expect(await app.ok('GET', `/receipts/${receipt}`)).toMatchObject({ canUndo: true })
  await app.ok('DELETE', `/workouts/${id}?forever=true`)
  expect(await app.ok('GET', `/receipts/${receipt}`)).toMatchObject({ canUndo: false })
  expect((await app.call('POST', `/receipts/${receipt}/undo`, { json: {} })).status).toBe(400)
})
