import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { counted, number } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { Zones } from '../../types.ts'
import { Pending } from '../../ui/empty.tsx'
import { Check } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { useZonesDraft, ZonesFields } from '../zones-fields.tsx'

const ZONES = '/settings/heart-rate-zones'

export function ZonesSettings() {
  const { data, error } = useResource(ZONES)
  const affected = useResource('/workouts/recalculate-relative-effort/count')
  // rendered together, since the later answer would move the content below
  const isWhole = affected.data !== null || affected.error !== null
  if (data !== null && isWhole) {
    return <ZonesForm key={JSON.stringify(data)} stored={data} count={affected.data?.count ?? 0} />
  }
  return <Pending error={error} height="322px" />
}

interface ZonesFormProps {
  readonly stored: Zones
  /** Number of runs whose effort depends on the zones. */
  readonly count: number
}

function ZonesForm({ stored, count }: ZonesFormProps) {
  const draft = useZonesDraft(stored)
  const [isRecalculated, setRecalculated] = useState(true)
  const send = async () => {
    const { recalculatedCount } = await api.send('POST', `${ZONES}/update-with-recalc`, {
      ...draft.body,
      recalculateExisting: isRecalculated && count > 0,
    })
    toast(recalculatedCount === null ? 'Zones saved' : `Zones saved, ${counted(recalculatedCount, 'run')} recalculated`)
  }
  return (
    <Form action="Save zones" isPrimary isIncomplete={draft.fault !== null} onSend={send}>
      <ZonesFields draft={draft} />
      {count > 0 && (
        <Check checked={isRecalculated} onValue={setRecalculated}>
          Recalculate the relative effort of {count === 1 ? 'the run' : `all ${number(count)} runs`} with heart rate
        </Check>
      )}
    </Form>
  )
}
