// A small table or list can name one large file a thousand times: each file of an export is read for one run.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { zippedFiles } from '../../src/formats/small-zip.ts'
import type { Item } from '../../src/takeouts/kind.ts'
import { TAKEOUT_KINDS } from '../../src/takeouts/kinds.ts'
import { openSource } from '../../src/takeouts/source.ts'
import { testApp } from '../app.ts'
import { type AppleRun, appleExport, appleRecord, appleRuns, routeName } from '../fixtures/apple-export.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { jpeg } from '../fixtures/media.ts'
import { runkeeperGpx, runkeeperTable } from '../fixtures/runkeeper.ts'
import { runtasticFiles } from '../fixtures/runtastic.ts'
import { endurainRow, fitTrackeeRow } from '../fixtures/self-hosted.ts'
import { knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { tempFolder } from '../temp-folder.ts'

const RUNS = knownRuns(3)
const [RUN] = RUNS as [(typeof RUNS)[number]]
const folder = tempFolder()

/** What the items of an export are; `parts`: the files in the ZIP of each run. */
async function itemsOf(origin: string, files: Readonly<Record<string, string | Uint8Array>>) {
  const path = join(folder, `${origin}.zip`)
  await Bun.write(path, zipUpload(files).bytes)
  const source = await openSource(path, { filename: 'export.zip', tmpDir: folder })
  const kind = TAKEOUT_KINDS.find((one) => one.origin === origin)!
  const found: Item[] = []
  const warnings: string[] = []
  const parts: ReadonlyMap<string, Uint8Array>[] = []
  try {
    const nothing = () => {}
    for await (const item of kind.items(source, {
      ...{ signal: new AbortController().signal, expect: nothing, shoe: nothing, hasRunAt: () => false },
      settled: () => Promise.resolve(),
      warn: ({ message }) => void warnings.push(message),
    })) {
      found.push(item)
      if ('file' in item && item.filename.endsWith('.zip')) parts.push(zippedFiles(await item.file.bytes()))
    }
  } finally {
    await source.close()
  }
  const skipped = found.flatMap((item) => ('skipped' in item ? [item.skipped] : []))
  return { files: found.filter((item) => 'file' in item).length, skipped, warnings, parts }
}

const three = (rowOf: (run: (typeof RUNS)[number]) => unknown) => JSON.stringify(RUNS.map(rowOf))
test.each(
  Object.entries({
    runkeeper: {
      'cardioActivities.csv': runkeeperTable(RUNS.map((run) => ({ run, gpx: 'a.gpx' }))),
      'a.gpx': runkeeperGpx(RUN),
    },
    fittrackee: {
      'user_workouts_data.json': three((run) => fitTrackeeRow(run, { file: 'a.gpx' })),
      'workout_files/a.gpx': runkeeperGpx(RUN),
    },
    endurain: {
      'counts.json': '{}',
      'data/activities.json': three((run) => endurainRow(run, { id: 7 })),
      'activity_files/7.gpx': runkeeperGpx(RUN),
    },
  }),
)('%s: a file that three rows name is read for the first', async (origin, files) => {
  const again = 'An earlier row names the same file'
  expect(await itemsOf(origin, files)).toMatchObject({ files: 1, skipped: [again, again] })
})

test('adidas Running: a track is of one session, however many have its id', async () => {
  const files = runtasticFiles(RUN)
  const [session] = Object.keys(files) as [string]
  const id = session.slice(session.lastIndexOf('_') + 1)
  const { files: count, parts } = await itemsOf('runtastic', { ...files, [`Sport-sessions/b_${id}`]: files[session]! })
  expect([count, parts.map(({ size }) => size)]).toEqual([2, [3, 1]])
})

test('Apple Health: a route is of one run', async () => {
  const runs = appleRuns(2) as [AppleRun, AppleRun]
  const [first, second] = runs.map((run) => routeName(run))
  const files = appleExport(runs)
  const xml = 'apple_health_export/export.xml'
  const { parts, warnings } = await itemsOf('apple_health', { ...files, [xml]: files[xml]!.replace(second!, first!) })
  expect(parts.map((files) => [...files.keys()])).toEqual([['export.xml', `workout-routes/${first}`], ['export.xml']])
  expect(warnings).toEqual(['An earlier run has this route'])
})

test('Apple Health: records of one second are folded as they are read, and their metres added up', async () => {
  const run = { ...appleRuns(1)[0]!, hasRoute: false, hasRecords: false, seconds: 60, metres: 180 }
  const all = (type: string, unit: string, value: number) =>
    Array.from({ length: 6000 }, (_, k) =>
      appleRecord({ type, unit, value: value + (k % 100), fromMs: run.startMs + (k % 60) * 1000 }),
    )
  const records = [...all('HeartRate', 'count/min', 100), ...all('DistanceWalkingRunning', 'm', 0)]
  const { parts } = await itemsOf('apple_health', appleExport([run], { records }))
  const text = new TextDecoder().decode(parts[0]!.get('export.xml'))
  const values = (type: string) =>
    [...text.matchAll(new RegExp(`Identifier${type}".* value="(.*?)"`, 'g'))].map(([, value]) => Number(value))
  // the first of each second
  expect(values('HeartRate')).toEqual(Array.from({ length: 60 }, (_, k) => 100 + k))
  const metres = values('DistanceWalkingRunning')
  expect(metres.length).toBeLessThanOrEqual(120)
  expect(metres.reduce((sum, value) => sum + value, 0)).toBe(60 * 4950)
})

test('Strava: a photo that several rows name is added to the first', async () => {
  const when = (id: number) => ({ 'Activity ID': id, 'Activity Date': `Nov ${id}, 2025, 7:00:00 AM` })
  const what = { 'Activity Type': 'Run', 'Elapsed Time': 1800, Distance: 5, Media: 'media/a.jpg' }
  const csv = stravaCsv([1, 2, 3].map((id) => ({ ...when(id), ...what })))
  await using app = await testApp()
  const file = zipUpload({ 'activities.csv': csv, 'media/a.jpg': jpeg() })
  const { json } = await app.upload('/workouts/import/bulk', [file])
  expect(json).toMatchObject({ successful: 3, mediaImported: 1 })
})
