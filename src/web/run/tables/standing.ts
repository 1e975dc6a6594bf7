import { date, duration, ordinal } from '../../format.ts'
import type { RankedEffort } from '../types.ts'

/** Lowest rank that is mentioned. */
const LAST_PLACE = 10

/** Ranks of an effort among all, best first; empty for one without a notable rank. */
export function standing(effort: RankedEffort, year: number): readonly string[] {
  const { rankEver, rankYear, behindBestMs } = effort
  const ever =
    rankEver !== null && rankEver <= LAST_PLACE ? [rankEver === 1 ? 'Best ever' : `${ordinal(rankEver)} ever`] : []
  const isSaid = rankYear === null || rankYear > LAST_PLACE || (rankEver !== null && rankYear >= rankEver)
  const ofYear = isSaid ? [] : [rankYear === 1 ? `Best of ${year}` : `${ordinal(rankYear)} of ${year}`]
  const behind = behindBestMs !== null && behindBestMs > 0 ? [`+${duration(behindBestMs / 1000)} to best`] : []
  const before = behindBestMs !== null && behindBestMs < 0 ? [`by ${duration(-behindBestMs / 1000)}`] : []
  return [...ever, ...ofYear, ...behind, ...before]
}

/** Why an effort cannot hold a record; null: it can. */
export function whyNot({ counts, isRecord, implausibleReason }: RankedEffort): string | null {
  if (counts) return null
  if (isRecord === false) return 'You said: not a record'
  if (implausibleReason === null) return 'This run is left out of statistics'
  return {
    fasterThanRecord: 'Faster than anyone ever ran: no record',
    notOnFoot: 'Not recorded on foot: no record',
    gap: 'Across a gap in the recording: no record',
  }[implausibleReason]
}

/** The record of other runs, as text. */
export function bestText({ best }: RankedEffort): string | null {
  return best === null ? null : `${duration(best.timeMs / 1000)} on ${date(best.workoutDate)}`
}
