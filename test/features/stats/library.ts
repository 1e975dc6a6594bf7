import { cleanRecording } from '../../../src/engine/run/samples.ts'
import type { Deps } from '../../../src/library/deps.ts'
import { packTrack } from '../../../src/workers/pack.ts'
import { knots, seededRandom } from '../../fixtures/knots.ts'
import { recordingOf } from '../../fixtures/recording.ts'
import { addRows, rowsOf } from '../../library/as-stored.ts'
import { addWorkout, NOW_MS } from '../../library/feature-app.ts'
import { addRecording } from '../../library/recordings.ts'

/** One stored run of a made library, with what the statistics add up. */
export interface Run {
  readonly id: string
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  readonly elevGainM: number | null
  readonly relativeEffort: number | null
  readonly avgHeartRateBpm: number | null
  readonly runType: 'Race' | 'Workout' | 'Long Run' | 'Easy Run' | null
}

export const OFFSETS = [-840, -300, 0, 60, 330, 345, 840] as const

const MINUTE_MS = 60_000
/** Local days around whose two midnights runs lie: of weeks, months, years and leap days. */
const BORDER_DAYS = [
  ...['2022-12-31', '2023-01-01', '2023-02-28', '2023-03-01', '2023-12-31', '2024-01-01', '2024-02-04', '2024-02-05'],
  ...['2024-02-11', '2024-02-12', '2024-02-18', '2024-02-19', '2024-02-25', '2024-02-26', '2024-02-28', '2024-02-29'],
  ...['2024-03-01', '2024-03-03', '2024-03-04', '2024-12-15', '2024-12-16', '2024-12-22', '2024-12-23', '2024-12-29'],
  ...['2024-12-30', '2024-12-31', '2025-01-01', '2025-01-05', '2025-01-06', '2025-02-28', '2025-03-01', '2025-12-31'],
] as const
const AROUND_MIDNIGHT_MS = [-1, 0, 1, 20_000, -30 * MINUTE_MS, 7 * 60 * MINUTE_MS] as const

/** 2,000 runs of 2022 to 2025: at both sides of local midnights in every offset, the rest at random, always the same. */
export function seededLibrary(): Run[] {
  const random = seededRandom(24)
  const starts = BORDER_DAYS.flatMap((day) =>
    OFFSETS.flatMap((offset) =>
      AROUND_MIDNIGHT_MS.map((ms) => Date.parse(`${day}T00:00:00Z`) - offset * MINUTE_MS + ms),
    ),
  )
  const from = Date.parse('2022-06-01T00:00:00Z')
  while (starts.length < 2000) starts.push(from + Math.floor(random() * 3.3 * 365 * 24 * 60) * MINUTE_MS)
  const maybe = <T>(share: number, value: T) => (random() < share ? value : null)
  return starts.map((startedAtMs, i) => ({
    id: runId(i),
    startedAtMs,
    distanceM: Math.round(random() * 2_000_000) / 100,
    durationS: i % 97 === 0 ? 0 : Math.round(600 + random() * 9000),
    elevGainM: maybe(0.8, Math.round(random() * 4000) / 10),
    relativeEffort: maybe(0.7, Math.round(random() * 200)),
    avgHeartRateBpm: maybe(0.7, Math.round(120 + random() * 60)),
    runType: maybe(0.8, (['Race', 'Workout', 'Long Run', 'Easy Run', 'Easy Run'] as const)[Math.floor(random() * 5)]!),
  }))
}

export function runId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
}

/** Stores a run in steady parts of [seconds, metres per second], n seconds after `NOW_MS`, without its efforts. @returns its id */
export function addTrack(deps: Deps, n: number, parts: readonly (readonly number[])[]): string {
  const { tS, distanceM } = knots(parts, 10)
  addWorkout(deps, { id: runId(n), startedAt: NOW_MS + n * 1000 })
  addRecording(deps, runId(n), { samples: packTrack(cleanRecording(recordingOf(tS, { distanceM }))!) })
  return runId(n)
}

/** Stores runs, in an order that says nothing of their dates. */
export function storeRuns(deps: Pick<Deps, 'db'>, runs: readonly Run[]): void {
  const rest = { created_at: 0, avg_pace_s: 360, search_text: '', name_key: '', splits_count: 0, engine_version: 1 }
  const rows = runs
    .toSorted((a, b) => a.distanceM - b.distanceM)
    .map((run) => ({
      ...{ ...rest, has_time_series_hr: 0, id: run.id, started_at: run.startedAtMs, duration_s: run.durationS },
      ...{ distance_m: run.distanceM, elev_gain_m: run.elevGainM, relative_effort: run.relativeEffort },
      ...{ avg_heart_rate_bpm: run.avgHeartRateBpm, run_type: run.runType },
    }))
  addRows(deps, 'workout', rows)
}

interface Effort {
  readonly id: string
  /** Place among the standard distances. */
  readonly index: number
  readonly timeMs: number
}

/** An effort that samples had. @param reason why it cannot be */
export function addEffort(deps: Pick<Deps, 'db'>, { id, index, timeMs }: Effort, reason: string | null = null): void {
  const row = { workout_id: id, distance_index: index, time_ms: timeMs, start_ms: 0, calculated_at: 0 }
  addRows(deps, 'workout_best_effort', [{ ...row, implausible_reason: reason }])
}

/** An effort that only an archive says. @returns its id */
export function addArchived(deps: Pick<Deps, 'db'>, { id, index, timeMs }: Effort): string {
  const row = { id: Bun.randomUUIDv7(), workout_id: id, distance_index: index, time_ms: timeMs, calculated_at: NOW_MS }
  addRows(deps, 'archived_best_effort', [row])
  return row.id
}

/** What the runner says of an effort. */
export function sayRecord(deps: Pick<Deps, 'db'>, { id, index }: Omit<Effort, 'timeMs'>, isRecord: boolean): void {
  addRows(deps, 'effort_word', [{ workout_id: id, distance_index: index, is_record: Number(isRecord) }])
}

/** Efforts from samples, by run and distance. */
export function efforts(deps: Pick<Deps, 'db'>): readonly (readonly [id: string, index: number, timeMs: number])[] {
  const rows = rowsOf(deps, 'workout_best_effort', 'workout_id', 'distance_index', 'time_ms')
  return rows.map((row) => [String(row.workout_id), Number(row.distance_index), Number(row.time_ms)])
}

const DAY_MS = 86_400_000
/** Dates by their day since 1970: tests ask for the date of each run thousands of times. */
const dates = new Map<number, string>()

/** The date of an instant with an offset in minutes. */
export function localDate(ms: number, offset: number): string {
  const day = Math.floor((ms + offset * MINUTE_MS) / DAY_MS)
  const date = dates.get(day) ?? new Date(day * DAY_MS).toISOString().slice(0, 10)
  dates.set(day, date)
  return date
}

/** So many days later. */
export function shifted(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
