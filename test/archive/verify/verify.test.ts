import { beforeAll, describe, expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/findings.ts'
import { readArchive } from '../../../src/archive/verify/reading.ts'
import { testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { bytesOf, DATA_FORMAT, dataOf, type Entries, entriesOf, exported, OWN_FORMAT, zipOf } from '../archives.ts'
import { id as idOf, library } from '../restore/restoring.ts'
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
  await app.ok('PATCH', `/workouts/${ids[0]}`, { notes: 'windy', rpe: 4 })
  await app.ok('POST', `/workouts/${ids[1]}/crop`, { removeFromEndSeconds: 20 })
  entries = await entriesOf(app, await exported(app))
})

test('a good archive: every kind counted, everything equal; of an empty library as well', async () => {
  const { kinds, ...about } = await verified(await zipOf(entries))
  expect(about).toMatchObject({ differences: [], differencesCount: 0, notes: [] })
  expect(about.origin).toMatch(/^written 2025-11-20T13:05:11Z by Harrier \d/)
  expect(kinds.map(({ equal }) => equal)).toEqual([1, 2, 2, 2, 8, 2382, 1, 5, 2, 1, 2, 2, 1])
  expect(countsTable(kinds.slice(0, 1)).split('\n')[1]).toMatch(/^ {2}settings +1 +1 +1$/)
  await using app = await testApp()
  const empty = await verified(await exported(app))
  expect(empty.differences).toEqual([])
  expect(empty.kinds.slice(0, 2)).toEqual([
    { kind: 'settings', ...line(1) },
    { kind: 'shoes', ...line(0) },
  ])
})

// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and changed
type Rows = any[]
type File = keyof typeof OWN_FORMAT | 'goals'
const pathOf = (file: File) => (file === 'goals' ? 'data/goals.json' : OWN_FORMAT[file])
const put = (place: number, values: object) => (rows: Rows) => void Object.assign(rows[place], values)

/** Changes of one archive each, which do not affect another, and what is found of them. */
const CHANGES: readonly (readonly (readonly [file: File, change: (rows: Rows) => void, found: RegExp | null])[])[] = [
  [
    // the pace is computed of distance and time
    ['workouts', put(0, { avgPaceS: 334 }), /^workouts [0-9a-f-]{36}: avgPaceS is 334 in the archive, 333 restored$/],
    ['workouts', put(1, { rpe: 11 }), /^workouts [0-9a-f-]{36}: rpe is 11 in the archive, null restored$/],
    ['splits', put(2, { paceS: 300 }), /^splits 2 of [0-9a-f-]{36}: paceS is 300 in the archive, 333 restored$/],
    ['splits', put(7, { workoutId: idOf(404) }), /^splits 3 of 0a1b2c3d-0000-4000-8000-000000000404: not restored$/],
    [
      'timeSeries',
      put(700, { heartRateBpm: 300 }),
      /^samples of [0-9a-f-]{36} at 700 s: heartRateBpm is 300 in the archive, null restored$/,
    ],
    // 48.5 is not a multiple of a FIT file's semicircle
    [
      'timeSeries',
      put(5, { lat: 48.5 }),
      /^routes of [0-9a-f-]{36}: routeGeoJson\.coordinates\[5\]\[1\] is -?\d+\.\d+ in the archive, 48\.49999\d+ restored$/,
    ],
    ['timeSeries', (rows) => void rows.splice(9, 0, rows[9]), /^samples of [0-9a-f-]{36} at 9 s: not restored$/],
    [
      'mediaMetadata',
      put(0, { fileSizeBytes: 98 }),
      /^media [0-9a-f-]{36}: fileSizeBytes is 98 in the archive, 99 restored$/,
    ],
    ['shoes', put(0, { model: ' ' }), /^shoes [0-9a-f-]{36}: not restored$/],
    ['bestEfforts', put(2, { timeMs: 400_000, timeS: 400 }), /^best efforts 1K: .* is .* in the archive/],
    ['goals', put(0, { from: '2025-01-01' }), /^goals .*: from is "2025-01-01" in the archive, null restored$/],
    ['goals', (rows) => void rows.push({ ...rows[0], id: 'x' }), /^goals x: not restored$/],
  ],
  [
    ['workouts', put(1, { mood: 'good' }), /: mood is "good" in the archive, null restored$/],
    ['workouts', put(0, { durationS: 1260 }), /: avgPaceS is 333 in the archive, 350 restored$/],
    [
      'routes',
      (rows) => rows[0].routeGeoJson.coordinates.splice(3, 1, [1, 2]),
      /: routeGeoJson\.coordinates\[3\]\[0\] is 1 in the archive/,
    ],
    ['routes', (rows) => void rows.pop(), /^routes: 1 restored that the archive does not have$/],
    [
      'recordings',
      (rows) => Object.assign(rows[0].totals, { elevGainM: '33' }),
      /totals\.elevGainM is "33" in the archive, (null|[\d.]+) restored/,
    ],
  ],
  [
    // on which nothing else depends: a checksum tells a damaged value, nothing tells an edited one
    ['workouts', put(0, { elevGainM: 123.25 }), null],
    [
      'recordings',
      (rows) => void rows[1].samples.columns.heartRateBpm.splice(9, 1, 300),
      /samples\.columns\.heartRateBpm\[9\] is 300 in the archive, null restored/,
    ],
    [
      'recordings',
      (rows) => void rows.push({ ...rows[0], id: idOf(7), seq: 1, kind: 'dream' }),
      /^recordings 0a1b2c3d-0000-4000-8000-000000000007: not restored$/,
    ],
  ],
  [
    ['repairs', put(0, { undoneAt: 'yesterday' }), /^repairs [0-9a-f-]{36}: not restored$/],
    // which was a crop of the last 20 s
    ['routes', () => {}, /: routeGeoJson\.coordinates\[1181\] is null in the archive/],
  ],
  [['repairs', (rows) => Object.assign(rows[0].data, { fromMs: 1e9 }), /^repairs [0-9a-f-]{36}: not restored$/]],
]

