import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TestApp, testApp } from '../app.ts'
import { corpusDir, corpusTest } from '../corpus.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { jpeg, png } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { DATA_FORMAT, dataOf, entriesOf, exported, restored, textOf } from './archives.ts'

/** Runs of several kinds, two shoes of one model, settings, edits, media, a crop. */
async function library(app: TestApp): Promise<void> {
  const shoes = [
    await app.call('POST', '/shoes', { json: { brand: 'Saucony', model: 'Kinvara', initialMileageM: 12_000.5 } }),
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

/** Every path of an archive with its bytes; the manifest without the time of the export. */
async function contentOf(app: TestApp): Promise<Map<string, string>> {
  const entries = await entriesOf(app, await exported(app))
  const content = new Map<string, string>()
  for (const [name, bytes] of entries) {
    const isText = name.startsWith('data/') || !name.includes('/')
    content.set(name, isText ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('base64'))
  }
  content.set('manifest.json', textOf(entries, 'manifest.json').replace(/"exportDate": "[^"]+"/, ''))
  return content
}

test('trap 46: export, restore into a fresh instance, export: every file is equal', async () => {
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

test.skipIf(Bun.which('python3') === null)('python reads the archive, and finds every checksum right', async () => {
  await using app = await testApp()
  await library(app)
  const path = join(app.deps.config.dataDir, 'out.zip')
  await Bun.write(path, await exported(app))
  const script =
    'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(*[i.filename for i in z.infolist()],sep="\\n")'
  const run = Bun.spawnSync(['python3', '-c', script, path])
  expect(run.stderr.toString()).toBe('')
  const names = run.stdout.toString().trim().split('\n')
  expect(names.slice(-2)).toEqual(['manifest.json', 'README.txt'])
  for (const name of Object.values(DATA_FORMAT)) expect(names).toContain(name)
})

corpusTest(
  'trap 46 with real watch files',
  async () => {
    await using source = await testApp()
    for (const folder of ['fit', 'fit-gz', 'gpx']) {
      const path = join(corpusDir ?? '', folder)
      const names = existsSync(path) ? readdirSync(path) : []
      for (const name of names) {
        if (readFileSync(join(path, name)).length > 2_000_000) continue
        await source.upload('/workouts/import', [{ name, bytes: new Uint8Array(readFileSync(join(path, name))) }])
      }
    }
    expect((await source.call('GET', '/workouts')).json.totalCount).toBeGreaterThan(20)
    await using target = await testApp()
    const answer = await restored(target, await exported(source))
    expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
    const [before, after] = [await contentOf(source), await contentOf(target)]
    expect([...after.keys()]).toEqual([...before.keys()])
    for (const [name, content] of before) expect(after.get(name) === content ? name : `${name} differs`).toBe(name)
  },
  240_000,
)
