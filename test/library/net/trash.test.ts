// A run that code of any schema packed and deleted is listed, and comes back, as it was.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { answered, difference } from './answers.ts'
import { opened, settled, unpacked } from './library.ts'

/** Schemas whose code packed deleted runs; no commit had 0019, 0020 or 0023 as its newest. */
const SCHEMAS = ['0017', '0018', '0021', '0022', '0024']

interface Trash {
  /** Of GET /trash, what was deleted last first. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
  /** Answers before the deletion, by run and path; of bytes their hash and length. */
  readonly runs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

test.each(SCHEMAS)('runs that schema %s packed are listed and come back as they were', async (schema) => {
  const path = join(import.meta.dir, `trash-${schema}.zst`)
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
