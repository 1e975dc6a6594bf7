import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../../app.ts'
import { corpusDir, corpusTest } from '../../corpus.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import { expectSame, headerOf, libraryContent, mixedFiles, undo } from './library.ts'

corpusTest(
  'the import of the whole corpus is undone and redone twice, and again it is skipped',
  async () => {
    await using app = await testApp()
    const before = await libraryContent(app)
    const counts = { totalProcessed: 68, updated: 0, errors: 13, skippedOther: 74 }
    const { json } = await app.upload('/workouts/import', corpusFiles())
    expect(json).toMatchObject({ ...counts, successful: 55, skipped: 0 })
    const again = (await app.upload('/workouts/import', corpusFiles())).json
    expect(again).toMatchObject({ ...counts, successful: 0, skipped: 55 })
    const after = await libraryContent(app)
    const dry = await undo(app, json.receiptId, { dryRun: true })
    const undoing = { receiptId: null, undone: 55, kept: [], dryRun: true }
    expect(dry).toEqual({ status: 200, answer: undoing, header: null })
    expectSame(await libraryContent(app), after)
    let receipt = json.receiptId
    for (const content of [before, after, before, after]) {
      const { answer, header } = await undo(app, receipt)
      expect(answer).toEqual({ ...undoing, receiptId: header, dryRun: false })
      expectSame(await libraryContent(app), content)
      receipt = header
    }
  },
  120_000,
)

/** Every watch file of the corpus. */
function corpusFiles() {
  return ['fit', 'fit-gz', 'gpx', 'csv'].flatMap((kind) => {
    const folder = join(corpusDir!, kind)
    return readdirSync(folder).map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
  })
}

test('runs that were edited since stay and are named; with force they go to the trash', async () => {
  await using app = await testApp()
  const { json } = await app.upload('/workouts/import', mixedFiles(7))
  const { items } = await app.ok('GET', '/workouts')
  await app.ok('PATCH', `/workouts/${items[0].id}`, { name: 'Long run' })
  await app.ok('POST', `/workouts/${items[1].id}/crop`, { removeFromEndSeconds: 20 })
  const kept = [
    { workoutId: items[0].id, workoutName: 'Long run', reason: 'It was edited later: Edited name' },
    { workoutId: items[1].id, workoutName: null, reason: 'It was edited later: Cropped 20 s from the end' },
  ]
  expect((await undo(app, json.receiptId, { dryRun: true })).answer).toMatchObject({ undone: 5, kept })
  expect((await undo(app, json.receiptId)).answer).toMatchObject({ undone: 5, kept })
  expect((await app.ok('GET', '/workouts')).items).toMatchObject(kept.map(({ workoutId: id }) => ({ id })))
  expect((await undo(app, json.receiptId, { force: true })).answer).toMatchObject({ undone: 2, kept: [] })
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
  expect((await app.ok('GET', '/trash')).totalCount).toBe(7)
  const again = await undo(app, json.receiptId)
  expect([again.status, again.answer]).toEqual([400, expect.objectContaining({ error: 'It was already undone' })])
})

test('an undo that fails is rolled back and announces nothing', async () => {
  await using app = await testApp()
  const ids = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS + 900_000 }), 'b.fit')]
  const join = headerOf(await app.call('POST', '/workouts/join', { json: { ids } }))
  const heard: string[] = []
  app.deps.events.subscribe(({ event }) => heard.push(event))
  refuse(app.deps, ['UPDATE', 'document'], { when: `new.id = '${ids[1]}'` })
  expect((await undo(app, join)).status).toBe(500)
  expect(heard).toEqual([])
})
