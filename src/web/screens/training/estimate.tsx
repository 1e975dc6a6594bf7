import { capitalised, counted, range } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import type { Estimate } from '../../types.ts'
import { TERMS } from '../../words.ts'

/** Confidence of a number, its reasons, and what would improve it. */
export function AboutEstimate({ of }: { readonly of: Estimate }) {
  const { confidence, n, reasons, missing } = of
  const { why, isMaxMissing } = reasonsOf(reasons, missing)
  const said = [
    ...(confidence === null ? [] : [`${confidence} confidence${n > 0 ? `, from ${counted(n, 'run')}` : ''}`]),
    ...(why === '' ? [] : [why]),
  ]
  return (
    <p class="muted small">
      {said.length > 0 && `${asSentence(said.join('; '))} `}
      {missing !== null && `${asSentence(missing)} `}
      {isMaxMissing && MAX_MISSING}
    </p>
  )
}

/** Such as `Low confidence: less than 42 days of running.` Without a value only the reasons. */
export function confidenceWords({ confidence, reasons }: Pick<Estimate, 'confidence' | 'reasons'>): string {
  const { why, isMaxMissing } = reasonsOf(reasons, null)
  const max = isMaxMissing ? ` ${MAX_MISSING}` : ''
  if (confidence === null) return why === '' ? max.trim() : asSentence(why) + max
  return asSentence(`${confidence} confidence${why === '' ? '' : `: ${why}`}`) + max
}

export const MAX_MISSING = 'Set your max HR to make this more certain.'

/** The reasons in words, without one that the runner can change, which is a sentence of its own. */
function reasonsOf(reasons: Estimate['reasons'], missing: string | null) {
  // what is missing says it with a number
  const left = reasons.filter((one) => one !== 'defaultMaxHeartRate' && (missing === null || one !== 'tooFewRuns'))
  return { why: reasonWords(left), isMaxMissing: reasons.includes('defaultMaxHeartRate') }
}

function asSentence(words: string): string {
  return `${capitalised(words)}.`
}

/** Such as `50 (46–55)`; without a band only the number, without a number a sentence. */
export function bandWords({ value, low, high }: Estimate, shown: (value: number) => string): string {
  if (value === null) return TERMS.notEnoughData
  return low === null || high === null ? shown(value) : `${shown(value)} (${range(shown(low), shown(high))})`
}
