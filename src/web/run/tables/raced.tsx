import { Button } from '../../ui/button.tsx'
import type { Edit } from '../types.ts'

/** Asks once whether a race that is much slower than the others let expect was raced. */
export function Raced({ onEdit }: { readonly onEdit: (edit: Edit) => Promise<string | null> }) {
  return (
    <p>
      Was this raced? It’s much slower than your other races, so it doesn’t count for VO2max.{' '}
      <Button size="small" onClick={() => void onEdit({ wasRaced: true })}>
        Yes, a slow race
      </Button>{' '}
      <Button kind="quiet" size="small" onClick={() => void onEdit({ runType: null })}>
        No, set no type
      </Button>
    </p>
  )
}
