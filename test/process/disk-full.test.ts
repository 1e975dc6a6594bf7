// A disk that runs full: the answer says so, nothing is half-written, and the same request succeeds once there is space.
import { expect, test } from 'bun:test'
import { cleanUp } from '../../src/commands/jobs.ts'
import { testApp } from '../app.ts'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { jpeg } from '../fixtures/media.ts'
import { namesIn } from '../library/whole.ts'
import { oneFile } from './real-server.ts'
import { diskTest, expectSound, longNotes, REFUSED, untilRefused } from './small-disk.ts'

const { run } = maker(randomOf('disk'))
const files = Array.from({ length: 12 }, () => run().file)

diskTest('the import of a file is refused, and succeeds later; what is deleted makes room', async (disk) => {
  const imported = (index: number) => disk.send('/workouts/import', oneFile(files[index]!.name, files[index]!.bytes))
  const ids: string[] = []
  for (const index of files.keys()) {
    // a page more each time: first the original has no space, then what was read out of it, then the rows
    disk.fill(index * 4096)
    const { status, json } = await imported(index)
    if (status === 200) ids.push(json.id)
    else expect([status, json]).toEqual([507, REFUSED])
    expect(await expectSound(disk)).toEqual({ runs: ids.length, photos: 0 })
  }
  expect(ids.length).toBeWithin(1, files.length)
  disk.empty()
  const again = await Promise.all(files.map((_, index) => imported(index)))
  expect(again.filter(({ json }) => json.action === 'created').length).toBe(files.length - ids.length)

  const photos = `/workouts/${ids[0]}/media`
  const [photo] = (await disk.send(photos, oneFile('a.jpg', jpeg(15_000)))).json
  disk.fill(0)
  await untilRefused(disk, ['PATCH', `/workouts/${ids[0]}`], longNotes)
  const others = again.map(({ json }) => json.id as string).filter((id) => id !== ids[0])
  for (const path of [`${photos}/${photo.id}`, ...others.map((id) => `/workouts/${id}`)]) {
    expect((await disk.server.call(path, { method: 'DELETE' })).status).toBe(204)
  }
  expect(await expectSound(disk)).toEqual({ runs: 1, photos: 0 })
})

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
  expect(namesIn(`${app.deps.config.dataDir}/tmp`)).toEqual([])
})
