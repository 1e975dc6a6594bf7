// The real server while it imports an export: killed, abandoned, and asked by others.
import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const CREDENTIALS = { username: 'runner', password: 'correct-horse-battery-staple' }
const RUNS = 80
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Server {
  call(path: string, init?: RequestInit): Promise<Response>
  kill(): Promise<unknown>
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'harrier-strava-'))
  cleanups.push(async () => rmSync(path, { recursive: true, force: true }))
  return path
}

async function start(dataDir: string): Promise<Server> {
  const { PATH = '' } = process.env
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', WEATHER_ENABLED: 'false', DATA_DIR: dataDir }
  const child = Bun.spawn([process.execPath, MAIN], { env, stdout: 'ignore', stderr: 'pipe' })
  cleanups.push(() => kill())
  const kill = async () => {
    child.kill('SIGKILL')
    return await child.exited
  }
  const address = await new Promise<string>((resolve) => {
    let text = ''
    const read = async () => {
      for await (const chunk of child.stderr) {
        text += new TextDecoder().decode(chunk)
        const found = /http:\/\/[\d.:]+/.exec(text)
        if (found !== null) resolve(found[0])
      }
      resolve('')
    }
    void read()
  })
  const post = (path: string) =>
    fetch(address + path, {
      method: 'POST',
      body: JSON.stringify(CREDENTIALS),
      headers: { 'content-type': 'application/json' },
    })
  await post('/auth/register')
  const cookie = ((await post('/auth/login')).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { kill, call: (path, init = {}) => fetch(address + path, { ...init, headers: { cookie } }) }
}

function exportForm(): FormData {
  const days = Array.from({ length: RUNS }, (_, k) => k)
  const rows = days.map((day) => ({
    'Activity ID': day,
    'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
    'Activity Type': 'Run',
    Filename: `activities/${day}.fit`,
  }))
  const runs = days.map((day) => [
    `activities/${day}.fit`,
    fitRun({ startMs: START_MS - day * 86_400_000, seconds: 3600 }),
  ])
  const { name, bytes } = zipUpload({ 'activities.csv': stravaCsv(rows), ...Object.fromEntries(runs) })
  const form = new FormData()
  form.append('file', new File([bytes], name))
  return form
}

async function countOf(server: Server): Promise<number> {
  return ((await (await server.call('/workouts?pageSize=1')).json()) as { totalCount: number }).totalCount
}

async function untilCount(server: Server, wanted: number): Promise<number> {
  for (;;) {
    const count = await countOf(server)
    if (count >= wanted) return count
    await Bun.sleep(5)
  }
}

const bulk = (server: Server, signal?: AbortSignal) =>
  server.call('/workouts/import/bulk', {
    method: 'POST',
    body: exportForm(),
    ...(signal === undefined ? {} : { signal }),
  })

test('a crash keeps the runs that were stored, each with its file, and the same export completes them', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  const cut = bulk(first).catch(() => null)
  const seen = await untilCount(first, 5)
  await first.kill()
  await cut
  const second = await start(dataDir)
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([])
  const kept = await countOf(second)
  expect(kept).toBeGreaterThanOrEqual(seen)
  expect(kept).toBeLessThan(RUNS)
  const answer = await bulk(second)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ totalProcessed: RUNS, successful: RUNS - kept, skipped: kept, updated: 0, errors: 0 }),
  ])
  const { items } = (await (await second.call('/workouts?pageSize=100')).json()) as { items: { id: string }[] }
  expect(items).toHaveLength(RUNS)
  expect(items.every(({ id }) => existsSync(join(dataDir, 'files/raw', id)))).toBe(true)
}, 120_000)

test('a client that goes away ends its import at the next run, and the same export completes it', async () => {
  const dataDir = folder()
  const server = await start(dataDir)
  const abort = new AbortController()
  const cut = bulk(server, abort.signal).catch(() => null)
  await untilCount(server, 1)
  abort.abort()
  await cut
  // the upload is removed once the import has ended
  for (let i = 0; i < 1000 && readdirSync(join(dataDir, 'tmp')).length > 0; i++) await Bun.sleep(10)
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([])
  const kept = await countOf(server)
  expect(kept).toBeLessThan(RUNS)
  const answer = await bulk(server)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ totalProcessed: RUNS, successful: RUNS - kept, skipped: kept, updated: 0, errors: 0 }),
  ])
}, 120_000)
