import { Lazy } from '../ui/lazy.tsx'

const loadDropZone = () => import('./drop-zone.tsx').then(({ DropZone }) => DropZone)

/** The drop zone of an empty log; most visits have runs. */
export function LateDropZone() {
  return <Lazy load={loadDropZone} props={{}} waiting={(failure) => <p class="muted">{failure}</p>} />
}
