import { counted } from './format.ts'
import { useResource } from './state.ts'
import type { TrashPage } from './types.ts'

/** A sentence on whether deleted data can be brought back; loaded when needed. */
export function useTrashWords(isWanted: boolean): string {
  const { data } = useResource<TrashPage>(isWanted ? '/trash?pageSize=1' : null)
  if (data === null) return ''
  if (data.keptDays === 0) return 'This cannot be taken back.'
  return `They lie in the trash for ${counted(data.keptDays, 'day')} and can be brought back from there.`
}
