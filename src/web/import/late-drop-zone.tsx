import { Lazy } from '../ui/loaded.tsx'

const loadDropZone = () => import('./drop-zone.tsx').then(({ DropZone }) => DropZone)

/** The drop zone of an empty log; most visits have runs. */
export function DropZone() {
  return <Lazy load={loadDropZone} props={{}} waiting={(failure) => <p class="muted">{failure}</p>} />
}
