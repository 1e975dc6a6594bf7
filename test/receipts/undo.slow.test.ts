import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { corpusDir, corpusTest } from '../corpus.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { memoryDb } from '../memory-db.ts'
import { expectSame, headerOf, libraryContent, mixedFiles, rowFile, smallLibrary, undo } from './library.ts'

const DAY_MS = 86_400_000

describe('an import that is undone leaves nothing, and undoing that brings all of it back', () => {
  test('200 files of mixed kinds, one of which completes a run', async () => {
    await using app = await testApp()
    await smallLibrary(app)
    const before = await libraryContent(app)
    const { json } = await app.upload('/workouts/import', [...mixedFiles(199), rowFile()])
    expect(json).toMatchObject({ totalProcessed: 200, successful: 160, updated: 1, skipped: 19, errors: 20 })
    const after = await libraryContent(app)
    await backAndForth(app, json.receiptId, { before, after, changed: 161 })
  }, 120_000)

  corpusTest('the whole corpus, whose counts are those that they always were, once and twice', async () => {
    await using app = await testApp()
    const before = await libraryContent(app)
    const { json } = await app.upload('/workouts/import', corpusFiles())
    expect(json).toMatchObject({
      totalProcessed: 68,
      successful: 55,
      skipped: 0,
      updated: 0,
      errors: 13,
      skippedOther: 74,
    })
    const again = (await app.upload('/workouts/import', corpusFiles())).json
    expect(again).toMatchObject({
      totalProcessed: 68,
      successful: 0,
      skipped: 55,
      updated: 0,
      errors: 13,
      skippedOther: 74,
    })
    const after = await libraryContent(app)
    await backAndForth(app, json.receiptId, { before, after, changed: 55 })
  })

  test('a restore, with its shoes, settings and goals', async () => {
    await using source = await testApp()
    await smallLibrary(source)
    await source.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 41 } })
    const goal = await source.call('POST', '/training/goals', {
      json: { metric: 'distanceM', period: 'week', target: 30_000 },
    })
    expect(goal.status).toBe(201)
    const archive = await exported(source)
    await using app = await testApp()
    await app.upload('/workouts/import', [{ name: 'own.fit', bytes: fitRun({ startMs: START_MS - DAY_MS }) }])
    const before = await libraryContent(app)
    const { json } = await restored(app, archive)
    expect(json).toMatchObject({ success: true, statistics: { workouts: { imported: 4 }, shoes: { imported: 1 } } })
    const after = await libraryContent(app)
    await backAndForth(app, json.receiptId, { before, after, changed: null })
  })
})

/** Every watch file of the corpus. */
function corpusFiles() {
  return ['fit', 'fit-gz', 'gpx', 'csv'].flatMap((kind) => {
    const folder = join(corpusDir!, kind)
    return readdirSync(folder).map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
  })
}

interface States {
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
  /** Items that are undone; null: it does not matter. */
  readonly changed: number | null
}

/** Undo, redo, undo once more, redo once more. */
async function backAndForth(app: TestApp, receiptId: string, { before, after, changed }: States): Promise<void> {
  const dry = await undo(app, receiptId, { dryRun: true })
  expect(dry).toMatchObject({ status: 200, answer: { receiptId: null, kept: [], dryRun: true }, header: null })
  expectSame(await libraryContent(app), after)
  for (let round = 0; round < 2; round += 1) {
    const undone = await undo(app, receiptId)
    expect(undone).toMatchObject({ status: 200, answer: { kept: [], dryRun: false } })
    expect(undone.answer.undone).toBe(changed ?? dry.answer.undone)
    expect(undone.answer.receiptId).toBe(undone.header)
    expectSame(await libraryContent(app), before)
    const redone = await undo(app, undone.header)
    expect(redone).toMatchObject({ status: 200, answer: { kept: [], undone: undone.answer.undone } })
    expectSame(await libraryContent(app), after)
  }
}

