// A shoe is deleted and comes back: its runs are changed in nothing else.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { done, receiptOf, stored } from '../../library/ledger.ts'

const DAY_MS = 86_400_000

async function shoes(app: TestApp): Promise<readonly [string, string]> {
  const shoe = async (model: string) => (await done(app, 'POST /shoes', { brand: 'Hoka', model })).id as string
  return [await shoe('Mach'), await shoe('Clifton')]
}

const undone = (app: TestApp, receipt: string) => done(app, `POST /receipts/${receipt}/undo`, {})
const shoeOf = async (app: TestApp, id: string) => (await done(app, `GET /workouts/${id}`)).shoeId

test.each([
  ['while it is away', false],
  ['once it is back', true],
])('edits made before a shoe was deleted are undone %s', async (_, isBack) => {
  await using app = await testApp()
  const [shoeId] = await shoes(app)
  const id = await stored(app, 'a.fit', fitRun())
  await done(app, `PATCH /workouts/${id}`, { shoeId })
  app.pass(DAY_MS)
  const edit = await receiptOf(app, `PATCH /workouts/${id}`, { name: 'Edited' })
  const crop = await receiptOf(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 60 })
  const deletion = await receiptOf(app, `DELETE /shoes/${shoeId}`)
  expect(await shoeOf(app, id)).toBeNull()
  if (isBack) await undone(app, deletion)
  for (const receipt of [crop, edit]) expect(await undone(app, receipt)).toMatchObject({ undone: 1, kept: [] })
  const now = await done(app, `GET /workouts/${id}`)
  expect(now).toMatchObject({ name: null, durationS: 600, shoeId: isBack ? shoeId : null })
  if (!isBack) await undone(app, deletion)
  expect(await shoeOf(app, id)).toBe(shoeId)
})

/** Three runs with a shoe that is then deleted. */
async function deletedShoe(app: TestApp) {
  const [shoeId, other] = await shoes(app)
  const ids: string[] = []
  for (let day = 0; day < 3; day += 1) {
    const id = await stored(app, `${day}.fit`, fitRun({ startMs: START_MS - day * DAY_MS }))
    await done(app, `PATCH /workouts/${id}`, { shoeId })
    ids.push(id)
  }
  app.pass(DAY_MS)
  const deletion = await receiptOf(app, `DELETE /shoes/${shoeId}`)
  const shoesNow = () => Promise.all(ids.map((id) => shoeOf(app, id)))
  expect(await shoesNow()).toEqual([null, null, null])
  return { shoeId, other, ids, shoesNow, back: () => undone(app, deletion) }
}

test('a shoe that comes back is not put on runs that were given another one, or none, since', async () => {
  await using app = await testApp()
  const { shoeId, other, ids, shoesNow, back } = await deletedShoe(app)
  for (const id of ids.slice(0, 2)) await done(app, `PATCH /workouts/${id}`, { shoeId: other })
  await done(app, `PATCH /workouts/${ids[1]}`, { shoeId: null })
  // an archive names no deleted shoe, so that restoring it warns of none
  await using restoredApp = await testApp()
  expect((await restored(restoredApp, await exported(app))).json).toMatchObject({ warnings: [], errors: [] })
  await back()
  expect(await shoesNow()).toEqual([other, null, shoeId])
})

test('a run whose other shoe was undone wears the deleted one as soon as it is back', async () => {
  await using app = await testApp()
  const { shoeId, other, ids, shoesNow, back } = await deletedShoe(app)
  const edit = await receiptOf(app, `PATCH /workouts/${ids[0]}`, { shoeId: other })
  expect(await undone(app, edit)).toMatchObject({ undone: 1, kept: [] })
  expect(await shoesNow()).toEqual([null, null, null])
  await back()
  expect(await shoesNow()).toEqual([shoeId, shoeId, shoeId])
})

test('a default shoe comes back as such, unless another one was chosen since', async () => {
  await using app = await testApp()
  const [shoeId, other] = await shoes(app)
  for (const isOther of [false, true]) {
    await done(app, 'PUT /settings/default-shoe', { defaultShoeId: shoeId })
    const deletion = await receiptOf(app, `DELETE /shoes/${shoeId}`)
    expect(await done(app, 'GET /settings/default-shoe')).toBeNull()
    if (isOther) await done(app, 'PUT /settings/default-shoe', { defaultShoeId: other })
    expect(await undone(app, deletion)).toMatchObject({ undone: 1, kept: [] })
    const { defaultShoeId } = await done(app, 'GET /settings/default-shoe')
    expect(defaultShoeId).toBe(isOther ? other : shoeId)
  }
})
