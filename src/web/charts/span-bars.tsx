import { Link, navigate } from '../router.ts'
import { daysPath } from '../screens/run-query.ts'
import { TableView } from './table-view.tsx'
import { shareAt, usePlace } from './use-place.ts'
import './charts.css'

interface Span {
  readonly key: string
  /** Text shown while it is pointed at. */
  readonly name: string
  readonly value: number
  /** First and last day, whose runs a click shows. */
  readonly from: string
  readonly to: string
}

interface SpanBarsProps {
  readonly spans: readonly Span[]
  /** Name of one span, such as `week`. */
  readonly noun: string
  /** What the values are, such as `Distance`. */
  readonly what: string
  /** A value as text. */
  readonly show: (value: number) => string
  /** Labels below the bars, spread evenly from the first to the last. */
  readonly marks: readonly string[]
}

/** Weeks or months as bars; the one pointed at is described above them. */
export function SpanBars({ spans, noun, what, show, marks }: SpanBarsProps) {
  const values = spans.map(({ value }) => value)
  const max = Math.max(...values, 1)
  const total = values.reduce((sum, value) => sum + value, 0)
  const average = total / Math.max(1, spans.length)
  const count = spans.length
  const named = noun === 'week' ? 'Week' : 'Month'
  const wordsOf = (at: number) => {
    const span = spans[at]
    return [show(span?.value ?? total), span?.name ?? `${show(average)} per ${noun} on average`] as const
  }
  const { place, shown, attributes } = usePlace(
    (event) => Math.max(0, Math.min(count - 1, Math.floor(shareAt(event) * count))),
    {
      label: `${named}s, ${show(max)} at most. Arrow keys move between them, Enter shows the runs of one`,
      count,
      textAt: (at) => wordsOf(at).join(', '),
      // the position after the last span shows the total
      start: count,
      onOpen: (at) => {
        const span = spans[at]
        if (span !== undefined && span.value > 0) navigate(daysPath(span.from, span.to))
      },
      isOpenedByMouse: true,
    },
  )
  const [amount, about] = wordsOf(shown)
  return (
    <>
      <figure class="year-bars">
        <figcaption>
          <strong>{amount}</strong>
          <span class="muted">
            {place === null && <span class="key-line mean" aria-hidden="true" />}
            {about}
          </span>
        </figcaption>
        <div class="bars" {...attributes}>
          <span class="average" style={{ bottom: `${(average / max) * 100}%` }} />
          {spans.map(({ key, value }, index) => (
            <span key={key} class={index === place ? 'slot pointed' : 'slot'}>
              <span class="bar" style={{ height: value > 0 ? `max(3px, ${(value / max) * 100}%)` : '0' }} />
            </span>
          ))}
        </div>
        <div class="bar-months muted tiny" aria-hidden="true">
          {marks.map((mark, index) => (
            <span key={index}>{mark}</span>
          ))}
        </div>
      </figure>
      <TableView
        caption={`${what} by ${noun}`}
        heads={[named, what]}
        rows={() =>
          spans
            .toReversed()
            .map(({ name, value, from, to }) => [
              name,
              value > 0 ? <Link href={daysPath(from, to)}>{show(value)}</Link> : show(value),
            ])
        }
      />
    </>
  )
}
