import { date, number, pace, signed, text, type Units, unitLengthM } from '../../../format.ts'
import { Link } from '../../../router.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { RunSum } from '../../../types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Pending } from '../../../ui/empty.tsx'
import { offsetQuery } from '../../stats.ts'
import { PARTS } from './better-words.ts'

interface RunCardProps {
  readonly id: string
  readonly bpm: number | null
  readonly onClose: () => void
}

/** The pace of one run as a sum. */
export function RunCard({ id, bpm, onClose }: RunCardProps) {
  const units = useUnits()
  const { data, error } = useResource(`/truth/fitness/${id}?${offsetQuery()}`)
  return (
    <Card
      title={data === null ? 'One run' : `Run of ${date(data.date, 'short')}`}
      aside={
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      {data === null ? (
        <Pending error={error} height="200px" />
      ) : data.sum === null ? (
        <p class="muted">This run isn’t included.</p>
      ) : (
        <Sum sum={data.sum} bpm={bpm} units={units} />
      )}
      <p class="small">
        <Link href={`/app/runs/${id}`}>Open the run</Link>
      </p>
    </Card>
  )
}

function Sum({ sum, bpm, units }: { readonly sum: RunSum; readonly bpm: number | null; readonly units: Units }) {
  return (
    <table class="data-table">
      <caption class="hidden-text">Breakdown of this run’s pace</caption>
      <thead>
        <tr>
          <th scope="col">Factor</th>
          <th scope="col">Pace</th>
          <th scope="col">80% range</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{`Fitness that day${bpm === null ? '' : ` at ${number(bpm)} bpm`}, cool and calm`}</th>
          <td>{text(pace(sum.referencePaceS, units))}</td>
          <td />
        </tr>
        {sum.parts.map(({ name, value, low, high }) => (
          <tr key={name}>
            <th scope="row">{PARTS[name] ?? name}</th>
            <td>{`${difference(value, units)} s`}</td>
            <td>{ends(difference(low, units), difference(high, units))}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Not explained</th>
          <td>{`${difference(sum.restS, units)} s`}</td>
          <td />
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">As run, on the flat</th>
          <td>
            <strong>{text(pace(sum.paceS, units))}</strong>
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  )
}

/** Such as `+9`, per km or mile. */
function difference(secondsPerKm: number, units: Units): string {
  return signed((secondsPerKm * unitLengthM(units)) / 1000)
}

function ends(low: string, high: string): string {
  // a phone's column is narrow, and a range is read as one
  return (low === high ? `${low} s` : `${low} to ${high} s`).replaceAll(' ', '\u00a0')
}
