import { beforeAll, expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/findings.ts'
import { testApp } from '../../app.ts'
import { archiveOf, bytesOf, dataOf, type Entries, entriesOf, exported, OWN_FORMAT, zipOf } from '../archives.ts'
import { id as idOf, library } from '../restore/restoring.ts'
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
  entries = await entriesOf(app, await exported(app))
})

test('of a good archive every kind is counted and everything is equal; of an empty library as well', async () => {
  const { kinds, ...about } = await verified(await zipOf(entries))
  expect(about).toMatchObject({ differences: [], differencesCount: 0, notes: [] })
  expect(about.origin).toMatch(/^written 2025-11-20T13:05:11Z by Harrier \d/)
  expect(kinds.map(({ equal }) => equal)).toEqual([1, 2, 2, 2, 8, 2382, 1, 5, 2, 1, 2, 2, 1])
  expect(countsTable(kinds.slice(0, 1)).split('\n')[1]).toMatch(/^ {2}settings +1 +1 +1$/)
  await using app = await testApp()
  expect((await verified(await exported(app))).differences).toEqual([])
})

test('an archive of the earlier service is compared as far as its values are taken', async () => {
  const { differences, kinds, origin } = await verified(await archiveOf(tempoLibrary()))
  expect(differences).toEqual([])
  expect(origin).toBe('written at an unknown time by another program')
  expect(kinds).toEqual([
    ...['settings', 'shoes', 'workouts'].map((kind) => ({ kind, ...line(1) })),
    // positions and samples are rebuilt
    { kind: 'routes', ...line(1, 1, null) },
    { kind: 'splits', ...line(4) },
    { kind: 'samples', ...line(1201, 1201, null) },
    { kind: 'media', ...line(1) },
    // five distances up to 3.6 km, which its samples have and the archive does not
    { kind: 'best efforts', ...line(0, 5, 0) },
    ...['original files', 'media files'].map((kind) => ({ kind, ...line(1) })),
  ])
  const efforts = [['400m', 400, 140, id(1)] as const, ['10K', 10_000, 2400, id(77)] as const]
  const rows = efforts.map(([distance, distanceM, timeS, workoutId]) => {
    return { id: id(600 + timeS), distance, distanceM, timeS, workoutId, calculatedAt: '2024-06-01T00:00:00.1234567Z' }
  })
  const wrong = { 'data/workouts.json': [workout(1, { rpe: 12 })], 'data/best-efforts.json': rows }
  const other = await verified(await archiveOf({ ...tempoLibrary(), ...wrong }))
  expect(other.differences.toSorted()).toEqual([
    'best efforts 10K: not restored',
    `workouts ${id(1)}: rpe is 12 in the archive, null restored`,
  ])
  // 400 m at 3 m/s
  expect(other.notes).toContain('best efforts 400m: 140 s in the archive, 133 s in its samples')
})

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and changed
type Rows = any[]
const pathOf = (file: keyof typeof OWN_FORMAT | 'goals') => (file === 'goals' ? 'data/goals.json' : OWN_FORMAT[file])
const put = (place: number, values: object) => (rows: Rows) => void Object.assign(rows[place], values)

/** Changes of one archive, which do not affect another, and what is found of them. */
const CHANGES: readonly (readonly [file: Parameters<typeof pathOf>[0], change: (rows: Rows) => void, found: RegExp])[] =
  [
    // the pace is computed of distance and time
    ['workouts', put(0, { avgPaceS: 334 }), /^workouts [0-9a-f-]{36}: avgPaceS is 334 in the archive, 333 restored$/],
    ['splits', put(7, { workoutId: idOf(404) }), /^splits 3 of 0a1b2c3d-0000-4000-8000-000000000404: not restored$/],
    [
      'timeSeries',
      put(700, { heartRateBpm: 300 }),
      /^samples of \S+ at 700 s: heartRateBpm is 300 in .*, null restored$/,
    ],
    // 48.5 is not a multiple of a FIT file's semicircle
    [
      'timeSeries',
      put(5, { lat: 48.5 }),
      /: routeGeoJson\.coordinates\[5\]\[1\] is -?\d+\.\d+ in .*, 48\.49999\d+ restored$/,
    ],
    ['mediaMetadata', put(0, { fileSizeBytes: 98 }), /^media \S+: fileSizeBytes is 98 in the archive, 99 restored$/],
    ['shoes', put(0, { model: ' ' }), /^shoes [0-9a-f-]{36}: not restored$/],
    ['bestEfforts', put(2, { timeMs: 400_000, timeS: 400 }), /^best efforts 1K: .* is .* in the archive/],
    ['goals', put(0, { from: '2025-01-01' }), /^goals .*: from is "2025-01-01" in the archive, null restored$/],
    [
      'recordings',
      (rows) => Object.assign(rows[0].totals, { elevGainM: '33' }),
      /totals\.elevGainM is "33" in the archive/,
    ],
    ['repairs', (rows) => void rows.push({ ...rows[0], id: idOf(7), undoneAt: 'x' }), /^repairs \S+7: not restored$/],
    ['routes', (rows) => void rows.pop(), /^routes: 1 restored that the archive does not have$/],
  ]

test('each change of an archive is named with its id and field, in each kind the first five and a count', async () => {
  const changed = new Map(entries)
  for (const [file, change] of CHANGES) {
    const rows = dataOf(changed, pathOf(file))
    change(rows)
    changed.set(pathOf(file), bytesOf(rows))
  }
  const { differences } = await verified(await zipOf(changed))
  for (const [, , found] of CHANGES) expect(differences).toContainEqual(expect.stringMatching(found))
  const rows: Rows = dataOf(entries, OWN_FORMAT.timeSeries)
  for (const row of rows) row.speedMps = 1e9
  const many = await verified(await zipOf(new Map(entries).set(OWN_FORMAT.timeSeries, bytesOf(rows))))
  const ofSamples = many.differences.filter((sentence) => sentence.startsWith('samples'))
  expect([ofSamples.length, ofSamples.at(-1)]).toEqual([6, 'samples: 2377 more differences'])
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
    /^The manifest says 9 splits, the archive has 8$/,
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
