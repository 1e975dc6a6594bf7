// A disk that runs full: the answer says so, nothing is half-written, and the same request succeeds once there is space.
import { expect } from 'bun:test'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { jpeg } from '../fixtures/media.ts'
import { oneFile } from './real-server.ts'
import { diskTest, expectSound, longNotes, REFUSED, untilRefused } from './small-disk.ts'

const { run } = maker(randomOf('disk'))
const files = Array.from({ length: 12 }, () => run().file)

diskTest('the import of a file is refused, and succeeds later; so is a deletion', async (disk) => {
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
  // deleting writes as well
  const others = again.map(({ json }) => json.id as string).filter((id) => id !== ids[0])
  const paths = [`${photos}/${photo.id}`, ...others.map((id) => `/workouts/${id}`)]
  const deleted = async (path: string) => (await disk.server.call(path, { method: 'DELETE' })).status
  const first: number[] = []
  for (const path of paths) first.push(await deleted(path))
  expect(first).toContain(507)
  const { runs, photos: kept } = await expectSound(disk)
  expect(runs + kept).toBe(1 + first.filter((status) => status === 507).length)
  disk.empty()
  for (const [index, path] of paths.entries()) expect(await deleted(path)).toBe(first[index] === 507 ? 204 : 404)
  expect(await expectSound(disk)).toEqual({ runs: 1, photos: 0 })
})
