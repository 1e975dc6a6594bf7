import { decimal } from '../../../formats/text-values.ts'

const [END, VALUE] = [' endDate=', ' value=']
/** Those of an hour and more, in every quantity; an export has one quantity after the other, in order of time. */
const MOST_SECONDS = 16_384

/**
 * Folds records of one quantity and source that begin in the same second, since of them only the first is read: an
 * export may have a million of a minute. Metres are added up.
 * @param add takes texts and the runs that they are of, which are valid during the call
 */
export function createSeconds(add: (text: Uint8Array, runs: readonly number[]) => void) {
  const seen = new Set<string>()
  const sums = new Map<string, { readonly runs: readonly number[]; readonly text: string; readonly metres: number }>()
  const end = () => {
    for (const { text, runs, metres } of sums.values()) add(Buffer.from(`${text}"${metres}"/>\n`, 'latin1'), runs)
    sums.clear()
    seen.clear()
  }
  const take = (text: Buffer, runs: readonly number[]) => {
    const second = text.toString('latin1', 0, text.indexOf(END))
    if (!seen.has(second)) {
      if (seen.size === MOST_SECONDS) end()
      seen.add(second)
      add(text, runs)
    } else if (second.includes('DistanceWalkingRunning')) {
      const at = text.lastIndexOf(VALUE) + VALUE.length
      const metres = decimal(text.toString('latin1', at + 1, text.length - '"/>\n'.length))
      const sum = sums.get(second) ?? { runs: [...runs], text: text.toString('latin1', 0, at), metres: 0 }
      if (metres >= 0) sums.set(second, { ...sum, metres: sum.metres + metres })
    }
  }
  return { take, end }
}
