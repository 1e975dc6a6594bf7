import { roundHalfUp } from '../units.ts'
import type { Correction } from './correction.ts'
import { seconds } from './words.ts'

/** Events have whole seconds: pauses may be off by this much altogether, and by a second each. */
const SLACK_S = 10
/** Who covers this much in a pause, or half a metre a second, did not pause. */
const MOVED_M = 20
const MOVED_MPS = 0.5

type Offs = readonly (readonly [fromMs: number, toMs: number])[]

/**
 * Timer-off times without those that cannot be true (docs/algorithms.md 0, kind G): all together they are not what elapsed and
 * timer time leave, while distance is made in them. Without a timer time they are believed.
 * @param latest the same where of several stops before a start the last one counts
 * @param movedM metres by the device's distance between two times, Unix milliseconds; NaN: unknown
 */
export function judgedPauses(
  offs: Offs,
  { elapsedS, timerS }: { readonly elapsedS: number | null; readonly timerS: number | null },
  { latest, movedM }: { latest(): Offs; movedM(fromMs: number, toMs: number): number },
): { readonly offs: Offs; readonly corrections: readonly Correction[] } {
  if (elapsedS === null || timerS === null) return { offs, corrections: [] }
  const [pausedS, restS] = [sumS(offs), Math.max(0, elapsedS - timerS)]
  if (Math.abs(pausedS - restS) <= SLACK_S + offs.length) return { offs, corrections: [] }
  const isMoved = (from: number, to: number) => movedM(from, to) > Math.max(MOVED_M, (MOVED_MPS * (to - from)) / 1000)
  const late = latest()
  const stood = offs
    .map(([from, to]) => {
      const [lastStop] = late.find(([, end]) => end === to) ?? [to]
      return [isMoved(from, lastStop) ? lastStop : from, to] as const
    })
    .filter(([from, to]) => to > from && !isMoved(from, to))
  if (Math.abs(sumS(stood) - restS) >= Math.abs(pausedS - restS)) return { offs, corrections: [] }
  const reason = `The pauses of ${seconds(pausedS)} include running; by the timer they were ${seconds(restS)}`
  return {
    offs: stood,
    corrections: [{ what: 'pauses', stated: roundHalfUp(pausedS), used: roundHalfUp(restS), reason }],
  }
}

function sumS(offs: Offs): number {
  return offs.reduce((sum, [from, to]) => sum + to - from, 0) / 1000
}