describe('of a changed archive', () => {
  test.each(CHANGES.map((changes, number) => [number + 1, changes] as const))(
    'each change is named with its id and field (%d)',
    async (_, changes) => {
      const changed = new Map(entries)
      for (const [file, change] of changes) {
        const rows = dataOf(changed, pathOf(file))
        change(rows)
        changed.set(pathOf(file), bytesOf(rows))
      }
      const { differences } = await verified(await zipOf(changed))
      for (const [, , found] of changes) {
        if (found !== null) expect(differences).toContainEqual(expect.stringMatching(found))
      }
      expect(differences.filter((sentence) => sentence.includes('123.25'))).toEqual([])
    },
  )

  test('many differences of one kind are the first five and a count', async () => {
    const rows: Rows = dataOf(entries, DATA_FORMAT.timeSeries)
    for (const row of rows) row.speedMps = 1e9
    const zip = await zipOf(new Map(entries).set(DATA_FORMAT.timeSeries, bytesOf(rows)))
    const { differences, kinds } = await verified(zip)
    expect(kinds.find(({ kind }) => kind === 'samples')).toMatchObject(line(2382, 2382, 0))
    const ofSamples = differences.filter((sentence) => sentence.startsWith('samples'))
    expect([ofSamples.length, ofSamples.at(-1)]).toEqual([6, 'samples: 2377 more differences'])
  })

  test('counts of the manifest, and rows that are nested too deep, are named', async () => {
    const changed = new Map(entries)
    const manifest = dataOf(entries, 'manifest.json')
    manifest.statistics.splits += 1
    manifest.statistics.totalSizeBytes += 1
    changed.set('manifest.json', bytesOf(manifest))
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`
    for (const [name, rows] of [['shoes', deep] as const, ['repairs', `${deep},${deep}`] as const]) {
      const text = new TextDecoder().decode(entries.get(OWN_FORMAT[name])!)
      changed.set(OWN_FORMAT[name], bytesOf(`[${rows},${text.slice(1)}`))
    }
    const zip = await zipOf(changed)
    const { differences, kinds, notes } = await verified(zip)
    const why = 'that are nested deeper than 500 levels and were skipped: row 1'
    const repairs = `Rows of data/repairs.json ${why}`
    const stated = [`Rows of data/shoes.json ${why}`, repairs, repairs.replace('row 1', 'row 2')]
    expect(differences.toSorted()).toEqual([
      ...stated.toSorted(),
      ...['1 repairs, the archive has 3', '2 shoes, the archive has 3'].map((says) => `The manifest says ${says}`),
      expect.stringMatching(/^The manifest says \d+ totalSizeBytes, the archive has \d+$/),
      'The manifest says 9 splits, the archive has 8',
    ])
    expect(notes.toSorted()).toEqual([`${repairs}, row 2`, stated[0]!])
    expect(kinds.find(({ kind }) => kind === 'shoes')).toEqual({ kind: 'shoes', inArchive: 3, restored: 2, equal: 2 })
    await using scratch = await testApp()
    const path = `${scratch.deps.config.dataDir}/a.zip`
    await Bun.write(path, zip)
    const { summary, problems } = await readArchive(path)
    expect(problems).toContain(`${repairs} and 1 more`)
    expect(summary).toContain('2 recordings, 3 repairs')
  })
})

describe('files', () => {
  const nameOf = (part: string) => [...entries.keys()].find((name) => name.includes(part)) ?? ''

  test('that are missing, lack a row, or are one too many', async () => {
    const changed = new Map(entries)
    for (const part of ['/media/', '/raw/0.fit']) changed.delete(nameOf(part))
    const photo = `workouts/${ids[1]}/media/${idOf(7)}/b.jpg`
    changed.set(photo, jpeg(50)).set(`workouts/${ids[1]}/raw/second.fit`, bytesOf('x'))
    const { differences, kinds } = await verified(await zipOf(changed))
    for (const found of [
      /^media [0-9a-f-]{36}: not restored$/,
      /^Media whose file is not in the archive: a.jpg$/,
      /^workouts [0-9a-f-]{36}: rawFileName is "0.fit" in the archive, null restored$/,
    ]) {
      expect(differences).toContainEqual(expect.stringMatching(found))
    }
    expect(differences).toContain(`${photo}: not restored`)
    expect(differences).toContain(`workouts/${ids[1]}/raw/second.fit: other bytes restored`)
    expect(kinds.find(({ kind }) => kind === 'media')).toMatchObject(line(1, 0, 0))
    expect(kinds.at(-1)).toMatchObject(line(1, 0))
  })

  test('with a damaged byte, also one that is only for people; and what this server would refuse', async () => {
    const zip = await zipOf(entries)
    const whole = Buffer.from(zip)
    for (const name of [nameOf('/media/'), 'README.txt']) zip[whole.indexOf(name) + name.length + 30]! ^= 255
    const damaged = (await verified(zip)).differences
    for (const name of [nameOf('/media/'), 'README.txt']) {
      expect(damaged).toContain(`${name}: The file is damaged in the ZIP archive`)
    }
    const { differences } = await verified(whole, { MEDIA_MAX_FILE_BYTES: '50', MAX_ARCHIVE_BYTES: '1000' })
    expect(differences).toContain(`The archive has ${zip.length} bytes, MAX_ARCHIVE_BYTES allows 1000`)
    expect(differences).toContain('Media larger than 50 bytes: a.jpg')
  })
})

const without = (path: string) => async () => {
  return await zipOf(new Map([...entries].filter(([name]) => name !== path)))
}
const damaged = async () => {
  const zip = await zipOf(entries)
  const name = 'data/time-series.json'
  zip[Buffer.from(zip).indexOf(name) + name.length + 2000]! ^= 255
  return zip
}
test.each([
  ['cut off', async () => (await zipOf(entries)).slice(0, -500), /^[A-Z][^\n]+$/],
  ['words', async () => bytesOf('words'), /^[A-Z][^\n]+$/],
  ['nothing', async () => new Uint8Array(0), /^[A-Z][^\n]+$/],
  [
    'no manifest',
    without('manifest.json'),
    /^The archive has no manifest.json: it is not an export of Harrier or Tempo$/,
  ],
  [
    'a data file less than the manifest lists',
    without('data/splits.json'),
    /^The data file that the manifest lists for splits is not in the archive$/,
  ],
  [
    'a data file that is cut',
    () => zipOf(new Map(entries).set('data/splits.json', entries.get('data/splits.json')!.slice(0, -100))),
    /^data\/splits.json is not valid JSON$/,
  ],
  ['a data file that is damaged', damaged, /^data\/time-series.json (is not valid JSON|cannot be unpacked)/],
])('%s ends in one sentence', async (_, zip, sentence) => {
  const told = verified(await zip()).then(
    () => 'no refusal',
    (error: Error) => error.message,
  )
  expect(await told).toMatch(sentence)
})
