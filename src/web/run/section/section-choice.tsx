import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { failureNotice, Lazy } from '../../ui/lazy.tsx'
import { fetchPart } from '../../ui/part.ts'
import type { PickingPlace, RunView } from '../run-view.ts'
import type { SectionPickerProps } from './section-picker.tsx'

/** Button that opens two handles to select a stretch by finger or keys. */
export function SectionButton({ view, place }: { readonly view: RunView; readonly place: PickingPlace }) {
  const isOpen = useStore(view.picking) === place
  return (
    <Button size="small" icon="section" aria-expanded={isOpen} onClick={() => view.picking.set(isOpen ? null : place)}>
      Select a section
    </Button>
  )
}

/** The handles, shown where their button was pressed: by the map or by the charts. */
export function SectionPlace({ place, ...props }: SectionPickerProps & { readonly place: PickingPlace }) {
  if (useStore(props.view.picking) !== place) return null
  return <Lazy load={loadPicker} props={props} waiting={failureNotice} />
}

const loadPicker = () =>
  fetchPart('section-picker', () => import('./section-picker.tsx')).then(({ SectionPicker }) => SectionPicker)
