import type { NumberName } from '../../../engine/numbers.ts'
import { date, type Units } from '../../format.ts'
import { NUMBER_WORDS } from '../sources/number-words.ts'
import type { Numbers, Trial } from './change.ts'

interface Difference {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The numbers that a change would alter, before and after, or those of the parts of a split. */
export function Differences({ trial, units }: { readonly trial: Trial; readonly units: Units }) {
  const found = 'parts' in trial ? partsOf(trial.parts, units) : differences(trial, units)
  const [now, then] = 'parts' in trial ? ['First run', 'Second run'] : ['Now', 'Then']
  if (found.length === 0) return <p class="muted">No number of the run would be another.</p>
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">Number</span>
          </th>
          <th scope="col">{now}</th>
          <th scope="col">{then}</th>
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

/** The numbers of both parts of a split. */
function partsOf([before, after]: readonly Numbers[], units: Units): Difference[] {
  if (before === undefined || after === undefined) return []
  return allNumbers({ before, after }, units).filter((one) => one.before !== UNKNOWN || one.after !== UNKNOWN)
}

function differences(trial: Trial, units: Units): Difference[] {
  return allNumbers(trial, units).filter((one) => one.before !== one.after)
}

function allNumbers({ before, after }: Pick<Trial, 'before' | 'after'>, units: Units): Difference[] {
  const start = (numbers: Numbers) => date(numbers.startedAt, 'dateTime', numbers.utcOffsetMinutes ?? 0)
  const all = (Object.keys(NUMBER_WORDS) as NumberName[]).flatMap((key): Difference[] => {
    const words = NUMBER_WORDS[key]
    if (words === null) return []
    const shown = (value: number | null) => (value === null ? null : words.shown(value, units)) ?? UNKNOWN
    return [{ name: words.name, before: shown(before[key]), after: shown(after[key]) }]
  })
  return [{ name: 'Start', before: start(before), after: start(after) }, ...all]
}
