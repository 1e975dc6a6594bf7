// Many merges under one receipt, undone and redone pair by pair.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { phone, watch } from '../../fixtures/two-recordings.ts'
import { done, imported } from '../repair/repairing.ts'

const PAIRS = 3

/** Ids of the runs that were merged and of what they were merged with, and the receipt of all merges. */
async function merged(app: TestApp) {
  const pairs: [string, string][] = []
  for (let day = 0; day < PAIRS; day += 1) {
    const a = await imported(app, watch({ startS: day * 86_400 }), `w${day}.fit`)
    pairs.push([a, await imported(app, phone({ startS: day * 86_400 + 20 }), `p${day}.gpx`)])
  }
  const path = '/workouts/merge-suggestions/merge'
  const dry = { pairs: PAIRS, merged: 0, receiptId: null, dryRun: true }
  expect(await done(app, 'POST', path, { dryRun: true })).toEqual(dry)
  const { receiptId, ...answer } = await done(app, 'POST', path, {})
  expect(answer).toEqual({ pairs: PAIRS, merged: PAIRS, dryRun: false })
  return { pairs, receiptId }
}

const undo = async (app: TestApp, id: string, body = {}) => await done(app, 'POST', `/receipts/${id}/undo`, body)
const count = async (app: TestApp) => (await done(app, 'GET', '/workouts')).totalCount

/** Undoes as the dry run says. */
async function undone(app: TestApp, id: string) {
  const dry = await undo(app, id, { dryRun: true })
  const answer = await undo(app, id)
  expect([answer.undone, answer.kept]).toEqual([dry.undone, dry.kept])
  const kept: string[] = answer.kept.map(({ workoutId }: { workoutId: string }) => workoutId)
  return { next: answer.receiptId, runs: answer.undone, kept: kept.toSorted() }
}

test('many merges are undone and redone pair by pair', async () => {
  await using app = await testApp()
  const { receiptId } = await merged(app)
  let target = receiptId
  for (const left of [2 * PAIRS, PAIRS, 2 * PAIRS, PAIRS]) {
    const { next, runs, kept } = await undone(app, target)
    expect([runs, kept, await count(app)]).toEqual([2 * PAIRS, [], left])
    target = next
  }
})

test('a pair is left alone of which one was removed from the trash, or either was changed before the redo', async () => {
  for (const which of [0, 1, 'removed'] as const) {
    await using app = await testApp()
    const { pairs, receiptId } = await merged(app)
    const [first, other] = pairs[1]!
    let target = receiptId
    if (which === 'removed') expect((await app.call('DELETE', `/trash/${other}`)).status).toBe(204)
    else {
      target = (await undone(app, receiptId)).next
      await done(app, 'PATCH', `/workouts/${pairs[1]![which]}`, { name: 'Changed' })
    }
    expect(await undone(app, target)).toMatchObject({ runs: 2 * PAIRS - 2, kept: [first, other].toSorted() })
    expect(await count(app)).toBe(which === 'removed' ? 2 * PAIRS - 1 : PAIRS + 1)
    if (which === 'removed') expect((await done(app, 'GET', `/workouts/${first}`)).sources).toBe(2)
  }
})
