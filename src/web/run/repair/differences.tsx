import type { NumberName } from '../../../engine/numbers.ts'
import { date, type Units } from '../../format.ts'
import { NUMBER_WORDS } from '../sources/number-words.ts'
import type { Trial } from './change.ts'

interface Difference {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The numbers that a change would make others, before and after it. */
export function Differences({ trial, units }: { readonly trial: Trial; readonly units: Units }) {
  const found = differences(trial, units)
  if (found.length === 0) return <p class="muted">No number of the run would be another.</p>
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">Number</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
        </tr>
      </thead>
      <tbody>
        {found.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="muted">{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const UNKNOWN = '–'

function differences({ before, after }: Trial, units: Units): Difference[] {
  const start = (numbers: Trial['before']) => date(numbers.startedAt, 'dateTime', numbers.utcOffsetMinutes ?? 0)
  const all = (Object.keys(NUMBER_WORDS) as NumberName[]).flatMap((key): Difference[] => {
    const words = NUMBER_WORDS[key]
    if (words === null) return []
    const shown = (value: number | null) => (value === null ? null : words.shown(value, units)) ?? UNKNOWN
    return [{ name: words.name, before: shown(before[key]), after: shown(after[key]) }]
  })
  return [{ name: 'Start', before: start(before), after: start(after) }, ...all].filter(
    (one) => one.before !== one.after,
  )
}
