import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { bandConfidence, estimate, lesser, noEstimate } from '../../engine/training/confidence.ts'
import {
  exponentOn,
  isSlowRace,
  isUsed,
  predictedRace,
  vdotOfSpeed,
} from '../../engine/training/latent/fitness-readings.ts'
import { logModel, logModelTimeS } from '../../engine/training/log-model.ts'
import { cameron, EXTRAPOLATED_M, riegel } from '../../engine/training/race-prediction.ts'
import { speedAtShare, timeOfVdot } from '../../engine/training/vdot.ts'
import { METRES_PER_KM, rounded, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import { type RunnerVdot, surest } from './evidence.ts'

const USUAL_DISTANCES = [5000, 10_000, 21_097.5, 42_195]
/** Most efforts listed: those used, then the fastest of the others. */
const MOST_EFFORTS = 30

/** @param asked metres; absent: 5K, 10K, half marathon and marathon */
export function predictionsAnswer(vdot: RunnerVdot, asked: readonly number[]) {
  const { day, fitness, shared } = vdot
  const efforts = effortsOf(vdot)
  const races = efforts.filter(({ kind, used }) => kind === 'R' && used)
  const best = races[0]
  const model = logModel(races)
  const predictions = (asked.length === 0 ? USUAL_DISTANCES : asked).map((distanceM) => {
    const label = STANDARD_DISTANCES.find((distance) => distance.distanceM === distanceM)?.label
    const distance = label ?? `${distanceM} m`
    if (fitness === null) {
      const others = { vdot: null, riegel: null, cameron: null, log: null }
      const none = { ...vdot.estimate, unit: 's' }
      return { distance, distanceM, time: none, paceS: null, fasterThanResults: false, others }
    }
    const { timeS, lowS, highS } = predictedRace(fitness.fit, day, distanceM)
    const isFar = distanceM > EXTRAPOLATED_M
    const time = surest({
      ...shared,
      unit: 's',
      reasons: isFar ? [...shared.reasons, 'extrapolated' as const] : shared.reasons,
      ...rounded({ value: timeS, low: lowS, high: highS }, 1),
      ...(isFar ? { confidence: 'low' as const } : {}),
    })
    return {
      distance,
      distanceM,
      time,
      paceS: time.value === null ? null : roundHalfUp((METRES_PER_KM * timeS) / distanceM, 1),
      fasterThanResults: efforts.length > 0 && efforts.every(({ vdot }) => timeS < timeOfVdot(vdot, distanceM)),
      others: {
        vdot: vdot.value === null ? null : roundHalfUp(timeOfVdot(vdot.value, distanceM), 1),
        riegel: best === undefined ? null : roundHalfUp(riegel(best.timeS, best.distanceM, distanceM), 1),
        cameron: best === undefined ? null : roundHalfUp(cameron(best.timeS, best.distanceM, distanceM), 1),
        log: model?.plausible === true ? roundedOrNull(logModelTimeS(model, distanceM), 1) : null,
      },
    }
  })
  const metres = races.map(({ distanceM }) => distanceM)
  const exponent = fitness && exponentOn(fitness.fit, day, metres)
  const ofRaces = { ...shared, basis: ['race'], n: races.length, missing: null }
  return {
    predictions,
    exponent:
      exponent === null
        ? noEstimate('', ['spanTooShort'], 'Two races are needed, one twice as long as the other')
        : estimate({
            ...ofRaces,
            unit: '',
            ...rounded(exponent, 3),
            confidence: lesser(
              bandConfidence(exponent.value, exponent.low, exponent.high),
              vdot.estimate.confidence ?? 'low',
            ),
          }),
    endurance:
      model?.plausible === true
        ? estimate({ ...ofRaces, unit: '6 min', value: roundHalfUp(model.endurance, 2), low: null, high: null })
        : noEstimate(
            '6 min',
            [model === null ? 'tooFewEfforts' : 'poorFit'],
            'Three races of 6 minutes or more are needed, the longest four times as long as the shortest',
          ),
    efforts: efforts.slice(0, MOST_EFFORTS).map(({ workoutId, distanceM, timeS, ageDays, vdot, ...rest }) => ({
      workoutId,
      distance: STANDARD_DISTANCES.find((distance) => distance.distanceM === distanceM)?.label ?? `${distanceM} m`,
      timeMs: Math.round(1000 * timeS),
      ageDays,
      vdot: roundHalfUp(vdot, 2),
      used: rest.used,
      reason: rest.used ? null : ('uncertain' as const),
      isRace: rest.kind === 'R',
      suggestedTimeMs: rest.suggestedS === null ? null : Math.round(1000 * rest.suggestedS),
    })),
  }
}

/** Races and hard efforts of the year, those used first, the highest VDOT first. */
function effortsOf({ day, fitness, rows }: RunnerVdot) {
  const efforts = rows.flatMap((row) => {
    const best = row.kind === 'R' || row.kind === 'E' ? fitness?.run(row.place).best : null
    if (best == null) return []
    /** VDOT by all the other evidence of that day: a grade enters both times alike. */
    const suggested = vdotOfSpeed(Math.log(speedAtShare(best.vdot, 1)) - row.residual)
    const ratio = timeOfVdot(suggested, best.distanceM) / timeOfVdot(best.vdot, best.distanceM)
    const suggestedS = isSlowRace(row) ? ratio * best.timeS : null
    const ageDays = Math.max(0, day - row.day)
    return [{ ...best, workoutId: row.id, kind: row.kind, ageDays, used: isUsed(row), suggestedS }]
  })
  return efforts.toSorted((a, b) => Number(b.used) - Number(a.used) || b.vdot - a.vdot)
}
