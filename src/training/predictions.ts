import { isoDate } from '../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import type { Chosen } from '../engine/training/chosen-efforts.ts'
import {
  bandConfidence,
  type Estimate,
  estimate,
  lesser,
  noEstimate,
  type Reason,
} from '../engine/training/confidence.ts'
import { logModel, logModelTimeS } from '../engine/training/log-model.ts'
import { Z80 } from '../engine/training/numbers.ts'
import { cameron, EXTRAPOLATED_M, powerLaw, predicted, riegel } from '../engine/training/race-prediction.ts'
import { timeOfVdot } from '../engine/training/vdot.ts'
import { METRES_PER_KM, rounded, roundedOrNull, roundHalfUp } from '../engine/units.ts'
import type { RunnerVdot } from './evidence.ts'
import type { Viewer } from './library.ts'

const USUAL_DISTANCES = [5000, 10_000, 21_097.5, 42_195]
const MISSING = 'One race or hard run of a mile or more is needed'
/** Most efforts listed: those used, then the nearest of the others. */
const MOST_EFFORTS = 30

/** @param asked metres; absent: 5K, 10K, half marathon and marathon */
export function predictionsAnswer(
  { chosen, best, value: vdot, estimate: vdotEstimate }: RunnerVdot,
  { asked, viewer }: { readonly asked: readonly number[]; readonly viewer: Viewer },
) {
  const law = powerLaw(chosen.efforts)
  const model = logModel(chosen.efforts)
  const youngest = Math.min(...chosen.efforts.map(({ ageDays }) => ageDays))
  const hasRace = chosen.efforts.some(({ isRace }) => isRace)
  const reasons: Reason[] = [
    ...(chosen.isStale ? (['stale'] as const) : []),
    ...(hasRace ? [] : (['noRace'] as const)),
    ...(best !== null && best.gradedM === null ? (['gpsAltitude'] as const) : []),
  ]
  const shared = { basis: [hasRace ? 'race' : 'effort'], n: chosen.efforts.length, missing: null }
  // predictions are at most as certain as the VDOT that they rest on
  const surest = vdotEstimate.confidence ?? 'low'
  const confidenceOf = (value: number, low: number, high: number) => lesser(bandConfidence(value, low, high), surest)
  const asOf = best === null ? null : isoDate(viewer.today - youngest)
  const predictions = (asked.length === 0 ? USUAL_DISTANCES : asked).map((distanceM) => {
    const label = STANDARD_DISTANCES.find((distance) => distance.distanceM === distanceM)?.label
    const distance = label ?? `${distanceM} m`
    if (law === null || best === null || vdot === null) {
      const time: Estimate = noEstimate('s', ['tooFewEfforts'], MISSING)
      return { distance, distanceM, time, paceS: null, others: { vdot: null, riegel: null, cameron: null, log: null } }
    }
    const { timeS, lowS, highS } = predicted(law, distanceM)
    const isFar = distanceM > EXTRAPOLATED_M
    return {
      distance,
      distanceM,
      time: estimate({
        ...shared,
        asOf,
        unit: 's',
        reasons: isFar ? [...reasons, 'extrapolated' as const] : reasons,
        ...rounded({ value: timeS, low: lowS, high: highS }, 1),
        confidence: isFar ? 'low' : confidenceOf(timeS, lowS, highS),
      }),
      paceS: roundHalfUp((METRES_PER_KM * timeS) / distanceM, 1),
      others: {
        vdot: roundHalfUp(timeOfVdot(vdot, distanceM), 1),
        riegel: roundHalfUp(riegel(best.timeS, best.distanceM, distanceM), 1),
        cameron: roundHalfUp(cameron(best.timeS, best.distanceM, distanceM), 1),
        log: model?.plausible === true ? roundedOrNull(logModelTimeS(model, distanceM), 1) : null,
      },
    }
  })
  const half = Z80 * (law?.exponentDeviation ?? 0)
  return {
    predictions,
    exponent: law?.isExponentOwn
      ? estimate({
          ...shared,
          asOf,
          unit: '',
          reasons,
          ...rounded({ value: law.exponent, low: law.exponent - half, high: law.exponent + half }, 3),
          confidence: confidenceOf(law.exponent, law.exponent - half, law.exponent + half),
        })
      : noEstimate('', ['spanTooShort'], 'Two efforts are needed, one twice as long as the other'),
    endurance:
      model?.plausible === true
        ? estimate({
            ...shared,
            asOf,
            unit: '6 min',
            reasons,
            value: roundHalfUp(model.endurance, 2),
            low: null,
            high: null,
          })
        : noEstimate(
            '6 min',
            [model === null ? 'tooFewEfforts' : 'poorFit'],
            'Three efforts of 6 minutes or more are needed, the longest four times as long as the shortest',
          ),
    efforts: shownEfforts(chosen).map(({ effort, reason }) => ({
      workoutId: effort.workoutId,
      distance: STANDARD_DISTANCES.find(({ distanceM }) => distanceM === effort.distanceM)?.label ?? '',
      timeMs: Math.round(1000 * effort.timeS),
      ageDays: effort.ageDays,
      vdot: roundHalfUp(effort.vdot, 2),
      used: reason === null,
      reason,
    })),
  }
}

function shownEfforts({ judged }: Chosen): Chosen['judged'] {
  const isTaken = (one: Chosen['judged'][number]) => Number(one.reason === null)
  return judged.toSorted((a, b) => isTaken(b) - isTaken(a) || b.effort.vdot - a.effort.vdot).slice(0, MOST_EFFORTS)
}
