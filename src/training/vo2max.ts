import type { Deps } from '../deps.ts'
import { isoDate, mondayOf } from '../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { effortVdot } from '../engine/training/chosen-efforts.ts'
import { type Estimate, estimate, noEstimate, type Reason } from '../engine/training/confidence.ts'
import {
  correctingRaces,
  correctionOf,
  marathonShape,
  SHAPE_DAYS,
  type Shape,
  shapeOf,
} from '../engine/training/effective-vo2max.ts'
import { vo2maxPoint } from '../engine/training/vo2max-points.ts'
import { DAY_MS, rounded, roundHalfUp } from '../engine/units.ts'
import { raceEffortsBetween } from '../library/training/efforts.ts'
import { type Asked, FACT_DAYS } from './evidence.ts'
import { type PlainFacts, plainFactsBetween, wbgtOf } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

const CORRECTION_DAYS = 365
/** Durations of races that correct the estimates: 12 to 100 minutes. */
const CORRECTING_S = [720, 6000] as const
const WINDOW_DAYS = 182
const LONG_RUN_DAYS = 70

/** A run with its estimates of VO2max. */
export interface Point {
  readonly run: PlainFacts
  readonly day: number
  /** Estimate by heart rate, before the correction. */
  readonly byHeart: number | null
  /** For a race: VDOT by its time. */
  readonly vdot: number | null
  readonly reason: Reason | null
  readonly minutes: number
}

/** The points of some days up to today. @param facts of at least these days, oldest first */
export function pointsOf(
  { db }: Pick<Deps, 'db'>,
  library: TrainingLibrary,
  { viewer, days, facts }: { readonly viewer: Viewer; readonly days: number; readonly facts: readonly PlainFacts[] },
): Point[] {
  const first = viewer.today - days
  const vdots = new Map<string, number>()
  const races = raceEffortsBetween(db, (first - 1) * DAY_MS, (viewer.today + 2) * DAY_MS)
  for (const { workoutId, distanceIndex, timeMs, gradedM } of races) {
    const { distanceM } = STANDARD_DISTANCES[distanceIndex]!
    const vdot = effortVdot({ distanceM, gradedM, timeS: timeMs / 1000 })
    if (vdot !== null) vdots.set(workoutId, Math.max(vdots.get(workoutId) ?? 0, vdot))
  }
  return facts.flatMap((run): Point[] => {
    const day = library.dayOf(run, viewer)
    if (day < first || day > viewer.today) return []
    const { value, reason } = pointOfRun(run, library, day)
    const isRace = run.runType === 'Race' && run.excluded === 0
    const minutes = (isRace ? run.movingS : (run.steadyS ?? 0)) / 60
    return [{ run, day, byHeart: value, vdot: isRace ? (vdots.get(run.id) ?? null) : null, reason, minutes }]
  })
}

export function pointOfRun(run: PlainFacts, library: TrainingLibrary, day: number) {
  const { maxHeartRateBpm } = library.profile(day)
  return vo2maxPoint({
    countedS: run.steadyS,
    mps: run.steadyMps,
    bpm: run.steadyBpm,
    coverage: run.hrCover ?? 0,
    speedCv: run.speedCv,
    wbgtC: wbgtOf(run),
    maxHeartRateBpm: maxHeartRateBpm.value,
    isMaxSet: maxHeartRateBpm.source !== 'default',
    isSuspect: run.suspect === 1,
    isExcluded: run.excluded === 1,
    isIndoor: run.indoor === 1,
    isAltitudeUsable: run.altitudeUsable === 1,
    gainPerKm: run.gainPerKm,
  })
}

/** Effective VO2max with its correction. */
interface Effective {
  readonly factor: number
  readonly factorRaces: readonly string[]
  readonly shapeOn: (day: number) => Shape | null
  readonly points: readonly Point[]
}

export function effectiveVo2max(points: readonly Point[], viewer: Viewer): Effective {
  const races = points.flatMap(({ run, day, vdot, byHeart }) => {
    const isRecent = viewer.today - day <= CORRECTION_DAYS
    const isUsable = run.durationS >= CORRECTING_S[0] && run.durationS <= CORRECTING_S[1]
    return isRecent && isUsable && vdot !== null && byHeart !== null ? [{ id: run.id, vdot, estimate: byHeart }] : []
  })
  const factor = correctionOf(races)
  const byDay = Map.groupBy(
    points.flatMap((point) => {
      const value = countedValue(point, factor)
      return value === null ? [] : [{ day: point.day, minutes: point.minutes, value }]
    }),
    ({ day }) => day,
  )
  return {
    factor,
    factorRaces: correctingRaces(races).map(({ id }) => id),
    points,
    shapeOn: (day) => {
      const recent = Array.from({ length: SHAPE_DAYS }, (_, ageDays) =>
        (byDay.get(day - ageDays) ?? []).map((point) => ({ ...point, ageDays })),
      )
      return shapeOf(recent.flat(), races.length > 0)
    },
  }
}

