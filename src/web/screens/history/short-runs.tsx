import { api } from '../../api.ts'
import { counted } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { toastDone } from '../../undo.ts'
import { useAction } from '../../use-action.ts'
import { TERMS } from '../../words.ts'

/** Offers to exclude the very short recordings of an import from statistics. */
export function ShortRuns({ ids }: { readonly ids: readonly string[] }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (ids.length === 0) return null
  const exclude = async () => {
    const body = { ids, set: { leftOut: true } }
    const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', body)
    toastDone(`${counted(changed, 'recording')} excluded from statistics`, [receiptId])
  }
  return (
    <Notice>
      {counted(ids.length, 'recording')} under 100 m or a minute.{' '}
      <Button size="small" isBusy={isBusy} onClick={() => void act(exclude)}>
        Exclude from statistics
      </Button>
    </Notice>
  )
}
