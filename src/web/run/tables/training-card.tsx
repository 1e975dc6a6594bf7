import { elevation, number, range, signed, temperature, text, type Units } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Select } from '../../ui/field.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import { LOAD_SOURCES, type LoadChoice, loadOptions } from '../load-sources.ts'
import type { RunView } from '../run-view.ts'
import type { Detail, Edit, RunTraining } from '../types.ts'
import { DecouplingHalves } from './decoupling-halves.tsx'
import { Raced } from './raced.tsx'
import { ZoneTimes } from './zones-bar.tsx'
import './run-cards.css'

interface TrainingCardProps {
  readonly run: Detail
  /** null: the run has no charts. */
  readonly view: RunView | null
  readonly onEdit: (edit: Edit) => Promise<string | null>
}

const ZONES = ['Easy', 'Marathon', 'Threshold', 'Interval', 'Repetition'] as const

/** The run as training: its load with its source, decoupling, and the usual cost of heat and wind. */
export function TrainingCard({ run, view, onEdit }: TrainingCardProps) {
  const units = useUnits()
  const { data, error } = useResource(`/workouts/${run.id}/training`)
  if (data === null) {
    if (error === null) return null
    return (
      <Card title="Training">
        <LoadFailure message={error.message} />
      </Card>
    )
  }
  const facts: (readonly [string, string])[] = [[TERMS.load, loadText(data)]]
  if (data.intensityPct !== null) facts.push(['Intensity', `${number(data.intensityPct)}%`])
  if (data.decouplingPct !== null) facts.push(['Decoupling', decouplingText(data, run)])
  if (data.vo2max.value !== null) facts.push(['VO2max of this run', vo2maxText(data)])
  const { paceZoneSeconds: zones, conditions } = data
  return (
    <Card
      title="Training"
      class="run-training"
      aside={
        <Help about="load">
          A load of 100 is an hour at threshold pace; an intensity of 100% is that pace. Decoupling is how much less
          distance you ran per heartbeat in the second half of a steady run: fatigue, heat or a fast start.
        </Help>
      }
    >
      <Facts of={facts} />
      {data.decouplingPct !== null && view !== null && <DecouplingHalves runId={run.id} view={view} />}
      {zones?.some((seconds) => seconds > 0) && (
        <div>
          <ZoneTimes caption="Time in pace zones" seconds={zones} nameOf={(k) => `${ZONES[k]} pace`} />
        </div>
      )}
      {conditions !== null && <p>{conditionsText(conditions, units)}</p>}
      <Altitude run={run} />
      <p class="muted small">{confidenceText(data)}</p>
      <Sharper load={data.load} />
      {data.decouplingPct === null && <p class="muted small">No decoupling: {decouplingText(data, run)}.</p>}
      {data.load.reasons.includes('suspectHeartRate') && <Suspect data={data} onEdit={onEdit} />}
      {data.vo2max.reasons.includes('notRaced') && !data.wasRaced && <Raced onEdit={onEdit} />}
      {data.excludeFromEstimates && <p>You excluded this run from predictions; its load still counts.</p>}
      <SourceChoice data={data} onEdit={onEdit} />
    </Card>
  )
}

/** Air is noticeably thinner above this altitude, metres. */
const THIN_AIR_M = 1000

/** A mark without a cost: how much altitude slows differs too much between runners. */
function Altitude({ run: { minElevM, maxElevM } }: Pick<TrainingCardProps, 'run'>) {
  const units = useUnits()
  if (maxElevM === null || maxElevM <= THIN_AIR_M) return null
  const [low, high] = [elevation(minElevM ?? maxElevM, units), elevation(maxElevM, units)]
  const where = low.value === high.value ? text(high) : `${low.value}–${text(high)}`
  return (
    <p>
      Altitude {where}: above {text(elevation(THIN_AIR_M, units))} the same pace is harder. The numbers don’t adjust for
      it.
    </p>
  )
}

