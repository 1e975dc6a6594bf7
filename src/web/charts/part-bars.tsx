import { roughDistance, text, type Units } from '../format.ts'
import { partAt, usePlace } from './use-place.ts'
import './charts.css'

interface Part {
  readonly key: string
  /** Text shown while it is pointed at. */
  readonly name: string
  readonly distanceM: number
}

interface PartBarsProps {
  readonly parts: readonly Part[]
  /** Name of one part, such as `week`. */
  readonly noun: string
  readonly units: Units
  /** Labels below the bars, spread evenly from the first to the last. */
  readonly marks: readonly string[]
}

/** Weeks or months as bars; the one pointed at is described above them. */
export function PartBars({ parts, noun, units, marks }: PartBarsProps) {
  const { place, handlers } = usePlace({
    count: parts.length,
    at: (event) => partAt(event, parts.length),
    // the position after the last part shows the total
    start: parts.length,
  })
  const distances = parts.map(({ distanceM }) => distanceM)
  const max = Math.max(...distances, 1)
  const total = distances.reduce((sum, metres) => sum + metres, 0)
  const average = total / Math.max(1, parts.length)
  const part = place === null ? undefined : parts[place]
  const metres = text(roughDistance(part?.distanceM ?? total, units))
  const about = part?.name ?? `${text(roughDistance(average, units))} a ${noun} on average`
  return (
    <figure class="year-bars">
      <figcaption>
        <strong>{metres}</strong>
        <span class="muted">
          {part === undefined && <span class="key-line mean" aria-hidden="true" />}
          {about}
        </span>
      </figcaption>
      <div
        class="bars"
        role="slider"
        tabIndex={0}
        aria-label={`${noun === 'week' ? 'Weeks' : 'Months'}, at most ${text(roughDistance(max, units))} in one. Arrow keys go through them`}
        aria-valuemin={1}
        aria-valuemax={parts.length}
        aria-valuenow={(place ?? parts.length - 1) + 1}
        aria-valuetext={`${metres}, ${about}`}
        {...handlers}
      >
        <span class="average" style={{ bottom: `${(average / max) * 100}%` }} />
        {parts.map(({ key, distanceM }, index) => (
          <span key={key} class={index === place ? 'slot pointed' : 'slot'}>
            <span class="bar" style={{ height: distanceM > 0 ? `max(3px, ${(distanceM / max) * 100}%)` : '0' }} />
          </span>
        ))}
      </div>
      <div class="bar-months" aria-hidden="true">
        {marks.map((mark, index) => (
          <span key={index}>{mark}</span>
        ))}
      </div>
    </figure>
  )
}
