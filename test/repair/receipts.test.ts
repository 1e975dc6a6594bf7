// Every repair leaves a receipt, and its undo gives back all that is seen of the run; other changes: library/back-and-forth.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
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
