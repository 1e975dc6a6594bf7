import { kept } from '../../db/kept.ts'
import type { Db } from '../../db/open.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { type FitnessOptions, fitnessSeries } from '../../engine/training/fitness.ts'
import { LOAD_PARTS, type LoadSource } from '../../engine/training/library-loads.ts'
import { profilesBy } from '../../engine/training/profile.ts'
import { DEFAULT_PER_HOUR, durationHours } from '../../engine/training/training-load.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from '../../library/training/profile.ts'
import { answersState, isBehind, runsState } from '../../library/training/refresh.ts'
import { MOVING_TIME_S } from '../workouts/queries.ts'

export interface TrainingRun {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly load: number | null
  readonly source: LoadSource | null
  readonly distanceM: number
  readonly durationS: number
  readonly movingS: number
  readonly elevGainM: number | null
  readonly runType: string | null
}

type PlainRun = Omit<TrainingRun, 'load' | 'source'>
const RUNS = `
  SELECT id, started_at AS startedAt, utc_offset_minutes AS offset, distance_m AS distanceM,
    duration_s AS durationS, ${MOVING_TIME_S} AS movingS, elev_gain_m AS elevGainM, run_type AS runType
  FROM workout WHERE left_out = 0 ORDER BY started_at, id`
const LOADS = `SELECT workout_id, load / ${LOAD_PARTS}.0, source FROM workout_load`

/** The client's UTC offset and its current local day. */
export interface Viewer {
  readonly offsetMinutes: number
  readonly today: number
}

/** All days from that of the first run on. */
export type DaySeries = ReturnType<typeof daySeries>

export type TrainingLibrary = ReturnType<typeof createTrainingLibrary>

/** Training data of the whole library, kept until something is written. */
export function createTrainingLibrary({ db, now, loads }: Pick<Deps, 'db' | 'now' | 'loads'>) {
  const state = () => answersState(db, loads.fitness())
  // changes of the profile leave the runs as they are
  const plain = kept(db, () => db.$client.query<PlainRun, []>(RUNS).all(), runsState)
  const runs = kept(db, () => withLoads(db, plain()), state)
  const settings = kept(db, () => trainingOrDefault(db))
  const profiles = kept(db, () => profilesBy(profileEntries(settings()), zonesProfile(db)))
  const fitnessOptions = (): FitnessOptions => {
    const { fitnessDays, fatigueDays, fitnessSeed } = settings()
    return { fitnessDays, fatigueDays, seed: fitnessSeed ?? 0 }
  }
  const seriesOf = (runs: readonly TrainingRun[], viewer: Viewer, options: FitnessOptions) =>
    daySeries(
      runs,
      runs.map((run) => dayOf(run, viewer)),
      { today: viewer.today, options },
    )
  const days = kept(db, (viewer: Viewer, options: FitnessOptions) => seriesOf(runs(), viewer, options), state)
  const dayOf = ({ startedAt, offset }: Pick<TrainingRun, 'startedAt' | 'offset'>, { offsetMinutes }: Viewer) =>
    localDay(startedAt, offset ?? offsetMinutes)
  return {
    settings,
    /** The latest fit; null: none was made yet. */
    fitness: () => loads.fitness(),
    fitnessOptions,
    dayOf,
    runs,
    /** Waits briefly for outdated loads, then answers; true: they still are, and the answer uses the older ones. */
    current: async <T>(answer: (recomputing: boolean) => T | Promise<T>): Promise<T> =>
      answer(await loads.isRecomputing()),
    /** Starts computing outdated loads in the background. */
    refresh: () => void loads.refresh(),
    viewer: (asked: number | undefined): Viewer => {
      const offsetMinutes = asked ?? runs().at(-1)?.offset ?? 0
      return { offsetMinutes, today: localDay(now(), offsetMinutes) }
    },
    /** Those of before while the loads of a large library are being computed. */
    days: (viewer: Viewer) => days(viewer, fitnessOptions()),
    /** With all runs, those whose loads are not computed yet among them. */
    daysOfNow: (viewer: Viewer) =>
      isBehind(db) ? seriesOf(withLoads(db, plain()), viewer, fitnessOptions()) : days(viewer, fitnessOptions()),
    state,
    profile: (day: number) => profiles()(day),
  }
}

/** A run whose load is not computed yet counts by its duration. */
function withLoads({ $client: client }: Db, runs: readonly PlainRun[]): TrainingRun[] {
  const rows = client.query(LOADS).values() as [id: string, load: number | null, source: LoadSource | null][]
  const loads = new Map(rows.map(([id, load, source]) => [id, { load, source }]))
  return runs.map((run) => ({ ...run, ...(loads.get(run.id) ?? byDuration(run)) }))
}

function byDuration({ movingS }: PlainRun): Pick<TrainingRun, 'load' | 'source'> {
  if (!(movingS > 0)) return { load: null, source: null }
  return { load: roundHalfUp(DEFAULT_PER_HOUR * durationHours(movingS), 1), source: 'duration' }
}

/**
 * For an empty library the first day is the viewer's today; runs are indexed by days since the first.
 * @param days of the runs
 */
function daySeries(
  runs: readonly TrainingRun[],
  days: readonly number[],
  { today, options }: { readonly today: number; readonly options: FitnessOptions },
) {
  const firstDay = days.reduce((first, day) => Math.min(first, day), today)
  const lastDay = days.reduce((last, day) => Math.max(last, day), today)
  const count = runs.length === 0 ? 0 : lastDay - firstDay + 1
  const loads = new Array<number>(count).fill(0)
  const estimated = new Array<number>(count).fill(0)
  const ofDay: TrainingRun[][] = Array.from({ length: count }, () => [])
  for (const [i, run] of runs.entries()) {
    const at = days[i]! - firstDay
    ofDay[at]!.push(run)
    loads[at]! += run.load ?? 0
    if (run.source !== 'heartRate' && run.source !== 'manual') estimated[at]! += run.load ?? 0
  }
  return { firstDay, rows: fitnessSeries(loads, options, estimated), runs: ofDay }
}
