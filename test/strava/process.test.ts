// The real server while it imports an export: killed, and asked by others.
import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'

const RUNS = 80
const dataDir = mkdtempSync(join(tmpdir(), 'harrier-strava-'))
const running: RealServer[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<RealServer> {
  const server = await startServer({ dataDir })
  running.push(server)
  await server.login()
  return server
}

function madeExport() {
  const days = Array.from({ length: RUNS }, (_, k) => k)
  const date = { 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const rows = days.map((day) => ({ 'Activity ID': day, ...date, Filename: `activities/${day}.fit` }))
  const bytesOf = (day: number) => fitRun({ startMs: START_MS - day * 86_400_000, seconds: 1200 })
  const files = Object.fromEntries(days.map((day) => [`activities/${day}.fit`, bytesOf(day)]))
  return zipUpload({ 'activities.csv': stravaCsv(rows), ...files })
}

const { name: NAME, bytes: BYTES } = madeExport()
const exported = () => oneFile(NAME, BYTES)

async function countOf(server: RealServer): Promise<number> {
  return ((await (await server.call('/workouts?pageSize=1')).json()) as { totalCount: number }).totalCount
}

async function untilCount(server: RealServer, wanted: number): Promise<number> {
  for (;;) {
    const count = await countOf(server)
    if (count >= wanted) return count
    await Bun.sleep(5)
  }
}

test('a crash keeps the runs that were stored, each with its file, and the same export completes them', async () => {
  const first = await start()
  const cut = first.call('/workouts/import/bulk', exported()).catch(() => null)
  const seen = await untilCount(first, 5)
  await first.end('SIGKILL')
  await cut
  const second = await start()
  expect(readdirSync(join(dataDir, 'tmp'))).toEqual([])
  const kept = await countOf(second)
  expect(kept).toBeGreaterThanOrEqual(seen)
  expect(kept).toBeLessThan(RUNS)
  const answer = await second.call('/workouts/import/bulk', exported())
  const counts = { totalProcessed: RUNS, successful: RUNS - kept, skipped: kept, updated: 0, errors: 0 }
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining(counts)])
  const { items } = (await (await second.call('/workouts?pageSize=100')).json()) as { items: { id: string }[] }
  expect(items).toHaveLength(RUNS)
  expect(items.every(({ id }) => existsSync(join(dataDir, 'files/raw', id)))).toBe(true)
}, 120_000)
