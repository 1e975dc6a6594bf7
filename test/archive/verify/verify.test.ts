import { beforeAll, expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/verify.ts'
import { testApp } from '../../app.ts'
import { BOTH_FEET } from '../../fixtures/both-feet.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { setRows } from '../../library/as-stored.ts'
import {
  archiveOf,
  bytesOf,
  dataOf,
  type Entries,
  entriesOf,
  exported,
  OWN_FORMAT,
  summed,
  withRows,
  zipOf,
} from '../archives.ts'
import { library } from '../restore/restoring.ts'
import { id, tempoLibrary, workout } from '../restore/tempo-archive.ts'
import { line, verified } from './verifying.ts'

let entries: Entries
let ids: string[]
/** An own archive of two runs, two shoes, two goals and a photo. */
beforeAll(async () => {
  await using app = await testApp()
  for (const model of ['Mach', 'Rincon']) await app.ok('POST', '/shoes', { brand: 'Hoka', model })
  for (const target of [100_000, 200_000]) {
    await app.ok('POST', '/training/goals', { metric: 'distanceM', period: 'month', target, name: `${target} m` })
  }
  ids = await library(app)
  await app.ok('POST', `/workouts/${ids[1]}/crop`, { removeFromEndSeconds: 20 })
  await app.ok('PATCH', `/workouts/${ids[1]}`, { leftOut: true })
  setRows(app.deps, 'recording', { external_id: '5', corrections: JSON.stringify([BOTH_FEET]) })
  setRows(app.deps, 'shoe', { retired_at: 5 })
  entries = await entriesOf(app, await exported(app))
})

test('of a good archive every kind is counted and everything is equal; of an empty library as well', async () => {
  const { kinds, ...about } = await verified(await zipOf(entries))
  expect(about).toMatchObject({ differences: [], differencesCount: 0, notes: [] })
  expect(about.origin).toMatch(/^written 2025-11-20T13:05:11Z by Harrier \d/)
  expect(kinds.map(({ kind, equal }) => [kind, equal])).toEqual([
    ...[
      ['settings', 1],
      ['shoes', 2],
      ['original files', 2],
      ['workouts', 2],
      ['routes', 2],
      ['splits', 8],
    ],
    ...[
      ['samples', 2382],
      ['best efforts', 5],
      ['media files', 1],
      ['media', 1],
      ['library', 8],
    ],
    ...[
      ['manifest', expect.any(Number)],
      ['other files', 1],
    ],
  ])
  expect(countsTable(kinds.slice(0, 1)).split('\n')[1]).toMatch(/^ {2}settings +1 +1 +1$/)
  await using app = await testApp()
  expect((await verified(await exported(app))).differences).toEqual([])
})

test('an archive of the earlier service is compared as far as its values are taken', async () => {
  const { differences, kinds, origin } = await verified(await archiveOf(tempoLibrary()))
  expect(differences).toEqual([])
  expect(origin).toBe('written at an unknown time by another program')
  const all = { settings: 1, shoes: 1, workouts: 1, routes: 1, splits: 4, samples: 1201, media: 1 }
  expect(kinds).toEqual(
    Object.entries({ ...all, 'best efforts': 0, 'original files': 1 }).map(([kind, count]) => {
      return { kind, ...line(count, count, null) }
    }),
  )
  const efforts = [{ id: id(600), distance: '10K', distanceM: 10_000, timeS: 2400, workoutId: id(77) }]
  const wrong = { 'data/workouts.json': [workout(1, { rpe: 12 })], 'data/best-efforts.json': efforts }
  const other = await verified(await archiveOf({ ...tempoLibrary(), ...wrong }))
  expect(other.differences).toEqual([
    `Invalid values of workouts, skipped: ${id(1)} rpe`,
    'Rows of bestEfforts without their workout, skipped: 1',
  ])
})

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and changed
type Rows = any[]
const run = (rows: Rows) => rows.find(({ id }) => id === ids[1])
const put = (place: number, values: object) => (rows: Rows) => void Object.assign(rows[place], values)

/** Changes of one archive by somebody who changes its sums as well, and what is found of them. */
const CHANGES: readonly (readonly [file: keyof typeof OWN_FORMAT, change: (rows: Rows) => void, found: RegExp])[] = [
  ['workouts', put(0, { avgPaceS: 334 }), /^workouts [0-9a-f-]{36}: avgPaceS is 334 in the archive, 333 restored$/],
  ['splits', (rows) => void rows.pop(), /^splits [0-9a-f-]{36}: restored, but not in the archive$/],
  ['timeSeries', put(700, { heartRateBpm: 300 }), /^samples \S+: heartRateBpm is 300 in .*, 140 restored$/],
  ['mediaMetadata', put(0, { fileSizeBytes: 98 }), /^media \S+: fileSizeBytes is 98 in the archive, 99 restored$/],
  [
    'bestEfforts',
    put(2, { calculatedAt: '2020-01-01T00:00:00Z' }),
    /^best efforts \S+: calculatedAt is "2020-01-01T00:00:00Z" in the archive/,
  ],
  [
    'library',
    (rows) => void Object.assign(rows[1].to, { model: 'Other' }),
    /^shoes \S+: model is "\w+" in the archive, "Other" restored$/,
  ],
  // neither the one who wrote this archive nor the one who reads it knows the member: the tables alone do
  ['library', (rows) => void delete rows[1].to.retiredAt, /^manifest tables shoe: value is/],
  ['library', (rows) => void delete run(rows).to.choices, /^manifest tables document: value is/],
  ['library', (rows) => void delete run(rows).recordings[0].externalId, /^manifest tables recording: value is/],
  [
    'library',
    (rows) => void Object.assign(run(rows).recordings[0], { corrections: [] }),
    /^manifest tables recording: value is/,
  ],
  ['library', (rows) => void rows.pop(), /^manifest tables training_goal: value is/],
]

test.each(CHANGES)(
  'a change of %s that the sums do not betray is named with its id and field',
  async (file, change, found) => {
    const { differences } = await verified(await summed(withRows(entries, OWN_FORMAT[file], change)))
    expect(differences).toContainEqual(expect.stringMatching(found))
  },
)

test('of an edited archive the rows are compared: in each kind the first five differences and a count', async () => {
  const edited = withRows(entries, OWN_FORMAT.timeSeries, (rows) => {
    for (const row of rows) row.speedMps = 1e9
  })
  const { differences, notes } = await verified(await zipOf(edited))
  const ofSamples = differences.filter((sentence) => sentence.startsWith('samples'))
  expect([ofSamples.length, ofSamples.at(-1)]).toEqual([6, 'samples: 2377 more differences'])
  expect(notes).toEqual([expect.stringContaining(OWN_FORMAT.timeSeries)])
})

test('a column that neither the writer nor the reader of an archive knows is missed', async () => {
  await using app = await testApp()
  await app.run(fitRun())
  for (const table of ['shoe', 'recording', 'samples'])
    app.deps.db.$client.run(`ALTER TABLE ${table} ADD COLUMN mood TEXT`)
  await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Mach' })
  expect((await verified(await exported(app))).differences).toEqual([])
  for (const table of ['shoe', 'recording', 'samples']) app.deps.db.$client.run(`UPDATE ${table} SET mood = 'good'`)
  const { differences } = await verified(await exported(app))
  expect(differences.map((sentence) => sentence.split(':')[0])).toEqual(
    ['shoe', 'recording', 'samples'].map((table) => `manifest tables ${table}`),
  )
})

test('files that are missing, damaged or lack a row are named, as are wrong counts and what a server refuses', async () => {
  const nameOf = (part: string) => [...entries.keys()].find((name) => name.includes(part)) ?? ''
  const zip = await zipOf(entries)
  const whole = zip.slice()
  const damaged = nameOf('/media/')
  zip[Buffer.from(whole).indexOf(damaged) + damaged.length + 30]! ^= 255
  expect((await verified(zip)).differences).toContain(`${damaged}: The file is damaged in the ZIP archive`)
  const refused = (await verified(whole, { MEDIA_MAX_FILE_BYTES: '50', MAX_ARCHIVE_BYTES: '1000' })).differences
  expect(refused).toContain(`The archive has ${whole.length} bytes, MAX_ARCHIVE_BYTES allows 1000`)
  expect(refused).toContain('Media larger than 50 bytes: a.jpg')

  const changed = new Map(entries)
  for (const part of ['/media/', '/raw/0.fit']) changed.delete(nameOf(part))
  changed.set(`workouts/${ids[1]}/raw/second.fit`, bytesOf('x'))
  const manifest = dataOf(entries, 'manifest.json')
  manifest.statistics.splits += 1
  changed.set('manifest.json', bytesOf(manifest))
  const { differences } = await verified(await zipOf(changed))
  for (const found of [
    /^media [0-9a-f-]{36}: not restored$/,
    /^workouts [0-9a-f-]{36}: rawFileName is "0.fit" in the archive, null restored$/,
    /raw\/second.fit: other bytes restored$/,
    /^manifest statistics splits: value is 9 in the archive, 8 restored$/,
  ]) {
    expect(differences).toContainEqual(expect.stringMatching(found))
  }
})

const cut = (bytes: Uint8Array | undefined) => bytes!.slice(0, -100)
test.each([
  ['a cut archive', async () => cut(await zipOf(entries)), /^[A-Z][^\n]+$/],
  [
    'no manifest',
    () => zipOf(new Map([...entries].filter(([name]) => name !== 'manifest.json'))),
    /^The archive has no manifest.json: it is not an export of Harrier or Tempo$/,
  ],
  [
    'a cut data file',
    () => zipOf(new Map(entries).set('data/splits.json', bytesOf(cut(entries.get('data/splits.json'))))),
    /^data\/splits.json is not valid JSON$/,
  ],
])('%s ends in one sentence', async (_, zip, sentence) => {
  const told = verified(await zip()).then(
    () => 'no refusal',
    (error: Error) => error.message,
  )
  expect(await told).toMatch(sentence)
})
