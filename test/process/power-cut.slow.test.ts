// What was answered survives a power cut: the folder is put together again as the disk had it when the process was killed
// right after its answer.
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNotNull } from 'drizzle-orm'
import { closeSnapshot, openSnapshot } from '../../src/db/open.ts'
import { media, recordings } from '../../src/db/schema.ts'
import { missingFiles } from '../../src/library/files/missing.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, startServer } from './real-server.ts'
import { afterPowerCut, canTrace, syncedState, tracing } from './synced-state.ts'

const DAY_MS = 86_400_000
const ROWS = 20
const traceable = canTrace()
const root = tempFolder()

/** Runs of a minute, which fit into the log before it is folded. */
function exported(): Uint8Array {
  const days = Array.from({ length: ROWS }, (_, day) => day)
  const rows = days.map((day) => ({
    'Activity ID': day,
    'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
    'Activity Type': 'Run',
    Filename: `activities/${day}.fit`,
    Media: day % 5 === 0 ? `media/${day}.jpg` : '',
  }))
  const runs = days.map((day) => ({
    name: `activities/${day}.fit`,
    data: fitRun({ startMs: START_MS - day * DAY_MS, seconds: 60 }),
    method: 8,
  }))
  const photos = days
    .filter((day) => day % 5 === 0)
    .map((day) => ({ name: `media/${day}.jpg`, data: jpeg(2000 + day), method: 0 }))
  return buildZip([{ name: 'activities.csv', data: stravaCsv(rows), method: 8 }, ...runs, ...photos])
}

test.skipIf(!traceable)(
  'runs, photos and originals that were answered are there after a power cut',
  async () => {
    const dataDir = join(root, 'data')
    const log = join(root, 'trace')
    mkdirSync(dataDir)
    // the first process makes the database and its account, the second one is watched
    const first = await startServer({ dataDir })
    const cookie = await first.login()
    await first.end('SIGTERM')

    const server = await startServer({ dataDir, through: tracing(log) })
    const stored: string[] = []
    for (let day = 1; day <= 3; day += 1) {
      const startMs = START_MS + day * DAY_MS
      const file = day === 2 ? gpxRun({ startMs, seconds: 60 }) : fitRun({ startMs, seconds: 60 })
      const answer = await server.call('/workouts/import', oneFile(`${day}.${day === 2 ? 'gpx' : 'fit'}`, file), cookie)
      stored.push(((await answer.json()) as { id: string }).id)
    }
    const bulk = await server.call('/workouts/import/bulk', oneFile('export.zip', exported()), cookie)
    expect(await bulk.json()).toMatchObject({ successful: ROWS, errors: 0, mediaImported: 4 })
    const notes = { method: 'PATCH', body: '{"notes":"kept"}', headers: { 'content-type': 'application/json' } }
    expect((await server.call(`/workouts/${stored[0]}`, notes, cookie)).status).toBe(200)
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
    process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL')
    await server.end('SIGTERM')

    const copy = join(root, 'after')
    afterPowerCut(dataDir, syncedState(log, dataDir), copy)
    const db = openSnapshot(join(copy, 'harrier.sqlite'))
    try {
      // a row of the table beside its file has none of its own
      const originals = db.select().from(recordings).where(isNotNull(recordings.storedAs)).all()
      expect(originals.length).toBe(3 + ROWS)
      expect(db.select().from(media).all().length).toBe(4)
      expect(await missingFiles(db, copy)).toEqual([])
      for (const { storedAs, fileSha256 } of originals) {
        const bytes = readFileSync(join(copy, 'files/raw', storedAs!))
        expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(fileSha256!)
      }
      const noted = db.$client.query<{ id: string }, []>(`SELECT id FROM workout WHERE notes = 'kept'`).all()
      expect(noted).toEqual([{ id: stored[0]! }])
    } finally {
      closeSnapshot(db)
    }
  },
  60_000,
)
