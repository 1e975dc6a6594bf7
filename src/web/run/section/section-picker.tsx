import { useEffect, useRef } from 'preact/hooks'
import { SHORTEST_RUN_S } from '../../../engine/limits.ts'
import { distance, duration, text, type Units } from '../../format.ts'
import type { PaceClock } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { usePasses } from '../again/passes-card.tsx'
import { passesSentences } from '../again/passes-words.ts'
import { figuresText } from '../charts/figures-text.ts'
import { nearestRow, type RunSeries, sectionFigures } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import { StretchRange } from '../stretch-range.tsx'
import type { Section } from '../types.ts'
import { startingSection } from './section-ends.ts'
import './section.css'

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
  const close = () => view.picking.set(null)
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
        fromS={section.fromS}
        toS={section.toS}
        onChange={change}
        labels={['Start of section', 'End of section']}
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
