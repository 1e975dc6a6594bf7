import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { counted, distance, runDay, runName, text } from '../../format.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { useSubmit } from '../../use-submit.ts'
import { HiddenMap } from './hidden-map.tsx'
import type { Place } from './place.ts'

const CHOICES_M = [100, 200, 300, 500, 800, 1200, 2000] as const
const USUAL_M = 300
const LISTED = 5

/** Shows the circle that others won't see, and the runs that are trimmed for it, before it is stored. */
export function HideDialog({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const units = useUnits()
  const { id, name, lat, lon, hideM } = place
  const [radius, setRadius] = useState(String(hideM ?? USUAL_M))
  const { data, error } = useResource(`/map/hidden?lat=${lat}&lon=${lon}&hideM=${radius}&placeId=${id ?? ''}`)
  const save = (hidden: number | null) => async () => {
    await api.send('PATCH', `/places/${id ?? ''}`, { hideM: hidden })
    onClose()
  }
  const hiding = useSubmit(save(Number(radius)))
  const showing = useSubmit(save(null))
  const fault = hiding.fault ?? showing.fault
  const options = [...new Set([...CHOICES_M, hideM ?? USUAL_M])]
    .sort((a, b) => a - b)
    .map((metres) => [String(metres), text(distance(metres, units, 1))] as const)
  return (
    <Dialog title={`Hide ${name ?? 'this place'} from others`} onClose={onClose} isWide>
      <form class="hide-place stack gap-3" onSubmit={(event) => void hiding.submit(event)}>
        <p class="muted">
          Trimmed downloads hide this circle, and up to {text(distance(Number(radius) / 2, units, 2))} more where a run
          enters or leaves it. The place (the dot) is off the centre, so the circle doesn’t give it away. Your own
          pages, downloads and exports show everything.
        </p>
        <Select label="Radius" value={radius} options={options} onValue={setRadius} />
        <HiddenMap place={place} centre={data?.hidden ?? null} radiusM={Number(radius)} />
        <div role="status">
          <p>
            <strong>
              {data === null ? (error?.message ?? 'Counting runs…') : `Trims ${counted(data.count, 'run')}`}
            </strong>
          </p>
          {data !== null && data.count > 0 && (
            <ul class="plain muted small">
              {data.runs.slice(0, LISTED).map((run) => (
                <li key={run.workoutId}>
                  {runDay(run)} · {runName(run)} · {text(distance(run.distanceM, units))}
                </li>
              ))}
              {data.count > LISTED && <li>and {data.count - LISTED} more</li>}
            </ul>
          )}
        </div>
        {fault !== null && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <div class="actions">
          {hideM !== null && (
            <Button isBusy={showing.isBusy} onClick={(event: Event) => void showing.submit(event)}>
              Don’t hide
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={hiding.isBusy}>
            {hideM === null ? 'Hide' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
