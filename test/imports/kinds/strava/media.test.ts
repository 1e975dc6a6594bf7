import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestApp, testApp } from '../../../app.ts'
import { stravaCsv } from '../../../fixtures/csv.ts'
import { isoMedia, jpeg, png } from '../../../fixtures/media.ts'
import { fitRun } from '../../../fixtures/runs.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'

type Files = Readonly<Record<string, Uint8Array | string>>

/** One run with the media of a cell. */
async function bulk(app: TestApp, media: string, files: Files, more: Readonly<Record<string, string | number>> = {}) {
  const row = { 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run', Media: media }
  const csv = stravaCsv([{ ...row, Filename: 'activities/1.fit', ...more }])
  const zip = zipUpload({ 'activities.csv': csv, 'activities/1.fit': fitRun(), ...files })
  const { status, json, text } = await app.upload('/workouts/import/bulk', [zip])
  expect(status, text).toBe(200)
  return json
}

async function mediaOf(app: TestApp) {
  const { items } = (await app.call('GET', '/workouts')).json
  return (await app.call('GET', `/workouts/${items[0].id}/media`)).json
}

const photos = { 'media/a.jpg': jpeg(400_000), 'media/b.png': png(), 'media/c.mp4': isoMedia('isom') }

test('photos and videos of a row are stored with the captions of media.csv, byte for byte', async () => {
  await using app = await testApp()
  const captions = 'Media Filename,Media Caption\nmedia/a.jpg,"At the top, ""finally"""\nmedia/b.png,\n'
  const answer = await bulk(app, 'media/a.jpg|media/b.png|media/c.mp4', { ...photos, 'media.csv': captions })
  expect(answer).toMatchObject({ successful: 1, mediaImported: 3, warnings: [] })
  const stored = await mediaOf(app)
  expect(stored).toMatchObject([
    { filename: 'a.jpg', mimeType: 'image/jpeg', fileSizeBytes: 400_000, caption: 'At the top, "finally"' },
    { filename: 'b.png', mimeType: 'image/png', caption: null },
    { filename: 'c.mp4', mimeType: 'video/mp4', caption: null },
  ])
  const path = `${app.deps.config.dataDir}/files/media/${stored[0].id}`
  expect(Buffer.compare(readFileSync(path), photos['media/a.jpg'])).toBe(0)
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('what cannot be taken over is a warning and costs neither run nor other files', async () => {
  await using app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '300000' } })
  const names = ['a.jpg', 'gone.jpg', 'text.jpg', 'page.html', 'b.png', 'empty.png']
  const cell = names.map((name) => `media/${name}`).join('|')
  const files = { ...photos, 'media/text.jpg': 'no photo at all', 'media/page.html': '<p>', 'media/empty.png': '' }
  const answer = await bulk(app, cell, files)
  expect(answer).toMatchObject({ successful: 1, errors: 0, mediaImported: 1 })
  expect(answer.warnings).toEqual([
    { filename: 'media/a.jpg', message: expect.stringContaining('300000') },
    { filename: 'media/gone.jpg', message: 'The file is missing from the ZIP archive' },
    { filename: 'media/text.jpg', message: expect.stringContaining('not an image') },
    { filename: 'media/page.html', message: expect.stringContaining('must end in') },
    { filename: 'media/empty.png', message: 'The file is empty' },
  ])
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('a skipped duplicate gets the files it lacks: not those of the same name and size', async () => {
  await using app = await testApp()
  await bulk(app, 'media/a.jpg', photos)
  const other = { ...photos, 'media/new/a.jpg': jpeg(500) }
  // commas divide as well
  const answer = await bulk(app, 'media/a.jpg, media/b.png|media/new/a.jpg', other)
  expect(answer).toMatchObject({ successful: 0, skipped: 1, mediaImported: 2, warnings: [] })
  expect(await mediaOf(app)).toMatchObject([
    { filename: 'a.jpg', fileSizeBytes: 400_000 },
    { filename: 'b.png', fileSizeBytes: png().length },
    { filename: 'a.jpg', fileSizeBytes: 500 },
  ])
  expect(await bulk(app, 'media/a.jpg|media/b.png|media/new/a.jpg', other)).toMatchObject({ mediaImported: 0 })
})
