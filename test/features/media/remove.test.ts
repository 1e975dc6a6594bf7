import { expect, test } from 'bun:test'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { collectStrays } from '../../../src/library/collect.ts'
import { type TestApp, testApp } from '../../app.ts'
import { png } from '../../fixtures/media.ts'
import { rowsOf } from '../../library/as-stored.ts'
import { addWorkout } from '../../library/feature-app.ts'

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

test('a photo goes with its row and file, a run with those of all its photos, and nothing of the others', async () => {
  const { app, ids, folder } = await appWithPhotos()
  await using _app = app
  for (const [path, left] of [
    [`/workouts/${RUN}/media/${ids[0]}`, ids.slice(1)],
    [`/workouts/${OTHER}`, ids.slice(1, 2)],
  ] as const) {
    const { status, text } = await app.call('DELETE', `${path}?forever=true`)
    expect([status, text]).toEqual([204, ''])
    expect([rowIds(app), readdirSync(folder).toSorted()]).toEqual([left.toSorted(), left.toSorted()])
    expect((await app.call('DELETE', path)).status).toBe(404)
  }
})

test('the sweep puts aside what no row knows, but no file that may belong to an upload at work', async () => {
  const { app, ids, folder } = await appWithPhotos()
  await using _app = app
  const { config } = app.deps
  for (const name of [KEPT, 'leftover']) writeFileSync(`${folder}/${name}`, 'x')
  // the time a file shows may be old, as a restored one's is; when it came here counts
  utimesSync(`${folder}/${KEPT}`, 0, 0)
  const aside = `${config.dataDir}/found/${new Date().toISOString().slice(0, 10)}`
  const swept = (olderThanMs: number) => collectStrays(app.deps, olderThanMs)
  expect([await swept(Date.now() - 60_000), await swept(Date.now() + 60_000)]).toEqual([0, 2])
  expect(readdirSync(aside).toSorted()).toEqual([KEPT, 'leftover'].toSorted())
  expect(readdirSync(folder).toSorted()).toEqual(ids.toSorted())
})
