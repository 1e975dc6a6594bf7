import {
  distance,
  duration,
  elevation,
  number,
  pace,
  type Quantity,
  speed,
  temperature,
  text,
  type Units,
} from '../../format.ts'
import { gapPaceOf, type ShownPace } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import { Amount, Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TERMS } from '../../words.ts'
import type { Detail, Weather } from '../types.ts'

interface Figure {
  readonly name: string
  readonly amount: Quantity
  /** Text lines below the number. */
  readonly about?: readonly string[]
}

/** The numbers of the run in one row: the three most important large; unknown ones are left out. */
export function RunNumbers({ run, shown }: { readonly run: Detail; readonly shown: ShownPace }) {
  const units = useUnits()
  const main = mainFigures(run, shown, units)
  return (
    <dl class="run-figures">
      {[...main, ...otherFigures(run, units)].map(({ name, amount, about = [] }, place) => (
        <div key={name} class={place < main.length ? 'run-figure large' : 'run-figure'}>
          <dt>{name}</dt>
          <dd>
            <Amount of={amount} />
            {about.map((line) => (
              <span key={line} class="delta">
                {line}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function mainFigures(run: Detail, shown: ShownPace, units: Units): Figure[] {
  const { other } = shown
  return [
    { name: TERMS.distance, amount: distance(run.distanceM, units) },
    {
      name: TERMS.time,
      amount: { value: duration(shown.timeS), unit: '' },
      about: other === null ? [] : [`${duration(other.timeS)} ${other.clock}`],
    },
    {
      name: TERMS.pace,
      amount: pace(shown.paceS, units),
      about: [
        ...(other === null ? [] : [`${pace(other.paceS, units).value} ${other.clock}`]),
        ...(run.gapPaceS === null ? [] : [`${pace(gapPaceOf(run, shown), units).value} grade-adjusted`]),
      ],
    },
  ]
}

function otherFigures(run: Detail, units: Units): Figure[] {
  const plain = (
    name: string,
    value: number | null,
    [unit, about]: readonly [unit: string, about?: string | undefined],
  ): Figure[] => {
    if (value === null) return []
    return [{ name, amount: { value: number(value), unit }, about: about === undefined ? [] : [about] }]
  }
  const most = (value: number | null) => (value === null ? undefined : `${number(value)} max`)
  return [
    ...(run.elevGainM === null
      ? []
      : [
          {
            name: TERMS.elevationGain,
            amount: elevation(run.elevGainM, units),
            about: run.elevLossM === null ? [] : [`${elevation(run.elevLossM, units).value} loss`],
          },
        ]),
    ...plain(TERMS.heartRate, run.avgHeartRateBpm, ['bpm', most(run.maxHeartRateBpm)]),
    ...plain(TERMS.cadence, run.avgCadenceSpm, ['spm', most(run.maxCadenceSpm)]),
    ...plain(TERMS.power, run.avgPowerWatts, ['W', most(run.maxPowerWatts)]),
    ...plain(TERMS.load, run.load, ['']),
    // where there is no load
    ...plain(TERMS.relativeEffort, run.load === null ? run.relativeEffort : null, ['']),
  ]
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
        {degrees !== null && <span class="weather-degrees">{text(temperature(degrees, units))}</span>}
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
    <span class="weather-wind" role="img" aria-label={`Wind from the ${name}`} title={`From the ${name}`}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <g transform={`rotate(${fromDeg + 180} 12 12)`}>
          <path d="M12 20V5M7 10l5-5 5 5" />
        </g>
      </svg>
    </span>
  )
}
