// kill -9 of the real server at random moments of a join, a split, a merge and a bulk edit, and of what undoes them.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stravaCsv } from '../fixtures/csv.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'

/** Each way; KILLS=50 for as many as once were survived, with a bulk edit of 2000 runs. */
const KILLS = Number(process.env.KILLS ?? 3)
const PARTS = 4
const PAIRS = 8
const SECONDS = 300
/** Runs of the bulk edit. */
const MANY = KILLS < 50 ? 200 : 2000

/** What is in the database of a process that is gone. */
function stored(dataDir: string) {
  const client = new Database(join(dataDir, 'harrier.sqlite'), { readonly: true })
  const one = (sql: string) => client.query<{ n: number }, []>(sql).get()!.n
  const names = client.query<{ name: string }, []>(
    'SELECT DISTINCT stored_as AS name FROM recording WHERE stored_as IS NOT NULL',
  )
  const found = {
    runs: one('SELECT count(*) AS n FROM workout'),
    edited: one("SELECT count(*) AS n FROM workout WHERE name = 'New'"),
    /** Runs of two recordings. */
    merged: one("SELECT count(*) AS n FROM document WHERE json_array_length(body, '$.track.recordings') = 2"),
    said: one("SELECT count(*) AS n FROM document WHERE body ->> '$.words.name' = 'New'"),
    lost: names.all().filter(({ name }) => !existsSync(join(dataDir, 'files', 'raw', name))),
    distanceM: Math.round(one('SELECT sum(distance_m) AS n FROM workout')),
    orphans: one('SELECT count(*) AS n FROM samples WHERE recording_id NOT IN (SELECT id FROM recording)'),
    check: client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()!.integrity_check,
  }
  client.close()
  return found
}

/** Whether a run is changed by one of many changes. */
const isAny = ({ edited, merged }: Stored) => edited + merged > 0

const imported = async (server: RealServer, files: readonly Uint8Array[]) => {
  const ids: string[] = []
  for (const [k, bytes] of files.entries()) {
    const answer = await server.call('/workouts/import', oneFile(`${k}.fit`, bytes))
    ids.push(((await answer.json()) as { id: string }).id)
  }
  return ids
}

const CHANGES = {
  join: {
    kind: 'join',
    fill: async (server: RealServer) => {
      const starts = Array.from({ length: PARTS }, (_, k) => START_MS + k * (SECONDS + 60) * 1000)
      const ids = await imported(
        server,
        starts.map((startMs) => fitRun({ startMs, seconds: SECONDS })),
      )
      return { path: '/workouts/join', body: { ids } }
    },
    isDone: ({ runs }: Stored) => runs === 1,
    isWhole: ({ runs, distanceM }: Stored) => [1, PARTS].includes(runs) && distanceM === PARTS * SECONDS * 3,
  },
  split: {
    kind: 'split',
    fill: async (server: RealServer) => {
      const [id] = await imported(server, [fitRun({ startMs: START_MS, seconds: PARTS * SECONDS })])
      return { path: `/workouts/${id}/split`, body: { atElapsedS: [1, 2, 3].map((k) => k * SECONDS) } }
    },
    isDone: ({ runs }: Stored) => runs === PARTS,
    isWhole: ({ runs, distanceM }: Stored) =>
      [1, PARTS].includes(runs) && Math.abs(distanceM - PARTS * SECONDS * 3) < 1,
  },
  'bulk edit': {
    kind: 'bulk_edit',
    fill: async (server: RealServer) => {
      const rows = Array.from({ length: MANY }, (_, k) => ({ 'Activity ID': k, ...ROW, 'Activity Date': dateOf(k) }))
      const zip = buildZip([{ name: 'activities.csv', data: stravaCsv(rows), method: 8 }])
      await (await server.call('/workouts/import/bulk', oneFile('export.zip', zip))).text()
      return { path: '/workouts/bulk-edit', body: { filter: {}, set: { name: 'New' } } }
    },
    isDone: ({ edited }: Stored) => edited === MANY,
    // some may be edited and others not yet, each whole
    isWhole: ({ runs, edited, said }: Stored) => runs === MANY && edited === said,
  },
  merge: {
    kind: 'merge',
    fill: async (server: RealServer) => {
      const [id, otherId] = await imported(server, pairsOf(1))
      return { path: `/workouts/${id}/merge`, body: { otherId } }
    },
    isDone: ({ runs }: Stored) => runs === 1,
    isWhole: ({ runs, merged }: Stored) => runs + merged === 2,
  },
  'merge of all pairs that are certain': {
    kind: 'bulk_edit',
    fill: async (server: RealServer) => {
      await imported(server, pairsOf(PAIRS))
      return { path: '/workouts/merge-suggestions/merge', body: {} }
    },
    isDone: ({ runs }: Stored) => runs === PAIRS,
    // some pairs may be merged and others not yet
    isWhole: ({ runs, merged }: Stored) => runs + merged === 2 * PAIRS,
  },
} as const
type Stored = ReturnType<typeof stored>

/** Runs of a watch, each followed by what a phone recorded of it. */
const pairsOf = (count: number) =>
  Array.from({ length: count }, (_, k) => START_MS - k * 86_400_000).flatMap((startMs) => [
    fitRun({ startMs, seconds: SECONDS }),
    gpxRun({ startMs: startMs + 4000, seconds: SECONDS - 8 }),
  ])

