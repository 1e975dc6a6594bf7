// A disk that runs full is made room on by deleting, which writes itself: into the log, and from there into the database.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../src/jobs.ts'
import { testApp } from '../app.ts'
import { oneFile, type RealServer } from '../process/real-server.ts'
import { smallDisk, wayToMount } from './disk-full-server.ts'
import { madeLibrary } from './kill-library.ts'
import { filesOf } from './restore/restoring.ts'

const way = wayToMount()
const library = madeLibrary(24)
const RUN_FILES = [...library.files].filter(([name]) => !name.endsWith('.jpg'))
const PHOTO = [...library.files].find(([name]) => name.endsWith('.jpg'))!
const name = 'a full disk refuses changes, and deletes photos and runs all the same'

if (way === null) test.skip(`${name} (this machine lets no process mount a small disk)`, () => {})
else
  test(name, async () => {
    const disk = await smallDisk(way, 16)
    try {
      const { server } = disk
      await server.login()
      const ids: string[] = []
      for (const file of RUN_FILES.slice(0, 12)) {
        ids.push(await idOf(await server.call('/workouts/import', oneFile(...file))))
      }
      const photos = `/workouts/${ids[0]}/media`
      const sent = (await (await server.call(photos, oneFile(...PHOTO))).json()) as { id: string }[]
      disk.fill(0)
      expect(await isRefused(server, `/workouts/${ids[0]}`)).toBe(true)
      const statuses: number[] = []
      for (const path of [`${photos}/${sent[0]!.id}`, ...ids.slice(1).map((id) => `/workouts/${id}`)]) {
        statuses.push((await server.call(path, { method: 'DELETE' })).status)
      }
      expect(statuses).toEqual(Array.from({ length: 12 }, () => 204))
      expect(await totalOf(server)).toBe(1)
      disk.empty()
      expect((await server.call('/workouts/import', oneFile(...RUN_FILES[12]!))).status).toBe(200)
    } finally {
      await disk.close()
    }
  }, 120_000)

/** Writes until the disk takes nothing more. @returns false: it took everything */
async function isRefused(server: RealServer, path: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const body = JSON.stringify({ notes: `${attempt} ${'long '.repeat(50_000)}` })
    const { status } = await server.call(path, { method: 'PATCH', headers, body })
    if (status === 507) return true
  }
  return false
}

async function idOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { id: string }).id
}

async function totalOf(server: RealServer): Promise<number> {
  return ((await (await server.call('/workouts')).json()) as { totalCount: number }).totalCount
}

test('the clean-up creates the reserve file for deletions once', async () => {
  await using app = await testApp()
  await cleanUp(app.deps)
  const path = `${app.deps.config.dataDir}/reserve`
  const { size, mtimeMs } = await Bun.file(path).stat()
  expect(size).toBe(4_194_304)
  await cleanUp(app.deps)
  expect((await Bun.file(path).stat()).mtimeMs).toBe(mtimeMs)
  await Bun.write(path, 'cut')
  await cleanUp(app.deps)
  expect((await Bun.file(path).stat()).size).toBe(4_194_304)
  expect(filesOf(app, 'tmp')).toEqual([])
})
