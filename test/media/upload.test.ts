import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mediaFilename } from '../../src/media/store.ts'
import { uploadMedia } from '../../src/media/upload.ts'
import { type TestApp, type TestFile, testApp } from '../app.ts'
import { ebml, gif, isoMedia, jpeg, png } from '../fixtures/media.ts'
import { countOf, refuse } from '../library/as-stored.ts'
import { addWorkout } from '../library/feature-app.ts'
import { removeRuns } from '../library/recordings.ts'

const RUN = '0198b000-0000-7000-8000-000000000001'
const NOBODY = '0198b000-0000-7000-8000-00000000dead'
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const NOW = '2025-11-20T13:05:11Z'

async function appWithRun(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await testApp({ env })
  addWorkout(app.deps, { id: RUN })
  return app
}

const send = (app: TestApp, files: readonly TestFile[], fields: Record<string, string> = {}) =>
  app.upload(`/workouts/${RUN}/media`, files, fields)

function storedFiles(app: TestApp): string[] {
  const folder = `${app.deps.config.dataDir}/files/media`
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}

function expectNothingStored(app: TestApp): void {
  expect(countOf(app.deps, 'media')).toBe(0)
  expect(storedFiles(app)).toEqual([])
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
}

describe('refused before anything is stored', () => {
  const photo = { name: 'a.png', bytes: png() }
  const third = { name: 'a.jpg', bytes: jpeg(7000) }
  const path = `/workouts/${RUN}/media`
  test.each([
    ['a body that is not multipart', (app: TestApp) => app.call('POST', path, { json: {} }), 400, /multipart/],
    ['a form without a file', (app: TestApp) => send(app, [], { caption: 'x' }), 400, /no file/],
    ['a caption of 1001 characters', (app: TestApp) => send(app, [photo], { caption: '🏃'.repeat(1001) }), 400, /1000/],
    ['an unknown workout', (app: TestApp) => app.upload(`/workouts/${NOBODY}/media`, [photo]), 404, /^Workout not/],
    ['more bytes than allowed', (app: TestApp) => send(app, [{ name: 'a.jpg', bytes: jpeg(20_001) }]), 413, /20000/],
    ['more bytes than allowed in sum', (app: TestApp) => send(app, Array(3).fill(third)), 413, /20000/],
  ] as const)('%s', async (_name, ask, status, error) => {
    await using app = await appWithRun({ MAX_UPLOAD_BYTES: '20000' })
    const answer = await ask(app)
    expect([answer.status, answer.json], answer.text).toEqual([status, { error: expect.stringMatching(error) }])
    expectNothingStored(app)
  })
})

describe('one file is refused on its own', () => {
  test.each([
    ['a text renamed to .jpg', 'a.jpg', 'just text, no picture', /not an image/],
    ['a text renamed to .mp4', 'a.mp4', 'just text, no video', /not a video/],
    ['a video renamed to .jpg', 'a.jpg', isoMedia('isom', 'mp42'), /not an image/],
    ['a photo renamed to .mp4', 'a.mp4', png(), /not a video/],
    ['an empty file', 'a.jpg', '', /empty/],
    ['a photo without extension', 'photo', png(), /jpg, jpeg, png, gif, webp, heic, mp4, mov, avi, webm, m4v/],
    ['a second extension', 'a.jpg.exe', png(), /must end in/],
    ['a file over the limit', 'a.jpg', jpeg(1001), /1000 bytes/],
    ['a file over the limit that was streamed to the disk', 'a.jpg', jpeg(300_000), /1000 bytes/],
  ] as const)('%s', async (_name, name, bytes, error) => {
    await using app = await appWithRun({ MEDIA_MAX_FILE_BYTES: '1000' })
    const { status, json } = await send(app, [{ name, bytes }])
    const message = expect.stringMatching(error)
    expect([status, json]).toEqual([400, { error: message, errors: [{ filename: name, error: message }] }])
    expectNothingStored(app)
  })

  test('none of several: one sentence, and each with its reason', async () => {
    await using app = await appWithRun()
    const { status, json } = await send(app, [
      { name: 'a.jpg', bytes: 'text' },
      { name: 'b.txt', bytes: png() },
    ])
    expect(status).toBe(400)
    expect(json).toEqual({
      error: 'None of the files could be stored',
      errors: [
        { filename: 'a.jpg', error: expect.stringContaining('not an image') },
        { filename: 'b.txt', error: expect.stringContaining('must end in') },
      ],
    })
    expectNothingStored(app)
  })
})

