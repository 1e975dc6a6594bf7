// Libraries of before, with every answer that was given of them: whatever is stored in another way says the same.
import { expect, test } from 'bun:test'
import { SCHEMA_VERSION } from '../../../src/db/migrate.ts'
import { testApp } from '../../app.ts'
import { answered, difference, recordedAnswers } from './answers.ts'
import { LIBRARIES, type Library, opened, settled, unpacked } from './library.ts'

/** Members that a change of how undo data is kept may change, by the calls that answer them. */
const MAY_DIFFER: readonly { readonly call: RegExp; readonly member: string }[] = [
  { call: /^GET \/receipts\b/, member: 'undoUntil' },
  { call: /^GET \/receipts\b/, member: 'canUndo' },
]
/** Of these there is no answer that could be recorded: a stream, and pictures from elsewhere. */
const NOT_RECORDED: readonly string[] = ['/events', '/map/tiles/{z}/{x}/{y}']
const PATIENCE_MS = 240_000

const libraries = Object.keys(LIBRARIES) as Library[]

for (const library of libraries) {
  test(
    `every GET of the library of schema ${library}, also of what comes back from its trash, answers as it was recorded`,
    async () => {
      await using app = await opened(library)
      await settled(app)
      const differences: string[] = []
      for (const before of recordedAnswers(library)) {
        const without = MAY_DIFFER.filter(({ call }) => call.test(before.call)).map(({ member }) => member)
        const found = difference(before, await answered(app, before.call), { without })
        if (found !== null) differences.push(`${before.call} ${found}`)
      }
      const [first = null] = differences
      expect({ first, number: differences.length }).toEqual({ first: null, number: 0 })
    },
    PATIENCE_MS,
  )

  test(`the library of schema ${library} is of that schema, and opening it brings it up to the newest`, async () => {
    expect(unpacked(library).get('harrier.sqlite')!.readUInt32BE(60)).toBe(Number(library))
    await using app = await opened(library)
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
  expect(missing.toSorted()).toEqual(NOT_RECORDED.toSorted())
})
