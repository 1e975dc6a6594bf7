// kill -9 of the real server at up to twenty moments of a bulk import, a restore and an export: whatever is stored is whole, what
// is left over goes with the next start, and the same call again ends where an uninterrupted one does.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RUNS_A_GROUP } from '../../src/library/add-run.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'
import { expectWhole, leftovers, libraryRows, madeLibrary, namesIn, placedFiles } from './kill-library.ts'
import { expectServed } from './kill-served.ts'

const RUNS = 64
const SEED = 20_251_101
/** Every second moment of each call; KILLS=20 for all. */
const everySecond = <T>(moments: readonly T[]) =>
  Number(process.env.KILLS ?? 10) < 20 ? moments.filter((_, index) => index % 2 === 1) : moments
/** A kill comes up to this much after its moment, so that it falls between any two steps. */
const JITTER_MS = 6
const BULK = '/workouts/import/bulk'
const RESTORE = '/workouts/import/export'

const root = mkdtempSync(join(tmpdir(), 'harrier-kill-'))
const library = madeLibrary(RUNS)
/** Originals and photos. */
const FILES = RUNS + library.photos
const random = seededRandom(SEED)
const running = new Set<RealServer>()

/** Made in `beforeAll`: folders to start from, and what an uninterrupted call gives. */
const made = {
  cookie: '',
  empty: join(root, 'empty'),
  full: join(root, 'full'),
  archive: new Uint8Array(0),
  imported: {} as Record<string, unknown[]>,
  restored: {} as Record<string, unknown[]>,
}

async function start(dataDir: string): Promise<RealServer> {
  const server = await startServer({ dataDir })
  running.add(server)
  return server
}

async function kill(server: RealServer): Promise<void> {
  running.delete(server)
  await server.end('SIGKILL')
}

function copied(folder: string): string {
  const copy = mkdtempSync(join(root, 'run-'))
  cpSync(folder, copy, { recursive: true })
  return copy
}

beforeAll(async () => {
  const first = await start(made.empty)
  made.cookie = await first.login()
  await first.end('SIGTERM')

  cpSync(made.empty, made.full, { recursive: true })
  const full = await start(made.full)
  const answer = await full.call(BULK, oneFile('export.zip', library.zip), made.cookie)
  expect(await answer.json()).toMatchObject({ successful: RUNS, errors: 0, mediaImported: library.photos })
  made.imported = libraryRows(made.full, false)
  made.archive = new Uint8Array(await (await exported(full)).arrayBuffer())
  await full.end('SIGTERM')

  const target = copied(made.empty)
  const restoring = await start(target)
  const restored = await restoring.call(RESTORE, oneFile('archive.zip', made.archive), made.cookie)
  expect(await restored.json()).toMatchObject({ success: true, statistics: { workouts: { imported: RUNS } } })
  made.restored = libraryRows(target, true)
  await kill(restoring)
}, 120_000)

afterAll(async () => {
  await Promise.all([...running].map(kill))
  rmSync(root, { recursive: true, force: true })
}, 120_000)

const exported = (server: RealServer) => server.call('/workouts/export', { method: 'POST' }, made.cookie)

interface Moment {
  readonly name: string
  /** Share of the body that is sent before the client goes silent. */
  readonly sent: number
  readonly isReached: (dataDir: string) => boolean
  /** Rows of a table after whose commit the kill comes at once: a file that is still missing then is missing for good. */
  readonly rows?: { readonly table: 'workout' | 'media'; readonly count: number }
  /** Least and most runs that may be stored. */
  readonly least: number
  readonly most: number
}

const uploading: Moment = {
  name: 'while the archive arrives',
  sent: 0.6,
  isReached: (dataDir) => namesIn(join(dataDir, 'tmp')).length > 0,
  least: 0,
  most: 0,
}
/** What is unpacked, or put aside, is a second temporary file. */
const unpacking: Moment = {
  name: 'when the archive has arrived and its first parts are unpacked',
  sent: 1,
  isReached: (dataDir) => namesIn(join(dataDir, 'tmp')).length > 1,
  least: 0,
  most: RUNS / 2,
}
const placing = (share: number): Moment => ({
  name: `with ${share * 100} % of the files in their places`,
  sent: 1,
  isReached: (dataDir) => placedFiles(dataDir) >= share * FILES,
  least: 1,
  most: RUNS - 1,
})
const storing = (table: 'workout' | 'media', share: number): Moment => {
  const count = Math.round(share * (table === 'workout' ? RUNS : library.photos))
  const isReached = (dataDir: string) => placedFiles(dataDir) > 0
  return {
    name: `at the very row ${count} of the table ${table}`,
    ...{ sent: 1, isReached, rows: { table, count } },
    ...{ least: table === 'workout' ? count : 1, most: RUNS - 1 },
  }
}
const ending: Moment = {
  name: 'when the last file is in its place',
  sent: 1,
  isReached: (dataDir) => placedFiles(dataDir) >= FILES,
  least: RUNS - 1,
  most: RUNS,
}

