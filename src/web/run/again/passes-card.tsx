import { useEffect, useState } from 'preact/hooks'
import { SHORTEST_STRETCH_M } from '../../../engine/limits.ts'
import { date, duration, number, signed } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { nearestRow, type RunSeries } from '../charts/series.ts'
import type { Passes, Section } from '../types.ts'
import { passesSentences } from './passes-words.ts'

interface PassesCardProps {
  readonly runId: string
  readonly series: RunSeries
  readonly section: Section
}

/** A selection must be unchanged for this long before its passes are requested. */
const SETTLED_MS = 350
const SHOWN = 8

/** All passes of the selected stretch, earlier and later. */
export function PassesCard({ runId, series, section }: PassesCardProps) {
  const data = usePasses(runId, series, section)
  const [isLong, setLong] = useState(false)
  if (data === null) return null
  const isFirst = data.count === 1
  const shown = isLong ? data.passes : data.passes.slice(0, SHOWN)
  return (
    <Card title={isFirst ? 'New ground' : 'You have been here before'} class="run-again">
      <p class="again-words">{passesSentences(data).join(' ')}</p>
      {!isFirst && (
        <table class="run-table again-passes">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Way</th>
              <th scope="col">Time</th>
              <th scope="col">To this</th>
              <th scope="col">Heart rate</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((pass) => (
              <Row key={`${pass.workoutId} ${pass.startElapsedS}`} pass={pass} own={data.own} />
            ))}
          </tbody>
        </table>
      )}
      {!isFirst && !isLong && data.passes.length > SHOWN && (
        <Button size="small" kind="quiet" onClick={() => setLong(true)}>
          {data.passes.length < data.count ? `The latest ${number(data.passes.length)}` : `All ${number(data.count)}`}
        </Button>
      )}
    </Card>
  )
}

function Row({ pass, own }: { readonly pass: Passes['own']; readonly own: Passes['own'] }) {
  const isOwn = pass.workoutId === own.workoutId && pass.startElapsedS === own.startElapsedS
  const isSame = pass.direction === 'same'
  return (
    <tr class={isOwn ? 'now' : ''}>
      <th scope="row">
        {isOwn ? (
          'This run'
        ) : (
          <Link href={`/app/runs/${pass.workoutId}`} title={pass.name ?? undefined}>
            {date(pass.startedAt, 'short')}
          </Link>
        )}
      </th>
      <td>
        <span aria-hidden="true">{isSame ? '→' : '←'}</span>
        <span class="hidden-text">{isSame ? 'this way' : 'the other way'}</span>
      </td>
      <td>{duration(pass.elapsedS)}</td>
      <td class="muted">{isOwn || !isSame ? '' : `${signed(pass.elapsedS - own.elapsedS)}\u00a0s`}</td>
      <td class="muted">{pass.avgHeartRateBpm === null ? '' : `${number(pass.avgHeartRateBpm)}\u00a0bpm`}</td>
    </tr>
  )
}

/** All passes of a stretch, loaded once its selection is stable; null before, and for a stretch that is too short. */
export function usePasses(runId: string, series: RunSeries, section: Section): Passes | null {
  const stretch = useSettled(stretchText(series, section))
  return useResource<Passes>(stretch === null ? null : `/workouts/${runId}/passes?${stretch}`).data
}

/** The metres of a section as a query; null for one that is too short. */
function stretchText({ distanceM, elapsedS }: RunSeries, { fromS, toS }: Section): string | null {
  if (distanceM === null) return null
  const fromM = Math.ceil(distanceM[nearestRow(elapsedS, fromS)]!)
  const toM = Math.floor(distanceM[nearestRow(elapsedS, toS)]!)
  return toM - fromM < SHORTEST_STRETCH_M ? null : `fromM=${fromM}&toM=${toM}`
}

function useSettled<T>(value: T): T | null {
  const [settled, setSettled] = useState<T | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
