import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { shareAt, usePlace } from '../../../charts/use-place.ts'
import { date } from '../../../format.ts'
import { Link, navigate } from '../../../router.ts'
import { useUnits } from '../../../state.ts'
import type { Goal } from '../../../types.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { daysPath } from '../../run-query.ts'
import { GoalDialog } from './goal-dialog.tsx'
import { amountText, doneText, goalName, projectionText, spanText, standingText } from './goal-words.ts'

/** One goal with progress, expected progress, and projection. */
export function GoalItem({ goal }: { readonly goal: Goal }) {
  const units = useUnits()
  const [isEditing, setEditing] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const { metric, target, progress, history } = goal
  const name = goalName(goal, units)
  const projection = progress === null ? null : projectionText(goal, progress, units)
  return (
    <li class="goal">
      <div class="goal-head level">
        <h3>{name}</h3>
        {progress !== null && <span class="muted small">{spanText(progress)}</span>}
        <Menu
          label={`Actions for ${name}`}
          items={[
            { text: 'Edit…', icon: 'edit', onChoose: () => setEditing(true) },
            { text: 'Delete goal…', icon: 'trash', isDangerous: true, onChoose: () => setLeaving(true) },
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
            <span class="muted">of {amountText(metric, target, units)}</span>
          </p>
          <GoalBar goal={goal} />
          <p>{standingText(goal, progress, units)}</p>
          {projection !== null && <p class="muted small">{projection}</p>}
        </>
      )}
      {history.length > 0 && <Past goal={goal} />}
      {isEditing && <GoalDialog goal={goal} onClose={() => setEditing(false)} />}
      {isLeaving && (
        <Confirm
          title="Delete this goal?"
          action="Delete goal"
          onConfirm={() => api.send('DELETE', `/training/goals/${goal.id}`)}
          onClose={() => setLeaving(false)}
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
    <svg class="goal-bar" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <rect fill="var(--surface-2)" width={x(target)} y={3} height={10} />
      {low !== null && high !== null && (
        <rect fill="var(--accent-soft)" x={x(low)} width={x(high) - x(low)} y={0} height={16} />
      )}
      {projected !== null && (
        <rect fill="var(--strip2)" x={x(done)} width={Math.max(0, x(projected) - x(done))} y={3} height={10} />
      )}
      <rect fill="var(--accent)" width={x(done)} y={3} height={10} />
      <path stroke="var(--text)" d={`M${x(expectedByYesterday)} 0v16`} />
      {most > target && <path stroke="var(--line-strong)" stroke-dasharray="2 2" d={`M${x(target)} 0v16`} />}
    </svg>
  )
}

/** Past periods, oldest first; bars that missed the goal are hollow. */
function Past({ goal: { history, metric, target } }: { readonly goal: Goal }) {
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
