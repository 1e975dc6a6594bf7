import { expect, test } from 'bun:test'
import { Glob } from 'bun'
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

test.each([
  ['/training/goals', ['/training', '/races', '/workouts', '/receipts', '/trash']],
  [`/workouts/${ID}/media/${ID}`, [`/workouts/${ID}/media`, '/map/photos', '/receipts', '/trash']],
  ['/workouts/import', []],
  [
    '/settings/map',
    ['/settings', '/shoes', '/stats', '/training', '/truth', '/races', '/map', '/places', '/receipts', '/trash'],
  ],
  [`/places/${ID}`, ['/map', '/places', '/receipts', '/trash']],
  ['/auth/login', []],
  ['receipt.created', ['/receipts', '/trash', '/auth/api-keys', '/share']],
  ['/watch-folder/look', ['/watch-folder']],
])('%s affects %j', (change, answers) => {
  expect(affectedBy(change)).toEqual(answers)
})

test('no view names the answers that load again; it may reload all', async () => {
  const found: string[] = []
  for await (const path of new Glob('**/*.{ts,tsx}').scan(WEB)) {
    if (/\boutdate\((?!\['\/'\]\))/.test(await Bun.file(WEB + path).text())) found.push(path)
  }
  expect(found.toSorted()).toEqual(['answers.ts', 'api.ts', 'shell/events.ts'])
})

test('every change of the page is sent by the calls that apply the table', async () => {
  const found: string[] = []
  for await (const path of new Glob('**/*.{ts,tsx}').scan(WEB)) {
    const source = await Bun.file(WEB + path).text()
    if (/\bfetch\(|XMLHttpRequest|sendBeacon/.test(source)) found.push(path)
  }
  // pictures of the map, downloads, and whether the service answers
  const readers = ['downloads/save-file.ts', 'downloads/save-runs.ts', 'run/map/tile-layer.ts', 'shell/away.tsx']
  expect(found.toSorted()).toEqual(['api.ts', ...readers])
})
