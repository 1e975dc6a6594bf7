import { roundedOrNull } from '../units.ts'
import { type Calibration, type Calibrator, calibrator, isSuspect, LEAST_PAIRS, type Pair } from './calibration.ts'
import { loadScale } from './latent/load-scale.ts'
import { DEFAULT_PER_HOUR, DEFAULT_PER_RPE_MINUTE, durationHours } from './training-load.ts'

/** Least share of the moving time with heart rate for a run to calibrate others. */
const CALIBRATING_COVERAGE = 0.8
const PACE_BOUNDS = [0.5, 2] as const
const RPE_BOUNDS = [0.05, 0.6] as const
const DURATION_BOUNDS = [20, 100] as const
const UNCALIBRATED_SPREAD = 0.2

/** Loads have one decimal and are stored as integers of this many parts. */
export const LOAD_PARTS = 10

export const LOAD_SOURCES = ['heartRate', 'pace', 'rpe', 'duration', 'manual'] as const
export type LoadSource = (typeof LOAD_SOURCES)[number]
export type ChosenSource = 'auto' | LoadSource

export interface LoadInputs {
  readonly day: number
  readonly movingS: number
  /** By heart rate; null: too little of the run has one. */
  readonly heartRate: number | null
  /** Share of the moving time with heart rate; 0 when only the average is known. */
  readonly sampledCoverage: number
  /** By pace, before its factor. */
  readonly pace: number | null
  /** The runner set the threshold that `pace` is measured by. */
  readonly isThresholdOwn: boolean
  /** The ground is hilly and the altitude is that of GPS, so that the grade is inaccurate. */
  readonly isPacePoor: boolean
  readonly rpe: number | null
  readonly manual: number | null
  readonly chosen: ChosenSource
}

/** The loads of all runs, all on the scale of heart rate. */
export function libraryLoads(runs: readonly LoadInputs[]) {
  const pairOf = (run: LoadInputs, load: number | null, raw: number | null): Pair[] =>
    load === null || raw === null ? [] : [{ day: run.day, load, raw }]
  const measured = runs.filter(isMeasured)
  const byHeartOf = (some: readonly LoadInputs[], raw: RawLoad, bounds: Bounds) =>
    calibrator(
      some.flatMap((run) => pairOf(run, run.heartRate, raw(run))),
      bounds,
    )
  const unflagged = byHeartOf(measured, rawPace, PACE_BOUNDS)
  const hasSuspect = (run: LoadInputs) =>
    pairOf(run, run.heartRate, run.pace).some((pair) => isSuspect(pair, unflagged(run.day)))
  const suspects = new Set(runs.filter(hasSuspect))
  const trusted = measured.filter((run) => !suspects.has(run))
  const byHeart = byHeartOf(trusted, rawPace, PACE_BOUNDS)
  const scale = loadScale(
    runs.flatMap(({ day, movingS, pace, isThresholdOwn }) =>
      pace === null || isThresholdOwn ? [] : [{ day, hours: durationHours(movingS), paceLoad: pace }],
    ),
  )
  const pace = ({ day, isThresholdOwn }: LoadInputs) => byHeart(day) ?? (isThresholdOwn ? null : scaled(scale(day)))
  const scaledPace = (run: LoadInputs) => (run.pace === null ? null : run.pace * (pace(run)?.factor ?? 1))
  const rpe = substitute(rawRpe, RPE_BOUNDS)
  const duration = substitute(rawDuration, DURATION_BOUNDS)
  const factors = { pace, rpe: ({ day }: LoadInputs) => rpe(day), duration: ({ day }: LoadInputs) => duration(day) }
  return runs.map((run) => chosenLoad(run, factors, suspects.has(run)))

  /** A calibrator against heart rate where enough runs have one, else against pace. */
  function substitute(raw: RawLoad, bounds: Bounds): Calibrator {
    const byHeart = byHeartOf(trusted, raw, bounds)
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

/** Without runs that calibrate it, a load by pace is known but for its scale. */
function scaled(factor: number | null): Calibration | null {
  return factor === null ? null : { factor, n: 0, spread: UNCALIBRATED_SPREAD }
}

function isMeasured({ heartRate, sampledCoverage, manual, chosen }: LoadInputs): boolean {
  const isOwn = manual === null && (chosen === 'auto' || chosen === 'heartRate')
  return heartRate !== null && sampledCoverage >= CALIBRATING_COVERAGE && isOwn
}

type RawLoad = (run: LoadInputs) => number | null
type Bounds = readonly [least: number, most: number]

function rawPace({ pace }: LoadInputs): number | null {
  return pace
}

/** Rate of perceived exertion times minutes. */
function rawRpe({ rpe, movingS }: LoadInputs): number | null {
  return rpe === null || !(movingS > 0) ? null : (rpe * movingS) / 60
}

function rawDuration({ movingS }: LoadInputs): number | null {
  return movingS > 0 ? durationHours(movingS) : null
}

function chosenLoad(
  run: LoadInputs,
  factors: Readonly<Record<'pace' | 'rpe' | 'duration', (run: LoadInputs) => Calibration | null>>,
  isSuspect: boolean,
) {
  const calibrations: { [K in LoadSource]?: Calibration | null } = {}
  const scaled = (source: 'pace' | 'rpe' | 'duration', raw: number | null, usual: number) => {
    if (raw === null) return null
    calibrations[source] = factors[source](run)
    return roundedOrNull(raw * (calibrations[source]?.factor ?? usual), 1)
  }
  const hasTime = run.movingS > 0
  /** All on the scale of heart rate, one decimal each. */
  const loads: Readonly<Record<LoadSource, number | null>> = {
    heartRate: hasTime ? roundedOrNull(run.heartRate, 1) : null,
    pace: scaled('pace', hasTime ? run.pace : null, 1),
    rpe: scaled('rpe', rawRpe(run), DEFAULT_PER_RPE_MINUTE),
    duration: scaled('duration', rawDuration(run), DEFAULT_PER_HOUR),
    manual: roundedOrNull(run.manual, 1),
  }
  const usual: readonly LoadSource[] = run.isPacePoor
    ? ['heartRate', 'rpe', 'pace', 'duration']
    : ['heartRate', 'pace', 'rpe', 'duration']
  const order: readonly LoadSource[] = ['manual', ...(run.chosen === 'auto' ? [] : [run.chosen]), ...usual]
  const source = hasTime ? (order.find((name) => loads[name] !== null) ?? null) : null
  return {
    /** One decimal; null: the run has no duration. */
    load: source && loads[source],
    source,
    loads,
    /** Of the chosen source, with `n` 0 where no run calibrates it; null: it needs none, or too few are known. */
    calibration: (source && calibrations[source]) ?? null,
    isSuspect,
  }
}
