import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TestApp, testApp } from '../app.ts'
import { corpusDir, corpusTest } from '../corpus.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { jpeg, png } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { contentOf, DATA_FORMAT, dataOf, entriesOf, exported, restored, zipOf } from './archives.ts'
import { verified } from './verify/verifying.ts'

/** Runs of several kinds, two shoes of one model, settings, edits, media, a crop. */
async function library(app: TestApp): Promise<void> {
  const shoes = [
    await app.call('POST', '/shoes', {
      json: {
        ...{ brand: 'Saucony', model: 'Kinvara', initialMileageM: 12_000.5 },
        ...{ retiredAt: '2025-11-01T08:00:00Z', retireAtM: 650_000.5 },
      },
    }),
    await app.call('POST', '/shoes', { json: { brand: 'Saucony', model: 'Kinvara' } }),
  ].map((answer) => answer.json.id)
  await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoes[1] } })
  await app.call('PUT', '/settings/heart-rate-zones', {
    json: { calculationMethod: 'Karvonen', maxHeartRateBpm: 187, restingHeartRateBpm: 49 },
  })
  const pause = straightPoints({ n: 400, startMs: START_MS + 86_400_000 })
  const files = [
    { name: 'morning.fit', bytes: fitRun({ seconds: 1500, speedMps: 3.3 }) },
    { name: 'abend lauf ä.gpx', bytes: gpxRun({ startMs: START_MS + 3_600_000, seconds: 900, name: 'Abendlauf 🏃' }) },
    {
      name: 'pause.gpx.gz',
      bytes: gzipSync(gpxFile({ segments: [pause.slice(0, 100), pause.slice(300)], desc: 'two parts' })),
    },
    { name: 'cropped.fit', bytes: fitRun({ startMs: START_MS + 2 * 86_400_000, seconds: 1200, speedMps: 3.1 }) },
    {
      name: 'activities.csv',
      bytes:
        'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename\n' +
        '1,"Nov 9, 2025, 7:00:00 AM",Without file,Run,1800,5.2,\n',
    },
  ]
  const answers = []
  for (const file of files) answers.push(await app.upload('/workouts/import', [file]))
  expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual([200, 200, 200, 200, 200])
  const [first, second, , cropped] = answers.map((answer) => answer.json.id)
  await app.call('PATCH', `/workouts/${first}`, {
    json: { runType: 'Race', notes: 'line\none "quoted" \u2028', rpe: 9, shoeId: shoes[0] },
  })
  await app.call('PATCH', `/workouts/${first}/best-efforts/804.672`, { json: { isRecord: false } })
  await app.call('PATCH', `/workouts/${second}`, { json: { leftOut: true } })
  await app.upload(`/workouts/${first}/media`, [
    { name: 'start/line.png', bytes: png(3) },
    { name: 'same.jpg', bytes: jpeg(700) },
    { name: 'same.jpg', bytes: jpeg(701) },
  ])
  await app.upload(`/workouts/${second}/media`, [{ name: 'ende.jpg', bytes: jpeg(90) }], { caption: 'Am Ziel' })
  expect((await app.call('POST', `/workouts/${cropped}/crop`, { json: { removeFromStartSeconds: 60.5 } })).status).toBe(
    200,
  )
}

test('export, restore into a fresh instance, export: every file is equal', async () => {
  await using source = await testApp()
  await library(source)
  await using target = await testApp()
  target.clock.nowMs += 86_400_000
  const zip = await exported(source)
  const answer = await restored(target, zip)
  expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(answer.json.statistics).toMatchObject({
    settings: { imported: 1, skipped: 0, errors: 0 },
    shoes: { imported: 2, skipped: 0, errors: 0 },
    workouts: { imported: 5, skipped: 0, errors: 0 },
    routes: { imported: 4, skipped: 0, errors: 0 },
    media: { imported: 4, skipped: 0, errors: 0 },
    rawFiles: { imported: 5, skipped: 0, errors: 0 },
  })
  const [before, after] = [await contentOf(source), await contentOf(target)]
  expect([...after.keys()]).toEqual([...before.keys()])
  for (const [name, content] of before) expect(`${name} ${after.get(name)}`).toBe(`${name} ${content}`)
  const { statistics } = dataOf(await entriesOf(source, zip), 'manifest.json')
  expect(statistics.timeSeries).toBe(answer.json.statistics.timeSeries.imported)
  expect(statistics.splits).toBe(answer.json.statistics.splits.imported)
  expect(readdirSync(join(target.deps.config.dataDir, 'tmp'))).toEqual([])
})

test('a restored library answers like the first: list, details, series, records, and a crop after the restore', async () => {
  await using source = await testApp()
  await library(source)
  await using target = await testApp()
  await restored(target, await exported(source))
  const { items } = (await source.call('GET', '/workouts')).json
  expect(items).toHaveLength(5)
  const paths = ['/workouts', '/shoes', '/settings/heart-rate-zones', '/settings/default-shoe', '/stats/best-efforts']
  for (const { id } of items) paths.push(`/workouts/${id}`, `/workouts/${id}/time-series`, `/workouts/${id}/media`)
  for (const path of paths) {
    const [one, other] = [await source.call('GET', path), await target.call('GET', path)]
    expect(other.status).toBe(one.status)
    expect(other.json).toEqual(one.json)
  }
  const paused = items.find(
    (item: { movingTimeS: number; durationS: number }) => item.durationS - item.movingTimeS > 100,
  )
  expect(paused).toBeDefined()
  const crop = { json: { removeFromEndSeconds: 20 } }
  const [one, other] = [
    await source.call('POST', `/workouts/${paused.id}/crop`, crop),
    await target.call('POST', `/workouts/${paused.id}/crop`, crop),
  ]
  expect(other.json).toEqual(one.json)
  // the original is still known by its bytes
  const again = await target.upload('/workouts/import', [
    { name: 'renamed.fit', bytes: fitRun({ startMs: START_MS + 2 * 86_400_000, seconds: 1200, speedMps: 3.1 }) },
  ])
  expect(again.json.action).toBe('skipped')
})

