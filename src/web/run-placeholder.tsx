import { runName } from './format.ts'
import { useResource } from './state.ts'
import type { Run } from './types.ts'

/** Stands in while the page of a run is not there. */
export function RunPage({ id }: { readonly id: string }) {
  const { data } = useResource<Run>(`/workouts/${id}?includeRaw=false`)
  return (
    <div class="page">
      <h1 tabIndex={-1}>{data === null ? 'Run' : runName(data)}</h1>
    </div>
  )
}
