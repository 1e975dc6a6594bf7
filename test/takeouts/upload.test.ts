import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHeld } from '../../src/takeouts/held.ts'
import { type TestApp, testApp } from '../app.ts'
import { exported } from '../archive/archives.ts'
import { until } from '../events/listening.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { endurainRow, gpxOf } from '../fixtures/self-hosted.ts'
import { knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { PATH } from './exports.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '1000' } })
})
afterEach(() => app.close())

const left = () => readdirSync(join(app.deps.config.dataDir, 'tmp'))

describe('the upload of a dry run', () => {
  const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="b.zip"\r\n\r\nPK'
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }

  test.each(['nothing\r\n--x--\r\n', ''])(
    'is removed before the next one is received, or cut off: %j',
    async (rest) => {
      await app.upload(PATH, [zipUpload({ 'a.fit': fitRun() })], { dryRun: 'true' })
      const [held] = left()
      const form = new TransformStream<Uint8Array, Uint8Array>()
      const writer = form.writable.getWriter()
      const body = form.readable as ReadableStream<Uint8Array<ArrayBuffer>>
      const answer = app.call('POST', PATH, { body, headers })
      await writer.write(Buffer.from(HEAD))
      await until(() => !left().includes(held!), 'the held upload is removed')
      if (rest !== '') await writer.write(Buffer.from(rest))
      await writer.close()
      expect((await answer).status).toBe(400)
      // an error that nobody handles would come later, and end the process
      await Bun.sleep(50)
      expect(left()).toEqual([])
    },
  )

  test('gives way to a later one, also while an earlier one is still being removed', async () => {
    const held = createHeld(app.deps)
    const { promise: removed, resolve } = Promise.withResolvers<void>()
    const disposed: string[] = []
    const upload = (filename: string, wait?: Promise<void>) => ({
      path: '',
      filename,
      dispose: async () => {
        await wait
        disposed.push(filename)
      },
    })
    await held.keep(upload('a', removed))
    const keeping = [held.keep(upload('b')), held.keep(upload('c'))]
    resolve()
    const [b, c] = await Promise.all(keeping)
    expect(disposed.toSorted()).toEqual(['a', 'b'])
    expect([held.take(b!), held.take(c!)?.filename]).toEqual([null, 'c'])
  })

  test('is removed when the disk has less than 256 MiB', async () => {
    let free = 256 * 1_048_576
    const held = createHeld(app.deps, () => Promise.resolve(free))
    let isDisposed = false
    const dispose = async () => {
      isDisposed = true
    }
    const id = await held.keep({ path: '', filename: 'a.zip', dispose })
    app.pass(60_000)
    await Bun.sleep(1)
    expect(isDisposed).toBe(false)
    free -= 1
    app.pass(60_000)
    await until(() => isDisposed, 'it is removed')
    expect(held.take(id)).toBeNull()
  })
})

describe('what goes to an import of its own', () => {
  const title = 'export.zip'
  const refused = [
    ['/workouts/import/bulk', 'bulk', 'strava_archive', zipUpload({ 'activities.csv': 'a,b\n1,2' })],
    ['/workouts/import/export', 'restore', 'archive', zipUpload({ 'manifest.json': '{}', 'data/workouts.json': '' })],
  ] as const

  test.each(refused)('is refused as %s refuses it', async (path, kind, origin, file) => {
    for (const call of [path, PATH]) {
      const heard: unknown[] = []
      const end = app.deps.events.subscribe(({ event, data }) => void (event === 'import.done' && heard.push(data)))
      const { status, json } = await app.upload(call, [file])
      end()
      expect([call, status]).toEqual([call, 400])
      expect([call, heard]).toEqual([call, [{ kind, error: json.error }]])
      const [receipt, ...others] = (await app.ok('GET', '/receipts')).items
      expect(receipt).toMatchObject({ kind: 'import', origin, title, counts: { errors: 1 } })
      expect(others).toHaveLength(call === PATH ? 1 : 0)
      expect(left()).toEqual([])
    }
  })

  test('an archive is announced as a restore, after which its runs are derived again', async () => {
    await app.run(gpxRun(), 'a.gpx')
    const bytes = await exported(app)
    const heard: unknown[] = []
    app.deps.events.subscribe(({ event, data }) => void (event === 'import.done' && heard.push(data)))
    expect((await app.upload(PATH, [{ name: 'own.zip', bytes }])).json).toMatchObject({ kind: 'archive', skipped: 1 })
    expect(heard).toEqual([{ kind: 'restore', successful: 0, skipped: 1, updated: 0, errors: 0 }])
  })

  test('a Strava export is known by the first table that is where Strava has it', async () => {
    const table = 'Activity ID,Activity Date,Activity Name,Activity Type,Filename,Elapsed Time,Distance\n'
    const row = '1,"Nov 1, 2025, 7:00:00 AM",Morning,Run,,600,1.8\n2,"Nov 2, 2025, 7:00:00 AM",Tour,Ride,,600,5'
    const file = zipUpload({ 'old/copies/activities.csv': 'x', 'export/activities.csv': table + row })
    const dry = await app.upload(PATH, [file], { dryRun: 'true' })
    expect(dry.json).toMatchObject({ kind: 'strava_archive', skippedOther: 1, preview: { runs: 1, distanceM: null } })
    const { json } = await app.upload(PATH, [], { uploadId: dry.json.uploadId })
    expect(json).toMatchObject({ kind: 'strava_archive', successful: 1, skippedOther: 1 })
  })
})

test('photos that a run has, or that are too large, are not unpacked', async () => {
  const [run] = knownRuns(1)
  const withPhoto = ({ size = 0, crc }: { readonly size?: number; readonly crc?: number }) => {
    const entries = [
      { name: 'counts.json', data: '{}' },
      { name: 'data/activities.json', data: JSON.stringify([endurainRow(run!)]) },
      { name: 'activity_files/1.gpx', data: gpxOf(run!) },
      {
        name: 'activity_media/1_photo.jpg',
        data: Buffer.concat([jpeg(), Buffer.alloc(size)]),
        claims: crc === undefined ? {} : { crc },
      },
    ]
    return { name: 'a.zip', bytes: new Uint8Array(buildZip(entries)) }
  }
  const large = await app.upload(PATH, [withPhoto({ size: 1000, crc: 1 })])
  expect(large.json).toMatchObject({ mediaImported: 0, warnings: [{ message: expect.stringContaining('1000 bytes') }] })
  expect((await app.upload(PATH, [withPhoto({})])).json).toMatchObject({ mediaImported: 1, warnings: [] })
  // a damaged one would be reported
  expect((await app.upload(PATH, [withPhoto({ crc: 1 })])).json).toMatchObject({ mediaImported: 0, warnings: [] })
})
