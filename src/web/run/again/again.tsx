import { runDay } from '../../format.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { failureNotice, Lazy } from '../../ui/lazy.tsx'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import type { SectionPickerProps } from './section-picker.tsx'

interface AgainProps {
  readonly runId: string
  readonly series: RunSeries
  readonly view: RunView
}

const nothing = () => null

/** The passes of a section, once one is selected. */
export function Passes(props: AgainProps) {
  const section = useStore(props.view.zoom)
  return section && <Lazy load={loadPasses} props={{ ...props, section }} waiting={nothing} />
}

const loadPasses = () => import('./section-picker.tsx').then(({ PassesCard }) => PassesCard)

/** Which run is raced, on the map, with the way to end it. */
export function RaceChip({ view }: { readonly view: RunView }) {
  const rival = useStore(view.rival)
  if (rival === null) return null
  return (
    <div class="race-chip level gap-1 small">
      Racing {runDay(rival)}
      <Button size="small" kind="quiet" aria-label="End the race" onClick={() => view.rival.set(null)}>
        End
      </Button>
    </div>
  )
}

/** Button that opens two handles to select a stretch by finger or keys. */
export function SectionButton({ view }: { readonly view: RunView }) {
  const isOpen = useStore(view.picking)
  return (
    <Button size="small" icon="section" aria-expanded={isOpen} onClick={() => view.picking.set(!isOpen)}>
      Select a section
    </Button>
  )
}

/** The handles, shown beside their button. */
export function SectionPlace(props: SectionPickerProps) {
  return useStore(props.view.picking) && <Lazy load={loadPicker} props={props} waiting={failureNotice} />
}

const loadPicker = () => import('./section-picker.tsx').then(({ SectionPicker }) => SectionPicker)
