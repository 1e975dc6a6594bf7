import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { media } from '../../src/db/schema.ts'
import { sweepMediaFiles } from '../../src/media/sweep.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import { jpeg } from '../fixtures/media.ts'
import { type RealServer, startServer } from '../process/real-server.ts'

const RUN = '0198b000-0000-7000-8000-000000000001'
/** A server of its own over a folder whose library holds one run. */
async function start(dataDir: string): Promise<RealServer> {
  const db = openDb(join(dataDir, 'harrier.sqlite'))
  addWorkout({ db }, { id: RUN })
  db.$client.close()
  const server = await startServer({ dataDir })
  await server.login()
  return server
}

test('a process killed amid uploads leaves no row without its whole file, and nothing acknowledged is lost', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-media-'))
  mkdirSync(join(dataDir, 'tmp'))
  const server = await start(dataDir)
  const acknowledged: string[] = []
  // some stay in memory, some go over a temporary file
  const photos = [1000, 2000, 300_000, 400_000].map((length) => new File([jpeg(length)], `${length}.jpg`))
  const upload = async () => {
    for (;;) {
      const form = new FormData()
      for (const photo of photos) form.append('files', photo)
      const answer = await server.call(`/workouts/${RUN}/media`, { method: 'POST', body: form })
      acknowledged.push(...((await answer.json()) as { id: string }[]).map(({ id }) => id))
    }
  }
  const clients = Promise.allSettled([upload(), upload(), upload()])
  let ended = false
  void clients.then(() => {
    ended = true
  })
  while (acknowledged.length < 40 && !ended) await Bun.sleep(1)
  expect(ended).toBe(false)
  expect(await server.end('SIGKILL')).toBe(137)
  await clients

  const db = openDb(join(dataDir, 'harrier.sqlite'))
  const rows = db.select().from(media).all()
  const ids = rows.map(({ id }) => id)
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
  for (const { id, filename, fileSizeBytes } of rows) {
    expect(`${fileSizeBytes}.jpg`).toBe(filename)
    const isWhole = readFileSync(join(dataDir, 'files/media', id)).equals(jpeg(fileSizeBytes))
    expect(isWhole, id).toBe(true)
  }
  await sweepMediaFiles(db, dataDir, { olderThanMs: Date.now() + 60_000, folder: join(dataDir, 'found/day') })
  expect(readdirSync(join(dataDir, 'files/media')).toSorted()).toEqual(ids.toSorted())
  db.$client.close()
  rmSync(dataDir, { recursive: true, force: true })
}, 90_000)
