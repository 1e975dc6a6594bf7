import { number, type Quantity, speed, temperature, text, type Units } from '../../format.ts'
import { useUnits } from '../../state.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Weather } from '../types.ts'
import './run-cards.css'

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
