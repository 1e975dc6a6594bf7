import { useState } from 'preact/hooks'
import { useResource } from '../state.ts'
import type { Run } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { RunNotes, RunTags, useEdits } from './run-head.tsx'
import type { Edit } from './types.ts'

/** What a runner enters after a run: type, perceived effort, shoe and notes, which are loaded when asked for. */
export function QuickEdit({ run: stored }: { readonly run: Run }) {
  const [hasNotes, setHasNotes] = useState(false)
  const { data } = useResource(hasNotes ? `/workouts/${stored.id}?includeRaw=false&includeRoute=false` : null)
  const { run, edit } = useEdits(stored, stored.id)
  const save = async (wanted: Edit) => {
    const failure = await edit(wanted)
    if (failure !== null) toast(failure)
  }
  return (
    <>
      <div class="run-tags flow">
        {/* first: the shoes come later, and would move it */}
        {!hasNotes && (
          <Button kind="quiet" size="small" icon="edit" onClick={() => setHasNotes(true)}>
            Notes
          </Button>
        )}
        <RunTags run={run ?? stored} onSave={(wanted) => void save(wanted)} />
      </div>
      {data !== null && <RunNotes notes={data.notes} isOpened onSave={(notes) => edit({ notes })} />}
    </>
  )
}
