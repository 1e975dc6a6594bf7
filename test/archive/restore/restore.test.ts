import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { refuse } from '../../library/as-stored.ts'
import {
  archiveOf,
  bytesOf,
  contentOf,
  DATA_FORMAT,
  type Entries,
  entriesOf,
  exported,
  OWN_FORMAT,
  restored,
  summed,
  withRows,
  zipOf,
} from '../archives.ts'
import { counts, filesOf, id, library, rowCounts, shoe, workout } from './restoring.ts'

/** An archive of a library of two runs, one with a photo, and what that library is. */
async function made() {
  await using source = await testApp()
  const ids = await library(source)
  return { ids, zip: await exported(source), rows: rowCounts(source), content: await contentOf(source) }
}

test('over a library that changed since no row is doubled or put back', async () => {
  await using app = await testApp()
  const [cropped, recut] = await library(app)
  const zip = await exported(app)
  await app.ok('POST', `/workouts/${cropped}/crop`, { removeFromStartSeconds: 300 })
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  await app.ok('POST', `/workouts/${recut}/recalculate-splits`)
  const details = async () => [await app.ok('GET', `/workouts/${cropped}`), await app.ok('GET', `/workouts/${recut}`)]
  const before = [rowCounts(app), await details()]
  const { json } = await restored(app, zip)
  expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(json.statistics).toEqual({
    ...{ settings: counts(1), shoes: counts(0), workouts: counts(0, 2), routes: counts(0, 2), splits: counts(0, 8) },
    ...{ timeSeries: counts(0, 2402), media: counts(0, 1), bestEfforts: counts(0, 5), rawFiles: counts(0, 2) },
  })
  expect([rowCounts(app), await details()]).toEqual(before)
})

test('what was interrupted half-way ends complete', async () => {
  const { zip, content } = await made()
  await using target = await testApp()
  const entries = await entriesOf(target, zip)
  const cut = new Map(entries).set(OWN_FORMAT.library, entries.get(OWN_FORMAT.library)!.slice(0, -200))
  const first = await restored(target, await summed(cut))
  expect(first.json).toMatchObject({ success: false, errors: ['data/library.json is not valid JSON'] })
  expect((await restored(target, zip)).json).toMatchObject({ success: true, errors: [] })
  expect(await contentOf(target)).toEqual(content)
})

/** What cannot be told by a library.json that is not as it was written, or beside rows that are not. */
const DAMAGES: readonly (readonly [what: string, path: string, damage: (entries: Entries) => Entries])[] = [
  [
    'an edited row',
    DATA_FORMAT.workouts,
    (entries) => withRows(entries, DATA_FORMAT.workouts, (rows) => Object.assign(rows[1], { notes: 'edited' })),
  ],
  ['a cut library.json', OWN_FORMAT.library, (entries) => cutTo(entries, -200)],
  ['an empty one', OWN_FORMAT.library, (entries) => cutTo(entries, 0)],
]
const cutTo = (entries: Entries, end: number) =>
  new Map(entries).set(OWN_FORMAT.library, entries.get(OWN_FORMAT.library)!.slice(0, end))
test.each(DAMAGES)('with %s the rows count, and one warning says so', async (_, path, damage) => {
  const { ids, zip } = await made()
  await using target = await testApp()
  const entries = damage(await entriesOf(target, zip))
  const { json } = await restored(target, await zipOf(entries))
  expect(json).toMatchObject({ success: true, warnings: [expect.stringMatching(new RegExp(`${path}$`))] })
  expect(json.statistics).toMatchObject({ workouts: counts(2), timeSeries: counts(2402), media: counts(1) })
  const { items } = await target.ok('GET', '/workouts?sortBy=startedAt&sortOrder=asc')
  expect(items.map(({ id }: { id: string }) => id)).toEqual(ids)
  const { notes } = await target.ok('GET', `/workouts/${ids[1]}`)
  expect(notes).toBe(path === DATA_FORMAT.workouts ? 'edited' : null)
})

test('a document that is not sound is refused with its id, and the others come', async () => {
  const { ids, zip } = await made()
  await using target = await testApp()
  const entries = withRows(await entriesOf(target, zip), OWN_FORMAT.library, (rows) => {
    const [first] = rows.filter(({ kind }) => kind === 'run')
    first.to.track.repairs = [{ kind: 'dream' }]
    // samples that would fill the memory, and none at all
    const bomb = Bun.zstdCompressSync(new Uint8Array(60_000_000)).toBase64()
    for (const [n, track] of [bomb, 'AAAA', '%'].entries()) {
      const other = structuredClone(rows.filter(({ kind }) => kind === 'run')[1])
      Object.assign(other.recordings[0].samples, { track })
      Object.assign(other.extent, { startedAtMs: n })
      rows.push({ ...other, id: id(n), recordings: [{ ...other.recordings[0], fileSha256: null }] })
    }
    rows.push({ kind: 'goal', to: { id: 5 } }, { kind: 'mood' }, null)
  })
  const { json } = await restored(target, await summed(entries))
  expect(json.statistics.workouts).toEqual(counts(1, 0, 4))
  expect(json.errors).toEqual([
    expect.stringContaining(`Workouts whose document is not sound: ${ids[0]} (/to/track`),
    `Workouts that could not be stored: ${[0, 1, 2].map(id).join(', ')}`,
  ])
  expect(json.warnings).toEqual([expect.stringMatching(/^Documents that are not sound, skipped: .*and|^Documents/)])
  expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  // one of a later program
  const later = withRows(entries, OWN_FORMAT.library, (rows) => void Object.assign(rows[0], { format: 2 }))
  expect((await restored(target, await summed(later))).json.errors).toEqual(['data/library.json is not of format 1'])
})

