import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { api } from '../../api.ts'
import { shareAt, usePlace } from '../../charts/plot.tsx'
import { date } from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Goal } from '../../types.ts'
import { Button, Skeleton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, useFields } from '../../ui/form.tsx'
import { LoadFailure } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { daysPath } from '../run-query.ts'
import { offsetQuery, today } from '../stats.ts'
import { Races } from './races.tsx'
import {
  amountText,
  doneText,
  type GoalMetric,
  type GoalPeriod,
  goalName,
  METRICS,
  PERIODS,
  projectionText,
  spanText,
  standingText,
  targetText,
  targetUnit,
} from './words.ts'

/** What is ahead, races and goals, and what became of the races before. */
export function GoalsView() {
  // all of it comes at once, so that nothing moves
  const races = useResource(`/races?${offsetQuery()}`)
  const predictions = useResource(`/training/predictions?${offsetQuery()}`)
  const goals = useResource(`/training/goals?${offsetQuery()}`)
  const error = races.error ?? goals.error
  if (races.data !== null && goals.data !== null && (predictions.data ?? predictions.error) !== null) {
    return (
      <>
        <Races races={races.data} efforts={predictions.data?.efforts ?? []} />
        <Goals goals={goals.data} />
      </>
    )
  }
  return error === null ? <Skeleton height="900px" /> : <LoadFailure message={error.message} />
}

/** Goals with how far they are. */
function Goals({ goals }: { readonly goals: readonly Goal[] }) {
  const [isAdding, setAdding] = useState(false)
  return (
    <Card
      title="Goals"
      aside={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          Set a goal
        </Button>
      }
    >
      {goals.length === 0 ? (
        <p>
          No goals yet. Set a distance, moving time, number of runs, elevation gain or load for a week, month, year or
          date range. You’ll see your progress and a projection here.
        </p>
      ) : (
        <>
          <ul class="tiles top">
            {goals.map((goal) => (
              <GoalItem key={goal.id} goal={goal} />
            ))}
          </ul>
          <p class="muted small above-4">
            The mark shows even progress. The lighter bar is the projection from your last 4 weeks, the lightest its
            range.
          </p>
        </>
      )}
      {isAdding && <GoalDialog goal={null} onClose={() => setAdding(false)} />}
    </Card>
  )
}

/** One goal with progress, expected progress, and projection. */
function GoalItem({ goal }: { readonly goal: Goal }) {
  const units = useUnits()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const { metric, target, progress } = goal
  // what ended before there was a goal did not miss it
  const history = goal.history.filter(({ to }) => goal.activeFrom !== null || to >= goal.createdOn)
  const name = goalName(goal, units)
  const projection = progress === null ? null : projectionText(goal, progress, units)
  return (
    <li class="stack gap-2">
      <div class="goal-head level">
        <h3 class="breaks">{name}</h3>
        <span class="muted small grow">{progress !== null && spanText(progress)}</span>
        <Menu
          label={`Actions for ${name}`}
          items={[
            { text: 'Edit…', icon: 'edit', onChoose: () => setOpen('edit') },
            { text: 'Delete goal…', icon: 'trash', isDangerous: true, onChoose: () => setOpen('delete') },
          ]}
        />
      </div>
      {progress === null ? (
        <p class="muted">{idleText(goal)}</p>
      ) : (
        <>
          <p>
            <Link href={daysPath(progress.from, progress.to)}>
              <strong>{doneText(metric, progress.done, units)}</strong>
            </Link>{' '}
            <span class="muted">of {targetText(metric, target, units)}</span>
          </p>
          <GoalBar goal={goal} />
          <p>{standingText(goal, progress, units)}</p>
          {projection !== null && <p class="muted small">{projection}</p>}
        </>
      )}
      {history.length > 0 && <Past goal={goal} history={history} />}
      {open === 'edit' && <GoalDialog goal={goal} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Confirm
          title="Delete this goal?"
          action="Delete goal"
          onConfirm={() => api.send('DELETE', `/training/goals/${goal.id}`)}
          onClose={() => setOpen(null)}
        >
          This removes “{name}” and its past periods. Your runs don’t change.
        </Confirm>
      )}
    </li>
  )
}

function idleText({ from, to, activeFrom, history }: Goal): string {
  const begin = activeFrom ?? from
  if (history.length === 0 && begin !== null) return `Starts on ${date(begin, 'short')}.`
  return to === null ? 'Not active now.' : `Ended on ${date(to, 'short')}.`
}

/** Progress, projection with its band, and the progress expected by yesterday. */
function GoalBar({ goal: { target, progress } }: { readonly goal: Goal }) {
  if (progress === null) return null
  const { done, expectedByYesterday, projected, projectedLow: low, projectedHigh: high } = progress
  const most = Math.max(target, high ?? projected ?? 0, done)
  const x = (value: number) => (100 * value) / most
  return (
    <svg class="goal-bar" height={22} viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <rect fill="var(--surface-2)" width={x(target)} y={3} height={10} />
      {low !== null && high !== null && (
        <rect fill="var(--accent-soft)" x={x(low)} width={x(high) - x(low)} y={0} height={16} />
      )}
      {projected !== null && (
        <rect fill="var(--strip2)" x={x(done)} width={Math.max(0, x(projected) - x(done))} y={3} height={10} />
      )}
      <rect fill="var(--accent)" width={x(done)} y={3} height={10} />
      <path stroke="var(--text)" stroke-width={2} d={`M${x(expectedByYesterday)} 0v16`} />
      {most > target && (
        <path stroke="var(--line-strong)" stroke-width={2} stroke-dasharray="2 2" d={`M${x(target)} 0v16`} />
      )}
    </svg>
  )
}

