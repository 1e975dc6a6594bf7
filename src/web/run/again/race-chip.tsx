import { runDay } from '../../format.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import type { RunView } from '../run-view.ts'

/** Which run is raced, on the map, with the way to end it. */
export function RaceChip({ view }: { readonly view: RunView }) {
  const rival = useStore(view.rival)
  if (rival === null) return null
  return (
    <div class="race-chip level gap-1 small">
      Racing {runDay({ startedAt: rival.startedAt, utcOffsetMinutes: null })}
      <Button size="small" kind="quiet" aria-label="End the race" onClick={() => view.rival.set(null)}>
        End
      </Button>
    </div>
  )
}
