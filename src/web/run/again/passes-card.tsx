import { useEffect, useState } from 'preact/hooks'
import { SHORTEST_STRETCH_M } from '../../../engine/limits.ts'
import { date, duration, number, signedTime } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TERMS } from '../../words.ts'
import { nearestRow, type RunSeries } from '../charts/series.ts'
import type { Passes, Section } from '../types.ts'
import { passesSentences } from './passes-words.ts'

interface PassesCardProps {
  readonly runId: string
  readonly series: RunSeries
  readonly section: Section
}

/** A selection must be unchanged for this long before its passes are requested. */
const STABLE_MS = 350
const SHOWN = 8

/** All passes of the selected stretch, earlier and later. */
export function PassesCard({ runId, series, section }: PassesCardProps) {
  const data = usePasses(runId, series, section)
  const [isLong, setLong] = useState(false)
  if (data === null) return null
  const isFirst = data.count === 1
  const shown = isLong ? data.passes : data.passes.slice(0, SHOWN)
  return (
    <Card title={isFirst ? 'First time here' : 'Your times here'} class="run-again">
      <p class="below-3">{passesSentences(data).join(' ')}</p>
      {!isFirst && (
        <table class="run-table again-passes">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Direction</th>
              <th scope="col">{TERMS.time}</th>
              <th scope="col">vs. this run</th>
              <th scope="col">{TERMS.hr}</th>
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
          {data.passes.length < data.count
            ? `Show latest ${number(data.passes.length)}`
            : `Show all ${number(data.count)}`}
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
        <span class="hidden-text">{isSame ? 'this direction' : 'other direction'}</span>
      </td>
      <td>{duration(pass.elapsedS)}</td>
      <td class="muted">{isOwn || !isSame ? '' : signedTime(pass.elapsedS - own.elapsedS)}</td>
      <td class="muted">{pass.avgHeartRateBpm === null ? '' : `${number(pass.avgHeartRateBpm)}\u00a0bpm`}</td>
    </tr>
  )
}

/** All passes of a stretch, loaded once its selection is stable; null before, and for a stretch that is too short. */
export function usePasses(runId: string, series: RunSeries, section: Section): Passes | null {
  const stretch = useStable(stretchText(series, section))
  return useResource(stretch === null ? null : `/workouts/${runId}/passes?${stretch}`).data
}

/** The metres of a section as a query; null for one that is too short. */
function stretchText({ distanceM, elapsedS }: RunSeries, { fromS, toS }: Section): string | null {
  if (distanceM === null) return null
  const fromM = Math.ceil(distanceM[nearestRow(elapsedS, fromS)]!)
  const toM = Math.floor(distanceM[nearestRow(elapsedS, toS)]!)
  return toM - fromM < SHORTEST_STRETCH_M ? null : `fromM=${fromM}&toM=${toM}`
}

function useStable<T>(value: T): T | null {
  const [stable, setStable] = useState<T | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), STABLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return stable
}
