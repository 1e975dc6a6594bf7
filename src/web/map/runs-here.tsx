import { counted, distance, runDay, runName, text } from '../format.ts'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import { Button } from '../ui/button.tsx'
import { Pending } from '../ui/empty.tsx'

interface RunsHereProps {
  /** Where was tapped, with the filters of the map. */
  readonly query: string
  readonly onClose: () => void
}

/** The runs that pass a place of the map. */
export function RunsHere({ query, onClose }: RunsHereProps) {
  const units = useUnits()
  const { data, error } = useResource(`/map/runs?${query}`)
  return (
    <section class="runs-here" aria-label="Runs here">
      <div class="runs-here-head level spread">
        <h2 aria-live="polite">
          {data === null ? 'Runs here' : data.count === 0 ? 'No runs here' : `${counted(data.count, 'run')} here`}
        </h2>
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      {data === null ? (
        <Pending error={error} height="120px" />
      ) : (
        <ul>
          {data.runs.map((run) => (
            <li key={run.workoutId}>
              <Link href={`/app/runs/${run.workoutId}`}>
                <span>{runName(run)}</span>
                <span class="muted small">
                  {runDay(run)} · {text(distance(run.distanceM, units))}
                </span>
              </Link>
            </li>
          ))}
          {data.count > data.runs.length && <li class="muted">and {data.count - data.runs.length} earlier ones</li>}
        </ul>
      )}
    </section>
  )
}
