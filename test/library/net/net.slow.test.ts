// Libraries of before, with every answer that was given of them: whatever is stored in another way says the same.
import { expect, test } from 'bun:test'
import { SCHEMA_VERSION } from '../../../src/db/migrate.ts'
import { testApp } from '../../app.ts'
import { answered, difference, recordedAnswers } from './answers.ts'
import { LIBRARIES, type Library, opened, settled, unpacked } from './library.ts'

/** Members that a change of how undo data is kept, or of a formula with vectors of its own, may change. */
const MAY_DIFFER: readonly { readonly call: RegExp; readonly member: string }[] = [
  { call: /^GET \/receipts\b/, member: 'undoUntil' },
  { call: /^GET \/receipts\b/, member: 'canUndo' },
  // estimates follow from one fit since, which vectors and simulated runners hold
  { call: /./, member: 'load' },
  { call: /./, member: 'loadSource' },
  { call: /\/(?:ghost|passes)\b/, member: 'error' },
]
/** Answers that are estimates, or in the order of such. */
const ESTIMATED = /\/training\b|sortBy=load|(?:min|max)Load=/
/** Of these there is no answer that could be recorded: a stream, and pictures from elsewhere. */
const NOT_RECORDED: readonly string[] = ['/events', '/map/tiles/{z}/{x}/{y}']
/** Calls that are newer than the answers. */
const NEWER: readonly string[] = [
  '/races',
  '/settings/page',
  '/truth/fitness',
  '/truth/fitness/{id}',
  '/truth/conditions',
  ...['/map/heat', '/map/heat/{z}/{x}/{y}', '/map/runs', '/map/squares', '/map/squares/in', '/map/squares/{x}/{y}'],
  ...['/metrics', '/places', '/settings/backup', '/settings/second-recording', '/settings/sync'],
  ...['/map/hidden', '/map/new-ground', '/map/photos', '/receipts/{id}/ground', '/settings/privacy'],
  ...['/workouts/merge-suggestions', '/workouts/{id}/ground'],
]
const PATIENCE_MS = 240_000

/** The runs of a receipt, which came in the order of their numbers before, by file and run. */
function inOrder(answer: unknown): unknown {
  const { body } = answer as { body?: { items?: { items?: readonly { filename?: string; workoutId?: string }[] } } }
  if (!Array.isArray(body?.items?.items)) return answer
  const keyOf = (item: { filename?: string; workoutId?: string }) => `${item.filename} ${item.workoutId}`
  const items = body.items.items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return { ...(answer as object), body: { ...body, items: { ...body.items, items } } }
}

const libraries = Object.keys(LIBRARIES) as Library[]

for (const library of libraries) {
  test(
    `every GET of the library of schema ${library}, also of what comes back from its trash, answers as it was recorded`,
    async () => {
      await using app = await opened(LIBRARIES[library])
      await settled(app)
      const differences: string[] = []
      for (const before of recordedAnswers(library)) {
        if (ESTIMATED.test(before.call)) continue
        const without = MAY_DIFFER.filter(({ call }) => call.test(before.call)).map(({ member }) => member)
        const now = await answered(app, before.call)
        const found = difference(inOrder(before), inOrder(now), { without, isAdditive: true })
        if (found !== null) differences.push(`${before.call} ${found}`)
      }
      const [first = null] = differences
      expect({ first, number: differences.length }).toEqual({ first: null, number: 0 })
    },
    PATIENCE_MS,
  )

  test(`the library of schema ${library} is of that schema, and opening it brings it up to the newest`, async () => {
    expect(unpacked(LIBRARIES[library]).get('harrier.sqlite')!.readUInt32BE(60)).toBe(Number(library))
    await using app = await opened(LIBRARIES[library])
    const { $client: client } = app.deps.db
    expect(client.query('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    expect(client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(client.query('PRAGMA foreign_key_check').all()).toEqual([])
  })
}

test('every GET of the API document is recorded', async () => {
  await using app = await testApp()
  const { paths } = (await app.call('GET', '/swagger/json')).json
  const asked = libraries.flatMap((library) => recordedAnswers(library).map(({ call }) => call))
  const missing = Object.keys(paths).filter((path) => {
    const pattern = new RegExp(`^GET ${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
    return 'get' in paths[path] && !asked.some((call) => pattern.test(call))
  })
  expect(missing.toSorted()).toEqual([...NOT_RECORDED, ...NEWER].toSorted())
})
