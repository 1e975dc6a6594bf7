// kill -9 of the real server while files join the receipt of an upload: the receipt lists exactly the runs that are stored,
// takes more files after the start, and one undo is for all.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun } from '../fixtures/runs.ts'
import { oneFile, startServer } from '../process/real-server.ts'

const KILLS = Number(process.env.KILLS ?? 6)
const DAY_MS = 86_400_000
/** A kill comes within this time after the first of several files was sent. */
const LATEST_MS = 400

test(`killed at ${KILLS} moments of an upload of many files, its receipt has every run that is stored`, async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'harrier-drop-kill-')), 'data')
  const random = seededRandom(20_261_123)
  let server = await startServer({ dataDir })
  let sent = 0
  try {
    const cookie = await server.login()
    const imported = async (query = '') => {
      sent += 1
      const bytes = fitRun({ startMs: Date.UTC(2020, 0, 5) + sent * DAY_MS, seconds: 1800 })
      const answer = await server.call(`/workouts/import${query}`, oneFile(`${sent}.fit`, bytes), cookie)
      return (await answer.json()) as { readonly receiptId: string }
    }
    const { receiptId } = await imported()
    const joined = () => imported(`?receiptId=${receiptId}`)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lanes = [0, 1].map(async () => {
        for (;;) await joined()
      })
      await Promise.race([Promise.allSettled(lanes), Bun.sleep(random() * LATEST_MS)])
      await server.end('SIGKILL')
      await Promise.allSettled(lanes)
      server = await startServer({ dataDir })
      expect((await joined()).receiptId).toBe(receiptId)
      const { stored, noted, open } = stateOf(dataDir, receiptId)
      expect([noted, open]).toEqual([stored, 0])
    }
    const undo = async (id: string) => {
      const answer = await server.call(`/receipts/${id}/undo`, { method: 'POST' }, cookie)
      return (await answer.json()) as { readonly receiptId: string; readonly undone: number }
    }
    const { stored } = stateOf(dataDir, receiptId)
    expect(stored.length).toBeGreaterThan(KILLS)
    const undone = await undo(receiptId)
    expect([undone.undone, stateOf(dataDir, receiptId).stored]).toEqual([stored.length, []])
    expect((await undo(undone.receiptId)).undone).toBe(stored.length)
    expect(stateOf(dataDir, receiptId).stored).toEqual(stored)
  } finally {
    await server.end('SIGKILL')
    rmSync(join(dataDir, '..'), { recursive: true, force: true })
  }
}, 300_000)

function stateOf(dataDir: string, receiptId: string) {
  using db = new Database(join(dataDir, 'harrier.sqlite'), { readonly: true })
  const ids = (sql: string, ...values: string[]) =>
    db
      .query<{ id: string }, string[]>(sql)
      .all(...values)
      .map(({ id }) => id)
  return {
    stored: ids('SELECT id FROM document WHERE body IS NOT NULL ORDER BY id'),
    noted: ids(
      `SELECT workout_id AS id FROM receipt_item WHERE receipt_id = ? AND outcome = 'created' ORDER BY 1`,
      receiptId,
    ),
    open: ids('SELECT id FROM receipt WHERE finished_at IS NULL').length,
  }
}
