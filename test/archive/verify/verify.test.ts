import { beforeAll, describe, expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/findings.ts'
import { testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { bytesOf, DATA_FORMAT, dataOf, type Entries, entriesOf, exported, zipOf } from '../archives.ts'
import { id as idOf, library } from '../restore/restoring.ts'
import { line, verified } from './verifying.ts'

async function refusalOf(zip: Uint8Array): Promise<string> {
  return await verified(zip).then(
    () => 'no refusal',
    (error: Error) => error.message,
  )
}

let made: { entries: Entries; ids: string[] }
beforeAll(async () => {
  await using app = await testApp()
  for (const model of ['Mach', 'Rincon']) await app.call('POST', '/shoes', { json: { brand: 'Hoka', model } })
  const ids = await library(app)
  await app.call('PATCH', `/workouts/${ids[0]}`, { json: { notes: 'windy', rpe: 4 } })
  made = { entries: await entriesOf(app, await exported(app)), ids }
})

/** An own archive of two runs, two shoes and a photo, to be changed, and the ids of the runs in its order. */
function archive(): { entries: Entries; ids: string[] } {
  return { entries: new Map(made.entries), ids: made.ids }
}

test('a good archive: every kind counted, everything equal, originals and photos by their bytes', async () => {
  const { entries } = archive()
  const { kinds, ...about } = await verified(await zipOf(entries))
  expect(about).toMatchObject({ differences: [], differencesCount: 0, notes: [] })
  expect(about.origin).toMatch(/^written 2025-11-20T13:05:11Z by Harrier \d/)
  // two runs of 1200 s at 3.0 and 3.1 m/s: 3.6 and 3.72 km, which are four splits each
  expect(kinds).toEqual([
    { kind: 'settings', ...line(1) },
    { kind: 'shoes', ...line(2) },
    { kind: 'workouts', ...line(2) },
    { kind: 'routes', ...line(2) },
    { kind: 'splits', ...line(8) },
    { kind: 'samples', ...line(2402) },
    { kind: 'media', ...line(1) },
    { kind: 'best efforts', ...line(5) },
    { kind: 'recordings', ...line(2) },
    { kind: 'repairs', ...line(0) },
    { kind: 'original files', ...line(2) },
    { kind: 'media files', ...line(1) },
  ])
  expect(countsTable(kinds.slice(0, 1)).split('\n')[1]).toMatch(/^ {2}settings +1 +1 +1$/)
})

test('an empty library is equal as well', async () => {
  await using app = await testApp()
  const { differences, kinds } = await verified(await exported(app))
  expect(differences).toEqual([])
  expect(kinds.slice(0, 3)).toEqual([
    { kind: 'settings', ...line(1) },
    { kind: 'shoes', ...line(0) },
    { kind: 'workouts', ...line(0) },
  ])
})

test('a row that a restore leaves out, since it is nested too deep, is named', async () => {
  const { entries } = archive()
  const text = new TextDecoder().decode(entries.get('data/shoes.json')!)
  entries.set('data/shoes.json', bytesOf(`[${'['.repeat(600)}${']'.repeat(600)},${text.slice(1)}`))
  const stated = 'Rows of data/shoes.json that are nested deeper than 500 levels and were skipped: row 1'
  const { differences, kinds, notes } = await verified(await zipOf(entries))
  expect(notes).toEqual([stated])
  expect(differences).toContain(stated)
  expect(kinds.find(({ kind }) => kind === 'shoes')).toEqual({ kind: 'shoes', inArchive: 3, restored: 2, equal: 2 })
})

type Rows = Record<string, unknown>[]

describe('what was changed in an archive is named with its id and field', () => {
  const changes: readonly (readonly [
    name: string,
    file: keyof typeof DATA_FORMAT,
    change: (rows: Rows) => void,
    found: RegExp,
  ])[] = [
    [
      'a pace that is computed of distance and time',
      'workouts',
      (rows) => Object.assign(rows[0]!, { avgPaceS: 334 }),
      /^workouts [0-9a-f-]{36}: avgPaceS is 334 in the archive, 333 restored$/,
    ],
    [
      'a duration, which the pace does not agree with',
      'workouts',
      (rows) => Object.assign(rows[0]!, { durationS: 1260 }),
      /: avgPaceS is 333 in the archive, 350 restored$/,
    ],
    [
      'a value that no workout can have',
      'workouts',
      (rows) => Object.assign(rows[1]!, { rpe: 11 }),
      /^workouts [0-9a-f-]{36}: rpe is 11 in the archive, null restored$/,
    ],
    [
      'a field that this version does not know',
      'workouts',
      (rows) => Object.assign(rows[0]!, { mood: 'good' }),
      /: mood is "good" in the archive, null restored$/,
    ],
    [
      'the pace of a split',
      'splits',
      (rows) => Object.assign(rows[2]!, { paceS: 300 }),
      /^splits 2 of [0-9a-f-]{36}: paceS is 300 in the archive, 333 restored$/,
    ],
    [
      'a split of no workout',
      'splits',
      (rows) => Object.assign(rows[7]!, { workoutId: idOf(404) }),
      /^splits 3 of 0a1b2c3d-0000-4000-8000-000000000404: not restored$/,
    ],
    [
      'a heart rate that none is',
      'timeSeries',
      (rows) => Object.assign(rows[700]!, { heartRateBpm: 300 }),
      /^samples of [0-9a-f-]{36} at 700 s: heartRateBpm is 300 in the archive, null restored$/,
    ],
    [
      // 48.5 is not a multiple of a FIT file's semicircle
      'a position that the route does not agree with',
      'timeSeries',
      (rows) => Object.assign(rows[5]!, { lat: 48.5 }),
      /^routes of [0-9a-f-]{36}: routeGeoJson\.coordinates\[5\]\[1\] is -?\d+\.\d+ in the archive, 48\.49999\d+ restored$/,
    ],
    [
      'a sample that comes twice',
      'timeSeries',
      (rows) => void rows.splice(9, 0, rows[9]!),
      /^samples of [0-9a-f-]{36} at 9 s: not restored$/,
    ],
    [
      'a point of a route',
      'routes',
      (rows) => (rows[0]!.routeGeoJson as { coordinates: number[][] }).coordinates.splice(3, 1, [1, 2]),
      /: routeGeoJson\.coordinates\[3\]\[0\] is 1 in the archive/,
    ],
    [
      'a route that is not there',
      'routes',
      (rows) => void rows.pop(),
      /^routes: 1 restored that the archive does not have$/,
    ],
    [
      'a best effort that its samples do not have',
      'bestEfforts',
      (rows) => Object.assign(rows[2]!, { timeMs: 400_000, timeS: 400 }),
      /^best efforts 1K: .* is .* in the archive/,
    ],
    [
      'the size of a photo',
      'mediaMetadata',
      (rows) => Object.assign(rows[0]!, { fileSizeBytes: 98 }),
      /^media [0-9a-f-]{36}: fileSizeBytes is 98 in the archive, 99 restored$/,
    ],
    [
      'a shoe without a model',
      'shoes',
      (rows) => Object.assign(rows[0]!, { model: ' ' }),
      /^shoes [0-9a-f-]{36}: not restored$/,
    ],
  ]
  for (const [name, file, change, found] of changes) {
    test(name, async () => {
      const { entries } = archive()
      const rows: Rows = dataOf(entries, DATA_FORMAT[file])
      change(rows)
      entries.set(DATA_FORMAT[file], bytesOf(rows))
      const { differences, differencesCount } = await verified(await zipOf(entries))
      expect(differencesCount).toBeGreaterThan(0)
      expect(differences.some((sentence) => found.test(sentence)) ? 'found' : differences).toBe('found')
    })
  }

  test('but an edited value on which nothing else depends is restored as it is, and is equal', async () => {
    // nothing else in an archive depends on the climb: a checksum tells a damaged one, nothing tells an edited one
    const { entries } = archive()
    const rows: Rows = dataOf(entries, DATA_FORMAT.workouts)
    Object.assign(rows[0]!, { elevGainM: 123.25 })
    entries.set(DATA_FORMAT.workouts, bytesOf(rows))
    expect((await verified(await zipOf(entries))).differences).toEqual([])
  })

  test('many differences of one kind are the first five and a count', async () => {
    const { entries } = archive()
    const rows: Rows = dataOf(entries, DATA_FORMAT.timeSeries)
    for (const row of rows) row.speedMps = 1e9
    entries.set(DATA_FORMAT.timeSeries, bytesOf(rows))
    const { differences, differencesCount, kinds } = await verified(await zipOf(entries))
    expect(kinds.find(({ kind }) => kind === 'samples')).toMatchObject(line(2402, 2402, 0))
    expect(differencesCount).toBe(2402)
    expect(differences).toHaveLength(6)
    expect(differences.at(-1)).toBe('samples: 2397 more differences')
  })

  test('a count of the manifest', async () => {
    const { entries } = archive()
    const manifest = dataOf(entries, 'manifest.json')
    manifest.statistics.splits += 1
    manifest.statistics.totalSizeBytes += 1
    entries.set('manifest.json', bytesOf(manifest))
    const { differences } = await verified(await zipOf(entries))
    expect(differences[0]).toBe('The manifest says 9 splits, the archive has 8')
    expect(differences[1]).toMatch(/^The manifest says \d+ totalSizeBytes, the archive has \d+$/)
  })
})

describe('files', () => {
  const nameOf = (entries: Entries, part: string) => [...entries.keys()].find((name) => name.includes(part)) ?? ''

  test('a photo that is missing', async () => {
    const { entries } = archive()
    entries.delete(nameOf(entries, '/media/'))
    const { differences, kinds } = await verified(await zipOf(entries))
    expect(differences).toContainEqual(expect.stringMatching(/^media [0-9a-f-]{36}: not restored$/))
    expect(differences).toContain('Media whose file is not in the archive: a.jpg')
    expect(kinds.find(({ kind }) => kind === 'media')).toMatchObject(line(1, 0, 0))
    expect(kinds.at(-1)).toMatchObject(line(0))
  })

  test('an original that is missing', async () => {
    const { entries } = archive()
    entries.delete(nameOf(entries, '/raw/'))
    const { differences } = await verified(await zipOf(entries))
    expect(differences).toContainEqual(
      expect.stringMatching(/^workouts [0-9a-f-]{36}: rawFileName is "0.fit" in the archive, null restored$/),
    )
  })

  test('a photo without a row, and a second original', async () => {
    const { entries, ids } = archive()
    const photo = `workouts/${ids[1]}/media/${idOf(7)}/b.jpg`
    entries.set(photo, jpeg(50))
    entries.set(`workouts/${ids[1]}/raw/second.fit`, bytesOf('x'))
    const { differences } = await verified(await zipOf(entries))
    expect(differences).toContain(`${photo}: not restored`)
    expect(differences).toContain(`workouts/${ids[1]}/raw/second.fit: other bytes restored`)
  })

  test('a photo, and a file that is only for people, with a damaged byte', async () => {
    const { entries } = archive()
    const zip = await zipOf(entries)
    const whole = Buffer.from(zip)
    for (const name of [nameOf(entries, '/media/'), 'README.txt']) zip[whole.indexOf(name) + name.length + 30]! ^= 255
    const { differences } = await verified(zip)
    expect(differences).toContain(`${nameOf(entries, '/media/')}: The file is damaged in the ZIP archive`)
    expect(differences).toContain('README.txt: The file is damaged in the ZIP archive')
  })

  test('what the configuration of this server would refuse', async () => {
    const { entries } = archive()
    const zip = await zipOf(entries)
    const { differences } = await verified(zip, { MEDIA_MAX_FILE_BYTES: '50', MAX_ARCHIVE_BYTES: '1000' })
    expect(differences).toContain(`The archive has ${zip.length} bytes, MAX_ARCHIVE_BYTES allows 1000`)
    expect(differences).toContain('Media larger than 50 bytes: a.jpg')
  })
})

describe('one sentence for what is not an archive, or one that cannot be read', () => {
  test('cut off, or no ZIP at all', async () => {
    const zip = await zipOf(archive().entries)
    expect(await refusalOf(zip.slice(0, zip.length - 500))).toMatch(/^[A-Z][^\n]+$/)
    expect(await refusalOf(bytesOf('words'))).toMatch(/^[A-Z][^\n]+$/)
    expect(await refusalOf(new Uint8Array(0))).toMatch(/^[A-Z][^\n]+$/)
  })

  test('without manifest, or without a data file that it lists', async () => {
    const { entries } = archive()
    const without = (name: string) => zipOf(new Map([...entries].filter(([path]) => path !== name)))
    expect(await refusalOf(await without('manifest.json'))).toBe(
      'The archive has no manifest.json: it is not an export of Harrier or Tempo',
    )
    expect(await refusalOf(await without('data/splits.json'))).toBe(
      'The data file that the manifest lists for splits is not in the archive',
    )
  })

  test('a data file that is cut, or damaged', async () => {
    const { entries } = archive()
    const cut = new Map(entries).set('data/splits.json', entries.get('data/splits.json')!.slice(0, -100))
    expect(await refusalOf(await zipOf(cut))).toBe('data/splits.json is not valid JSON')
    const zip = await zipOf(entries)
    const name = 'data/time-series.json'
    zip[Buffer.from(zip).indexOf(name) + name.length + 2000]! ^= 255
    expect(await refusalOf(zip)).toMatch(/^data\/time-series.json (is not valid JSON|cannot be unpacked)/)
  })
})
