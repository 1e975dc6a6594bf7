// Splits and joins, undone after something else has happened: nothing is lost, nothing counts twice, nothing fails.
import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { asked, done, expectWhole, live, metres, receiptOf, stored } from './ledger.ts'

const SECONDS = 600

interface Parted {
  readonly ids: readonly string[]
  readonly receipt: string
  readonly wholeM: number
}

/** A run in parts; a minute later. */
async function split(app: TestApp, ...atElapsedS: readonly number[]): Promise<Parted> {
  const id = await stored(app, 'whole.fit', fitRun({ seconds: SECONDS }))
  const { liveM: wholeM } = await metres(app)
  app.pass(60_000)
  const { json, headers } = await asked(app, `POST /workouts/${id}/split`, { atElapsedS })
  app.pass(60_000)
  return { ids: json.workouts.map((part: { id: string }) => part.id), receipt: headers.get('harrier-receipt')!, wholeM }
}

/** Two runs as one; a minute later. */
async function joined(app: TestApp): Promise<Parted> {
  const first = await stored(app, 'first.fit', fitRun({ seconds: 200 }))
  const second = await stored(app, 'second.fit', fitRun({ startMs: START_MS + 300_000, seconds: 400 }))
  const { liveM: wholeM } = await metres(app)
  app.pass(60_000)
  const receipt = await receiptOf(app, 'POST /workouts/join', { ids: [first, second] })
  app.pass(60_000)
  return { ids: [first, second], receipt, wholeM }
}

const undo = (app: TestApp, receipt: string, json: object = {}) => asked(app, `POST /receipts/${receipt}/undo`, json)

test('a join whose second run was removed from the trash is undone with all its kilometres, or not at all', async () => {
  await using app = await testApp()
  const { ids, receipt, wholeM } = await joined(app)
  await asked(app, `DELETE /trash/${ids[1]}`)
  await expectWhole(app, wholeM)
  await undo(app, receipt)
  await expectWhole(app, wholeM)
})

test('a joined run that is joined once more has every lap once', async () => {
  await using app = await testApp()
  const lap = (startMs: number) => tcxFile([steadyTcx({ n: 200, startMs })])
  const ids: string[] = []
  for (let k = 0; k < 3; k += 1) ids.push(await stored(app, `${k}.tcx`, lap(START_MS + k * 600_000)))
  await done(app, 'POST /workouts/join', { ids: ids.slice(0, 2) })
  await done(app, 'POST /workouts/join', { ids: [ids[0], ids[2]] })
  const laps = await done(app, `GET /workouts/${ids[0]}/laps`)
  expect(laps.map(({ startElapsedS }: { startElapsedS: number }) => startElapsedS)).toEqual([0, 600, 1200])
})

test('a split of which a part was edited, or two were joined, is kept with a reason for each, and undone by force', async () => {
  for (const how of ['edited', 'joined']) {
    await using app = await testApp()
    const { ids, receipt, wholeM } = await split(app, 200, 400)
    if (how === 'edited') await done(app, `PATCH /workouts/${ids[0]}`, { rpe: 7 })
    else await done(app, 'POST /workouts/join', { ids: ids.slice(0, 2) })
    const before = await live(app)
    const { status, json } = await undo(app, receipt)
    expect([status, json.undone]).toEqual([200, 0])
    expect(json.kept.map(({ workoutId }: { workoutId: string }) => workoutId).toSorted()).toEqual([...ids].toSorted())
    for (const { reason } of json.kept) expect(reason).toMatch(/\w/)
    expect(await live(app)).toEqual(before)
    await expectWhole(app, wholeM)
    if (how === 'joined') continue
    expect((await undo(app, receipt, { force: true })).json.kept).toEqual([])
    expect(await live(app)).toMatchObject([{ id: ids[0]!, durationS: SECONDS }])
    await expectWhole(app, wholeM)
  }
})

describe('parts of a split that were joined again', () => {
  test('come back from the trash, and to what they were, beside a third part', async () => {
    await using app = await testApp()
    const { ids, wholeM } = await split(app, 200, 400)
    const receipt = await receiptOf(app, 'POST /workouts/join', { ids: ids.slice(1) })
    await done(app, `DELETE /workouts/${ids[1]}`)
    await done(app, `POST /trash/${ids[1]}/restore`)
    await expectWhole(app, wholeM)
    expect((await undo(app, receipt)).json).toMatchObject({ undone: 2, kept: [] })
    expect((await live(app)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  test('do not come back from the trash one by one beside the run that was joined again, or undone', async () => {
    for (const how of ['joined again', 'undone']) {
      await using app = await testApp()
      const { ids, receipt, wholeM } = await split(app, 300)
      if (how === 'undone') await undo(app, receipt)
      else await done(app, 'POST /workouts/join', { ids })
      await expectWhole(app, wholeM)
      const { status, json } = await asked(app, `POST /trash/${ids[1]}/restore`)
      expect([status, json.error]).toEqual([400, 'The same run is stored again'])
      await expectWhole(app, wholeM)
    }
  })
})
