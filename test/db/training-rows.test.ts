import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate.ts'
import { unpackedPeaks } from '../../src/workers/training.ts'

const MIGRATIONS = join(import.meta.dir, '../../src/db/migrations')

test('peaks that were JSON are the same as varints, and all other stored numbers stay', () => {
  const client = new Database(':memory:', { strict: true })
  for (const file of readdirSync(MIGRATIONS).sort().slice(0, 42)) {
    client.run(readFileSync(join(MIGRATIONS, file), 'utf8'))
  }
  client.run('PRAGMA user_version = 42')
  client.run('PRAGMA foreign_keys = OFF')
  const peaks = [
    [],
    [[4, 186]],
    [
      [0, 100.01],
      [0.63, 99],
      [0.64, 163.84],
      [3.27, 240],
      [12, 0.5],
    ],
  ]
  for (const [i, value] of peaks.entries()) {
    client.run(
      `INSERT INTO workout (id, started_at, created_at, duration_s, distance_m, avg_pace_s, search_text, name_key,
         splits_count, has_time_series_hr, engine_version) VALUES (?, 0, 0, 1, 1, 1, '', '', 0, 0, 1)`,
      [`run ${i}`],
    )
    client.run(
      `INSERT INTO workout_training (workout_id, training_version, hr_hist, speed_hist, altitude_usable, indoor, hr_cover,
         steady_s, pieces, headings, peaks, hr_locked_s, reps) VALUES (?, 5, x'01', x'02', 1, 0, 9, 0.5, x'03', x'04', ?, 7, 8)`,
      [`run ${i}`, JSON.stringify(value)],
    )
  }
  migrate(client)
  const rows = client.query<{ peaks: Uint8Array }, []>('SELECT * FROM workout_training ORDER BY rowid').all()
  expect(rows.map((row) => unpackedPeaks(row.peaks))).toEqual(peaks as [number, number][][])
  expect(rows[2]).toMatchObject({
    ...{ workout_id: 'run 2', training_version: 5, hr_hist: Uint8Array.of(1), speed_hist: Uint8Array.of(2) },
    ...{ altitude_usable: 1, indoor: 0, hr_cover: 9, steady_s: 0.5, pieces: Uint8Array.of(3) },
    ...{ headings: Uint8Array.of(4), effort_graded: null, hr_locked_s: 7, reps: 8 },
  })
})
