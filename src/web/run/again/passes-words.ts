import { date, duration, number, ordinal, timeDifference } from '../../format.ts'
import type { Passes } from '../types.ts'

/** Sentences on the passes of a section. */
export function passesSentences({ count, sameCount, own, best, atSamePulse }: Passes): string[] {
  if (count === 1) return ['First time on this section.']
  const way = sameCount === count ? '' : `, ${number(sameCount)} in this direction`
  const rank = own.rank === 1 ? 'fastest' : `${ordinal(own.rank)} fastest`
  const place = sameCount === 1 ? '' : `; this was your ${rank}`
  return [
    `You’ve run this section ${number(count)} times${way}${place}.`,
    ...(own.rank === 1 ? [] : [`Best ${duration(best.elapsedS)} on ${date(best.startedAt, 'short')}.`]),
    ...(atSamePulse === null ? [] : [pulseSentence(atSamePulse)]),
  ]
}

/** A difference within its standard error counts as equally fast. */
function pulseSentence({ season, year, differenceS, standardErrorS }: NonNullable<Passes['atSamePulse']>): string {
  const when = `in ${season} ${year}`
  const seconds = Math.round(Math.abs(differenceS))
  if (seconds === 0 || Math.abs(differenceS) < standardErrorS) return `At this heart rate as fast as ${when}.`
  return `At this heart rate ${timeDifference(differenceS)} ${differenceS < 0 ? 'faster' : 'slower'} than ${when}.`
}
