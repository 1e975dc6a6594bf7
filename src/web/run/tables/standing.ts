import { date, distanceName, duration, ordinal, signedTime, timeDifference } from '../../format.ts'
import type { RankedEffort } from '../types.ts'

/** Lowest rank that is mentioned. */
const LAST_PLACE = 10

/** Ranks of an effort among all, best first; empty for one without a notable rank. */
export function standing(effort: RankedEffort, year: number): readonly string[] {
  const { rankEver, rankYear, behindBestMs } = effort
  const ever =
    rankEver !== null && rankEver <= LAST_PLACE
      ? [rankEver === 1 ? 'All-time best' : `${ordinal(rankEver)} of all time`]
      : []
  const isSaid = rankYear === null || rankYear > LAST_PLACE || (rankEver !== null && rankYear >= rankEver)
  const ofYear = isSaid ? [] : [rankYear === 1 ? `Best of ${year}` : `${ordinal(rankYear)} of ${year}`]
  const behind = behindBestMs !== null && behindBestMs > 0 ? [`${signedTime(behindBestMs / 1000)} off your best`] : []
  const before = behindBestMs !== null && behindBestMs < 0 ? [`by ${timeDifference(behindBestMs / 1000)}`] : []
  return [...ever, ...ofYear, ...behind, ...before]
}

/** Asks whether efforts that are much faster than all others count: `400 m in 0:57, 9 s better than ever. Count it?` */
export function countQuestion(efforts: readonly RankedEffort[]): string {
  const parts = efforts.map(({ distance, timeMs, behindBestMs }, k) => {
    const ahead = timeDifference((behindBestMs ?? 0) / 1000)
    return `${distanceName(distance)} in ${duration(timeMs / 1000)}, ${ahead} better${k === 0 ? ' than ever' : ''}`
  })
  return `${parts.join('; ')}. Count ${efforts.length === 1 ? 'it' : 'them'}?`
}

/** Why an effort cannot hold a record; null: it can. */
export function whyNot({ counts, isRecord, implausibleReason }: RankedEffort): string | null {
  if (counts) return null
  if (isRecord === false) return 'Not a record (your correction)'
  if (implausibleReason === null) return 'This run is excluded from statistics'
  return {
    fasterThanRecord: 'Faster than the world record, not counted',
    notOnFoot: 'Not recorded on foot, not counted',
    gap: 'Spans a recording gap, not counted',
    leap: 'GPS error, not counted',
  }[implausibleReason]
}

/** The record of other runs, as text. */
export function bestText({ best }: RankedEffort): string | null {
  return best === null ? null : `${duration(best.timeMs / 1000)} on ${date(best.workoutDate)}`
}
