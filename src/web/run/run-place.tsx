import { number } from '../format.ts'
import { useShortcuts } from '../keys.ts'
import { Link, navigate, useRoute } from '../router.ts'
import { useRememberedRun } from '../screens/list-place.ts'
import { type Filters, filtersOf, neighboursPath, pageOfPosition, runPath, runsPath } from '../screens/run-query.ts'
import { usePaceClock } from '../shown-pace.ts'
import { useResource, useUnits } from '../state.ts'
import { Icon } from '../ui/icon.tsx'

/** The way back to the list, and to the runs before and after in it. Keys: j and k as in the list. */
export function RunPlace({ id }: { readonly id: string }) {
  const reader = { units: useUnits(), clock: usePaceClock() }
  const { query } = useRoute()
  const filters = filtersOf(query)
  const { data } = useResource(neighboursPath(id, filters, reader))
  const { previousId = null, nextId = null, position = null, totalCount = 0 } = data ?? {}
  useRememberedRun(id)
  useShortcuts(({ key }) => {
    const to = key === 'j' ? nextId : key === 'k' ? previousId : null
    if (to !== null) navigate(runPath(to, filters), { replace: true })
  })
  return (
    <nav class="run-place level gap-3 spread" aria-label="Runs in the list">
      <Link href={runsPath(filters, position === null ? 1 : pageOfPosition(position))} class="run-back muted small">
        <Icon name="left" />
        Runs
      </Link>
      {position !== null && totalCount > 1 && (
        <span class="run-steps level gap-1 muted small">
          <Step name="Previous run" icon="left" id={previousId} filters={filters} />
          <span>
            {number(position)} of {number(totalCount)}
          </span>
          <Step name="Next run" icon="right" id={nextId} filters={filters} />
        </span>
      )}
    </nav>
  )
}

interface StepProps {
  readonly name: string
  readonly icon: 'left' | 'right'
  /** null: there is none in that direction. */
  readonly id: string | null
  readonly filters: Filters
}

/** Replaces this run in the history, so that Back leads to the list. */
function Step({ name, icon, id, filters }: StepProps) {
  if (id === null) {
    return (
      <span class="step" aria-hidden="true">
        <Icon name={icon} />
      </span>
    )
  }
  return (
    <Link href={runPath(id, filters)} class="step" aria-label={name} title={name} isReplacing>
      <Icon name={icon} />
    </Link>
  )
}