describe('stored', () => {
  const stored = (filename: string, mimeType: string, fileSizeBytes: number) => {
    const nowhere = { lat: null, lon: null, placedBy: null }
    return { id: UUID, filename, mimeType, fileSizeBytes, caption: null, createdAt: NOW, ...nowhere }
  }

  test('all of the files: their list, in the order sent, with the type of the content', async () => {
    await using app = await appWithRun()
    const files = [
      { name: 'start.JPG', bytes: jpeg() },
      { name: 'really-a-png.jpg', bytes: png() },
      { name: 'finish.mp4', bytes: isoMedia('qt  ', 'qt  ') },
      { name: 'loop.gif', bytes: gif() },
      { name: 'iphone.heic', bytes: isoMedia('heic', 'mif1') },
    ]
    const { status, json } = await send(app, files)
    expect(status).toBe(200)
    const types = ['image/jpeg', 'image/png', 'video/quicktime', 'image/gif', 'image/heic']
    expect(json).toEqual(files.map(({ name, bytes }, index) => stored(name, types[index]!, bytes.length)))
    expect((await app.call('GET', `/workouts/${RUN}/media`)).json).toEqual(json)
    for (const [index, { bytes }] of files.entries()) {
      const stored = readFileSync(`${app.deps.config.dataDir}/files/media/${json[index].id}`)
      expect(Buffer.compare(stored, bytes)).toBe(0)
    }
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })

  test('some of the files: the list, and what is wrong with the others', async () => {
    await using app = await appWithRun()
    const { status, json } = await send(app, [
      { name: 'bad.jpg', bytes: 'text' },
      { name: 'good.webm', bytes: ebml('webm') },
      { name: 'empty.png', bytes: '' },
    ])
    expect([status, json]).toEqual([
      200,
      {
        uploaded: [stored('good.webm', 'video/webm', ebml('webm').length)],
        errors: [
          { filename: 'bad.jpg', error: expect.stringContaining('not an image') },
          { filename: 'empty.png', error: 'The file is empty' },
        ],
        successCount: 1,
        errorCount: 2,
      },
    ])
    expect(storedFiles(app)).toEqual([json.uploaded[0].id])
  })

  test('a file of exactly the limit, large enough to be streamed to the disk', async () => {
    await using app = await appWithRun({ MEDIA_MAX_FILE_BYTES: '1000000' })
    const { status, json } = await send(app, [{ name: 'a.jpg', bytes: jpeg(1_000_000) }])
    expect([status, json[0].fileSizeBytes]).toEqual([200, 1_000_000])
    const stored = readFileSync(`${app.deps.config.dataDir}/files/media/${json[0].id}`)
    expect(Buffer.compare(stored, jpeg(1_000_000))).toBe(0)
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })

  test('two uploads of one name do not overwrite each other, one after the other and at once', async () => {
    await using app = await appWithRun()
    const first = await send(app, [{ name: 'a.png', bytes: png(1) }])
    const both = await Promise.all([2, 300_000].map((width) => send(app, [{ name: 'a.png', bytes: png(width) }])))
    const twice = await send(app, [
      { name: 'a.png', bytes: png(4) },
      { name: 'a.png', bytes: png(5) },
    ])
    const ids: string[] = [first, ...both, twice].flatMap(({ json }) => json.map(({ id }: { id: string }) => id))
    expect(new Set(ids).size).toBe(5)
    for (const [index, width] of [1, 2, 300_000, 4, 5].entries()) {
      const { text } = await app.call('GET', `/workouts/${RUN}/media/${ids[index]}`)
      expect(text).toBe(new TextDecoder().decode(png(width)))
    }
  })

  test('the caption counts for all files of the call; a blank one is none', async () => {
    await using app = await appWithRun()
    const photos = [1, 2].map((width) => ({ name: `${width}.png`, bytes: png(width) }))
    const caption = '🏃'.repeat(1000)
    const { json } = await send(app, photos, { caption: ` ${caption}\n` })
    expect(json.map((one: { caption: string }) => one.caption)).toEqual([caption, caption])
    expect((await send(app, photos, { caption: ' ' })).json[0].caption).toBeNull()
  })

  test('any field name, the path of the client and a type it makes up count nothing', async () => {
    await using app = await appWithRun()
    const form = new FormData()
    form.append('files', new File([png()], '..\\..\\etc/../a\u0007b.png', { type: 'text/html' }))
    form.append('anything', new File([png(2)], 'löpning 🏃.png', { type: 'application/x-sh' }))
    const { json } = await app.call('POST', `/workouts/${RUN}/media`, { body: form })
    expect(json.map(({ filename, mimeType }: Record<string, string>) => [filename, mimeType])).toEqual([
      ['ab.png', 'image/png'],
      ['löpning 🏃.png', 'image/png'],
    ])
    expect(storedFiles(app)).toEqual(json.map(({ id }: { id: string }) => id))
  })

  test('the list is ordered by time, then by the order within a call', async () => {
    await using app = await appWithRun()
    const names = async () =>
      (await app.call('GET', `/workouts/${RUN}/media`)).json.map(({ filename }: { filename: string }) => filename)
    expect(await names()).toEqual([])
    const photos = ['c', 'a', 'b'].map((name) => ({ name: `${name}.png`, bytes: png() }))
    await send(app, photos)
    app.clock.nowMs -= 1
    await send(app, [{ name: 'earlier.png', bytes: png() }])
    expect(await names()).toEqual(['earlier.png', 'c.png', 'a.png', 'b.png'])
    expect((await app.call('GET', `/workouts/${NOBODY}/media`)).json).toEqual({ error: 'Workout not found' })
    expect((await app.call('GET', '/workouts/x/media')).status).toBe(404)
  })
})

