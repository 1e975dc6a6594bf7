import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../api.ts'
import { shiftedDay } from '../../days.ts'
import { date, localDay, number, roughDistance, runName, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { type LoadChoice, loadOptions } from '../../run/load-sources.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Run } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { attempt } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { bandWords, confidenceWords } from './estimate.tsx'

interface DayRunsProps {
  /** Local day of the runs. */
  readonly day: string
  readonly onClose: () => void
}

/** The runs of a day with their loads, whose sources can be chosen. */
export function DayRuns({ day, onClose }: DayRunsProps) {
  const box = useRef<HTMLElement>(null)
  const { data, error } = useResource(callOf(day))
  useEffect(() => box.current?.focus({ preventScroll: true }), [day])
  const runs = data?.items.filter((run) => localDay(run.startedAt, run.utcOffsetMinutes) === day) ?? []
  return (
    <section class="day-runs" ref={box} tabIndex={-1} aria-label={`Runs of ${date(day, 'full')}`}>
      <div class="goal-head level">
        <h3>{date(day, 'full')}</h3>
        <Link class="small" href={daysPath(day, day)}>
          Show in list
        </Link>
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      {data === null && <Pending error={error} height="64px" />}
      <ul class="training-list">
        {runs.map((run) => (
          <RunLoad key={run.id} run={run} />
        ))}
      </ul>
    </section>
  )
}

function RunLoad({ run }: { readonly run: Run }) {
  const units = useUnits()
  const path = `/workouts/${run.id}` as const
  const { data } = useResource(`${path}/training`)
  const choose = (loadSource: LoadChoice) => attempt(() => api.send('PATCH', path, { loadSource }), TERMS.notSaved)
  const options = data === null ? [] : loadOptions(data)
  return (
    <li>
      <p>
        <Link href={`/app/runs/${run.id}`}>{runName(run)}</Link>, {text(roughDistance(run.distanceM, units))}
        {data !== null && `: load ${bandWords(data.load, number)}`}{' '}
        {data !== null && <span class="muted small">{confidenceWords(data.load)}</span>}
      </p>
      {data !== null && options.length > 2 && (
        <Select<LoadChoice>
          label={`Load source of ${runName(run)}`}
          isLabelHidden
          value={data.chosen}
          options={options}
          onValue={(source) => void choose(source)}
        />
      )}
    </li>
  )
}

/** Requests runs around a day in any time zone; those of other local days are filtered out. */
function callOf(day: string): `/workouts?${string}` {
  const query = new URLSearchParams({
    startDate: `${shiftedDay(day, -1)}T00:00:00.000Z`,
    endDate: `${shiftedDay(day, 2)}T00:00:00.000Z`,
    pageSize: '100',
  })
  return `/workouts?${query}`
}
