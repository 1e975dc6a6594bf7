import { counted } from './format.ts'
import { useResource } from './state.ts'
import { TERMS } from './words.ts'

/** A sentence on whether deleted data can be brought back; loaded when needed. */
export function useTrashWords(isWanted: boolean): string {
  const { data } = useResource(isWanted ? '/trash?pageSize=1' : null)
  if (data === null) return ''
  if (data.keptDays === 0) return TERMS.cannotUndo
  return `You can restore them from the trash for ${counted(data.keptDays, 'day')}.`
}
