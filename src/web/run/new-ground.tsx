import { GroundNews } from '../map/ground-news.tsx'
import { useResource } from '../state.ts'

/** What was new in a run. */
export function NewGround({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/ground`)
  return data && <GroundNews newSquares={data.newSquares.length} newM={data.newM} />
}
