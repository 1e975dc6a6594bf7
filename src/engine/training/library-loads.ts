import { roundHalfUp } from '../units.ts'
import { type Calibration, type Calibrator, calibrator, isSuspect, LEAST_PAIRS, type Pair } from './calibration.ts'
import { DEFAULT_PER_HOUR, DEFAULT_PER_RPE_MINUTE, durationHours, rpeMinutes } from './training-load.ts'

/** Of the moving time that heart rate has to cover for a run to calibrate others. */
const CALIBRATING_COVERAGE = 0.8
const PACE_BOUNDS = [0.5, 2] as const
const RPE_BOUNDS = [0.05, 0.6] as const
const DURATION_BOUNDS = [20, 100] as const

/** Loads have one decimal; they are kept in so many parts. */
export const LOAD_PARTS = 10

export const LOAD_SOURCES = ['heartRate', 'pace', 'rpe', 'duration', 'manual'] as const
export type LoadSource = (typeof LOAD_SOURCES)[number]
export type ChosenSource = 'auto' | LoadSource

/** What one run offers for its load. */
export interface LoadInputs {
  readonly day: number
  readonly movingS: number
  /** By heart rate; null: too little of it. */
  readonly heartRate: number | null
  /** Share of the moving time with heart rate; 0 when only the average is known. */
  readonly sampledCoverage: number
  /** By pace, before its factor. */
  readonly pace: number | null
  /** The grade of hilly ground is known from GPS alone. */
  readonly isPacePoor: boolean
  readonly rpe: number | null
  readonly manual: number | null
  readonly chosen: ChosenSource
}

export interface RunLoad {
  /** One decimal; null: the run has no time. */
  readonly load: number | null
  readonly source: LoadSource | null
  /** On one scale, one decimal each. */
  readonly loads: Readonly<Record<LoadSource, number | null>>
  /** Of the source; null: it needs none, or there were too few runs for one. */
  readonly calibration: Calibration | null
  readonly isSuspect: boolean
}

/** The loads of all runs, each on the scale of heart rate. */
export function libraryLoads(runs: readonly LoadInputs[]): RunLoad[] {
  const pairOf = (run: LoadInputs, load: number | null, raw: number | null): Pair[] =>
    load === null || raw === null ? [] : [{ day: run.day, load, raw }]
  const measured = runs.filter(isMeasured)
  const unflagged = calibrator(
    measured.flatMap((run) => pairOf(run, run.heartRate, run.pace)),
    PACE_BOUNDS,
  )
  const suspects = new Set(
    runs.filter(
      (run) =>
        run.heartRate !== null &&
        run.pace !== null &&
        isSuspect({ load: run.heartRate, raw: run.pace }, unflagged(run.day)),
    ),
  )
  const trusted = measured.filter((run) => !suspects.has(run))
  const pace = calibrator(
    trusted.flatMap((run) => pairOf(run, run.heartRate, run.pace)),
    PACE_BOUNDS,
  )
  const scaledPace = (run: LoadInputs) => (run.pace === null ? null : run.pace * (pace(run.day)?.factor ?? 1))
  const rpe = substitute(rawRpe, RPE_BOUNDS)
  const duration = substitute(rawDuration, DURATION_BOUNDS)
  return runs.map((run) => chosenLoad(run, { pace, rpe, duration }, suspects.has(run)))

  /** Against heart rate where enough runs have it, else against pace. */
  function substitute(raw: (run: LoadInputs) => number | null, bounds: readonly [number, number]): Calibrator {
    const byHeart = calibrator(
      trusted.flatMap((run) => pairOf(run, run.heartRate, raw(run))),
      bounds,
    )
    let byPace: Calibrator | null = null
    return (day) => {
      const found = byHeart(day)
      if (found !== null || runs.length < LEAST_PAIRS) return found
      byPace ??= calibrator(
        runs.flatMap((run) => (run.isPacePoor ? [] : pairOf(run, scaledPace(run), raw(run)))),
        bounds,
      )
      return byPace(day)
    }
  }
}

function isMeasured({ heartRate, sampledCoverage, manual, chosen }: LoadInputs): boolean {
  const isOwn = manual === null && (chosen === 'auto' || chosen === 'heartRate')
  return heartRate !== null && sampledCoverage >= CALIBRATING_COVERAGE && isOwn
}

function rawRpe({ rpe, movingS }: LoadInputs): number | null {
  return rpe === null || !(movingS > 0) ? null : rpeMinutes(rpe, movingS)
}

function rawDuration({ movingS }: LoadInputs): number | null {
  return movingS > 0 ? durationHours(movingS) : null
}

function chosenLoad(
  run: LoadInputs,
  factors: Readonly<Record<'pace' | 'rpe' | 'duration', Calibrator>>,
  suspect: boolean,
): RunLoad {
  const calibrations: { [K in LoadSource]?: Calibration | null } = {}
  const scaled = (source: 'pace' | 'rpe' | 'duration', raw: number | null, usual: number) => {
    if (raw === null) return null
    calibrations[source] = factors[source](run.day)
    return rounded(raw * (calibrations[source]?.factor ?? usual))
  }
  const hasTime = run.movingS > 0
  const loads: RunLoad['loads'] = {
    heartRate: hasTime ? rounded(run.heartRate) : null,
    pace: scaled('pace', hasTime ? run.pace : null, 1),
    rpe: scaled('rpe', rawRpe(run), DEFAULT_PER_RPE_MINUTE),
    duration: scaled('duration', rawDuration(run), DEFAULT_PER_HOUR),
    manual: rounded(run.manual),
  }
  const usual: readonly LoadSource[] = run.isPacePoor
    ? ['heartRate', 'rpe', 'pace', 'duration']
    : ['heartRate', 'pace', 'rpe', 'duration']
  const order: readonly LoadSource[] = ['manual', ...(run.chosen === 'auto' ? [] : [run.chosen]), ...usual]
  const source = hasTime ? (order.find((name) => loads[name] !== null) ?? null) : null
  return {
    load: source && loads[source],
    source,
    loads,
    calibration: (source && calibrations[source]) ?? null,
    isSuspect: suspect,
  }
}

function rounded(load: number | null): number | null {
  return load === null ? null : roundHalfUp(load, 1)
}
