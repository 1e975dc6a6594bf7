import { kept } from '../db/kept.ts'
import type { Tx } from '../db/open.ts'
import { localDay, parseDay } from '../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { isMeasured, raceResults } from '../engine/training/races.ts'
import { type Race, storedRaces } from './training/documents.ts'

// What a race was: its course is measured, so that its result is the time of the run over the official distance, however
// far the watch said it was.

/** A run that may be the result of a race. */
interface RaceRun {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly distanceM: number
  readonly durationS: number
  readonly leftOut: number
}

/** The result of a race that is about as long as its run was recorded. */
interface RaceEffort extends RaceRun {
  /** The official distance. */
  readonly officialM: number
  /** Of the official distance; -1: it is not a standard one. */
  readonly distanceIndex: number
  readonly timeMs: number
  /** Unless the runner left the run or the effort out. */
  readonly counts: boolean
}

export interface Raced {
  /** The run of each planned race that has one: linked by the runner, else of the type Race, that day and distance. */
  readonly runs: ReadonlyMap<string, RaceRun>
  readonly efforts: readonly RaceEffort[]
  /** Whether a run is declared a race, by its type or a link, and the runner did not take its result out. */
  readonly isRace: (run: { readonly id: string; readonly runType: string | null }) => boolean
}

const COLUMNS =
  'SELECT id, started_at AS startedAt, utc_offset_minutes AS offset, distance_m AS distanceM, duration_s AS durationS, left_out AS leftOut FROM workout'
const LINKED = `${COLUMNS} WHERE id = ?`
/** Races that the runner corrected to a standard distance; the samples of a route stay as they are. */
const CORRECTED = `${COLUMNS} WHERE run_type = 'Race' AND distance_m IN (${STANDARD_DISTANCES.map((one) => one.distanceM).join()})
  AND EXISTS (SELECT 1 FROM document WHERE document.id = workout.id AND body LIKE '%"kind":"distance"%')`
/** Of a day anywhere on earth. */
const OF_DAY = `${COLUMNS} WHERE started_at >= (?1 - 1) * 86400000 AND started_at < (?1 + 2) * 86400000
  AND run_type = 'Race' AND left_out = 0 ORDER BY started_at, id`
const EXCLUDED = 'SELECT 1 FROM effort_word WHERE workout_id = ? AND distance_index = ? AND is_record = 0'

const matched = new WeakMap<Tx['$client'], () => Raced>()

/** Races, their runs and results, matched once for all that is asked until something is written. */
export function raced(tx: Tx): Raced {
  const known = matched.get(tx.$client) ?? kept(tx, () => racedNow(tx))
  matched.set(tx.$client, known)
  return known()
}

function racedNow(tx: Tx): Raced {
  const races = storedRaces(tx)
  const runs = raceRuns(tx, races)
  const linked = races.flatMap((race) => effortOf(tx, runs.get(race.id), race.distanceM))
  const others = tx.$client
    .query<RaceRun, []>(CORRECTED)
    .all()
    .filter(({ id }) => linked.every((one) => one.id !== id))
  const efforts = [...linked, ...others.flatMap((run) => effortOf(tx, run, run.distanceM))]
  const declared = new Set(races.flatMap(({ isLinked, workoutId }) => (isLinked ? workoutId : null) ?? []))
  const excluded = new Set(efforts.flatMap(({ id, counts }) => (counts ? [] : id)))
  const isRace: Raced['isRace'] = ({ id, runType }) => (runType === 'Race' || declared.has(id)) && !excluded.has(id)
  return { runs, efforts, isRace }
}

/** Runs whose offset is unknown have their day by UTC, as in all bests. */
function raceRuns(tx: Tx, races: readonly Race[]): Map<string, RaceRun> {
  const found = new Map<string, RaceRun>()
  const open = races.filter(({ id, isLinked, workoutId }) => {
    const run = isLinked && workoutId !== null ? tx.$client.query<RaceRun, [string]>(LINKED).get(workoutId) : null
    if (run !== null) found.set(id, run)
    return !isLinked || (workoutId !== null && run === null)
  })
  const taken = new Set([...found.values()].map(({ id }) => id))
  const days = new Set(open.map(({ date }) => parseDay(date)!))
  const near = [...days].flatMap((day) => tx.$client.query<RaceRun, [number]>(OF_DAY).all(day))
  const runs = new Map(near.flatMap((run) => (taken.has(run.id) ? [] : [[run.id, run]])))
  const results = raceResults(
    open.map(({ id, date, distanceM }) => ({ id, day: parseDay(date)!, distanceM })),
    [...runs.values()].map((run) => ({ ...run, day: localDay(run.startedAt, run.offset ?? 0) })),
  )
  for (const [id, run] of results) found.set(id, runs.get(run)!)
  return found
}

function effortOf(tx: Tx, run: RaceRun | undefined, officialM: number): RaceEffort[] {
  if (run === undefined || !isMeasured(run.distanceM, officialM)) return []
  const distanceIndex = STANDARD_DISTANCES.findIndex((one) => one.distanceM === officialM)
  const timeMs = Math.round(1000 * run.durationS)
  // nobody ran it
  if (timeMs < 1000 * (STANDARD_DISTANCES[distanceIndex]?.fastestS ?? 0)) return []
  const counts = run.leftOut === 0 && tx.$client.query(EXCLUDED).get(run.id, distanceIndex) === null
  return [{ ...run, officialM, distanceIndex, timeMs, counts }]
}
