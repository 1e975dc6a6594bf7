import type { ComponentChildren } from 'preact'
import {
  distance,
  duration,
  elevation,
  gapPaceOf,
  number,
  pace,
  type Quantity,
  range,
  type ShownPace,
  signed,
  speed,
  temperature,
  text,
  type Units,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Amount, Card, Facts } from '../../ui/card.tsx'
import { Select } from '../../ui/form.tsx'
import { LoadFailure } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { EFFORT_HELP, reasonWords, TERMS, ZONE_NAMES } from '../../words.ts'
import { type MaybeSeries, type Parts, type RunSeries, secondsBelow } from '../charts/series.ts'
import {
  type Detail,
  LOAD_SOURCES,
  type LoadChoice,
  loadOptions,
  type RunTraining,
  type Weather,
  type Zones,
} from '../run-view.ts'
import { percentsOf, secondsWithin } from './rows.ts'

/** How many of the numbers are large. */
const MAIN = 3

/** The numbers of the run in one row: the three most important large; unknown ones are left out. */
export function RunNumbers({ run, shown }: Parts<'run' | 'shown'>) {
  const units = useUnits()
  return (
    <dl class="numbers run-figures">
      {figures(run, shown, units).map(
        ([name, amount, ...about], place) =>
          amount !== null && (
            <div key={name} class={place < MAIN ? 'run-figure large' : 'run-figure'}>
              <dt>{name}</dt>
              <dd>
                <Amount of={amount} />
                {about.map((line) => line !== null && <span class="delta">{line}</span>)}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Names, numbers, and the lines below them; null: unknown. */
function figures(run: Detail, shown: ShownPace, units: Units) {
  const { other } = shown
  const plain = (value: number | null, unit: string) => (value === null ? null : { value: number(value), unit })
  const most = (value: number | null) => (value === null ? null : `${number(value)} max`)
  const { elevGainM: gain, elevLossM: loss, gapPaceS: gap } = run
  const rows: readonly (readonly [name: string, amount: Quantity | null, ...about: (string | null)[]])[] = [
    [TERMS.distance, distance(run.distanceM, units)],
    [
      TERMS.time,
      { value: duration(shown.timeS), unit: '' },
      other === null ? null : `${duration(other.timeS)} ${other.clock}`,
    ],
    [
      TERMS.pace,
      pace(shown.paceS, units),
      other === null ? null : `${pace(other.paceS, units).value} ${other.clock}`,
      gap === null ? null : `${pace(gapPaceOf(run, shown), units).value} grade-adjusted`,
    ],
    [
      TERMS.elevationGain,
      gain === null ? null : elevation(gain, units),
      loss === null ? null : `${elevation(loss, units).value} loss`,
    ],
    [TERMS.heartRate, plain(run.avgHeartRateBpm, 'bpm'), most(run.maxHeartRateBpm)],
    [TERMS.cadence, plain(run.avgCadenceSpm, 'spm'), most(run.maxCadenceSpm)],
    [TERMS.power, plain(run.avgPowerWatts, 'W'), most(run.maxPowerWatts)],
    [TERMS.load, plain(run.load, '')],
    // where there is no load
    [TERMS.relativeEffort, run.load === null ? plain(run.relativeEffort, '') : null],
  ]
  return rows
}

/** The weather of the run. */
export function WeatherCard({ weather }: { readonly weather: Weather }) {
  const units = useUnits()
  const { temperature: degrees, condition, humidity, precipitation, windSpeed, windDirection, pressure } = weather
  const facts: (readonly [string, string])[] = []
  if (humidity !== null) facts.push(['Humidity', `${number(humidity)}%`])
  if (windSpeed !== null) facts.push(['Wind', text(speed(windSpeed, units))])
  if (precipitation !== null) facts.push(['Rain', text(rain(precipitation, units))])
  if (pressure !== null) facts.push(['Pressure', text(airPressure(pressure, units))])
  if (degrees === null && condition === null && facts.length === 0) return null
  return (
    <Card title="Weather" class="run-weather">
      <div class="below-4 level gap-3">
        {degrees !== null && <span class="big">{text(temperature(degrees, units))}</span>}
        {condition !== null && <span>{condition}</span>}
        {windDirection !== null && windSpeed !== null && <WindArrow fromDeg={windDirection} />}
      </div>
      <Facts of={facts} />
    </Card>
  )
}

const MM_PER_INCH = 25.4
/** For mercury at 0 °C. */
const HPA_PER_INCH = 33.8639

function rain(precipitationMm: number, units: Units): Quantity {
  if (units === 'metric') return { value: number(precipitationMm, 1), unit: 'mm' }
  return { value: number(precipitationMm / MM_PER_INCH, 2), unit: 'in' }
}

function airPressure(pressureHpa: number, units: Units): Quantity {
  if (units === 'metric') return { value: number(pressureHpa), unit: 'hPa' }
  return { value: number(pressureHpa / HPA_PER_INCH, 2), unit: 'inHg' }
}

const POINTS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const

/** Points in the direction that the wind blows to, while wind is named by where it comes from. */
function WindArrow({ fromDeg }: { readonly fromDeg: number }) {
  const name = POINTS[Math.round(fromDeg / 45) % 8] ?? 'north'
  return (
    <span class="push" role="img" aria-label={`Wind from the ${name}`} title={`From the ${name}`}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <g stroke="var(--accent)" transform={`rotate(${fromDeg + 180} 12 12)`}>
          <path d="M12 20V5M7 10l5-5 5 5" />
        </g>
      </svg>
    </span>
  )
}

const PACE_ZONES = ['Easy', 'Marathon', 'Threshold', 'Interval', 'Repetition'] as const

/** The run as training: one line, one bar, and the rest when it is opened. */
export function TrainingCard({ run, series, zones, onEdit }: Parts<'run' | 'zones' | 'onEdit'> & MaybeSeries) {
  const units = useUnits()
  const { data, error } = useResource(`/workouts/${run.id}/training`)
  const heart = heartZones(run, series, zones)
  const paces = (data?.paceZoneSeconds ?? []).map((seconds, k): ZoneTime => {
    return { name: `${PACE_ZONES[k]} pace`, colour: zoneColour(k), seconds }
  })
  const hasPaces = paces.some(({ seconds }) => seconds > 0)
  if (data === null && error === null && heart.length === 0) return null
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
      <div class="stack">
        {data !== null && <p class="training-line">{lineText(data)}</p>}
        {data === null && error !== null && <LoadFailure message={error.message} />}
        {heart.length > 0 ? (
          <ZoneTimes caption="Time in zones" zones={heart} />
        ) : (
          hasPaces && <ZoneTimes caption="Time in pace zones" zones={paces} />
        )}
        {/* reported; the source of the load is never changed automatically */}
        {data?.load.reasons.includes('suspectHeartRate') && (
          <p>
            Heart rate and pace disagree for this run.{' '}
            {data.source === 'heartRate' && data.loads.pace !== null && (
              <Button size="small" onClick={() => void onEdit({ loadSource: 'pace' })}>
                Use pace
              </Button>
            )}
          </p>
        )}
        {data?.vo2max.reasons.includes('notRaced') && !data.wasRaced && (
          <p>
            Was this raced? It’s slower than your training suggests, and counts as a race result.{' '}
            <Button size="small" onClick={() => void onEdit({ wasRaced: true })}>
              Yes, a slow race
            </Button>{' '}
            <Button kind="quiet" size="small" onClick={() => void onEdit({ runType: null })}>
              No, set no type
            </Button>
          </p>
        )}
        {data?.excludeFromEstimates && <p>You excluded this run from predictions; its load still counts.</p>}
        <details>
          <summary class="muted small">Other effort numbers</summary>
          <div class="stack above-3">
            <Facts of={otherNumbers(run, data, units)} />
            {heart.length > 0 && hasPaces && <ZoneTimes caption="Time in pace zones" zones={paces} />}
            {data?.conditions != null && <p>{conditionsText(data.conditions, units)}</p>}
            <Altitude run={run} />
            {data !== null && (
              <>
                <p class="muted small">{confidenceText(data)}</p>
                <Sharper load={data.load} />
                {data.decouplingPct === null && (
                  <p class="muted small">No decoupling: {noDecouplingText(data, run)}.</p>
                )}
                {loadOptions(data).length > 2 && (
                  <Select<LoadChoice>
                    label={TERMS.loadSource}
                    value={data.chosen}
                    options={loadOptions(data)}
                    onValue={(loadSource) => void onEdit({ loadSource })}
                  />
                )}
              </>
            )}
          </div>
        </details>
      </div>
    </Card>
  )
}

/** `Load 31 from heart rate · intensity 71% · VO2max 50 · decoupling +3.2%`. */
function lineText({ load, source, intensityPct, vo2max, decouplingPct }: RunTraining) {
  const parts: readonly (readonly [name: string, value: string | null, after?: string])[] = [
    [
      TERMS.load,
      load.value === null ? null : number(load.value),
      source === null ? '' : ` from ${LOAD_SOURCES[source]}`,
    ],
    ['intensity', intensityPct === null ? null : `${number(intensityPct)}%`],
    ['VO2max', vo2max.value === null ? null : number(vo2max.value)],
    ['decoupling', decouplingPct === null ? null : `${signed(decouplingPct, 1)}%`],
  ]
  const known = parts.filter(([, value]) => value !== null)
  if (known.length === 0) return 'Load unknown: the run has no time.'
  return known.map(([name, value, after = ''], k) => (
    <span key={name}>
      {k > 0 && ' · '}
      {name} <strong>{value}</strong>
      {after}
    </span>
  ))
}

function otherNumbers(run: Detail, data: RunTraining | null, units: Units) {
  const { relativeEffort, maxSpeedMps, calories } = run
  const { low = null, high = null } = data?.load ?? {}
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [
      TERMS.relativeEffort,
      relativeEffort !== null && (
        <>
          {number(relativeEffort)} <Help about="relative effort">{EFFORT_HELP}</Help>
        </>
      ),
    ],
    ['Load, likely range', low !== null && high !== null && range(number(low), number(high))],
    ['VO2max of this run', data !== null && data.vo2max.value !== null && vo2maxText(data)],
    ['Fastest pace', maxSpeedMps !== null && maxSpeedMps > 0 && text(pace(1000 / maxSpeedMps, units))],
    [TERMS.calories, calories !== null && text({ value: number(calories), unit: 'kcal' })],
  ]
  return facts.filter(([, value]) => value !== false)
}

interface ZoneTime {
  readonly name: string
  readonly colour: string
  readonly seconds: number
  /** Heart rates of the zone. */
  readonly bounds?: string
}

/** Times in the zones of the heart rate, the time below the first with them; empty: none. */
function heartZones(run: Detail, series: RunSeries | null, zones: Zones | null): readonly ZoneTime[] {
  const seconds = secondsWithin(run.hrZoneSeconds ?? [], run.timerTimeS ?? run.durationS)
  const first = zones?.zones[0]?.minBpm ?? null
  const belowS = series === null || first === null || seconds.length === 0 ? 0 : secondsBelow(series, first)
  if (seconds.every((value) => value === 0) && belowS === 0) return []
  const below = { name: 'Below zone 1', colour: 'var(--line-strong)', seconds: belowS, bounds: `under ${first}` }
  return [
    ...(belowS > 0 ? [below] : []),
    ...seconds.map((value, k) => {
      return { name: `${k + 1} ${ZONE_NAMES[k]}`, colour: zoneColour(k), seconds: value, bounds: boundsText(zones, k) }
    }),
  ]
}

const zoneColour = (zone: number) => `var(--zone${zone + 1})`

/** The times of zones as a bar, and as a list of those that have any. Shares add up to 100% of what is shown. */
function ZoneTimes({ caption, zones }: { readonly caption: string; readonly zones: readonly ZoneTime[] }) {
  const known = zones.filter(({ seconds }) => seconds > 0)
  const percents = percentsOf(known.map(({ seconds }) => seconds))
  return (
    <div>
      <div class="zones-bar" aria-hidden="true">
        {known.map(({ name, colour, seconds }) => (
          <span key={name} style={{ flexGrow: seconds, background: colour }} />
        ))}
      </div>
      <ul class="zone-list small" aria-label={caption}>
        {known.map(({ name, colour, seconds, bounds }, k) => (
          <li key={name} class="level">
            <span class="zone-dot" style={{ background: colour }} aria-hidden="true" />
            <span class="grow">
              {name} <span class="muted">{bounds}</span>
            </span>
            {duration(seconds)} <span class="muted">{percents[k]}%</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function boundsText(zones: Zones | null, k: number): string {
  const zone = zones?.zones[k]
  if (zone === undefined) return ''
  const next = zones?.zones[k + 1]
  return next === undefined ? `${zone.minBpm}+` : `${zone.minBpm}–${next.minBpm - 1}`
}

/** Air is noticeably thinner above this altitude, metres. */
const THIN_AIR_M = 1000

/** A mark without a cost: how much altitude slows differs too much between runners. */
function Altitude({ run: { minElevM, maxElevM } }: Parts<'run'>) {
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
      <Link class="button small" href="/app/settings#training">
        Training settings
      </Link>
    </p>
  )
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

function noDecouplingText({ decouplingReason }: RunTraining, run: Detail): string {
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
