import { useEffect, useState } from 'preact/hooks'
import { MOST_SPLITS, SHORTEST_RUN_S } from '../../../engine/limits.ts'
import { duration } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { SplitRoute } from '../crop-route.tsx'
import { PlacesRange } from '../stretch-range.tsx'
import type { StretchFormProps } from './change.ts'

/** Splits a run: sets the places at which the second and later parts begin. */
export function SplitForm({ series, onChange }: StretchFormProps) {
  const lastS = Math.floor(series.elapsedS.at(-1)!)
  const [places, setPlaces] = useState<readonly number[]>([Math.round(lastS / 2)])
  useEffect(() => {
    onChange({ call: 'split', body: { atElapsedS: [...places] } })
  }, [places])
  const move = (place: number, atS: number) => {
    const least = (places[place - 1] ?? 0) + SHORTEST_RUN_S
    const most = (places[place + 1] ?? lastS) - SHORTEST_RUN_S
    const to = Math.max(least, Math.min(most, Math.round(atS)))
    setPlaces(places.map((before, index) => (index === place ? to : before)))
  }
  const ends = [...places, lastS]
  const parts = ends.map((endS, part) => ({ startS: places[part - 1] ?? 0, endS }))
  const longest = parts.reduce((most, part) => (lengthOf(part) > lengthOf(most) ? part : most))
  const add = () => {
    const middleS = Math.round((longest.startS + longest.endS) / 2)
    setPlaces([...places, middleS].toSorted((a, b) => a - b))
  }
  const isFull = places.length >= MOST_SPLITS || lengthOf(longest) < 2 * SHORTEST_RUN_S
  return (
    <>
      <SplitRoute series={series} places={places} />
      <PlacesRange series={series} places={places} onMove={move} labelOf={(place) => `Where run ${place + 2} begins`} />
      <ol class="split-parts" aria-label="Resulting runs">
        {parts.map(({ startS, endS }, part) => (
          <li key={part}>
            <span>
              <strong>Run {part + 1}</strong>{' '}
              <span class="muted">
                {duration(startS)}–{duration(endS)}
              </span>
            </span>
            {part > 0 && places.length > 1 && (
              <Button
                size="small"
                kind="quiet"
                icon="close"
                aria-label={`Merge run ${part + 1} into the previous one`}
                title="Don’t split here"
                onClick={() => setPlaces(places.filter((_, place) => place !== part - 1))}
              />
            )}
          </li>
        ))}
      </ol>
      <div class="actions start">
        <Button size="small" icon="plus" disabled={isFull} onClick={add}>
          Add split point
        </Button>
      </div>
    </>
  )
}

function lengthOf({ startS, endS }: { readonly startS: number; readonly endS: number }): number {
  return endS - startS
}
