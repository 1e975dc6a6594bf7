import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenArchive } from '../../src/archive/data-rows.ts'
import { readManifest } from '../../src/archive/manifest.ts'
import { restoreArchive } from '../../src/archive/restore.ts'
import type { Event } from '../../src/events/emitter.ts'
import { openZip } from '../../src/zip/reader.ts'
import { type TestApp, testApp } from '../app.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { archiveOf, dataOf, entriesOf, exported, restored, zipOf } from './archives.ts'

const id = (n: number) => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, '0')}`

function workout(n: number, more: Readonly<Record<string, unknown>> = {}) {
  const startedAt = new Date(START_MS + n * 86_400_000).toISOString()
  return { id: id(n), startedAt, createdAt: startedAt, durationS: 1800, distanceM: 5000, name: `Run ${n}`, ...more }
}

const shoe = (n: number, brand: string, model: string) => ({
  id: id(n),
  brand,
  model,
  createdAt: '2024-01-01T00:00:00Z',
})

function counts(imported: number, skipped = 0, errors = 0) {
  return { imported, skipped, errors }
}

/** Rows of every table that a restore writes. */
function rowCounts({ deps }: TestApp): Record<string, number> {
  const tables = [
    'shoe',
    'workout',
    'workout_samples',
    'workout_split',
    'workout_best_effort',
    'workout_route',
    'media',
  ]
  const count = (table: string) =>
    deps.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
  return Object.fromEntries(tables.map((table) => [table, count(table)]))
}

function filesOf({ deps }: TestApp, folder: string): string[] {
  try {
    return readdirSync(join(deps.config.dataDir, folder)).sort()
  } catch {
    return []
  }
}

/** Two FIT runs, one with a photo, cut in kilometres. */
async function library(app: TestApp): Promise<string[]> {
  const ids: string[] = []
  for (const n of [0, 1]) {
    const file = fitRun({ startMs: START_MS + n * 1e8, seconds: 1200, speedMps: 3 + n / 10 })
    ids.push((await app.upload('/workouts/import', [{ name: `${n}.fit`, bytes: file }])).json.id)
  }
  await app.upload(`/workouts/${ids[0]}/media`, [{ name: 'a.jpg', bytes: jpeg(99) }])
  return ids
}

describe('restoring twice', () => {
  test('imports nothing the second time except settings', async () => {
    await using source = await testApp()
    await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    await restored(target, zip)
    const rows = rowCounts(target)
    const { json } = await restored(target, zip)
    expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
    expect(json.statistics).toEqual({
      settings: counts(1),
      shoes: counts(0),
      workouts: counts(0, 2),
      routes: counts(0, 2),
      splits: counts(0, 8),
      timeSeries: counts(0, 2402),
      media: counts(0, 1),
      bestEfforts: counts(0, 5),
      rawFiles: counts(0, 2),
    })
    expect(rowCounts(target)).toEqual(rows)
    expect(filesOf(target, 'tmp')).toEqual([])
  })

  test('trap 47: over recalculated splits and a cropped run doubles no row', async () => {
    await using app = await testApp()
    const [cropped, recut] = await library(app)
    const zip = await exported(app)
    await app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromStartSeconds: 300 } })
    await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
    await app.call('POST', `/workouts/${recut}/recalculate-splits`)
    const [rows, details] = [rowCounts(app), await detailsOf(app)]
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, statistics: { workouts: counts(0, 2), splits: counts(0, 8) } })
    expect(rowCounts(app)).toEqual(rows)
    expect(await detailsOf(app)).toEqual(details)
  })

  test('trap 52: what was interrupted half-way ends complete', async () => {
    await using source = await testApp()
    await library(source)
    const entries = await entriesOf(source, await exported(source))
    const whole = await zipOf(entries)
    const workouts = new TextDecoder().decode(entries.get('data/workouts.json'))
    const cut = new Map(entries).set('data/workouts.json', new TextEncoder().encode(workouts.slice(0, -200)))
    await using target = await testApp()
    const first = await restored(target, await zipOf(cut))
    expect(first.status).toBe(200)
    expect(first.json.success).toBe(false)
    expect(first.json.errors).toEqual(['data/workouts.json is not the JSON it should be'])
    const second = await restored(target, whole)
    expect(second.json).toMatchObject({ success: true, errors: [] })
    expect(rowCounts(target)).toEqual(rowCounts(source))
    const after = await entriesOf(target, await exported(target))
    for (const [name, bytes] of entries) {
      if (name.startsWith('data/'))
        expect(new TextDecoder().decode(after.get(name))).toBe(new TextDecoder().decode(bytes))
    }
  })

  test('trap 52: a workout whose rows fail leaves neither rows nor files, and comes with the next restore', async () => {
    await using source = await testApp()
    await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    const { $client: client } = target.deps.db
    client.run("CREATE TRIGGER full BEFORE INSERT ON media BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    const first = await restored(target, zip)
    expect(first.json.statistics.workouts).toEqual(counts(1, 0, 1))
    expect(first.json.errors).toHaveLength(1)
    expect(first.json.errors[0]).toMatch(/^Workouts that could not be stored: [0-9a-f-]{36}$/)
    expect(filesOf(target, 'files/media')).toEqual([])
    expect(filesOf(target, 'files/raw')).toHaveLength(2)
    client.run('DROP TRIGGER full')
    expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    expect(rowCounts(target)).toEqual(rowCounts(source))
  })

  test('a run that is here under another id is skipped, and a deleted one comes back', async () => {
    await using source = await testApp()
    const [first] = await library(source)
    const zip = await exported(source)
    await using target = await testApp()
    await target.upload('/workouts/import', [{ name: 'x.fit', bytes: fitRun({ seconds: 1200 }) }])
    expect((await restored(target, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    await source.call('DELETE', `/workouts/${first}`)
    expect((await restored(source, zip)).json.statistics.workouts).toEqual(counts(1, 1))
    expect((await source.call('GET', `/workouts/${first}`)).status).toBe(200)
  })
})

async function detailsOf(app: TestApp): Promise<unknown[]> {
  const { items } = (await app.call('GET', '/workouts')).json
  const details: unknown[] = []
  for (const item of items) details.push((await app.call('GET', `/workouts/${item.id}`)).json)
  return details
}

describe('shoes', () => {
  test('trap 48: a shoe that is here already keeps its runs, under its own id', async () => {
    await using app = await testApp()
    const own = (await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 5' } })).json.id
    const zip = await archiveOf({
      'data/shoes.json': [shoe(11, 'Hoka', 'Mach 5'), shoe(12, 'Hoka', 'Mach 5')],
      'data/workouts.json': [
        workout(1, { shoeId: id(11) }),
        workout(2, { shoeId: id(12) }),
        workout(3, { shoeId: id(13) }),
      ],
      'data/settings.json': { defaultShoeId: id(11) },
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.shoes).toEqual(counts(1, 1))
    expect(json.warnings).toEqual([`Workouts whose shoe does not exist, restored without one: ${id(3)}`])
    const shoeOf = async (n: number) => (await app.call('GET', `/workouts/${id(n)}`)).json.shoeId
    expect([await shoeOf(1), await shoeOf(2), await shoeOf(3)]).toEqual([own, id(12), null])
    expect((await app.call('GET', '/settings/default-shoe')).json.defaultShoeId).toBe(own)
    expect((await restored(app, zip)).json.statistics.shoes).toEqual(counts(0, 2))
    expect((await app.call('GET', '/shoes')).json).toHaveLength(2)
  })

  test('a shoe that cannot be one is an error, and the others are restored', async () => {
    await using app = await testApp()
    const zip = await archiveOf({
      'data/shoes.json': [{ brand: 'x' }, 5, shoe(1, '', 'b'), shoe(2, 'x'.repeat(150), 'Y'), shoe(2, 'again', 'z')],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.shoes).toEqual(counts(1, 1, 3))
    expect(json.errors).toEqual(['Shoes without an id (2 times)', `Shoes without brand or model: ${id(1)}`])
    expect((await app.call('GET', '/shoes')).json[0]).toMatchObject({ brand: 'x'.repeat(100), model: 'Y' })
  })
})

describe('best efforts', () => {
  const effort = (n: number, more: Readonly<Record<string, unknown>>) => ({
    id: id(n),
    distance: '1K',
    distanceM: 1000,
    calculatedAt: '2024-06-01T00:00:00Z',
    ...more,
  })
  const records = async (app: TestApp) => (await app.call('GET', '/stats/best-efforts')).json.distances
  const kilometre = async (app: TestApp) =>
    (await records(app)).find(({ distance }: { distance: string }) => distance === '1K')

  test('trap 49: a faster archived one replaces a slower stored one, until its workout goes', async () => {
    await using app = await testApp()
    const [first = '', second = ''] = await library(app)
    // 1 km at 3.1 m/s
    expect(await kilometre(app)).toMatchObject({ workoutId: second, timeS: 323 })
    const zip = await archiveOf({ 'data/best-efforts.json': [effort(1, { timeS: 250, workoutId: first })] })
    expect((await restored(app, zip)).json.statistics.bestEfforts).toEqual(counts(1))
    expect(await kilometre(app)).toMatchObject({ workoutId: first, timeS: 250, timeMs: 250_000 })
    expect((await restored(app, zip)).json.statistics.bestEfforts).toEqual(counts(0, 1))
    expect(dataOf(await entriesOf(app, await exported(app)), 'data/best-efforts.json')[2]).toMatchObject({
      id: id(1),
      calculatedAt: '2024-06-01T00:00:00Z',
    })
    await app.call('DELETE', `/workouts/${first}`)
    expect(await kilometre(app)).toMatchObject({ workoutId: second, timeS: 323 })
  })

  test('a crop or a recalculation forgets it, but not that of a workout without samples', async () => {
    await using app = await testApp()
    const [first = ''] = await library(app)
    const faster = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/best-efforts.json': [effort(1, { timeS: 250, workoutId: first })],
    })
    const ofSummary = await archiveOf({
      'data/best-efforts.json': [effort(2, { distance: '5K', distanceM: 5000, timeS: 1500, workoutId: id(1) })],
    })
    await restored(app, faster)
    await restored(app, ofSummary)
    await app.call('POST', `/workouts/${first}/crop`, { json: { removeFromStartSeconds: 0 } })
    expect(await kilometre(app)).toMatchObject({ timeS: 323 })
    await restored(app, faster)
    expect(await kilometre(app)).toMatchObject({ timeS: 250 })
    await app.call('POST', '/stats/best-efforts/recalculate')
    expect(await kilometre(app)).toMatchObject({ timeS: 323 })
    expect((await records(app)).at(-1)).toMatchObject({ distance: '5K', timeS: 1500, workoutId: id(1) })
  })

  test('a slower one, one of an unknown distance and one of an unknown workout change nothing', async () => {
    await using app = await testApp()
    const [first = ''] = await library(app)
    const before = await records(app)
    const zip = await archiveOf({
      'data/best-efforts.json': [
        effort(1, { timeS: 324, workoutId: first }),
        effort(2, { distance: '3K', distanceM: 3000, timeS: 100, workoutId: first }),
        effort(3, { timeS: 100, workoutId: id(404) }),
      ],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.bestEfforts).toEqual(counts(0, 2, 1))
    expect(json.warnings).toEqual(['Rows of bestEfforts whose workout is not there, left out: 1'])
    expect(await records(app)).toEqual(before)
  })
})

describe('rows that are not as they should be', () => {
  test('trap 50: ten thousand orphans are one warning', async () => {
    await using app = await testApp()
    const orphans = Array.from({ length: 10_000 }, (_, n) => ({
      workoutId: id(n + 50),
      elapsedSeconds: n,
      heartRateBpm: 99,
    }))
    const splits = orphans.map(({ workoutId }) => ({ workoutId, idx: 0, distanceM: 1, durationS: 1 }))
    const zip = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/time-series.json': orphans,
      'data/splits.json': splits,
    })
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, statistics: { timeSeries: counts(0, 10_000), workouts: counts(1) } })
    expect(json.warnings).toEqual([
      'Rows of splits whose workout is not in the archive, left out: 10000',
      'Rows of timeSeries whose workout is not in the archive, left out: 10000',
    ])
  })

  test('a bad workout is an error with its id, and never stops the others', async () => {
    await using app = await testApp()
    const zip = await archiveOf({
      'data/workouts.json': [
        workout(1, { startedAt: 'yesterday' }),
        workout(2, { durationS: null }),
        workout(3, { distanceM: '5 km' }),
        { name: 'no id' },
        null,
        workout(4, { rpe: 11, calories: 'many', runType: 'Jog', name: 'y'.repeat(300) }),
        workout(4),
        ...Array.from({ length: 40 }, (_, n) => workout(100 + n, { startedAt: null })),
      ],
    })
    const { json } = await restored(app, zip)
    expect(json.success).toBe(false)
    expect(json.statistics.workouts).toEqual(counts(1, 1, 45))
    const named = [1, 100, 101, 102, 103].map(id).join(', ')
    expect(json.errors).toEqual([
      `Workouts without a startedAt that is a timestamp: ${named} and 36 more`,
      `Workouts without a durationS in seconds: ${id(2)}`,
      `Workouts without a distanceM in metres: ${id(3)}`,
      'Workouts without an id (2 times)',
    ])
    expect(json.warnings).toEqual([
      `Values of workouts that are not what they should be, left out: ${id(4)} calories, ${id(4)} rpe, ${id(4)} runType`,
    ])
    expect((await app.call('GET', `/workouts/${id(4)}`)).json).toMatchObject({ rpe: null, name: 'y'.repeat(200) })
  })

  test('splits of one index, or with an id that another has, do no harm', async () => {
    await using app = await testApp()
    const split = (workoutId: string, idx: number) => ({ id: id(1), workoutId, idx, distanceM: 1000, durationS: 300 })
    const zip = await archiveOf({
      'data/workouts.json': [workout(1), workout(2)],
      'data/splits.json': [split(id(1), 0), split(id(1), 0), split(id(1), 1), split(id(2), 0), { workoutId: id(2) }],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.splits).toEqual(counts(3, 1, 1))
    expect(json.errors).toEqual([`Splits without index, distance or duration: ${id(2)}`])
  })

  test('samples in any order, of several workouts in turn, out of range and falling back are read', async () => {
    await using app = await testApp()
    const rows = [2, 0, 1, 3].flatMap((t) =>
      [1, 2].map((n) => ({
        workoutId: id(n),
        elapsedSeconds: t,
        elapsedMs: t * 1000,
        lat: 47 + t / 1e4,
        lon: 8,
        heartRateBpm: 300 - t * 60,
      })),
    )
    const zip = await archiveOf({
      'data/workouts.json': [workout(1), workout(2)],
      'data/time-series.json': [...rows, { workoutId: id(1) }],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.timeSeries).toEqual(counts(8, 0, 1))
    const series = (await app.call('GET', `/workouts/${id(2)}/time-series`)).json.items
    expect(
      series.map((item: { elapsedSeconds: number; heartRateBpm: number }) => [item.elapsedSeconds, item.heartRateBpm]),
    ).toEqual([
      [1, 240],
      [2, 180],
      [3, 120],
    ])
    expect((await app.call('GET', `/workouts/${id(1)}`)).json.route.coordinates).toHaveLength(4)
  })

  test('media: a missing, a wrong and a damaged file are errors of their own', async () => {
    await using app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '500' } })
    const photo = (n: number, filename: string) => ({
      id: id(n),
      workoutId: id(1),
      filename,
      createdAt: '2024-01-01T00:00:00Z',
    })
    const at = (n: number, name: string) => `workouts/${id(1)}/media/${id(n)}/${name}`
    const zip = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/media-metadata.json': [
        photo(1, 'good.jpg'),
        photo(2, 'missing.jpg'),
        photo(3, 'text.jpg'),
        photo(4, 'large.jpg'),
        { ...photo(5, 'no-id.jpg'), id: 5 },
      ],
      [at(1, 'good.jpg')]: jpeg(99),
      [at(3, 'text.jpg')]: 'words',
      [at(4, 'large.jpg')]: jpeg(501),
    })
    const { json } = await restored(app, zip)
    expect(json.statistics).toMatchObject({ workouts: counts(1), media: counts(1, 0, 4) })
    expect(json.errors).toEqual([
      'Media whose file is not in the archive: missing.jpg',
      'Media refused: The content is not an image of a supported type: text.jpg',
      'Media larger than 500 bytes: large.jpg',
      'Media without an id: no-id.jpg',
    ])
    expect(filesOf(app, 'files/media')).toEqual([id(1)])
    expect(filesOf(app, 'tmp')).toEqual([])
  })
})

describe('events', () => {
  test('tell the progress and the end, and not each workout', async () => {
    await using app = await testApp()
    const told: Event[] = []
    app.deps.events.subscribe((event) => told.push(event))
    const zip = await archiveOf({
      'manifest.json': manifest({ statistics: { workouts: 2 } }),
      'data/workouts.json': [workout(1), workout(2)],
      'data/settings.json': {},
    })
    await restored(app, zip)
    expect(told.map(({ event }) => event)).toEqual([
      ...['settings.updated', 'import.progress', 'import.progress', 'import.done'],
    ] as Event['event'][])
    expect(told.at(-1)?.data).toEqual({ kind: 'restore', successful: 2, skipped: 0, updated: 0, errors: 0 })
    await app.upload('/workouts/import/export', [{ name: 'x.zip', bytes: 'no zip' }])
    expect(told.at(-1)).toEqual({ event: 'import.done', data: { kind: 'restore', error: expect.any(String) } })
  })
})

function manifest(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    version: '1.0.0',
    dataFormat: { shoes: 'data/shoes.json', workouts: 'data/workouts.json', settings: 'data/settings.json' },
    ...more,
  }
}

describe('what is refused before anything is written', () => {
  const files = { 'data/shoes.json': [shoe(1, 'A', 'B')], 'data/workouts.json': [workout(1)], 'data/settings.json': {} }
  const refusals: readonly (readonly [name: string, entries: Readonly<Record<string, unknown>>])[] = [
    ['no manifest', files],
    ['a manifest that is no JSON', { ...files, 'manifest.json': '{' }],
    ['a manifest that is an array', { ...files, 'manifest.json': [] }],
    ['no version', { ...files, 'manifest.json': manifest({ version: undefined }) }],
    ['another version', { ...files, 'manifest.json': manifest({ version: '2.0.0' }) }],
    ['a version that is a number', { ...files, 'manifest.json': manifest({ version: 1 }) }],
    ['no dataFormat', { ...files, 'manifest.json': manifest({ dataFormat: null }) }],
    ['no workouts', { ...files, 'manifest.json': manifest({ dataFormat: { shoes: 'data/shoes.json' } }) }],
    ['no shoes', { ...files, 'manifest.json': manifest({ dataFormat: { workouts: 'data/workouts.json' } }) }],
    [
      'a listed file that is missing',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: 'data/splits.json' } }),
      },
    ],
    [
      'a listed path out of the archive',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: '../../etc/passwd' } }),
      },
    ],
    [
      'an absolute listed path',
      {
        ...files,
        'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: '/etc/passwd' } }),
      },
    ],
    [
      'a listed path that is no text',
      { ...files, 'manifest.json': manifest({ dataFormat: { ...(manifest().dataFormat as object), splits: 5 } }) },
    ],
  ]
  for (const [name, entries] of refusals) {
    test(`400: ${name}`, async () => {
      await using app = await testApp()
      const { status, json } = await restored(app, await zipOf(entries))
      expect({ status, json }).toEqual({ status: 400, json: { error: expect.any(String) } })
      expect(json.error).not.toContain(app.deps.config.dataDir)
      expect(rowCounts(app)).toMatchObject({ shoe: 0, workout: 0 })
      expect(filesOf(app, 'tmp')).toEqual([])
    })
  }

  test('400: no file, no ZIP, a cut ZIP, no multipart; 401 for strangers; 413', async () => {
    await using app = await testApp({ env: { MAX_ARCHIVE_BYTES: '100000' } })
    const zip = await zipOf({ ...files, 'manifest.json': manifest() })
    const send = async (bytes: Uint8Array | string) =>
      (await app.upload('/workouts/import/export', [{ name: 'a', bytes }])).status
    expect(await send('this is no archive')).toBe(400)
    expect(await send('')).toBe(400)
    expect(await send(zip.subarray(0, zip.length - 30))).toBe(400)
    expect((await app.upload('/workouts/import/export', [])).status).toBe(400)
    expect((await app.call('POST', '/workouts/import/export', { json: {} })).status).toBe(400)
    expect((await app.call('POST', '/workouts/import/export', { token: null, body: new FormData() })).status).toBe(401)
    expect(await send(new Uint8Array(200_000))).toBe(413)
    expect(await send(zip)).toBe(200)
    expect(filesOf(app, 'tmp')).toEqual([])
  })

  test('trap 10: entries that point out of the archive', async () => {
    for (const name of ['../evil.json', '/tmp/evil', 'workouts/../../evil', 'C:\\evil', 'a\\..\\..\\evil']) {
      await using app = await testApp()
      const zip = await zipOf({ ...files, 'manifest.json': manifest(), ['x'.repeat(name.length)]: 'evil' })
      const named = Buffer.from(zip)
      // the same length, so that every offset stays
      for (let at = named.indexOf('x'.repeat(name.length)); at !== -1; at = named.indexOf('x'.repeat(name.length))) {
        named.write(name, at, 'latin1')
      }
      const { status, json } = await restored(app, new Uint8Array(named))
      expect({ name, status, json }).toEqual({
        name,
        status: 400,
        json: { error: expect.stringContaining('points out of it') },
      })
      expect(rowCounts(app)).toMatchObject({ shoe: 0, workout: 0 })
    }
  })
})

describe('hostile archives', () => {
  test('trap 11: a data file that says how large it is: 400', async () => {
    await using app = await testApp()
    const zip = await archiveOf({ 'data/workouts.json': `[${' '.repeat(40_000_000)}]` })
    expect(zip.length).toBeLessThan(100_000)
    const { status, json } = await restored(app, zip)
    expect({ status, json }).toEqual({ status: 400, json: { error: expect.any(String) } })
  })

  test('trap 11: one that lies about it ends the restore with an error naming it', async () => {
    await using app = await testApp()
    const zip = Buffer.from(
      await archiveOf({ 'data/splits.json': `[${' '.repeat(900_000)}]`, 'data/shoes.json': [shoe(1, 'A', 'B')] }),
    )
    // the unpacked size in the table of contents
    const central =
      zip.indexOf('data/splits.json', zip.lastIndexOf('PK\x01\x02')) === -1 ? zip.lastIndexOf('data/splits.json') : -1
    const at = (central === -1 ? zip.lastIndexOf('data/splits.json') : central) - 46
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    lie(zip, at, 1000)
    const { status, json } = await restored(app, new Uint8Array(zip))
    if (status === 400) return expect(json.error).toEqual(expect.any(String))
    expect(json.success).toBe(false)
    expect(json.errors[0]).toStartWith('data/splits.json cannot be unpacked')
  })

  test('a data file that is no JSON ends the restore with its name; what came before stays', async () => {
    for (const [path, text] of [
      ['data/splits.json', '{"not":"an array"}'],
      ['data/time-series.json', '[{"workoutId"'],
      ['data/best-efforts.json', '<html>'],
      ['data/settings.json', 'null null'],
    ] as const) {
      await using app = await testApp()
      const { status, json } = await restored(
        app,
        await archiveOf({ 'data/shoes.json': [shoe(1, 'A', 'B')], [path]: text }),
      )
      expect(status).toBe(200)
      expect(json).toMatchObject({ success: false, statistics: { shoes: counts(1) } })
      expect(json.errors).toEqual([`${path} is not the JSON it should be`])
    }
  })

  test('keys such as __proto__ and values of every wrong type do no harm', async () => {
    await using app = await testApp()
    const wrong: unknown[] = [null, [], {}, true, -1, 1e308, 'x', '', { __proto__: 1 }]
    const keys = [
      'route',
      'hrZoneSeconds',
      'weather',
      'rawGpxData',
      'rawFitData',
      'recording',
      'shoeId',
      'rawFileData',
      'rawFileName',
      'utcOffsetMinutes',
      'createdAt',
      'avgHeartRateBpm',
    ]
    const rows = wrong.flatMap((value, n) => keys.map((key, k) => workout(1 + n * 50 + k, { [key]: value })))
    const text = JSON.stringify(rows).replaceAll('"name":', '"__proto__":{"id":"x"},"name":')
    const zip = await archiveOf({
      'data/workouts.json': text,
      'data/routes.json': wrong.map((routeGeoJson, n) => ({
        id: routeGeoJson,
        workoutId: id(1 + n * 50),
        routeGeoJson,
      })),
      'data/time-series.json': wrong.map((value, n) => ({
        workoutId: id(1 + n * 50),
        elapsedSeconds: value,
        lat: value,
        lon: value,
      })),
      'data/media-metadata.json': wrong.map((value, n) => ({ id: value, workoutId: id(1 + n * 50), filename: value })),
      'data/best-efforts.json': wrong.map((value) => ({ id: value, workoutId: id(1), distance: value, timeS: value })),
    })
    const { status, json } = await restored(app, zip)
    expect(status).toBe(200)
    expect(json.statistics.workouts).toEqual(counts(rows.length))
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(rows.length)
    for (const row of rows) expect((await app.call('GET', `/workouts/${row.id}`)).status).toBe(200)
    expect((await exported(app)).length).toBeGreaterThan(1000)
  })
})

/** Writes another unpacked size into an entry's record of the table of contents, Zip64 or not. */
function lie(zip: Buffer, at: number, size: number): void {
  if (zip.readUInt32LE(at + 24) !== 0xffffffff) {
    zip.writeUInt32LE(size, at + 24)
    return
  }
  const extra = at + 46 + zip.readUInt16LE(at + 28)
  zip.writeBigUInt64LE(BigInt(size), extra + 4)
}

test('one archive is restored at a time', async () => {
  await using app = await testApp()
  const zip = await archiveOf({ 'data/workouts.json': [workout(1)], 'data/shoes.json': [shoe(1, 'A', 'B')] })
  const answers = await Promise.all([restored(app, zip), restored(app, zip), restored(app, zip)])
  expect(answers.map(({ json }) => json.statistics.workouts.imported).sort()).toEqual([0, 0, 1])
  expect(rowCounts(app)).toMatchObject({ shoe: 1, workout: 1 })
})

test('a restore while the same run is imported stores it once', async () => {
  await using source = await testApp()
  await library(source)
  const path = join(source.deps.config.dataDir, 'a.zip')
  await Bun.write(path, await exported(source))
  await using app = await testApp()
  const zip = await openZip(path, { maxUnpackedBytes: 2 ** 40 })
  const archive: OpenArchive = { zip, manifest: await readManifest(zip) }
  const file = { name: '0.fit', bytes: fitRun({ seconds: 1200 }) }
  const [summary, ...imports] = await Promise.all([
    restoreArchive(app.deps, archive),
    app.upload('/workouts/import', [file]),
    app.upload('/workouts/import', [file]),
  ])
  await zip.close()
  expect(summary.errors).toEqual([])
  expect(imports.map(({ status }) => status)).toEqual([200, 200])
  expect(rowCounts(app)).toMatchObject({ workout: 2, workout_samples: 2 })
  expect(filesOf(app, 'files/raw')).toHaveLength(4)
})
