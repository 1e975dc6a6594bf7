import { counted } from './format.ts'
import { useResource } from './state.ts'
import type { TrashPage } from './types.ts'

/** Whether what is deleted can be brought back, as a sentence; asked for when it is wanted. */
export function useTrashWords(isWanted: boolean): string {
  const { data } = useResource<TrashPage>(isWanted ? '/trash?pageSize=1' : null)
  if (data === null) return ''
  if (data.keptDays === 0) return 'This cannot be taken back.'
  return `They lie in the trash for ${counted(data.keptDays, 'day')} and can be brought back from there.`
}
