import type { Static } from '@sinclair/typebox'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { WARM_C } from '../../engine/training/conditions.ts'
import { paceAtReferenceS, referenceHeartRate } from '../../engine/training/run/decoupling.ts'
import type { Durability } from '../../engine/training/run/durability.ts'
import { type TrendPoint, trendOf } from '../../engine/training/trend.ts'
import { DAY_MS, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { unpackedPieces } from '../../workers/training.ts'
import { daysAsked } from '../stats/queries.ts'
import { efOf, type FactRow, factsBetween, wbgtOf } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import type { WindowQuery } from './schemas.ts'

const LEAST_TREND_DAYS = 90

/** Loss of efficiency in the second half, relative to the first; null with a reason. */
export function decouplingPctOf({ ef1, ef2 }: Pick<FactRow, 'ef1' | 'ef2'>): number | null {
  return ef1 === null || ef2 === null ? null : roundHalfUp((100 * (ef1 - ef2)) / ef1, 1)
}

export function durabilityOf({ durability }: Pick<FactRow, 'durability'>): Durability | null {
  return durability === null ? null : (JSON.parse(durability) as Durability)
}

export function efficiencyAnswer(deps: Deps, library: TrainingLibrary, asked: Static<typeof WindowQuery>) {
  const viewer = library.viewer(asked.timezoneOffsetMinutes)
  const { from, to } = daysAsked(asked, viewer.today)
  const referenceHeartRateBpm = referenceOf(library, viewer)
  const points: TrendPoint[] = []
  const runs = factsBetween(deps, 'pieces', [(from - 1) * DAY_MS, (to + 1) * DAY_MS]).flatMap((run) => {
    const day = library.dayOf(run, viewer)
    if (day < from || day >= to) return []
    const paceS = run.pieces === null ? null : paceAtReferenceS(unpackedPieces(run.pieces), referenceHeartRateBpm)
    const wbgtC = wbgtOf(run)
    if (paceS !== null && (wbgtC ?? 0) <= WARM_C) points.push({ at: day, value: paceS })
    const ef = efOf(run)
    if (ef === null && paceS === null) return []
    const worn = durabilityOf(run)
    return [
      {
        workoutId: run.id,
        date: isoDate(day),
        ef: roundedOrNull(ef, 3),
        decouplingPct: decouplingPctOf(run),
        decouplingReason: run.decouplingReason,
        paceAtReferenceS: roundedOrNull(paceS, 1),
        wbgtC: roundedOrNull(wbgtC, 1),
        durability: worn && { last: roundHalfUp(worn.last, 3), onsetKm: worn.onsetKm },
      },
    ]
  })
  return { referenceHeartRateBpm, runs, trend: to - from < LEAST_TREND_DAYS ? null : trendAnswer(points) }
}

function trendAnswer(points: readonly TrendPoint[]) {
  const trend = trendOf(points)
  if (trend === null) return null
  const { slopePerWeek, interval, p, n, supported } = trend
  return {
    slopeSPerKmPerWeek: roundHalfUp(slopePerWeek, 2),
    interval: interval.map((end) => roundHalfUp(end, 2)),
    p: roundHalfUp(p, 4),
    n,
    supported,
  }
}

/** Heart rate at which paces are compared. */
export function referenceOf(library: TrainingLibrary, { today }: Viewer): number {
  return library.settings().referenceHeartRateBpm ?? referenceHeartRate(library.profile(today).maxHeartRateBpm.value)
}
