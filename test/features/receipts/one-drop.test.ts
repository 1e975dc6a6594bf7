import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { finishCutOff } from '../../../src/library/receipts/record.ts'
import { type TestApp, type TestFile, testApp } from '../../app.ts'
import { setRows } from '../../library/as-stored.ts'
import { expectSame, headerOf, libraryContent, mixedFiles, undo } from './library.ts'

const MINUTE_MS = 60_000
const UNKNOWN = '0198a000-0000-7000-8000-00000000dead'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const runs = (count: number, from = 0) =>
  mixedFiles(40, from)
    .filter((_, place) => place % 10 < 3)
    .slice(0, count)
const imported = (file: TestFile, receiptId: string | null) =>
  app.upload(`/workouts/import${receiptId === null ? '' : `?receiptId=${receiptId}`}`, [file])
const receiptOf = (id: string | null) => app.ok('GET', `/receipts/${id}?pageSize=100`)
const libraryCount = async () => (await app.ok('GET', '/workouts')).totalCount

/** Imports files as the page does: the first opens the receipt, the others join it two at a time. */
async function dropped(files: readonly TestFile[]): Promise<string> {
  const [first, ...others] = files
  const receiptId = headerOf(await imported(first!, null))!
  for (let at = 0; at < others.length; at += 2) {
    const pair = await Promise.all(others.slice(at, at + 2).map((file) => imported(file, receiptId)))
    for (const answer of pair) expect(headerOf(answer)).toBe(receiptId)
  }
  return receiptId
}

describe('an import that joins the receipt of an earlier one', () => {
  test('leaves one receipt with every file, and one undo and one redo for all', async () => {
    const before = await libraryContent(app)
    const id = await dropped(mixedFiles(40))
    expect((await app.ok('GET', '/receipts')).items).toMatchObject([{ id, title: '40 files' }])
    const receipt = await receiptOf(id)
    expect(receipt.counts).toMatchObject({ created: 32, skipped: 4, errors: 4 })
    expect([receipt.items.totalCount, receipt.finishedAt]).toEqual([40, '2025-11-20T13:05:11Z'])
    const places = receipt.items.items.map(({ seq }: { seq: number }) => seq).toSorted((a: number, b: number) => a - b)
    expect(places).toEqual([...Array(40).keys()])
    const library = await libraryContent(app)
    const undone = await undo(app, id)
    expect([undone.answer.undone, undone.answer.kept]).toEqual([32, []])
    expectSame(await libraryContent(app), before)
    expect((await undo(app, undone.answer.receiptId)).answer.undone).toBe(32)
    expectSame(await libraryContent(app), library)
  })

  test('continues after the end of the process, and is over 10 minutes after the last file', async () => {
    const [one, two, three] = runs(3)
    const id = headerOf(await imported(one!, null))!
    await imported(two!, id)
    setRows(app.deps, 'receipt', { finished_at: null })
    expect((await undo(app, id)).answer).toEqual(expect.objectContaining({ error: 'It is still in progress' }))
    finishCutOff(app.deps.db, app.clock.nowMs)
    app.clock.nowMs += 10 * MINUTE_MS
    expect((await imported(three!, id)).json.receiptId).toBe(id)
    expect(await receiptOf(id)).toMatchObject({ counts: { created: 3 } })
    app.clock.nowMs += 10 * MINUTE_MS + 1000
    const late = await imported(runs(4)[3]!, id)
    expect([late.status, late.json]).toEqual([
      409,
      expect.objectContaining({ error: 'That import did not end within the last 10 minutes' }),
    ])
    expect([(await undo(app, id)).answer.undone, await libraryCount()]).toEqual([3, 0])
  })

  test('is refused for a receipt that is unknown, of another caller, of another kind, or undone', async () => {
    const [one, two] = runs(2)
    const id = headerOf(await imported(one!, null))!
    const refusal = async (receiptId: string, token = app.token) => {
      const form = new FormData()
      form.append('file', new File([new Uint8Array(two!.bytes as Uint8Array)], two!.name))
      const { status, json } = await app.call('POST', `/workouts/import?receiptId=${receiptId}`, { body: form, token })
      return [status, json.error]
    }
    expect(await refusal(UNKNOWN)).toEqual([404, 'Receipt not found'])
    const { key } = await app.ok('POST', '/auth/api-keys', { label: 'phone', scope: 'upload' })
    expect(await refusal(id, key)).toEqual([404, 'Receipt not found'])
    const manual = { startedAt: '2019-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 }
    const other = headerOf(await app.call('POST', '/workouts', { json: manual }))!
    expect(await refusal(other)).toEqual([409, 'That receipt is not of an upload of files'])
    setRows(app.deps, 'receipt', { finished_at: null }, { id })
    expect(await refusal(id)).toEqual([409, 'That import is still in progress'])
    finishCutOff(app.deps.db, app.clock.nowMs)
    await undo(app, id)
    expect(await refusal(id)).toEqual([409, 'That import was undone'])
    expect(await libraryCount()).toBe(1)
  })
})