/** What would make the load more accurate, and where it is set. */
function Sharper({ load: { value, reasons, missing } }: Pick<RunTraining, 'load'>) {
  // a doubtful heart rate has a sentence and a button of its own
  if (value === null || missing === null || reasons.includes('suspectHeartRate')) return null
  return (
    <p class="muted small">
      {reasons.includes('uncalibrated') && 'For now your typical run counts as a load of 50 an hour. '}
      {missing}.{' '}
      <Link class="tap-link" href="/app/settings#training">
        Training settings
      </Link>
    </p>
  )
}

function SourceChoice({ data, onEdit }: { readonly data: RunTraining; readonly onEdit: TrainingCardProps['onEdit'] }) {
  const options = loadOptions(data)
  if (options.length < 3) return null
  return (
    <Select<LoadChoice>
      label={TERMS.loadSource}
      value={data.chosen}
      options={options}
      onValue={(loadSource) => void onEdit({ loadSource })}
    />
  )
}

/** A suspect heart rate is reported; the source of the load is never changed automatically. */
function Suspect({ data, onEdit }: { readonly data: RunTraining; readonly onEdit: TrainingCardProps['onEdit'] }) {
  return (
    <p>
      Heart rate and pace disagree for this run.{' '}
      {data.source === 'heartRate' && data.loads.pace !== null && (
        <Button size="small" onClick={() => void onEdit({ loadSource: 'pace' })}>
          Use pace
        </Button>
      )}
    </p>
  )
}

/** Such as `61 from pace (52–71)`. */
function loadText({ load, source }: RunTraining): string {
  if (load.value === null || source === null) return 'unknown: the run has no time'
  const band = load.low === null || load.high === null ? '' : ` (${range(number(load.low), number(load.high))})`
  return `${number(load.value)} from ${LOAD_SOURCES[source]}${band}`
}

/** `Load: high confidence. VO2max: low confidence (hot day).` */
function confidenceText({ load, vo2max }: RunTraining): string {
  const said = (
    [
      [TERMS.load, load],
      ['VO2max', vo2max],
    ] as const
  ).flatMap(([name, { value, confidence, reasons }]) => {
    if (confidence === null && value === null && name === TERMS.load) return []
    const why = reasonWords(reasons)
    if (value === null) return why === '' ? [] : [`No ${name} estimate: ${why}.`]
    return [`${name}: ${confidence ?? 'unknown'} confidence${why === '' ? '' : ` (${why})`}.`]
  })
  return said.join(' ')
}

function decouplingText({ decouplingPct, decouplingReason }: RunTraining, run: Detail): string {
  if (decouplingPct !== null) return `${signed(decouplingPct, 1)}%`
  if (decouplingReason === null || run.avgHeartRateBpm === null) return 'no heart rate'
  return reasonWords([decouplingReason])
}

function vo2maxText({ vo2max: { value, low, high } }: RunTraining): string {
  return low === null || high === null ? number(value) : `${number(value)} (${range(number(low), number(high))})`
}

/** Heat and wind with their usual cost, not as what this run lost. */
function conditionsText(
  { wbgtC, heatCostPct: heat, windCostPct: wind }: NonNullable<RunTraining['conditions']>,
  units: Units,
): string {
  const said: string[] = []
  if (heat !== null && heat.high > 0) {
    const degrees = wbgtC === null ? 'Heat' : `Heat (WBGT ${text(temperature(wbgtC, units))})`
    said.push(`${degrees}: ${range(number(heat.low, 1), number(heat.high, 1))}% slower is typical.`)
  } else if (wbgtC !== null) said.push(`WBGT ${text(temperature(wbgtC, units))}: no heat cost.`)
  if (wind !== null) {
    const [low, high] = [number(wind.low, 1), number(wind.high, 1)]
    const isCalm = Math.max(Math.abs(wind.low), Math.abs(wind.high)) < 0.05
    if (isCalm) said.push('No wind cost.')
    else said.push(`Wind: ${range(low, high)}% of your energy.`)
  }
  return said.join(' ')
}
