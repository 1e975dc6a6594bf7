// Every call by hand leaves a receipt, and its undo gives back all that is seen of the run.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { done, imported, seen } from './repairing.ts'

async function left(app: TestApp, method: string, path: string, json: object): Promise<string> {
  app.clock.nowMs += 1000
  const answer = await app.call(method, path, { json })
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
  const id = answer.headers.get('harrier-receipt')
  expect(id).toBeString()
  return id!
}

const undo = async (app: TestApp, receiptId: string) => {
  app.clock.nowMs += 1000
  const answer = await done(app, 'POST', `/receipts/${receiptId}/undo`, {})
  expect(answer).toMatchObject({ undone: expect.any(Number), kept: [], dryRun: false })
  return answer.receiptId as string
}

const treadmill = () => {
  const samples = Array.from({ length: 1201 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
  return fitFile({ startMs: START_MS, samples, session: { subSport: 1 } })
}

const CASES: readonly (readonly [string, () => Uint8Array, string, object])[] = [
  ['crop', () => hillyRun(START_MS), 'POST /crop', { removeFromStartSeconds: 100 }],
  ['cut', () => hillyRun(START_MS), 'POST /cut', { fromElapsedS: 200, toElapsedS: 500 }],
  ['closed cut', () => hillyRun(START_MS), 'POST /cut', { fromElapsedS: 200, toElapsedS: 500, closeGap: true }],
  ['mend', () => hillyRun(START_MS), 'POST /mend', { fromElapsedS: 50, toElapsedS: 290, channel: 'all', fill: 'gap' }],
  ['treadmill distance', treadmill, 'POST /distance', { distanceM: 4000 }],
  ['distance', () => hillyRun(START_MS), 'POST /distance', { distanceM: 5000 }],
  ['shift', () => hillyRun(START_MS), 'POST /shift', { offsetSeconds: 86_400 }],
  ['time zone', () => hillyRun(START_MS), 'POST /shift', { timeZone: 'Asia/Tokyo' }],
]

for (const [name, bytes, call, body] of CASES)
  test(`${name}: undone it is what it was, undone again it is what it became`, async () => {
    await using app = await testApp()
    const id = await imported(app, bytes())
    const before = await seen(app, id)
    const [method, path] = call.split(' ') as [string, string]
    const receiptId = await left(app, method, `/workouts/${id}${path}`, body)
    const after = await seen(app, id)
    expect(after.detail).not.toEqual(before.detail)
    const receipt = await done(app, 'GET', `/receipts/${receiptId}`)
    expect(receipt).toMatchObject({ kind: name === 'crop' ? 'crop' : 'repair', workoutId: id, actor: 'browser' })
    const redo = await undo(app, receiptId)
    expect(await seen(app, id)).toEqual(before)
    const { repairs } = await done(app, 'GET', `/workouts/${id}/sources`)
    expect(repairs.map(({ undoneAt }: { undoneAt: string | null }) => typeof undoneAt)).toEqual(['string'])
    await undo(app, redo)
    expect(await seen(app, id)).toEqual(after)
    await done(app, 'POST', `/workouts/${id}/revert`)
    expect(await seen(app, id)).toEqual(before)
  })

test('a dry run leaves none', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  const answer = await app.call('POST', `/workouts/${id}/cut`, {
    json: { fromElapsedS: 200, toElapsedS: 500, dryRun: true },
  })
  expect([answer.status, answer.headers.get('harrier-receipt')]).toEqual([200, null])
})

test('a revert, and numbers of a run by hand', async () => {
  await using app = await testApp()
  const id = await imported(app, hillyRun(START_MS))
  await left(app, 'POST', `/workouts/${id}/cut`, { fromElapsedS: 200, toElapsedS: 500 })
  await left(app, 'POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 100 })
  const repaired = await seen(app, id)
  await undo(app, await left(app, 'POST', `/workouts/${id}/revert`, {}))
  expect(await seen(app, id)).toEqual(repaired)

  const run = await app.call('POST', '/workouts', {
    json: { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000, avgHeartRateBpm: 150 },
  })
  const before = await seen(app, run.json.id)
  await undo(
    app,
    await left(app, 'PATCH', `/workouts/${run.json.id}/numbers`, { distanceM: 9000, avgHeartRateBpm: null }),
  )
  expect(await seen(app, run.json.id)).toEqual(before)
})

test('a run by hand goes to the trash, and comes back', async () => {
  await using app = await testApp()
  const body = { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000, name: 'Mine' }
  const receiptId = await left(app, 'POST', '/workouts', body)
  const { id } = (await done(app, 'GET', '/workouts')).items[0]
  const before = await seen(app, id)
  const redo = await undo(app, receiptId)
  expect((await done(app, 'GET', '/workouts')).totalCount).toBe(0)
  await undo(app, redo)
  expect(await seen(app, id)).toEqual(before)
})

test('a bulk edit gives every run its own words back', async () => {
  await using app = await testApp()
  const ids: string[] = []
  for (let day = 0; day < 3; day += 1)
    ids.push(await imported(app, gpxRun({ startMs: START_MS + day * 864e5 }), `${day}.gpx`))
  await done(app, 'PATCH', `/workouts/${ids[1]}`, { name: 'Mine', rpe: 9 })
  const before = await Promise.all(ids.map(async (id) => (await seen(app, id)).detail))
  const receiptId = await left(app, 'POST', '/workouts/bulk-edit', {
    ...{ filter: {}, set: { name: 'All', rpe: 2, notesAppend: 'x', runType: 'Race' } },
  })
  expect(await done(app, 'GET', `/receipts/${receiptId}`)).toMatchObject({ kind: 'bulk_edit', counts: { changed: 3 } })
  await undo(app, receiptId)
  expect(await Promise.all(ids.map(async (id) => (await seen(app, id)).detail))).toEqual(before)
})
