import type { Deps } from '../../src/library/deps.ts'
import { rowsOf } from './as-stored.ts'

export const NEVER = new AbortController().signal

type Value = string | number | Uint8Array | null
type Row = Readonly<Record<string, Value>>

/** Whole-run columns that a newer engine may change; of a number that is null, only those that it may find out. */
const NUMBERS = [
  ...(['duration_s', 'moving_time_s', 'timer_time_s', 'distance_m', 'avg_pace_s', 'max_speed_mps'] as const),
  ...(['avg_speed_mps', 'max_heart_rate_bpm', 'avg_heart_rate_bpm', 'min_heart_rate_bpm', 'max_cadence_rpm'] as const),
  ...(['avg_cadence_rpm', 'max_cadence_spm', 'avg_cadence_spm', 'max_power_watts', 'avg_power_watts'] as const),
  'calories',
] as const
/** These may also turn out to be unknown. */
const WEIGHED = ['gap_pace_s', 'elev_gain_m', 'elev_loss_m', 'min_elev_m', 'max_elev_m'] as const
const SPLIT_NUMBERS = [
  ...(['distance_m', 'duration_s', 'pace_s', 'start_elapsed_s', 'end_elapsed_s', 'moving_time_s'] as const),
  ...(['elev_gain_m', 'elev_loss_m', 'avg_heart_rate_bpm', 'avg_cadence_rpm', 'gap_pace_s'] as const),
] as const
const TABLES = [
  ...['workout', 'recording', 'document', 'samples', 'workout_split', 'workout_best_effort', 'archived_best_effort'],
  ...['effort_word', 'workout_route', 'weather_job', 'media', 'settings', 'shoe'],
]

/** Every row of everything that is stored, as text that can be compared; efforts without the time they were written. */
export function everything({ db }: Pick<Deps, 'db'>): Record<string, readonly string[]> {
  const texts = (table: string) => rowsOf({ db }, table).map((row) => JSON.stringify(readable(table, row)))
  return Object.fromEntries(TABLES.map((table) => [table, texts(table).sort()]))
}

function readable(table: string, row: Row): Row {
  const entries = Object.entries(row).map(([key, value]): [string, Value] => [
    key,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ])
  // when an effort was computed, and with what settings climb was counted, is another after the job
  const other = table === 'workout_best_effort' ? ['calculated_at'] : ['asked', 'seq']
  return Object.fromEntries(entries.filter(([key]) => !other.includes(key)))
}

/** Makes every number of a workout wrong that an engine derived, as if another engine had been at work. */
export function falsify({ db }: Pick<Deps, 'db'>, id: string): void {
  const { $client: client } = db
  const hasSamples =
    client
      .query('SELECT 1 FROM samples JOIN run_recording USING (recording_id) WHERE run_id = ? AND live = 1')
      .get(id) !== null
  const set = (column: string, wrong: string) => `${column} = ${wrong}`
  const columns = ['engine_version = 0']
  columns.push(...NUMBERS.map((column) => set(column, `${column} + 7`)))
  columns.push(...WEIGHED.map((column) => set(column, hasSamples ? `coalesce(${column} + 7, 3)` : `${column} + 7`)))
  columns.push(
    'relative_effort = relative_effort + 7',
    "hr_zone_seconds = iif(hr_zone_seconds IS NULL, NULL, '[1,1,1,1,1]')",
  )
  if (hasSamples) columns.push('splits_count = splits_count + 3')
  if (hasSamples) columns.push("route_preview = x'02040204'")
  client.run(`UPDATE workout SET ${columns.join(', ')} WHERE id = ?`, [id])
  const wrong = SPLIT_NUMBERS.map((column) => set(column, `coalesce(${column} + 1, 2)`)).join(', ')
  client.run(`UPDATE workout_split SET ${wrong} WHERE workout_id = ?`, [id])
  client.run(
    "INSERT INTO workout_split SELECT 'extra ' || id, workout_id, idx + 50000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 FROM workout_split WHERE workout_id = ? LIMIT 1",
    [id],
  )
  if (!hasSamples) return
  client.run(
    "UPDATE workout_best_effort SET time_ms = time_ms + 5, start_ms = start_ms + 9, implausible_reason = 'gap' WHERE workout_id = ?",
    [id],
  )
  // an effort of a distance that is none
  client.run(
    'INSERT INTO workout_best_effort SELECT workout_id, 99, 5, 5, hex(randomblob(9)), 1, NULL FROM workout_best_effort WHERE workout_id = ? LIMIT 1',
    [id],
  )
  client.run(
    "UPDATE workout_route SET length_m = 1, south_deg = 1, sketch = zeroblob(512), path = x'00' WHERE workout_id = ?",
    [id],
  )
}