describe('killed in a bulk import', () => {
  const inTheMiddle = [
    ...[placing(0.1), storing('workout', 0.25), storing('media', 0.4)],
    ...[placing(0.6), storing('media', 0.8)],
  ]
  for (const moment of everySecond([uploading, unpacking, ...inTheMiddle, ending])) {
    test(moment.name, async () => {
      const dataDir = await killedAt(moment, { path: BULK, bytes: library.zip })
      const kept = expectWhole(copied(dataDir), library)
      // of the group that is being placed none is stored yet, and nothing was reported
      const least = moment.rows?.table === 'workout' ? moment.least : Math.max(0, moment.least - RUNS_A_GROUP)
      expect([kept.runs >= least, kept.runs <= moment.most]).toEqual([true, true])

      const server = await startedAgain(dataDir)
      expect(expectWhole(dataDir, library)).toEqual(kept)
      await expectServed({ server, cookie: made.cookie, library, runs: kept.runs })
      const answer = await server.call(BULK, oneFile('export.zip', library.zip), made.cookie)
      expect(await answer.json()).toEqual({
        ...{ totalProcessed: RUNS, successful: RUNS - kept.runs, skipped: kept.runs, updated: 0 },
        ...{ errors: 0, errorDetails: [], skippedOther: 0, mediaImported: library.photos - kept.photos, warnings: [] },
        receiptId: expect.any(String),
      })
      await expectComplete(server, dataDir)
      expect(libraryRows(dataDir, false)).toEqual(made.imported)
      await kill(server)
    }, 120_000)
  }
})

describe('killed in a restore', () => {
  const inTheMiddle = [storing('workout', 0.4), placing(0.15), storing('media', 0.6), storing('workout', 0.85)]
  for (const moment of everySecond([unpacking, uploading, ...inTheMiddle, ending])) {
    test(moment.name, async () => {
      const dataDir = await killedAt(moment, { path: RESTORE, bytes: made.archive })
      const kept = expectWhole(copied(dataDir), library)
      expect([kept.runs >= moment.least, kept.runs <= moment.most]).toEqual([true, true])

      const server = await startedAgain(dataDir)
      expect(expectWhole(dataDir, library)).toEqual(kept)
      await expectServed({ server, cookie: made.cookie, library, runs: kept.runs })
      const answer = await server.call(RESTORE, oneFile('archive.zip', made.archive), made.cookie)
      expect(await answer.json()).toMatchObject({
        success: true,
        statistics: {
          workouts: { imported: RUNS - kept.runs, skipped: kept.runs, errors: 0 },
          media: { imported: library.photos - kept.photos, skipped: kept.photos, errors: 0 },
          rawFiles: { imported: RUNS - kept.runs, skipped: kept.runs, errors: 0 },
        },
        errors: [],
      })
      await expectComplete(server, dataDir)
      expect(libraryRows(dataDir, true)).toEqual(made.restored)
      await kill(server)
    }, 120_000)
  }
})

describe('killed in an export', () => {
  for (const share of everySecond([0, 0.2, 0.45, 0.7, 0.95])) {
    test(`with ${share * 100} % of the archive sent`, async () => {
      const dataDir = copied(made.full)
      const first = await start(dataDir)
      const reader = (await exported(first)).body!.getReader()
      for (let received = 0; received < share * made.archive.length; ) {
        const { value } = await reader.read()
        received += value?.length ?? Number.POSITIVE_INFINITY
      }
      await Bun.sleep(random() * JITTER_MS)
      await kill(first)
      await reader.cancel().catch(() => null)
      expect(expectWhole(copied(dataDir), library)).toEqual({ runs: RUNS, photos: library.photos })

      const server = await startedAgain(dataDir)
      expect(libraryRows(dataDir, false)).toEqual(made.imported)
      const archive = new Uint8Array(await (await exported(server)).arrayBuffer())
      // the same but for the moment of the export
      expect(Math.abs(archive.length - made.archive.length)).toBeLessThan(64)
      await kill(server)
    }, 120_000)
  }
})

/** Sends and kills. @returns the folder as the dead process left it */
async function killedAt(
  moment: Moment,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<string> {
  const dataDir = copied(made.empty)
  const server = await start(dataDir)
  let isAnswered = false
  const sending = server.call(path, slowUpload(bytes, moment.sent), made.cookie).then(
    () => {
      isAnswered = true
    },
    () => null,
  )
  while (!moment.isReached(dataDir) && !isAnswered) await Bun.sleep(1)
  if (moment.rows === undefined) await Bun.sleep(random() * JITTER_MS)
  else await killedWithRow(server, dataDir, moment.rows)
  await kill(server)
  await sending
  return dataDir
}

/** Looks on without a pause when the row is near, and kills before anything else. */
async function killedWithRow(
  { pid }: RealServer,
  dataDir: string,
  { table, count }: NonNullable<Moment['rows']>,
): Promise<void> {
  // for reading: closing it must not tidy up after the dead process
  const db = new Database(join(dataDir, 'harrier.sqlite'), { readonly: true })
  const query = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`)
  const isNear = (rows: number) => (query.get()?.n ?? 0) >= rows
  const untilMs = Date.now() + 60_000
  while (!isNear(count - 1) && Date.now() < untilMs) await Bun.sleep(0)
  while (!isNear(count) && Date.now() < untilMs);
  process.kill(pid, 'SIGKILL')
  db.close()
}

/** A multipart upload that falls silent when a share of it is sent. */
function slowUpload(bytes: Uint8Array, share: number): RequestInit {
  if (share === 1) return oneFile('archive.zip', bytes)
  const head = '--cut\r\ncontent-disposition: form-data; name="file"; filename="archive.zip"\r\n\r\n'
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(head))
      controller.enqueue(bytes.slice(0, share * bytes.length))
    },
  })
  return { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=cut' } }
}

/** What the dead process left over is gone within seconds of the next start. */
async function startedAgain(dataDir: string): Promise<RealServer> {
  const server = await start(dataDir)
  for (let attempt = 0; attempt < 6000 && leftovers(dataDir).length > 0; attempt += 1) await Bun.sleep(10)
  expect([leftovers(dataDir), server.log()]).toEqual([[], server.log()])
  return server
}

async function expectComplete(server: RealServer, dataDir: string): Promise<void> {
  expect(expectWhole(dataDir, library)).toEqual({ runs: RUNS, photos: library.photos })
  expect(leftovers(dataDir)).toEqual([])
  await expectServed({ server, cookie: made.cookie, library, runs: RUNS })
}
