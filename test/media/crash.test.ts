import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { media } from '../../src/db/schema.ts'
import { sweepMediaFiles } from '../../src/media/sweep.ts'
import { addWorkout } from '../fixtures/feature-app.ts'
import { jpeg } from '../fixtures/media.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const RUN = '0198b000-0000-7000-8000-000000000001'
const USER = { username: 'runner', password: 'correct-horse-battery-staple' }

/** A server of its own over a folder whose library holds one run. */
async function start(dataDir: string): Promise<{ address: string; cookie: string; kill(): Promise<number> }> {
  const db = openDb(join(dataDir, 'harrier.sqlite'))
  addWorkout({ db }, { id: RUN })
  db.$client.close()
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    WEATHER_ENABLED: 'false',
  }
  const child = Bun.spawn([process.execPath, MAIN], { env, stdout: 'ignore', stderr: 'pipe' })
  let line = ''
  for await (const chunk of child.stderr) {
    line += new TextDecoder().decode(chunk)
    if (line.includes('\n')) break
  }
  const address = /http:\/\/[\d.:]+/.exec(line)?.[0] ?? ''
  const post = (path: string) =>
    fetch(address + path, {
      method: 'POST',
      body: JSON.stringify(USER),
      headers: { 'content-type': 'application/json' },
    })
  await post('/auth/register')
  const cookie = (await post('/auth/login')).headers.get('set-cookie')?.split(';')[0] ?? ''
  const kill = async () => {
    child.kill('SIGKILL')
    return await child.exited
  }
  return { address, cookie, kill }
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
      const headers = { cookie: server.cookie }
      const answer = await fetch(`${server.address}/workouts/${RUN}/media`, { method: 'POST', body: form, headers })
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
  expect(await server.kill()).toBe(137)
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
