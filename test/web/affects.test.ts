import { expect, test } from 'bun:test'
import operations from '../../src/http/operations.json' with { type: 'json' }
import { affectedBy } from '../../src/web/affects.ts'

const WEB = new URL('../../src/web/', import.meta.url).pathname
const ID = '0198a000-0000-7000-8000-000000000001'

test('the table says what every changing call and every event of the service affects', async () => {
  // the page does not send to the addresses of phones and scripts
  const calls = Object.keys(operations).filter((operation) => !/^get | \/(in|share)\b/.test(operation))
  const paths = calls.map((operation) => operation.slice(operation.indexOf('/')).replaceAll(/\{\w+\}/g, ID))
  const named = (await Bun.file(`${WEB}shell/events.ts`).text()).matchAll(/'([a-z_]+\.[a-z]+)'/g)
  const events = [...named].map(([, name]) => name ?? '')
  expect([paths.length > 50, new Set(events).size]).toEqual([true, 14])
  for (const change of [...paths, ...events].filter((name) => name !== 'import.progress'))
    expect([change, Array.isArray(affectedBy(change))]).toEqual([change, true])
  expect(() => affectedBy('/unknown')).toThrow(RangeError)
})
