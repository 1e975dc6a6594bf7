import { useEffect, useRef, useState } from 'preact/hooks'
import { SHORTEST_RUN_S, SHORTEST_STRETCH_M } from '../../../engine/limits.ts'
import { date, distance, duration, number, signedTime, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import type { PaceClock } from '../../shown-pace.ts'
import { useResource, useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { TERMS } from '../../words.ts'
import { figuresText } from '../charts/metrics.ts'
import { nearestRow, type RunSeries, sectionFigures } from '../charts/series.ts'
import { StretchRange } from '../fix/stretch-range.tsx'
import type { RunView } from '../run-view.ts'
import type { Passes, Section } from '../types.ts'
import { passesSentences, startingSection } from './words.ts'

export interface SectionPickerProps {
  readonly runId: string
  readonly series: RunSeries
  readonly clock: PaceClock
  readonly view: RunView
  /** A sentence on other ways to set the ends. */
  readonly hint: string
  /** The numbers of the section are shown elsewhere. */
  readonly isWithoutFigures?: boolean
  /** Whether passes of other runs are requested. */
  readonly hasRoute: boolean
}

/** Two handles over the whole run that set the stretch shown by charts, map and passes. */
export function SectionPicker({
  runId,
  series,
  clock,
  view,
  hint,
  isWithoutFigures = false,
  hasRoute,
}: SectionPickerProps) {
  const units = useUnits()
  const group = useRef<HTMLFieldSetElement>(null)
  const chosen = useStore(view.zoom)
  const lastS = series.elapsedS.at(-1)!
  const section = chosen ?? { fromS: 0, toS: lastS }
  useEffect(() => {
    if (view.zoom.get() === null) view.zoom.set(startingSection(series))
    group.current?.querySelector<HTMLElement>('[role=slider]')?.focus({ preventScroll: true })
    group.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const change = (from: number, to: number) => {
    const isStart = from !== section.fromS
    const fromS = Math.max(0, isStart ? Math.min(from, section.toS - SHORTEST_RUN_S) : section.fromS)
    const toS = Math.min(lastS, isStart ? section.toS : Math.max(to, section.fromS + SHORTEST_RUN_S))
    view.zoom.set({ fromS, toS })
  }
  const close = () => view.picking.set(false)
  return (
    <fieldset
      class="section-picker stack gap-2"
      ref={group}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <legend class="hidden-text">Section</legend>
      <p class="muted small">{hint}</p>
      <StretchRange
        series={series}
        faint={[
          [0, section.fromS],
          [section.toS, lastS],
        ]}
        handles={[
          { label: 'Start of section', atS: section.fromS, onMove: (atS) => change(atS, section.toS) },
          { label: 'End of section', atS: section.toS, onMove: (atS) => change(section.fromS, atS) },
        ]}
      />
      <p class="small">
        {!isWithoutFigures && <strong>{figuresText(sectionFigures(series, section, clock), units)}</strong>}{' '}
        <span class="muted">{placeText(series, section, units)}</span>
      </p>
      {hasRoute && <PassesLine runId={runId} series={series} section={section} />}
      <div class="actions start">
        <Button size="small" kind="primary" onClick={close}>
          Done
        </Button>
        <Button
          size="small"
          onClick={() => {
            view.zoom.set(null)
            close()
          }}
        >
          Whole run
        </Button>
      </div>
    </fieldset>
  )
}

/** `from 2.10 km to 3.40 km`. */
function placeText({ distanceM, elapsedS }: RunSeries, { fromS, toS }: Section, units: Units): string {
  const place = (atS: number) =>
    distanceM === null ? duration(atS) : text(distance(distanceM[nearestRow(elapsedS, atS)]!, units))
  return `from ${place(fromS)} to ${place(toS)}`
}

/** The first sentence on the passes of the section; the card below has all of them. */
function PassesLine({ runId, series, section }: Pick<SectionPickerProps, 'runId' | 'series'> & { section: Section }) {
  const passes = usePasses(runId, series, section)
  const [sentence] = passes === null ? [] : passesSentences(passes)
  return (
    <p class="small" role="status">
      {sentence ?? 'Select at least 100 m to see how often you’ve run here.'}{' '}
      {passes !== null && passes.count > 1 && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => document.querySelector('.run-again')?.scrollIntoView({ block: 'start' })}
        >
          See all times
        </Button>
      )}
    </p>
  )
}

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
        <div class="table-frame">
          <DataTable
            class="run-table"
            heads={['Run', 'Direction', 'Elapsed', 'vs. this run', TERMS.hr]}
            rows={shown.map((pass) => rowOf(pass, data.own))}
          />
        </div>
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

function rowOf(pass: Passes['own'], own: Passes['own']) {
  const isOwn = pass.workoutId === own.workoutId && pass.startElapsedS === own.startElapsedS
  const isSame = pass.direction === 'same'
  return [
    isOwn ? (
      <strong>This run</strong>
    ) : (
      <Link href={`/app/runs/${pass.workoutId}`} title={pass.name ?? undefined}>
        {date(pass.startedAt, 'short', pass.utcOffsetMinutes)}
      </Link>
    ),
    isSame ? 'this way' : 'other way',
    duration(pass.elapsedS),
    isOwn || !isSame ? '' : signedTime(pass.elapsedS - own.elapsedS),
    pass.avgHeartRateBpm === null ? '' : `${number(pass.avgHeartRateBpm)}\u00a0bpm`,
  ]
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
