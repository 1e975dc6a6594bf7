import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mediaFilename } from '../../../src/features/media/store.ts'
import { type TestApp, type TestFile, testApp } from '../../app.ts'
import { ebml, gif, isoMedia, jpeg, png } from '../../fixtures/media.ts'
import { countOf, refuse } from '../../library/as-stored.ts'
import { addWorkout } from '../../library/feature-app.ts'

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

const listed = (app: TestApp): Promise<{ id: string }[]> => app.ok('GET', `/workouts/${RUN}/media`)

/** As the API shows it. */
function stored(filename: string, mimeType: string, fileSizeBytes: number) {
  const nowhere = { lat: null, lon: null, placedBy: null }
  return { id: UUID, filename, mimeType, fileSizeBytes, caption: null, createdAt: NOW, ...nowhere }
}

function expectNothingStored(app: TestApp): void {
  expect(countOf(app.deps, 'media')).toBe(0)
  expect(storedFiles(app)).toEqual([])
  expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
}

test('as=summary answers what was stored and what was refused, whatever became of the files', async () => {
  await using app = await appWithRun()
  const [good, bad] = [
    { name: 'a.png', bytes: png() },
    { name: 'b.png', bytes: '' },
  ]
  const uploaded = [stored('a.png', 'image/png', png().length)]
  const errors = [{ filename: 'b.png', error: 'The file is empty' }]
  for (const [files, answer] of [
    [[good], { uploaded, errors: [], successCount: 1, errorCount: 0 }],
    [[good, bad], { uploaded, errors, successCount: 1, errorCount: 1 }],
    [[bad], { uploaded: [], errors, successCount: 0, errorCount: 1 }],
  ] as const) {
    const { status, json } = await app.upload(`/workouts/${RUN}/media?as=summary`, files)
    expect([status, json]).toEqual([200, answer])
  }
})

describe('refused', () => {
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
  ] as const)('before anything is stored: %s', async (_name, ask, status, error) => {
    await using app = await appWithRun({ MAX_UPLOAD_BYTES: '20000' })
    const answer = await ask(app)
    expect([answer.status, answer.json], answer.text).toEqual([
      status,
      expect.objectContaining({ error: expect.stringMatching(error) }),
    ])
    expectNothingStored(app)
  })

  test('on its own: a file whose name, size or content does not fit; of several, each with its reason', async () => {
    await using app = await appWithRun({ MEDIA_MAX_FILE_BYTES: '1000' })
    const bad = [
      ['a.jpg', 'just text, no picture', /not an image/],
      ['a.mp4', 'just text, no video', /not a video/],
      ['a.jpg', isoMedia('isom', 'mp42'), /not an image/],
      ['a.mp4', png(), /not a video/],
      ['a.jpg', '', /^The file is empty$/],
      ['photo', png(), /jpg, jpeg, png, gif, webp, heic, mp4, mov, avi, webm, m4v/],
      ['a.jpg.exe', png(), /must end in/],
      ['a.jpg', jpeg(1001), /1000 bytes/],
      // streamed to the disk
      ['a.jpg', jpeg(300_000), /1000 bytes/],
    ] as const
    const errors = bad.map(([filename, , error]) => ({ filename, error: expect.stringMatching(error) }))
    for (const [place, [name, bytes]] of bad.entries()) {
      const { status, json } = await send(app, [{ name, bytes }])
      expect([status, json]).toEqual([
        400,
        expect.objectContaining({ error: errors[place]!.error, errors: [errors[place]!] }),
      ])
    }
    const files = bad.map(([name, bytes]) => ({ name, bytes }))
    const { status, json } = await send(app, files)
    expect([status, json]).toEqual([
      400,
      expect.objectContaining({ error: 'None of the files could be stored', errors }),
    ])
    expectNothingStored(app)
    const some = await send(app, [files[0]!, { name: 'good.webm', bytes: ebml('webm') }])
    expect([some.status, some.json]).toEqual([
      200,
      {
        ...{ uploaded: [stored('good.webm', 'video/webm', ebml('webm').length)], errors: errors.slice(0, 1) },
        ...{ successCount: 1, errorCount: 1 },
      },
    ])
    expect(storedFiles(app)).toEqual([some.json.uploaded[0].id])
  })
})

