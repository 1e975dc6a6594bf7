// A disk that runs full at every step of what writes: the answer says so, nothing is half-written, the service goes on, and
// the same request succeeds once there is space.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testApp } from '../app.ts'
import { oneFile, type RealServer } from '../process/real-server.ts'
import { exported } from './archives.ts'
import { type SmallDisk, smallDisk, wayToMount } from './disk-full-server.ts'
import { expectWhole, leftovers, madeLibrary, namesIn } from './kill-library.ts'

const KIB = 1024
const FULL = 'The disk of the server is full'
const REFUSED = { error: `${FULL}; make space and try again` }
const library = madeLibrary(24)
const PHOTOS = [...library.files].filter(([name]) => name.endsWith('.jpg'))
const RUN_FILES = [...library.files].filter(([name]) => !name.endsWith('.jpg'))
const way = wayToMount()

/** Skipped where no process may mount, as in a container without user namespaces and without that right. */
function diskTest(name: string, body: (disk: SmallDisk) => Promise<void>): void {
  if (way === null) {
    test.skip(`${name} (this machine lets no process mount a small disk)`, () => {})
    return
  }
  test(name, async () => {
    const disk = await smallDisk(way, 16)
    try {
      await disk.server.login()
      await body(disk)
    } finally {
      await disk.close()
    }
  }, 120_000)
}

/** What is stored is whole, nothing is left over, and the service answers. */
async function expectSound({ server, copied }: SmallDisk): Promise<{ runs: number; photos: number }> {
  const folder = copied()
  const stored = expectWhole(folder, library)
  expect(leftovers(folder)).toEqual([])
  const list = await server.call('/workouts')
  expect([list.status, ((await list.json()) as { totalCount: number }).totalCount]).toEqual([200, stored.runs])
  expect((await server.call('/stats/best-efforts')).status).toBe(200)
  return stored
}