/** Past periods, oldest first; bars that missed the goal are hollow. */
function Past({ goal: { metric, target }, history }: { readonly goal: Goal; readonly history: Goal['history'] }) {
  const units = useUnits()
  const past = history.toReversed()
  const reached = past.filter((one) => one.reached).length
  const most = Math.max(target, ...past.map(({ done }) => done))
  const pathOf = (place: number) => daysPath(past[place]!.from, past[place]!.to)
  const { place, stated, attributes } = usePlace(
    (event) => Math.max(0, Math.min(past.length - 1, Math.floor(shareAt(event) * past.length))),
    {
      label: 'Past periods. Arrow keys move between them, Enter shows the runs of one',
      count: past.length,
      textAt: (at) => {
        const one = past[at]!
        return `${spanText(one)}: ${amountText(metric, one.done, units)}, ${one.reached ? 'reached' : 'not reached'}`
      },
      onOpen: (at) => navigate(pathOf(at)),
      isOpenedByMouse: true,
    },
  )
  return (
    <figure class="goal-past">
      <figcaption class="muted small">
        {place === null ? (
          `${reached} of the last ${past.length} reached`
        ) : (
          <>
            {stated} · <Link href={pathOf(place)}>Show runs</Link>
          </>
        )}
      </figcaption>
      <div class="goal-bars" {...attributes}>
        {past.map((one, at) => (
          <span
            key={one.from}
            class={`bar${one.reached ? '' : ' missed'}${at === place ? ' pointed' : ''}`}
            style={{ height: `${(100 * one.done) / most}%` }}
          />
        ))}
      </div>
    </figure>
  )
}

/** Sets a goal, or edits one; the service validates it. */
function GoalDialog({ goal, onClose }: { readonly goal: Goal | null; readonly onClose: () => void }) {
  const units = useUnits()
  const { values, field, choice, set, form } = useFields(
    {
      metric: goal?.metric ?? ('distanceM' as GoalMetric),
      period: goal?.period ?? ('month' as GoalPeriod),
      name: goal?.name ?? '',
      target: goal === null ? '' : rounded(goal.target / targetUnit(goal.metric, units).size),
      from: goal?.from ?? today(),
      to: goal?.to ?? '',
      activeFrom: goal?.activeFrom ?? '',
      activeTo: goal?.activeTo ?? '',
    },
    { send },
  )
  const { metric, period } = values
  const { unit, size } = targetUnit(metric, units)
  const amount = Number(values.target.replace(',', '.'))
  const isDated = period === 'dates'
  const isWhole = amount > 0 && (!isDated || (values.from !== '' && values.to !== ''))
  async function send() {
    const body = {
      metric,
      period,
      target: amount * size,
      name: orNull(values.name.trim()),
      from: isDated ? values.from : null,
      to: isDated ? values.to : null,
      activeFrom: isDated ? null : orNull(values.activeFrom),
      activeTo: isDated ? null : orNull(values.activeTo),
    }
    if (goal === null) await api.send('POST', '/training/goals', body)
    else await api.send('PATCH', `/training/goals/${goal.id}`, body)
    onClose()
  }
  return (
    <Dialog title={goal === null ? 'Set a goal' : 'Edit goal'} onClose={onClose}>
      <Form
        {...form}
        isIncomplete={!isWhole}
        action={goal === null ? 'Set a goal' : 'Save'}
        isPrimary
        onCancel={onClose}
      >
        <div class="columns">
          <Select<GoalMetric>
            label="Goal"
            value={metric}
            options={Object.entries(METRICS) as [GoalMetric, string][]}
            onValue={(chosen) => chosen !== metric && set({ metric: chosen, target: '' })}
          />
          <Field label="Target" {...field('target')} suffix={unit} inputMode="decimal" autocomplete="off" required />
        </div>
        <Select<GoalPeriod>
          label="Period"
          {...choice('period')}
          options={Object.entries(PERIODS) as [GoalPeriod, string][]}
        />
        {isDated ? (
          <div class="columns">
            <Field label="First day" type="date" {...field('from')} required />
            <Field label="Last day" type="date" {...field('to')} required />
          </div>
        ) : (
          <div class="columns">
            <Field label="From" hint="Leave empty for “from the start”" type="date" {...field('activeFrom')} />
            <Field label="Until" hint="Leave empty for “no end”" type="date" {...field('activeTo')} />
          </div>
        )}
        <Field label="Name" {...field('name')} maxLength={LENGTHS.name} hint="Optional" />
      </Form>
    </Dialog>
  )
}

function rounded(amount: number): string {
  return String(Math.round(100 * amount) / 100)
}

function orNull(typed: string): string | null {
  return typed === '' ? null : typed
}