test.each([
  ['unitPreference', { unitPreference: 'cubits' }],
  ['zoneBounds', { zoneBounds: [[1, 2]] }],
  ['training', { training: { sex: 'male', fitnessDays: 1e9 } }],
  ['updatedAt', { updatedAt: 1e300 }],
])('settings with an unsound %s are refused, and the others come', async (member, change) => {
  const { zip } = await made()
  await using target = await testApp()
  const entries = withRows(await entriesOf(target, zip), OWN_FORMAT.library, (rows) => {
    Object.assign(rows.find(({ kind }) => kind === 'settings').to, change)
  })
  const { json } = await restored(target, await summed(entries))
  expect(json.warnings).toEqual([
    expect.stringContaining(`Documents that are not sound, skipped: settings (/to/${member}`),
  ])
  expect(json.statistics.workouts).toEqual(counts(2))
})

test('an archive does not turn on or off what its service asks of others', async () => {
  const { zip } = await made()
  await using target = await testApp()
  const switches = async () => [
    await target.ok('GET', '/settings/map'),
    (await target.ok('GET', '/settings/weather')).lookups,
  ]
  const before = await switches()
  const entries = withRows(await entriesOf(target, zip), OWN_FORMAT.library, (rows) => {
    Object.assign(rows.find(({ kind }) => kind === 'settings').to, { mapTiles: true, weatherLookups: false })
  })
  expect((await restored(target, await summed(entries))).json).toMatchObject({ success: true, warnings: [] })
  expect(await switches()).toEqual(before)
})

test('an original that is another one is named, and what was read of the one before is not said of it', async () => {
  const { ids, zip } = await made()
  await using target = await testApp()
  const entries = new Map(await entriesOf(target, zip)).set(`workouts/${ids[0]}/raw/0.fit`, bytesOf('x'))
  const { json } = await restored(target, await zipOf(entries))
  expect(json).toMatchObject({ success: true, warnings: [`Originals that are not as they were written: ${ids[0]}`] })
  expect((await target.ok('GET', `/workouts/${ids[0]}`)).rawFitData).toBeNull()
  expect(target.logged).toEqual([])
})

test('the later parts of a split come without the first one, which is here under another id', async () => {
  await using source = await testApp()
  const [, run] = await library(source)
  const { workouts: parts } = await source.ok('POST', `/workouts/${run}/split`, { atElapsedS: [400] })
  const entries = withRows(await entriesOf(source, await exported(source)), OWN_FORMAT.library, (rows) => {
    Object.assign(rows.find(({ id }) => id === run).to, { track: null })
  })
  await using target = await testApp()
  const { json } = await restored(target, await summed(entries))
  expect(json.statistics.workouts).toEqual(counts(2, 0, 1))
  const detail = async (app: TestApp) => await app.ok('GET', `/workouts/${parts[1].id}`)
  expect(await detail(target)).toEqual(await detail(source))
})

test('a workout whose rows fail leaves neither rows nor files, and comes with the next restore', async () => {
  const { zip, rows } = await made()
  await using target = await testApp()
  const admit = refuse(target.deps, ['INSERT', 'media'])
  const first = await restored(target, zip)
  expect(first.json.statistics.workouts).toEqual(counts(1, 0, 1))
  expect(first.json.errors).toEqual([expect.stringMatching(/^Workouts that could not be stored: [0-9a-f-]{36}$/)])
  expect([filesOf(target, 'files/media'), filesOf(target, 'files/raw').length]).toEqual([[], 1])
  admit()
  expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  expect(rowCounts(target)).toEqual(rows)
})

test('a run that is here under another id is skipped, and a deleted one comes back', async () => {
  await using source = await testApp()
  const [first] = await library(source)
  const zip = await exported(source)
  await using target = await testApp()
  await target.run(fitRun({ seconds: 1200 }), 'x.fit')
  expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  await source.ok('DELETE', `/workouts/${first}`)
  expect((await restored(source, zip)).json.statistics.workouts).toEqual(counts(1, 1))
  await source.ok('GET', `/workouts/${first}`)
})

test('one archive is restored at one time', async () => {
  await using app = await testApp()
  const zip = await archiveOf({ 'data/workouts.json': [workout(1)], 'data/shoes.json': [shoe(1, 'A', 'B')] })
  const answers = await Promise.all([restored(app, zip), restored(app, zip), restored(app, zip)])
  expect(answers.map(({ json }) => json.statistics.workouts.imported).sort()).toEqual([0, 0, 1])
  expect(rowCounts(app)).toMatchObject({ shoe: 1, workout: 1 })
})