describe('stored', () => {
  test('all of the files: their list, in the order sent, with the type of the content', async () => {
    await using app = await appWithRun({ MEDIA_MAX_FILE_BYTES: '1000000' })
    const files = [
      { name: 'start.JPG', bytes: jpeg() },
      { name: 'really-a-png.jpg', bytes: png() },
      { name: 'finish.mp4', bytes: isoMedia('qt  ', 'qt  ') },
      { name: 'loop.gif', bytes: gif() },
      { name: 'iphone.heic', bytes: isoMedia('heic', 'mif1') },
      // of exactly the limit, streamed to the disk
      { name: 'large.jpg', bytes: jpeg(1_000_000) },
    ]
    const { status, json } = await send(app, files)
    expect(status).toBe(200)
    const types = ['image/jpeg', 'image/png', 'video/quicktime', 'image/gif', 'image/heic', 'image/jpeg']
    expect(json).toEqual(files.map(({ name, bytes }, index) => stored(name, types[index]!, bytes.length)))
    expect(await listed(app)).toEqual(json)
    for (const [index, { bytes }] of files.entries()) {
      const file = readFileSync(`${app.deps.config.dataDir}/files/media/${json[index].id}`)
      expect(Buffer.compare(file, bytes)).toBe(0)
    }
    expect(readdirSync(`${app.deps.config.dataDir}/tmp`)).toEqual([])
  })

  test('the caption counts for all files of the call, without blanks around it; an edit changes it and nothing else', async () => {
    await using app = await appWithRun()
    const photos = [1, 2].map((width) => ({ name: `${width}.png`, bytes: png(width) }))
    const caption = '🏃'.repeat(1000)
    const { json } = await send(app, photos, { caption: ` ${caption}\n` })
    expect(json.map((one: { caption: string }) => one.caption)).toEqual([caption, caption])
    expect((await send(app, photos, { caption: ' ' })).json[0].caption).toBeNull()
    for (const [sent, shown] of [
      [{ filename: 'b.png' }, caption],
      [{ caption: '  Finish line ' }, 'Finish line'],
      [{ caption: ' \n ' }, null],
      [{ caption }, caption],
      [{ caption: null }, null],
    ] as const) {
      const edited = await app.ok('PATCH', `/workouts/${RUN}/media/${json[0].id}`, sent)
      expect([edited, (await listed(app))[0]]).toEqual(Array(2).fill({ ...json[0], caption: shown }))
    }
  })
})

describe('a failure between file and row', () => {
  test('a row that cannot be written leaves no file', async () => {
    await using app = await appWithRun()
    refuse(app.deps, ['INSERT', 'media'], { message: 'disk full' })
    const one = await send(app, [{ name: 'a.png', bytes: png() }])
    expect([one.status, one.json]).toEqual([500, expect.objectContaining({ error: 'Internal server error' })])
    const files = [
      { name: 'a.png', bytes: png() },
      { name: 'b.jpg', bytes: jpeg(300_000) },
    ]
    const two = await send(app, files)
    const errors = files.map(({ name }) => ({ filename: name, error: 'The file could not be stored' }))
    expect([two.status, two.json.code, two.json.errors]).toEqual([400, 'internal', errors])
    expectNothingStored(app)
    expect(app.logged.filter((line) => line.includes('disk full'))).toHaveLength(3)
  })
})

test.each([
  ['C:\\photos\\a.jpg', 'a.jpg'],
  ['a\r\n\0\u0085b.jpg ', 'ab.jpg'],
  ['..', '..'],
  ['\ud800.jpg', '\ufffd.jpg'],
  [`${'é'.repeat(251)}.jpg`, `${'é'.repeat(251)}.jpg`],
  [`${'🏃'.repeat(300)}.jpeg`, `${'🏃'.repeat(250)}.jpeg`],
  [`${'x'.repeat(300)}`, 'x'.repeat(255)],
  [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(253)}`],
])('the name %j is read as %j', (sent, shown) => {
  expect(mediaFilename(sent)).toBe(shown)
})
