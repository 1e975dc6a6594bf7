// Everything that is decided beside the recordings goes through an archive into an empty library, and is undone with it.
import { expect, test } from 'bun:test'
import { readPage } from '../../src/archive/format/account-rows.ts'
import { testApp } from '../app.ts'
import { dataOf, entriesOf, exported, restored, zipOf } from '../archive/archives.ts'
import { verified } from '../archive/verify/verifying.ts'
import { fitRun } from '../fixtures/runs.ts'

const HOME = { lat: 47, lon: 8 }
const DECIDED: readonly (readonly [method: string, path: string, json: object])[] = [
  ['PUT', '/settings/page', { cards: [{ id: 'week', shown: false }], effort: 'relative' }],
  ['PUT', '/settings/privacy', { trimEndsM: 200 }],
  ['PUT', '/settings/training', { sex: 'female', entries: [{ maxHeartRateBpm: 191 }] }],
  ['PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 52 }],
  ['PUT', '/settings/unit-preference', { unitPreference: 'imperial' }],
  ['POST', '/places', { ...HOME, name: 'Home', isHome: true, hideM: 300 }],
  ['POST', '/places', { lat: 48, lon: 8, name: 'Park' }],
  ['POST', '/races', { date: '2025-12-16', name: 'Coming', distanceM: 10_000, goalTimeS: 2700, note: 'Flat' }],
  ['POST', '/truth/marks', { day: '2025-09-01', kind: 'sensor', name: 'Strap' }],
  ['POST', '/training/goals', { metric: 'runs', period: 'week', target: 3, name: 'Thrice' }],
  ['POST', '/shoes', { brand: 'Hoka', model: 'Mach', retireAtM: 650_000 }],
  ['PATCH', '/workouts/RUN', { runType: 'Race', wasRaced: true, loadSource: 'pace', rpe: 7 }],
]
const ASKED = [
  ...['/settings/page', '/settings/privacy', '/settings/training', '/settings/heart-rate-zones'],
  ...['/settings/unit-preference', '/places', '/races', '/truth/fitness', '/training/goals', '/shoes'],
  ...['/training/today', '/workouts/RUN/training'],
]

test('what was decided is the same in the library that it was restored into', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun({ seconds: 1500 }))
  for (const [method, path, json] of DECIDED) await app.ok(method, path.replace('RUN', id), json)
  const answers = (of: typeof app) => Promise.all(ASKED.map((path) => of.ok('GET', path.replace('RUN', id))))
  const before = await answers(app)
  const archive = await exported(app)
  await using other = await testApp()
  const first = await restored(other, archive)
  expect(first.json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(await answers(other)).toEqual(before)
  await restored(other, archive)
  expect(await answers(other)).toEqual(before)
  expect((await verified(archive)).differences).toEqual([])
  await other.ok('POST', `/receipts/${first.json.receiptId}/undo`)
  expect(await other.ok('GET', '/races')).toEqual([])
  expect((await other.ok('GET', '/truth/fitness')).marks).toEqual([])

  // home stays where it is, and what cannot be read is named
  const entries = await entriesOf(app, archive)
  const settings = dataOf(entries, 'data/settings.json') as never as Record<string, unknown>
  const [race] = dataOf(entries, 'data/races.json')
  const put = (name: string, json: unknown) => entries.set(name, new TextEncoder().encode(JSON.stringify(json)))
  put('data/settings.json', { ...settings, marks: [{ day: 'x' }] })
  put('data/races.json', [{ ...race, id: 'x' }])
  await using third = await testApp()
  await third.ok('POST', '/places', { lat: 1, lon: 2, name: 'Here', isHome: true })
  const { json } = await restored(third, await zipOf(entries))
  for (const what of ['Marks', 'Races']) expect(JSON.stringify(json.warnings)).toContain(`${what} that cannot be read`)
  const { places } = await third.ok('GET', '/places')
  expect(places.filter(({ isHome }: { isHome: boolean }) => isHome)).toMatchObject([{ name: 'Here' }])
  const foreign = { cards: [{ id: 'tides', shown: true }, { id: 'year' }, { id: 'year', shown: false }], effort: 'fun' }
  expect(readPage(foreign)).toEqual({ cards: [{ id: 'year', shown: true }], effort: null })
})
