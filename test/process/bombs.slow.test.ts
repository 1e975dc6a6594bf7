import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import {
  blankBomb,
  controlBomb,
  creatorBomb,
  fitBomb,
  healthBomb,
  notesBomb,
  pointBomb,
  stravaBomb,
  tableBomb,
} from '../fixtures/bombs.ts'
import { tempFolder } from '../temp-folder.ts'
import { oneFile, startServer } from './real-server.ts'
import { peakMiB, watchWaits } from './waits.ts'

const MOST_MIB = 400
const LONGEST_WAIT_MS = 250
/** A detail answer may have so many times the bytes of what was uploaded. */
const MOST_TIMES = 10

/** Details that are asked for: the raw data of a row is read out of its table. */
const MOST_ASKED = 2

const folder = tempFolder()

/** A run so long is downloaded as well; GPX is written as TCX is. */
const LONG_RUN = '399,000 points'
/** What has more is refused. */
const TOO_LONG = { error: 'The file has 400,000 points or more', code: 'file_unreadable' }

const BOMBS = [
  ['60 MiB of control characters', '/workouts/import', 'a.gpx.gz', controlBomb],
  ['95 MiB of the name of a program', '/workouts/import', 'a.gpx.gz', creatorBomb],
  ['a row of 95 MiB in an export of Strava', '/workouts/import/bulk', 'a.zip', () => stravaBomb(95 * 1024 * 1024)],
  ['95 MiB of blank lines in an export of Strava', '/workouts/import/bulk', 'a.zip', () => blankBomb(95 * 1024 * 1024)],
  [LONG_RUN, '/workouts/import', 'a.gpx.gz', () => pointBomb(399_000)],
  ['399,000 rows of ten columns', '/workouts/import', 'a.csv.gz', () => tableBomb(399_000)],
  ['399,000 records of a watch', '/workouts/import', 'a.fit.gz', () => fitBomb(399_000)],
  ['450,000 elements of an app', '/workouts/import', 'a.json.gz', () => healthBomb(150_000)],
  ['9,990 rows of long notes', '/workouts/import', 'activities.csv.gz', () => notesBomb(9990)],
] as const

test.each(BOMBS)(
  '%s in a small upload cost neither memory nor the time of others',
  async (name, path, file, made) => {
    await using server = await startServer({ dataDir: mkdtempSync(join(folder, 'data-')) })
    await server.login()
    const bytes = made()
    const watched = watchWaits(server)
    const response = await server.call(path, oneFile(file, bytes))
    expect([response.status, await response.json()]).toMatchObject([200, {}])
    const { items } = (await (await server.call('/workouts')).json()) as { items: { id: string }[] }
    expect(items.length).toBeGreaterThan(0)
    for (const { id } of items.slice(0, MOST_ASKED)) {
      const detail = await (await server.call(`/workouts/${id}`)).arrayBuffer()
      expect(detail.byteLength).toBeLessThanOrEqual(MOST_TIMES * bytes.length)
    }
    if (name === LONG_RUN) {
      const download = await server.call(`/workouts/${items[0]?.id}/export?format=fit`)
      let length = 0
      for await (const piece of download.body!) length += piece.length
      expect([download.status, length]).toEqual([200, expect.any(Number)])
      // each point with its time, place and altitude
      expect(length).toBeGreaterThan(13 * 399_000)
    }
    const waitMs = await watched.end()
    const peak = peakMiB(server.pid)
    expect(peak).toBeLessThanOrEqual(MOST_MIB)
    expect(waitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS)
  },
  240_000,
)

test.each([
  ['800,000 points', 'a.gpx.gz', () => pointBomb(800_000)],
  ['990,000 rows', 'a.csv.gz', () => tableBomb(990_000)],
  ['500,000 records', 'a.fit.gz', () => fitBomb(500_000)],
] as const)(
  '%s are refused in a sentence, and cost no more',
  async (_, file, made) => {
    await using server = await startServer({ dataDir: mkdtempSync(join(folder, 'data-')) })
    await server.login()
    const response = await server.call('/workouts/import', oneFile(file, made()))
    expect([response.status, await response.json()]).toEqual([400, TOO_LONG])
    expect(await (await server.call('/workouts')).json()).toMatchObject({ totalCount: 0 })
    expect(peakMiB(server.pid)).toBeLessThanOrEqual(MOST_MIB)
  },
  240_000,
)
