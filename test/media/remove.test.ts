import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { storeMedia } from '../../src/media/store.ts'
import { sweepMediaFiles } from '../../src/media/sweep.ts'
import { type TestApp, testApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { rowsOf } from '../library/as-stored.ts'
import { addWorkout } from '../library/feature-app.ts'

const RUN = '0198b000-0000-7000-8000-000000000001'
const OTHER = '0198b000-0000-7000-8000-000000000002'
const KEPT = '0198c000-0000-7000-8000-000000000001'

async function appWithPhotos(): Promise<{ app: TestApp; ids: string[]; folder: string }> {
  const app = await testApp()
  for (const id of [RUN, OTHER]) addWorkout(app.deps, { id })
  const files = [1, 2].map((width) => ({ name: `${width}.png`, bytes: png(width) }))
  const ids: string[] = []
  for (const run of [RUN, OTHER]) {
    const { json } = await app.upload(`/workouts/${run}/media`, files)
    ids.push(...json.map(({ id }: { id: string }) => id))
  }
  return { app, ids, folder: `${app.deps.config.dataDir}/files/media` }
}

const rowIds = (app: TestApp) => rowsOf(app.deps, 'media', 'id').map(({ id }) => id)

/** A folder in the place of a file: it cannot be removed as one. */
function makeUnremovable(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

describe('deleting one', () => {
  test('removes row and file, and nothing of the others', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    const [first, ...others] = ids
    const { status, text } = await app.call('DELETE', `/workouts/${RUN}/media/${first}?forever=true`)
    expect([status, text]).toEqual([204, ''])
    expect(rowIds(app)).toEqual(others.toSorted())
    expect(readdirSync(folder).toSorted()).toEqual(others.toSorted())
    const again = await app.call('DELETE', `/workouts/${RUN}/media/${first}`)
    expect([again.status, again.json]).toEqual([404, { error: 'Media not found' }])
  })

  test('is done even when the file cannot be removed or is gone', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    makeUnremovable(`${folder}/${ids[0]}`)
    rmSync(`${folder}/${ids[1]}`)
    for (const id of ids.slice(0, 2)) {
      expect((await app.call('DELETE', `/workouts/${RUN}/media/${id}?forever=true`)).status).toBe(204)
    }
    expect(rowIds(app)).toEqual(ids.slice(2).toSorted())
    expect(app.logged).toEqual([expect.stringContaining(`${ids[0]} could not be removed`)])
  })

  test('media of another workout stay', async () => {
    const { app, ids } = await appWithPhotos()
    await using _app = app
    const { status, json } = await app.call('DELETE', `/workouts/${OTHER}/media/${ids[0]}`)
    expect([status, json]).toEqual([404, { error: 'Media not found' }])
    expect(rowIds(app)).toEqual(ids.toSorted())
  })
})

describe('deleting a workout', () => {
  test('removes its media, rows and files', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    expect((await app.call('DELETE', `/workouts/${RUN}?forever=true`)).status).toBe(204)
    expect(rowIds(app)).toEqual(ids.slice(2).toSorted())
    expect(readdirSync(folder).toSorted()).toEqual(ids.slice(2).toSorted())
  })

  test('is done, with all other files, even when one cannot be removed', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    makeUnremovable(`${folder}/${ids[0]}`)
    expect((await app.call('DELETE', `/workouts/${RUN}?forever=true`)).status).toBe(204)
    expect(existsSync(`${folder}/${ids[1]}`)).toBe(false)
    expect(app.logged).toEqual([expect.stringContaining(`${ids[0]} could not be removed`)])
  })
})

describe('the sweep', () => {
  test('puts aside what no row knows, but no file that may belong to an upload at work', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    const { db, config } = app.deps
    for (const name of [KEPT, 'leftover']) writeFileSync(`${folder}/${name}`, 'x')
    // the time a file shows may be old, as a restored one's is; when it came here counts
    utimesSync(`${folder}/${KEPT}`, 0, 0)
    const aside = `${config.dataDir}/found/day`
    const swept = (olderThanMs: number) => sweepMediaFiles(db, config.dataDir, { olderThanMs, folder: aside })
    expect(await swept(Date.now() - 60_000)).toBe(0)
    expect(await swept(Date.now() + 60_000)).toBe(2)
    expect(readdirSync(aside).toSorted()).toEqual([KEPT, 'leftover'].toSorted())
    expect(readdirSync(folder).toSorted()).toEqual(ids.toSorted())
  })
})

describe('stored out of an archive', () => {
  const photo = { name: 'C:\\photos\\a.png', bytes: png() }
  const file = (bytes: Uint8Array) => {
    return { filename: photo.name, size: bytes.length, path: null, bytes: async () => bytes }
  }

  test('keeps id, time and caption', async () => {
    const { app } = await appWithPhotos()
    await using _app = app
    const about = { workoutId: RUN, caption: 'Finish', id: KEPT, createdAtMs: 1_600_000_000_001 }
    expect(await storeMedia(app.deps, file(photo.bytes), about)).toEqual({
      ...{ id: KEPT, workoutId: RUN, filename: 'a.png', mimeType: 'image/png', caption: 'Finish' },
      ...{ fileSizeBytes: photo.bytes.length, createdAt: 1_600_000_000_001 },
    })
    const { json } = await app.call('GET', `/workouts/${RUN}/media`)
    expect([json[0].id, json[0].createdAt]).toEqual([KEPT, '2020-09-13T12:26:40.001Z'])
  })

  test('needs its workout', async () => {
    const { app, ids, folder } = await appWithPhotos()
    await using _app = app
    const stored = storeMedia(app.deps, file(png()), { workoutId: KEPT, caption: null })
    expect(await stored.catch((error: Error) => error.message)).toBe('Workout not found')
    expect(readdirSync(folder).toSorted()).toEqual(ids.toSorted())
  })
})
