// A run that code of any schema packed and deleted is listed, and comes back, as it was.
import { expect, test } from 'bun:test'
import { answered, difference } from './answers.ts'
import { opened, settled, unpacked } from './library.ts'
import { TRASH_SCHEMAS, type Trash, trashPath } from './trash.ts'

test.each(TRASH_SCHEMAS)('runs that schema %s packed are listed and come back as they were', async (schema) => {
  const path = trashPath(schema)
  const before: Trash = JSON.parse(String(unpacked(path).get('answers.json')))
  await using app = await opened(path)
  // the clock of the recording was the real one
  app.clock.nowMs = Date.parse(String(before.items[0]!.deletedAt)) + 60_000
  await settled(app)
  const listed = (await app.call('GET', '/trash')).json.items
  expect(difference(before.items, listed)).toBeNull()
  for (const id of Object.keys(before.runs)) {
    expect((await app.call('POST', `/trash/${id}/restore`)).status).toBe(200)
  }
  for (const [id, answers] of Object.entries(before.runs)) {
    for (const [of, answer] of Object.entries(answers)) {
      const { body } = await answered(app, `GET /workouts/${id}${of}`)
      expect(`${of} ${difference(answer, body, { isAdditive: true })}`).toBe(`${of} null`)
    }
  }
})