const ROW = { 'Activity Type': 'Run', 'Activity Name': 'Run', 'Elapsed Time': 1800, Distance: '5.00' }
const dateOf = (k: number) =>
  new Date(START_MS - k * 86_400_000)
    .toLocaleString('en-US', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' })
    .replaceAll('\u202f', ' ')

test.each(Object.entries(CHANGES))(
  'a %s that is killed at random moments, and its undo, end complete when they are repeated',
  async (_, { kind, fill, isDone, isWhole }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'harrier-kill-change-'))
    const random = seededRandom(20_251_122)
    let server = await startServer({ dataDir })
    try {
      const cookie = await server.login()
      const { path, body } = await fill(server)
      const send = (to: string, json: object) => {
        const headers = { 'content-type': 'application/json' }
        return server.call(to, { method: 'POST', headers, body: JSON.stringify(json) }, cookie)
      }
      /** Undoing undoes the last receipt of its kind that is not undone; a bulk edit that was killed has several. */
      const latest = async () => {
        const answer = await server.call(`/receipts?kind=${kind}&pageSize=100`, {}, cookie)
        const { items } = (await answer.json()) as {
          items: { id: string; undoUntil: string | null; undoneAt: string | null }[]
        }
        return items.find(({ undoUntil, undoneAt }) => undoUntil !== null && undoneAt === null)?.id ?? null
      }
      const begin = async (isBack: boolean) => {
        const receiptId = isBack ? await latest() : null
        return isBack && receiptId === null
          ? null
          : await send(isBack ? `/receipts/${receiptId}/undo` : path, isBack ? {} : body)
      }
      const ended = async (isBack: boolean) => {
        while (isDone(now()) === isBack || (isBack && isAny(now()))) {
          const answer = await begin(isBack)
          expect([answer?.status, await answer?.text()]).toEqual([200, expect.any(String)])
        }
      }
      const now = () => stored(dataDir)
      const lastsMs = [0, 0]
      for (const way of [0, 1]) {
        const fromMs = performance.now()
        await ended(way === 1)
        lastsMs[way] = performance.now() - fromMs
      }
      const seen = { before: 0, between: 0, after: 0 }
      for (let kill = 0; kill < KILLS * 2; kill += 1) {
        const way = Math.floor(kill / KILLS)
        await ended(way === 0)
        const asked = begin(way === 1)
        asked.catch(() => {})
        // one of them is killed after its answer, so that kills on either side of the moment are certain
        if (kill % KILLS === 1) await (await asked)!.text()
        else await Bun.sleep(random() * 1.1 * lastsMs[way]!)
        await server.end('SIGKILL')
        const found = now()
        expect(found).toMatchObject({ orphans: 0, check: 'ok', lost: [] })
        expect([isWhole(found), found]).toEqual([true, found])
        const isEnded = isDone(found) === (way === 0) && (way === 0 || !isAny(found))
        seen[isEnded ? 'after' : isAny(found) && !isDone(found) ? 'between' : 'before'] += 1
        server = await startServer({ dataDir })
        await ended(way === 1)
      }
      expect(seen.after).toBeGreaterThan(0)
      expect(seen.before + seen.between).toBeGreaterThan(0)
    } finally {
      await server.end('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  300_000,
)

test('all merges, undone and redone again and again and killed over it, leave no half of a pair', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-kill-redo-'))
  const random = seededRandom(20_251_123)
  let server = await startServer({ dataDir })
  try {
    const cookie = await server.login()
    const undo = async (id: string) => await server.call(`/receipts/${id}/undo`, { method: 'POST' }, cookie)
    const latest = async () => {
      const answer = await server.call('/receipts?pageSize=1', {}, cookie)
      return ((await answer.json()) as { items: { id: string }[] }).items[0]!.id
    }
    await imported(server, pairsOf(PAIRS))
    await (await server.call('/workouts/merge-suggestions/merge', { method: 'POST' }, cookie)).text()
    let wholeMs = 0
    for (const runs of [2 * PAIRS, PAIRS]) {
      const fromMs = performance.now()
      expect((await undo(await latest())).status).toBe(200)
      wholeMs = performance.now() - fromMs
      expect(stored(dataDir)).toMatchObject({ runs, merged: 2 * PAIRS - runs })
    }
    let early = 0
    for (let kill = 0; kill < KILLS * 2; kill += 1) {
      const target = await latest()
      const before = stored(dataDir).runs
      undo(target).catch(() => {})
      await Bun.sleep(random() * wholeMs)
      await server.end('SIGKILL')
      const found = stored(dataDir)
      expect(found).toMatchObject({ orphans: 0, check: 'ok', lost: [] })
      expect(found.runs + found.merged).toBe(2 * PAIRS)
      if (found.runs !== 3 * PAIRS - before) early += 1
      server = await startServer({ dataDir })
      // ends it, or it was ended already
      expect([200, 400]).toContain((await undo(target)).status)
      expect(stored(dataDir).runs).toBe(3 * PAIRS - before)
    }
    expect(early).toBeGreaterThan(0)
  } finally {
    await server.end('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 300_000)
