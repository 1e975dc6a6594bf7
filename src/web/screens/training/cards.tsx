import type { ComponentChildren } from 'preact'
import { capitalised, counted, number, range } from '../../format.ts'
import type { Resource } from '../../state.ts'
import type { Estimate, FormToday } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { Segments } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { reasonWords, TERMS } from '../../words.ts'
import { easyMinutesLeft, isMuch, roomWords } from './words.ts'

interface SpanCardProps<T, S extends string> {
  readonly title: string
  /** Spans in the order in which they are offered, with their names. */
  readonly spans: readonly (readonly [S, string])[]
  readonly span: S
  readonly onSpan: (span: S) => void
  readonly resource: Pick<Resource<T>, 'data' | 'error'>
  /** Height of what is shown while loading. */
  readonly height: string
  readonly children: (data: T) => ComponentChildren
}

/** A card about a span of time that is chosen in its head. */
export function SpanCard<T, S extends string>(props: SpanCardProps<T, S>) {
  const { title, spans, span, onSpan, resource, height, children } = props
  return (
    <Card title={title} aside={<Segments legend="Time range" value={span} options={spans} onValue={onSpan} />}>
      <Loaded of={resource} height={height}>
        {children}
      </Loaded>
    </Card>
  )
}

/** What today has room for; minutes with how they are computed. */
export function Room({ now }: { readonly now: FormToday }) {
  const [low = 0, high = 0] = now.room.map(({ load }) => load).toSorted((a, b) => a - b)
  return (
    <>
      {roomWords(now)}
      {!isMuch(now) && easyMinutesLeft(now) !== null && (
        <Help about="this range">
          A load of {range(number(low), number(high))} today puts tomorrow’s form between −10% and −30% of fitness.
          {now.load > 0 && ` ${number(now.load)} of it is done.`} The minutes follow from the median load per minute of
          your easy runs of the last 60 days.
        </Help>
      )}
    </>
  )
}

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