async function answerOf(answer: Response): Promise<{ status: number; json: Record<string, unknown> }> {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

const send = async (server: RealServer, path: string, init: RequestInit) => answerOf(await server.call(path, init))

function severalFiles(files: readonly (readonly [string, Uint8Array])[]): RequestInit {
  const body = new FormData()
  for (const [name, bytes] of files) body.append('file', new File([bytes.slice()], name))
  return { method: 'POST', body }
}

describe('a full disk', () => {
  diskTest('in the import of a file', async (disk) => {
    const statuses: number[] = []
    for (const [index, [name, bytes]] of RUN_FILES.entries()) {
      // a page more each time: first the original has no space, then what was read out of it, then the rows
      disk.fill(index * 4 * KIB)
      const { status, json } = await send(disk.server, '/workouts/import', oneFile(name, bytes))
      statuses.push(status)
      if (status !== 200) expect([status, json]).toEqual([507, REFUSED])
      const stored = statuses.filter((code) => code === 200).length
      expect(await expectSound(disk)).toEqual({ runs: stored, photos: 0 })
    }
    expect([...new Set(statuses)].sort()).toEqual([200, 507])

    disk.fill(0)
    const unknown = RUN_FILES.filter((_, index) => statuses[index] === 507)
    const refused = await send(disk.server, '/workouts/import', severalFiles(unknown.slice(0, 2)))
    expect(refused.status).toBe(200)
    expect(refused.json).toMatchObject({
      ...{ totalProcessed: 2, successful: 0, errors: 2 },
      errorDetails: unknown.slice(0, 2).map(([filename]) => ({ filename, error: FULL })),
    })

    disk.empty()
    const { json } = await send(disk.server, '/workouts/import', severalFiles(RUN_FILES))
    expect(json).toMatchObject({ successful: unknown.length, skipped: RUN_FILES.length - unknown.length, errors: 0 })
    expect(await expectSound(disk)).toEqual({ runs: RUN_FILES.length, photos: 0 })
  })

  diskTest('in a bulk import', async (disk) => {
    const seen = new Set<string>()
    for (let free = 0; !seen.has('complete'); free += 96 * KIB) {
      disk.fill(free)
      const { status, json } = await send(disk.server, '/workouts/import/bulk', oneFile('export.zip', library.zip))
      if (status === 507) expect(json).toEqual(REFUSED)
      else {
        const { errorDetails, warnings } = json as {
          errorDetails: { error: string }[]
          warnings: { message: string }[]
        }
        expect(status).toBe(200)
        for (const { error } of errorDetails) expect(error).toBe(FULL)
        for (const { message } of warnings) expect(message).toBe(FULL)
        if (errorDetails.length > 0) seen.add('some runs')
        if (errorDetails.length + warnings.length === 0) seen.add('complete')
      }
      seen.add(String(status))
      await expectSound(disk)
    }
    expect([...seen].sort()).toEqual(['200', '507', 'complete', 'some runs'])
    expect(await expectSound(disk)).toEqual({ runs: library.runs, photos: library.photos })
  })

  diskTest('in a restore', async (disk) => {
    await using source = await testApp()
    await source.upload('/workouts/import/bulk', [{ name: 'export.zip', bytes: library.zip }])
    const archive = await exported(source)
    const seen = new Set<string>()
    for (let free = 0; !seen.has('complete'); free += 128 * KIB) {
      disk.fill(free)
      const { status, json } = await send(disk.server, '/workouts/import/export', oneFile('archive.zip', archive))
      if (status === 507) expect(json).toEqual(REFUSED)
      else if (json.success === true) seen.add('complete')
      else {
        expect([status, json.errors]).toEqual([200, [`${FULL}: the restore ended early; make space and repeat it`]])
        seen.add('early')
      }
      seen.add(String(status))
      await expectSound(disk)
    }
    expect([...seen].sort()).toEqual(['200', '507', 'complete', 'early'])
    expect(await expectSound(disk)).toEqual({ runs: library.runs, photos: library.photos })
  })

  diskTest('in the upload of photos', async (disk) => {
    const [name, bytes] = RUN_FILES[0]!
    const { id } = (await send(disk.server, '/workouts/import', oneFile(name, bytes))).json
    const path = `/workouts/${id}/media`
    let stored = 0
    const statuses = new Set<number>()
    for (const [index, photo] of PHOTOS.entries()) {
      disk.fill(index * 4 * KIB)
      const { status, json } = await send(disk.server, path, oneFile(...photo))
      if (status === 200) stored += 1
      else expect([status, json]).toEqual([507, REFUSED])
      statuses.add(status)
      expect(await expectSound(disk)).toEqual({ runs: 1, photos: stored })
    }
    expect([...statuses].sort()).toEqual([200, 507])

    disk.empty()
    const unknown = PHOTOS.slice(0, 2)
    disk.fill(0)
    expect(await send(disk.server, path, severalFiles(unknown))).toEqual({ status: 507, json: REFUSED })
    await expectSound(disk)
    disk.fill(28 * KIB)
    const some = await send(disk.server, path, severalFiles(unknown))
    expect(some).toMatchObject({
      status: 200,
      json: { successCount: 1, errorCount: 1, errors: [{ filename: unknown[1]![0], error: FULL }] },
    })
    disk.empty()
    expect((await send(disk.server, path, oneFile(...unknown[1]!))).status).toBe(200)
    expect(await expectSound(disk)).toEqual({ runs: 1, photos: stored + 2 })
  })

  diskTest('in an export, which needs no space', async (disk) => {
    await send(disk.server, '/workouts/import/bulk', oneFile('export.zip', library.zip))
    const archive = async () => (await disk.server.call('/workouts/export', { method: 'POST' })).arrayBuffer()
    const before = (await archive()).byteLength
    disk.fill(0)
    // the same but for the moment of the export
    expect(Math.abs((await archive()).byteLength - before)).toBeLessThan(64)
    expect(await expectSound(disk)).toEqual({ runs: library.runs, photos: library.photos })
    expect(namesIn(join(disk.copied(), 'tmp'))).toEqual([])
  })

  diskTest('in changes of a run and of settings', async (disk) => {
    const [name, bytes] = RUN_FILES[0]!
    const { id } = (await send(disk.server, '/workouts/import', oneFile(name, bytes))).json
    const headers = { 'content-type': 'application/json' }
    const patch = (notes: string) =>
      send(disk.server, `/workouts/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ notes }) })
    const units = (unitPreference: string) =>
      send(disk.server, '/settings/unit-preference', {
        method: 'PUT',
        headers,
        body: JSON.stringify({ unitPreference }),
      })
    const get = async (path: string) => (await answerOf(await disk.server.call(path))).json

    disk.fill(0)
    let notes: unknown = null
    for (let attempt = 0; ; attempt += 1) {
      const wanted = `${attempt} ${'long '.repeat(50_000)}`
      const { status, json } = await patch(wanted)
      if (status === 200) notes = json.notes
      else {
        expect([status, json]).toEqual([507, REFUSED])
        break
      }
      expect(attempt).toBeLessThan(50)
    }
    expect((await get(`/workouts/${id}`)).notes).toBe(notes)

    let preference: unknown = 'metric'
    for (let attempt = 0; ; attempt += 1) {
      const wanted = attempt % 2 === 0 ? 'imperial' : 'metric'
      const { status, json } = await units(wanted)
      if (status === 200) preference = wanted
      else {
        expect([status, json]).toEqual([507, REFUSED])
        break
      }
      expect(attempt).toBeLessThan(2000)
    }
    expect(await get('/settings/unit-preference')).toEqual({ unitPreference: preference })
    await expectSound(disk)

    disk.empty()
    expect((await patch('short')).status).toBe(200)
    expect((await units('imperial')).status).toBe(200)
    expect((await get(`/workouts/${id}`)).notes).toBe('short')
    expect(await get('/settings/unit-preference')).toEqual({ unitPreference: 'imperial' })
  })
})