describe('a failure between file and row', () => {
  test('a row that cannot be written leaves no file', async () => {
    await using app = await appWithRun()
    refuse(app.deps, ['INSERT', 'media'], { message: 'disk full' })
    const one = await send(app, [{ name: 'a.png', bytes: png() }])
    expect([one.status, one.json]).toEqual([500, { error: 'Internal server error' }])
    expectNothingStored(app)
    const two = await send(app, [
      { name: 'a.png', bytes: png() },
      { name: 'b.jpg', bytes: jpeg(300_000) },
    ])
    const error = 'The file could not be stored'
    const errors = ['a.png', 'b.jpg'].map((filename) => ({ filename, error }))
    expect([two.status, two.json.errors]).toEqual([400, errors])
    expectNothingStored(app)
    expect(app.logged.filter((line) => line.includes('disk full'))).toHaveLength(3)
  })

  test('a file that cannot be written leaves no row', async () => {
    await using app = await appWithRun()
    mkdirSync(`${app.deps.config.dataDir}/files`)
    writeFileSync(`${app.deps.config.dataDir}/files/media`, 'in the way')
    const { status, text } = await send(app, [{ name: 'a.png', bytes: png() }])
    expect([status, text]).toEqual([500, '{"error":"Internal server error"}'])
    rmSync(`${app.deps.config.dataDir}/files/media`)
    expectNothingStored(app)
  })

  test('a workout deleted while its photos arrive is unknown, and nothing of them stays', async () => {
    await using app = await appWithRun()
    // the clock is read between the check of a file and its row
    const deleting = () => {
      removeRuns(app.deps)
      return app.clock.nowMs
    }
    const form = new FormData()
    for (const width of [1, 2]) form.append('files', new File([png(width)], 'a.png'))
    const request = new Request('http://localhost/x', { method: 'POST', body: form })
    const outcome = uploadMedia({ ...app.deps, now: deleting }, RUN, request)
    expect(await outcome.catch((error: Error) => error.message)).toBe('Workout not found')
    expectNothingStored(app)
  })
})

describe('a name as people read it', () => {
  test.each([
    ['C:\\photos\\a.jpg', 'a.jpg'],
    ['a\r\n\0\u0085b.jpg ', 'ab.jpg'],
    ['..', '..'],
    ['\ud800.jpg', '\ufffd.jpg'],
    [`${'é'.repeat(251)}.jpg`, `${'é'.repeat(251)}.jpg`],
    [`${'🏃'.repeat(300)}.jpeg`, `${'🏃'.repeat(250)}.jpeg`],
    [`${'x'.repeat(300)}`, 'x'.repeat(255)],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(253)}`],
  ])('%j is %j', (sent, shown) => {
    expect(mediaFilename(sent)).toBe(shown)
  })
})
