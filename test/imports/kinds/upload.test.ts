import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '../../app.ts'
import { exported } from '../../archive/archives.ts'
import { until } from '../../features/events/listening.ts'
import { fitRun, gpxRun } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
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
})
