import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { type TestApp, testApp } from '../../../app.ts'
import { corpusFile, corpusTest } from '../../../corpus.ts'
import { stravaCsv } from '../../../fixtures/csv.ts'
import { butReceipts } from '../../../fixtures/events.ts'
import { fitRun } from '../../../fixtures/runs.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'
import { buildZip } from '../../../fixtures/zip-builder.ts'

const RUN = { 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
const ENCRYPTED = 1

/** Almost nothing but zeros, yet not packed so small that the archive alone gives it away. */
function sparse(bytes: number): Uint8Array {
  const data = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 500) data[at] = (at * 7919) % 251
  return data
}

function filesOf(app: TestApp): string[] {
  const { dataDir } = app.deps.config
  return ['tmp', 'files/raw', 'files/media'].flatMap((folder) =>
    existsSync(`${dataDir}/${folder}`) ? readdirSync(`${dataDir}/${folder}`) : [],
  )
}

describe('refused before anything is stored', () => {
  const file = { 'activities/1.fit': fitRun() }
  const good = stravaCsv([{ ...RUN, Filename: 'activities/1.fit' }])
  const zipped = (csv: Uint8Array | string) => zipUpload({ ...file, 'activities.csv': csv })
  const raw = (...entries: Parameters<typeof buildZip>[0]) => ({
    name: 'export.zip',
    bytes: new Uint8Array(buildZip([{ name: 'activities/1.fit', data: fitRun(), method: 8 }, ...entries])),
  })
  const brokenOff = `${new TextDecoder().decode(good)}2,"Nov 2, 2025`
  const tableBomb = sparse(110 * 1024 * 1024)
  const large = Array.from({ length: 6 }, (_, k) => ({
    ...{ name: `activities/${k + 2}.gpx`, data: new Uint8Array(4_000_000), method: 8, claims: { size: 0xf0000000 } },
  }))
  const of = (bytes: Uint8Array | string, name = 'export.zip') => ({ name, bytes })
  const table = (entry: object) => raw({ name: 'activities.csv', data: good, method: 8, ...entry })
  test.each<[string, { name: string; bytes: Uint8Array | string }[], RegExp, Record<string, string>?]>([
    ['a form without a file', [], /no file/],
    ['a file that is no ZIP', [of('<html></html>')], /ZIP/],
    ['a ZIP that is cut', [of(zipped(good).bytes.slice(0, -30))], /ZIP/],
    ['a ZIP without a table', [zipUpload(file)], /activities\.csv/],
    ['two exports in one', [zipUpload({ 'a/activities.csv': good, 'b/activities.csv': good })], /several/],
    ['a table that breaks off behind good rows', [zipped(brokenOff)], /cut off|quote/],
    ['an encrypted table', [table({ method: 0, flags: ENCRYPTED })], /encrypted/],
    ['a table that is a bomb', [table({ data: tableBomb })], /larger than/],
    ['more than 20 GiB unpacked', [raw({ name: 'activities.csv', data: good, method: 8 }, ...large)], /20 GiB/],
  ])('%s', async (_, files, error, fields = {}) => {
    await using app = await testApp()
    const heard: unknown[] = []
    app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
    const { status, json, text } = await app.upload('/workouts/import/bulk', files, fields)
    expect([status, json], text).toEqual([400, { error: expect.stringMatching(error) }])
    expect(json.error).not.toMatch(/[\\/]|\.$/)
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
    expect(filesOf(app)).toEqual([])
    expect(heard).toEqual([{ event: 'import.done', data: { kind: 'bulk', error: json.error } }])
  })
})

describe('names that lead out of the ZIP', () => {
  test.each([
    ...['../../../../etc/hostname', '/etc/hostname', 'C:\\windows\\run.fit', 'activities\\..\\..\\run.fit'],
    'activities/../../run.fit',
  ])('Filename %s is the one error of its row', async (name) => {
    await using app = await testApp()
    const rows = [
      { ...RUN, Filename: name, Media: 'media/1.jpg' },
      { ...RUN, Filename: 'activities/1.fit', Media: name },
    ]
    const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/1.fit': fitRun(), 'run.fit': fitRun() })
    const { status, json } = await app.upload('/workouts/import/bulk', [zip])
    const leads = 'The name in activities.csv is outside the ZIP archive'
    const stated = { errorDetails: [{ filename: name, error: leads }], warnings: [{ filename: name, message: leads }] }
    const counts = { totalProcessed: 2, successful: 1, errors: 1, mediaImported: 0 }
    expect([status, json]).toMatchObject([200, { ...counts, ...stated }])
  })

  corpusTest('an archive full of such names writes nothing outside and is one error', async () => {
    await using app = await testApp()
    const bytes = corpusFile('bad/zip-slip.zip')
    const before = readdirSync('/tmp').filter((name) => name.startsWith('evil'))
    const { status, json } = await app.upload('/workouts/import/bulk', [{ name: 'export.zip', bytes }])
    expect(status).toBe(200)
    expect(json).toMatchObject({ totalProcessed: 1, successful: 0, errors: 1, mediaImported: 0 })
    expect(readdirSync('/tmp').filter((name) => name.startsWith('evil'))).toEqual(before)
    expect(filesOf(app)).toEqual([])
  })
})

describe('bombs and damage are the error of their row, the others are stored', () => {
  const rows = (name: string) => stravaCsv([name, 'activities/1.fit'].map((one) => ({ ...RUN, Filename: one })))
  const zeros = new Uint8Array(101 * 1024 * 1024)
  const large = sparse(101 * 1024 * 1024)
  test.each<[string, string, { data: Uint8Array; flags?: number; claims?: object }, RegExp]>([
    ['zeros named GPX', 'bomb.gpx', { data: zeros }, /1000 times/],
    ['more than 100 MiB', 'bomb.gpx', { data: large }, /larger than/],
    ['an encrypted file', '2.fit', { data: fitRun(), flags: ENCRYPTED }, /encrypted/],
    ['a damaged file', '2.fit', { data: fitRun(), claims: { crc: 7 } }, /damaged/],
    ['a file larger than it says', '2.fit', { data: fitRun(), claims: { size: 1000 } }, /larger/],
  ])('%s', async (_, name, entry, error) => {
    await using app = await testApp()
    const bytes = buildZip([
      { name: 'activities.csv', data: rows(`activities/${name}`), method: 8 },
      { name: `activities/${name}`, method: 8, ...entry },
      { name: 'activities/1.fit', data: fitRun(), method: 8 },
    ])
    const { status, json } = await app.upload('/workouts/import/bulk', [{ name: 'export.zip', bytes }])
    expect([status, json]).toMatchObject([200, { totalProcessed: 2, successful: 1, errors: 1 }])
    expect(json.errorDetails).toMatchObject([{ filename: `activities/${name}`, error: expect.stringMatching(error) }])
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })
})
