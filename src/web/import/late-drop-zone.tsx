import { Lazy } from '../ui/lazy.tsx'
import { fetchPart } from '../ui/part.ts'

const loadDropZone = () => fetchPart('drop-zone', () => import('./drop-zone.tsx')).then(({ DropZone }) => DropZone)

/** The drop zone of an empty log; most visits have runs. */
export function LateDropZone() {
  return <Lazy load={loadDropZone} props={{}} waiting={(failure) => <p class="muted">{failure}</p>} />
}