/** The value of a point: for a race its VDOT, otherwise the corrected estimate by heart rate. */
function countedValue({ vdot, byHeart, reason, run }: Point, factor: number): number | null {
  if (run.runType === 'Race') return vdot
  return reason === null && byHeart !== null ? byHeart * factor : null
}

export function effectiveEstimate(effective: Effective, library: TrainingLibrary, { today }: Viewer): Estimate {
  const shape = effective.shapeOn(today)
  const isMaxDefault = library.profile(today).maxHeartRateBpm.source === 'default'
  if (shape === null) {
    const reasons: [Reason, ...Reason[]] = isMaxDefault ? ['tooFewRuns', 'defaultMaxHeartRate'] : ['tooFewRuns']
    const missing = isMaxDefault
      ? 'Your own max HR and four steady runs of 25 minutes in six weeks are needed'
      : 'Four steady runs of 25 minutes with heart rate in six weeks are needed'
    return noEstimate('ml/kg/min', reasons, missing)
  }
  const hasRace = effective.factorRaces.length > 0
  const newest = effective.points.filter((point) => countedValue(point, 1) !== null && point.day <= today).at(-1)
  return estimate({
    ...rounded({ value: shape.value, low: shape.low, high: shape.high }, 1),
    unit: 'ml/kg/min',
    basis: hasRace ? ['heartRate', 'race'] : ['heartRate'],
    n: shape.n,
    asOf: newest === undefined ? null : isoDate(newest.day),
    reasons: [...(hasRace ? [] : (['noRace'] as const)), ...(isMaxDefault ? (['defaultMaxHeartRate'] as const) : [])],
    missing: hasRace ? null : 'One race or hard 5K would halve the range',
  })
}

export function vo2maxAnswer(
  deps: Deps,
  library: TrainingLibrary,
  { viewer, facts, vdot, weeks }: Asked & { readonly weeks: number },
) {
  const days = Math.max(CORRECTION_DAYS, 7 * weeks) + SHAPE_DAYS
  const fromMs = (viewer.today - days - 1) * DAY_MS
  const all = days <= FACT_DAYS ? facts : plainFactsBetween(deps, fromMs, (viewer.today + 2) * DAY_MS)
  const effective = effectiveVo2max(pointsOf(deps, library, { viewer, days, facts: all }), viewer)
  const lastWeek = mondayOf(viewer.today)
  const firstWeek = lastWeek - 7 * (weeks - 1)
  return {
    vdot: vdot.estimate,
    effective: effectiveEstimate(effective, library, viewer),
    factor: roundHalfUp(effective.factor, 3),
    factorRaces: [...effective.factorRaces],
    marathonShapePct: marathonShapePct(library, viewer, vdot.value),
    weeks: Array.from({ length: weeks }, (_, i) => {
      const monday = firstWeek + 7 * i
      const shape = effective.shapeOn(Math.min(viewer.today, monday + 6))
      return {
        weekStart: isoDate(monday),
        value: shape && roundHalfUp(shape.value, 1),
        low: shape && roundHalfUp(shape.low, 1),
        high: shape && roundHalfUp(shape.high, 1),
        n: shape?.n ?? 0,
      }
    }),
    points: effective.points.flatMap((point) => {
      const { run, day, byHeart, vdot: ofRace, reason } = point
      const isRace = run.runType === 'Race'
      const value = isRace ? ofRace : byHeart === null ? null : byHeart * effective.factor
      if (day < firstWeek || value === null) return []
      const source = isRace ? ('race' as const) : ('heartRate' as const)
      const why = isRace ? null : reason
      return [
        {
          workoutId: run.id,
          date: isoDate(day),
          value: roundHalfUp(value, 1),
          source,
          used: why === null,
          reason: why,
        },
      ]
    }),
  }
}

/** Marathon shape after Runalyze; null without VDOT, or without any run in half a year. */
function marathonShapePct(library: TrainingLibrary, viewer: Viewer, vo2max: number | null): number | null {
  const { firstDay, runs } = library.days(viewer)
  const inWindow = Array.from({ length: WINDOW_DAYS }, (_, ageDays) =>
    (runs[viewer.today - ageDays - firstDay] ?? []).map(({ distanceM }) => ({ km: distanceM / 1000, ageDays })),
  ).flat()
  const kmInWindow = inWindow.reduce((sum, { km }) => sum + km, 0)
  if (vo2max === null || kmInWindow === 0) return null
  const longRuns = inWindow.filter(({ ageDays }) => ageDays < LONG_RUN_DAYS)
  const daysSinceFirst = viewer.today - firstDay + 1
  return roundHalfUp(marathonShape({ vo2max, kmInWindow, daysSinceFirst, longRuns }).shapePct)
}
