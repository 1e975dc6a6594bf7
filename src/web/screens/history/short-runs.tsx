import { useState } from 'preact/hooks'
import { api, failureText } from '../../api.ts'
import { counted } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { toast } from '../../ui/toast.tsx'
import { toastDone } from '../../undo.ts'
import { TERMS } from '../../words.ts'

/** Offers to exclude the very short recordings of an import from statistics. */
export function ShortRuns({ ids }: { readonly ids: readonly string[] }) {
  const [isSaving, setSaving] = useState(false)
  if (ids.length === 0) return null
  const exclude = async () => {
    setSaving(true)
    try {
      const body = { ids, set: { leftOut: true } }
      const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', body)
      toastDone(`${counted(changed, 'recording')} excluded from statistics`, [receiptId])
    } catch (error) {
      toast(failureText(error, TERMS.notSaved))
    }
    setSaving(false)
  }
  return (
    <Notice>
      {counted(ids.length, 'recording')} under 100 m or a minute.{' '}
      <Button size="small" isBusy={isSaving} onClick={() => void exclude()}>
        Exclude from statistics
      </Button>
    </Notice>
  )
}
