import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertRow } from '../../src/db/insert.ts'
import { openDb, openExistingDb } from '../../src/db/open.ts'
import { recordings, workouts } from '../../src/db/schema.ts'

const RUN = {
  ...{ startedAt: 1_700_000_000_000, createdAt: 1, durationS: 600, distanceM: 1800.25, avgPaceS: 333.3 },
  ...{ searchText: '', nameKey: '', splitsCount: 0, hasTimeSeriesHr: true, engineVersion: 2 },
  ...{ hrZoneSeconds: [1, 2, 3, 4, 5], routePreview: null, notes: null },
} as const

test('a row is inserted as drizzle inserts it: defaults, JSON, booleans, and null that is not JSON', () => {
  const db = openDb(':memory:')
  const run = { ...RUN, hrZoneSeconds: [...RUN.hrZoneSeconds] }
  insertRow(db, workouts, { ...run, id: 'ours' })
  db.insert(workouts)
    .values({ ...run, id: 'theirs' })
    .run()
  const [ours, theirs] = db.$client.query<Record<string, unknown>, []>('SELECT * FROM workout ORDER BY id').all()
  expect(ours).toEqual({ ...theirs, id: 'ours' })
  expect(ours).toMatchObject({
    route_preview: null,
    left_out: 0,
    has_time_series_hr: 1,
    hr_zone_seconds: '[1,2,3,4,5]',
  })
})

test('it is part of the transaction around it', () => {
  const db = openDb(':memory:')
  expect(() =>
    db.transaction((tx) => {
      expect(tx.$client).toBe(db.$client)
      insertRow(tx, workouts, { ...RUN, hrZoneSeconds: null, id: 'a' })
      throw new Error('back')
    }),
  ).toThrow('back')
  expect([db.select().from(workouts).all(), db.select().from(recordings).all()]).toEqual([[], []])
})

test('a commit waits for the disk, on every way of opening the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-full-'))
  const path = join(folder, 'harrier.sqlite')
  const mode = ({ $client: client }: ReturnType<typeof openDb>) => client.query('PRAGMA synchronous').get()
  const db = openDb(path)
  const other = openExistingDb(path)
  expect([mode(db), mode(other)]).toEqual([{ synchronous: 2 }, { synchronous: 2 }])
  db.$client.close()
  other.$client.close()
  rmSync(folder, { recursive: true, force: true })
})
