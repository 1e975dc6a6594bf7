import { date, duration, number, ordinal } from '../../format.ts'
import type { Passes } from '../types.ts'

/** Sentences on the passes of a stretch. */
export function passesSentences({ count, sameCount, own, best, atSamePulse }: Passes): string[] {
  if (count === 1) return ['The first time on this stretch.']
  const way = sameCount === count ? '' : `, ${number(sameCount)} of them this way`
  const rank = own.rank === 1 ? 'the fastest' : ordinal(own.rank)
  const place = sameCount === 1 ? '' : `; this run ${rank}`
  return [
    `${number(count)} times here${way}${place}.`,
    ...(own.rank === 1 ? [] : [`Best ${duration(best.elapsedS)} on ${date(best.startedAt, 'short')}.`]),
    ...(atSamePulse === null ? [] : [pulseSentence(atSamePulse)]),
  ]
}

/** A difference within its standard error counts as equally fast. */
function pulseSentence({ season, year, differenceS, standardErrorS }: NonNullable<Passes['atSamePulse']>): string {
  const when = `in ${season} ${year}`
  const seconds = Math.round(Math.abs(differenceS))
  if (seconds === 0 || Math.abs(differenceS) < standardErrorS) return `At this pulse as fast as ${when}.`
  return `At this pulse ${seconds} s ${differenceS < 0 ? 'faster' : 'slower'} than ${when}.`
}
