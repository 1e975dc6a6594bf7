import { capitalised, number, range } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import type { Estimate } from '../../types.ts'
import { TERMS } from '../../words.ts'

/** Confidence of a number, its reasons, and what would improve it. */
export function AboutEstimate({ of }: { readonly of: Estimate }) {
  const { confidence, n, reasons, missing } = of
  // what is missing says it with a number
  const why = reasonWords(missing === null ? reasons : reasons.filter((reason) => reason !== 'tooFewRuns'))
  const said = [
    ...(confidence === null ? [] : [`${confidence} confidence${n > 0 ? ` (based on ${number(n)})` : ''}`]),
    ...(why === '' ? [] : [why]),
  ]
  return (
    <p class="muted small">
      {said.length > 0 && `${asSentence(said.join('; '))} `}
      {missing !== null && asSentence(missing)}
    </p>
  )
}

/** Such as `Low confidence: less than 42 days of running.` Without a value only the reasons. */
export function confidenceWords({ confidence, reasons }: Pick<Estimate, 'confidence' | 'reasons'>): string {
  const why = reasonWords(reasons)
  if (confidence === null) return why === '' ? '' : asSentence(why)
  return asSentence(`${confidence} confidence${why === '' ? '' : `: ${why}`}`)
}

function asSentence(words: string): string {
  return `${capitalised(words)}.`
}

/** Such as `50 (46–55)`; without a band only the number, without a number a sentence. */
export function bandWords({ value, low, high }: Estimate, shown: (value: number) => string): string {
  if (value === null) return TERMS.notEnoughData
  return low === null || high === null ? shown(value) : `${shown(value)} (${range(shown(low), shown(high))})`
}
