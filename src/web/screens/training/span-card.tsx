import type { ComponentChildren } from 'preact'
import type { Resource } from '../../state.ts'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Segments } from '../../ui/field.tsx'

interface SpanCardProps<T, S extends string> {
  readonly title: string
  /** Names the choice of the span. */
  readonly legend: string
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
  const { title, legend, spans, span, onSpan, height, children } = props
  const { data, error } = props.resource
  return (
    <Card title={title} aside={<Segments legend={legend} value={span} options={spans} onValue={onSpan} />}>
      {data !== null ? children(data) : <Pending error={error} height={height} />}
    </Card>
  )
}
