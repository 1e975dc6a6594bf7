import { date, number, pace, signed, text, type Units, unitLengthM } from '../../../format.ts'
import { Link } from '../../../router.ts'
import { useResource, useUnits } from '../../../state.ts'
import type { RunSum } from '../../../types.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Pending } from '../../../ui/empty.tsx'
import { TERMS } from '../../../words.ts'
import { offsetQuery } from '../../stats.ts'
import { PARTS } from './better-words.ts'

interface RunCardProps {
  readonly id: string
  readonly bpm: number | null
  readonly onClose: () => void
}

/** The pace of one run as a sum. */
export function RunCard({ id, bpm, onClose }: RunCardProps) {
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
        <Sum sum={data.sum} bpm={bpm} />
      )}
      <p class="small">
        <Link href={`/app/runs/${id}`}>Open the run</Link>
      </p>
    </Card>
  )
}

function Sum({ sum, bpm }: { readonly sum: RunSum; readonly bpm: number | null }) {
  const units = useUnits()
  return (
    <DataTable
      caption="Breakdown of this run’s pace"
      heads={['Factor', TERMS.pace, '80% range']}
      rows={[
        [
          `Fitness that day${bpm === null ? '' : ` at ${number(bpm)} bpm`}, cool and calm`,
          text(pace(sum.referencePaceS, units)),
          '',
        ],
        ...sum.parts.map(({ name, value, low, high }) => [
          PARTS[name] ?? name,
          `${difference(value, units)} s`,
          ends(difference(low, units), difference(high, units)),
        ]),
        ['Not explained', `${difference(sum.restS, units)} s`, ''],
        ['As run, on the flat', <strong>{text(pace(sum.paceS, units))}</strong>, ''],
      ]}
    />
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