test('a best effort is as old as the clock of the service says, from import to archive and back', async () => {
  await using source = await testApp()
  await source.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 600 }) }])
  const zip = await exported(source)
  const calculatedAt = async (app: TestApp): Promise<string[]> => {
    const rows: { calculatedAt: string }[] = dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT.bestEfforts)
    return [...new Set(rows.map((row) => row.calculatedAt))]
  }
  expect(await calculatedAt(source)).toEqual(['2025-11-20T13:05:11Z'])
  await using target = await testApp()
  target.clock.nowMs += 86_400_000
  await restored(target, zip)
  expect(await calculatedAt(target)).toEqual(['2025-11-20T13:05:11Z'])
  // an archive without efforts: those of the samples are as old as the restore
  await using another = await testApp()
  another.clock.nowMs += 86_400_000
  const entries = await entriesOf(source, zip)
  await restored(another, await zipOf(new Map(entries).set(DATA_FORMAT.bestEfforts, new TextEncoder().encode('[]'))))
  expect(await calculatedAt(another)).toEqual(['2025-11-21T13:05:11Z'])
})

const UNPACKERS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['python3', '-c', 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); sys.exit(z.testzip() is not None)'],
  ['unzip', '-tqq'],
]

/** Other programs read the archive, and find every checksum right. */
async function expectReadable(app: TestApp, zip: Uint8Array): Promise<void> {
  const path = join(app.deps.config.dataDir, 'out.zip')
  await Bun.write(path, zip)
  for (const [program, ...args] of UNPACKERS) {
    if (Bun.which(program) === null) continue
    const run = Bun.spawnSync([program, ...args, path])
    expect(`${program} ${run.exitCode} ${run.stderr}`).toBe(`${program} 0 `)
  }
}

test('other programs read the archive; data files, manifest and README are where they should', async () => {
  await using app = await testApp()
  await library(app)
  const zip = await exported(app)
  const names = [...(await entriesOf(app, zip)).keys()]
  expect(names.slice(-2)).toEqual(['manifest.json', 'README.txt'])
  for (const name of Object.values(DATA_FORMAT)) expect(names).toContain(name)
  await expectReadable(app, zip)
})

/** Every real watch file that is one, with shoes, zones, edits, photos and a crop on top. */
async function corpusLibrary(app: TestApp): Promise<number> {
  const shoes = []
  for (const model of ['Pegasus', 'Vaporfly']) {
    shoes.push((await app.call('POST', '/shoes', { json: { brand: 'Nike', model, initialMileageM: 1234.5 } })).json.id)
  }
  await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoes[1] } })
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 41 } })
  for (const folder of ['fit', 'fit-gz', 'gpx', 'csv', 'bad']) {
    const path = join(corpusDir ?? '', folder)
    for (const name of readdirSync(path).sort()) {
      const units = name.length % 2 === 0 ? 'metric' : 'imperial'
      const file = { name, bytes: new Uint8Array(readFileSync(join(path, name))) }
      await app.upload('/workouts/import', [file], { unitPreference: units })
    }
  }
  const exportOfStrava = join(corpusDir ?? '', 'strava-export')
  const names = readdirSync(exportOfStrava, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  const files = names.map((name) => [name, new Uint8Array(readFileSync(join(exportOfStrava, name)))] as const)
  const bulk = await app.upload('/workouts/import/bulk', [zipUpload(Object.fromEntries(files))])
  expect(bulk.json).toMatchObject({ errorDetails: expect.any(Array), mediaImported: expect.any(Number) })
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { items, totalPages } = (await app.call('GET', `/workouts?pageSize=100&page=${page}`)).json
    for (const item of items) ids.push(item.id)
    if (page >= totalPages) break
  }
  for (const [n, id] of ids.entries()) {
    const edit = {
      name: `Lauf ${n} 🏃`,
      notes: `${n}\n"quoted"`,
      rpe: (n % 10) + 1,
      shoeId: n % 3 === 0 ? shoes[0] : null,
    }
    if (n % 2 === 0) await app.call('PATCH', `/workouts/${id}`, { json: edit })
    if (n % 5 === 0) await app.upload(`/workouts/${id}/media`, [{ name: `${n}.jpg`, bytes: jpeg(1000 + n) }])
    if (n % 7 === 0) await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 30.25 } })
    if (n % 11 === 0) await app.call('POST', `/workouts/${id}/recalculate-splits`)
  }
  return ids.length
}

corpusTest(
  'with every real watch file: all files of the second archive are equal, a verification finds no difference',
  async () => {
    await using source = await testApp()
    const stored = await corpusLibrary(source)
    expect(stored).toBeGreaterThan(60)
    const zip = await exported(source)
    await expectReadable(source, zip)
    await using target = await testApp()
    const answer = await restored(target, zip)
    expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
    expect(answer.json.statistics.workouts).toEqual({ imported: stored, skipped: 0, errors: 0 })
    const [before, after] = [await contentOf(source), await contentOf(target)]
    expect([...after.keys()]).toEqual([...before.keys()])
    for (const [name, content] of before) expect(after.get(name) === content ? name : `${name} differs`).toBe(name)
    const { differences, kinds } = await verified(zip)
    expect(differences).toEqual([])
    for (const { kind, ...counts } of kinds) {
      const { inArchive } = counts
      expect({ kind, ...counts }).toEqual({ kind, inArchive, restored: inArchive, equal: inArchive })
    }
  },
  600_000,
)