test('runs that were edited since stay and are named; with force they go to the trash', async () => {
  await using app = await testApp()
  const { json } = await app.upload('/workouts/import', mixedFiles(7))
  const { items } = (await app.call('GET', '/workouts')).json
  await app.call('PATCH', `/workouts/${items[0].id}`, { json: { name: 'Long run' } })
  await app.call('POST', `/workouts/${items[1].id}/crop`, { json: { removeFromEndSeconds: 20 } })
  const kept = [
    { workoutId: items[0].id, workoutName: 'Long run', reason: 'It was edited later: Edited name' },
    { workoutId: items[1].id, workoutName: null, reason: 'It was edited later: Cropped 20 s from the end' },
  ]
  expect((await undo(app, json.receiptId, { dryRun: true })).answer).toMatchObject({ undone: 5, kept })
  expect((await undo(app, json.receiptId)).answer).toMatchObject({ undone: 5, kept })
  expect((await app.call('GET', '/workouts')).json.items.map(({ id }: { id: string }) => id)).toEqual([
    items[0].id,
    items[1].id,
  ])
  expect((await undo(app, json.receiptId, { force: true })).answer).toMatchObject({ undone: 2, kept: [] })
  expect((await app.call('GET', '/workouts')).json.totalCount).toBe(0)
  expect((await app.call('GET', '/trash')).json.totalCount).toBe(7)
  const again = await undo(app, json.receiptId)
  expect([again.status, again.answer]).toEqual([400, { error: 'It was already undone' }])
})

test('what was done is undone step by step back to the beginning, and forth again', async () => {
  await using app = await testApp()
  const empty = await libraryContent(app)
  const imported = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 1200 }) }])
  const { id } = imported.json
  const states = [empty, await libraryContent(app)]
  const receipts = [headerOf(imported)]
  const steps: (() => Promise<{ headers: Headers; status: number }>)[] = [
    () => app.call('PATCH', `/workouts/${id}`, { json: { name: 'Run', notes: 'cold', runType: 'Race', rpe: 4 } }),
    () => app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 120 } }),
    () => app.call('POST', `/workouts/${id}/crop`, { json: { removeFromEndSeconds: 100 } }),
    () => app.call('PATCH', `/workouts/${id}/best-efforts/804.672`, { json: { isRecord: false } }),
    () => app.call('POST', `/workouts/${id}/revert`),
    () => app.call('DELETE', `/workouts/${id}`),
  ]
  for (const step of steps) {
    app.clock.nowMs += 3_600_000
    const answer = await step()
    expect(answer.status).toBeLessThan(300)
    receipts.push(headerOf(answer))
    states.push(await libraryContent(app))
  }
  expect(new Set(receipts).size).toBe(7)
  const undone: (string | null)[] = []
  for (let at = receipts.length - 1; at >= 0; at -= 1) {
    const { answer, header } = await undo(app, receipts[at]!)
    expect(answer).toMatchObject({ undone: 1, kept: [] })
    undone.push(header)
    expectSame(await libraryContent(app), states[at]!)
  }
  for (const [at, receipt] of undone.reverse().entries()) {
    expect((await undo(app, receipt)).answer).toMatchObject({ undone: 1, kept: [] })
    expectSame(await libraryContent(app), states[at + 1]!)
  }
})

test('nothing is undone once UNDO_DAYS is 0, so that nothing is left over of it', async () => {
  const db = memoryDb()
  const before = await testApp({ db })
  const { json } = await before.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  await using app = await testApp({ db, env: { UNDO_DAYS: '0' } })
  const { status, answer } = await undo(app, json.receiptId)
  expect([status, answer]).toEqual([400, { error: 'It cannot be undone: nothing is kept here (UNDO_DAYS=0)' }])
  const { undoUntil, items } = await app.ok('GET', `/receipts/${json.receiptId}`)
  expect([undoUntil, items.items[0].canUndo]).toEqual([null, false])
  expect((await app.ok('GET', '/receipts')).items[0].undoUntil).toBeNull()
})

test('an undo that fails is rolled back and announces nothing', async () => {
  await using app = await testApp()
  const ids = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS + 900_000 }), 'b.fit')]
  const join = headerOf(await app.call('POST', '/workouts/join', { json: { ids } }))
  const heard: string[] = []
  app.deps.events.subscribe(({ event }) => heard.push(event))
  app.deps.db.$client.run(`CREATE TEMP TRIGGER failing BEFORE UPDATE ON document WHEN new.id = '${ids[1]}'
    BEGIN SELECT RAISE(ABORT, 'no'); END`)
  expect((await undo(app, join)).status).toBe(500)
  expect(heard).toEqual([])
})
