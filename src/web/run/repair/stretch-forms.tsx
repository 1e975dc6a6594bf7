import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { WorkoutMend } from '../../../features/repair/schemas.ts'
import { duration } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Check, Select } from '../../ui/field.tsx'
import { TERMS } from '../../words.ts'
import type { RunSeries } from '../charts/series.ts'
import { CropRoute } from '../crop-route.tsx'
import { StretchRange } from '../stretch-range.tsx'
import type { StretchFormProps } from './change.ts'
import { SplitForm } from './split-form.tsx'

/** The repairs of a recorded run that are set on its chart. */
export const STRETCH_TASKS = {
  cut: { text: 'Remove a section', action: 'Remove', done: 'Section removed', Form: CutForm },
  split: { text: 'Split into several runs', action: 'Split', done: 'Run split', Form: SplitForm },
  mend: { text: 'Fix bad data', action: 'Fix', done: 'Data fixed', Form: MendForm },
}

const LABELS = ['Start of section', 'End of section'] as const

/** Initially the middle third of the run; handles at its ends would be taken for those of a crop. */
function useStretch(lastS: number) {
  const [[fromS, toS], set] = useState<readonly [number, number]>([Math.round(lastS / 3), Math.round((2 * lastS) / 3)])
  const change = (from: number, to: number) => {
    const start = Math.max(0, Math.min(Math.round(from), Math.round(to) - 1))
    set([start, Math.min(Math.floor(lastS), Math.max(Math.round(to), start + 1))])
  }
  return { fromS, toS, change }
}

function Stretch({ fromS, toS }: { readonly fromS: number; readonly toS: number }) {
  const facts = [
    ['From', duration(fromS)],
    ['To', duration(toS)],
    ['Length', duration(toS - fromS)],
  ] as const
  return <Facts of={facts} />
}

/** Removes a section, such as a bus ride. */
function CutForm({ series, onChange }: StretchFormProps) {
  const { fromS, toS, change } = useStretch(series.elapsedS.at(-1)!)
  const [closeGap, setCloseGap] = useState(false)
  useEffect(() => {
    onChange({ call: 'cut', body: { fromElapsedS: fromS, toElapsedS: toS, closeGap } })
  }, [fromS, toS, closeGap])
  return (
    <>
      <CropRoute series={series} fromS={fromS} toS={toS} isTakenOut />
      <StretchRange series={series} fromS={fromS} toS={toS} onChange={change} labels={LABELS} isTakenOut />
      <Stretch fromS={fromS} toS={toS} />
      <Check checked={closeGap} onValue={setCloseGap}>
        Close the gap, so that its time doesn’t count
      </Check>
    </>
  )
}

type Mend = Static<typeof WorkoutMend>
type Channel = Mend['channel']
/** Removes readings of one sensor. */
function MendForm({ runId, series, onChange }: StretchFormProps) {
  const channels = channelsOf(series)
  const { fromS, toS, change } = useStretch(series.elapsedS.at(-1)!)
  const [exact, setExact] = useState<Mend | null>(null)
  const [channel, setChannel] = useState<Channel>(channels[0]?.[0] ?? 'all')
  const [fill, setFill] = useState<Mend['fill']>('interpolate')
  const oddities = useResource(`/workouts/${runId}/oddities`)
  useEffect(() => {
    const body = exact ?? { fromElapsedS: fromS, toElapsedS: toS, channel, fill }
    onChange({ call: 'mend', body: { ...body } })
  }, [exact, fromS, toS, channel, fill])
  const take = (suggested: Mend) => {
    change(suggested.fromElapsedS, suggested.toElapsedS)
    setChannel(suggested.channel)
    setFill(suggested.fill)
    setExact(suggested)
  }
  const found = (oddities.data ?? []).filter(({ suggest }) => suggest !== null).slice(0, 8)
  return (
    <>
      {found.length > 0 && (
        <ul class="stack" aria-label="Suspicious data">
          {found.map((oddity) => (
            <li key={`${oddity.kind} ${oddity.fromElapsedS}`}>
              <Button size="small" onClick={() => take(oddity.suggest!)}>
                {`${duration(oddity.fromElapsedS)}: ${oddity.detail}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <CropRoute series={series} fromS={fromS} toS={toS} isTakenOut />
      <StretchRange
        series={series}
        fromS={fromS}
        toS={toS}
        onChange={(from, to) => {
          setExact(null)
          change(from, to)
        }}
        labels={LABELS}
        isTakenOut
      />
      <Stretch fromS={fromS} toS={toS} />
      <div class="columns">
        <Select
          label="Data"
          value={channel}
          options={channels}
          onValue={(value) => {
            setExact(null)
            setChannel(value)
          }}
        />
        <Select
          label="Replace with"
          value={fill}
          options={[
            ['interpolate', 'Straight line'],
            ['gap', 'Nothing'],
          ]}
          onValue={(value) => {
            setExact(null)
            setFill(value)
          }}
        />
      </div>
    </>
  )
}

function channelsOf({ lat, metrics }: RunSeries): (readonly [Channel, string])[] {
  const known: (readonly [Channel, string, unknown])[] = [
    ['position', 'Route', lat],
    ['heartRate', TERMS.heartRate, metrics.heartRate],
    ['elevation', 'Altitude', metrics.elevation],
    ['cadence', TERMS.cadence, metrics.cadence],
    ['power', TERMS.power, metrics.power],
  ]
  const there = known.filter(([, , values]) => values !== null && values !== undefined)
  return [...there.map(([channel, name]) => [channel, name] as const), ['all', 'All data']]
}
