/** Heat costs time above this wet-bulb globe temperature. */
export const HEAT_BASE_C = 15
/** Per cent of time per degree above it: ends and middle of the range. */
export const HEAT_SLOPES = { low: 0.15, mid: 0.35, high: 0.85 } as const
/** Runs above this are not compared by heart rate. */
export const WARM_C = 23
/** Heat cost is stated for runs of at least this duration, seconds. */
export const SHORTEST_WARM_S = 1800
/** Per cent of power per per cent of body weight of horizontal force (da Silva 2021). */
const COST_OF_FORCE = 6.13
const AIR_DENSITY = 1.2
const GRAVITY = 9.81
const USUAL_MASS_KG = 70
const USUAL_DRAG_AREA_M2 = 0.44
/** Wind at a runner's height relative to that at 10 m: among houses, mixed, in the open. */
const SHELTER = [0.3, 0.5, 0.7] as const

/** Both ends and the middle of an estimated cost. */
export interface CostRange {
  readonly low: number
  readonly mid: number
  readonly high: number
}

/** Wet-bulb globe temperature for moderate sun and light wind, °C. @param humidityPct relative */
export function simplifiedWbgt(temperatureC: number, humidityPct: number): number {
  const vapour = (humidityPct / 100) * 6.105 * Math.exp((17.27 * temperatureC) / (237.7 + temperatureC))
  return 0.567 * temperatureC + 0.393 * vapour + 3.94
}

/** Dew point, °C (Magnus formula). */
export function dewPoint(temperatureC: number, humidityPct: number): number {
  const gamma = Math.log(humidityPct / 100) + (17.625 * temperatureC) / (243.04 + temperatureC)
  return (243.04 * gamma) / (17.625 - gamma)
}

/** Per cent of time that heat costs a usual runner; null below half an hour. */
export function heatCostPct(wbgtC: number, durationS: number): CostRange | null {
  if (durationS < SHORTEST_WARM_S) return null
  const above = Math.max(0, wbgtC - HEAT_BASE_C)
  return { low: HEAT_SLOPES.low * above, mid: HEAT_SLOPES.mid * above, high: HEAT_SLOPES.high * above }
}

interface Body {
  readonly massKg: number | null
  readonly heightCm: number | null
}

/** Per cent of energy that wind costs over the parts of a run; null without time. */
export function windCostPct(parts: readonly WindPart[], { massKg, heightCm }: Body): CostRange | null {
  const area =
    massKg !== null && heightCm !== null
      ? 0.9 * 0.266 * 0.2025 * (heightCm / 100) ** 0.725 * massKg ** 0.425
      : USUAL_DRAG_AREA_M2
  const drag = (mps: number) => 0.5 * AIR_DENSITY * area * mps * Math.abs(mps)
  const weight = (massKg ?? USUAL_MASS_KG) * GRAVITY
  const costs = (share: number) => {
    let seconds = 0
    let sum = 0
    for (const part of parts) {
      const pushed = drag(part.mps + share * part.headWindMps) - drag(part.mps)
      seconds += part.seconds
      sum += (part.seconds * COST_OF_FORCE * 100 * pushed) / weight
    }
    return sum / seconds
  }
  if (!parts.some(({ seconds }) => seconds > 0)) return null
  const [built, mid, open] = SHELTER.map(costs) as [number, number, number]
  // a tail wind faster than the runner helps less in the open than among houses, so the ends may swap
  return { low: Math.min(built, open), mid, high: Math.max(built, open) }
}

/** Time and speed of a run in one sector of the compass. */
export interface HeadingPart {
  /** Direction of running, degrees clockwise from north. */
  readonly towardsDeg: number
  readonly seconds: number
  readonly mps: number
}

/** A part of a run in one direction. */
interface WindPart extends Omit<HeadingPart, 'towardsDeg'> {
  /** Component of the wind at 10 m against the runner, m/s; negative is a tail wind. */
  readonly headWindMps: number
}

/** @param wind m/s, and the direction that it comes from in degrees */
export function windParts(
  headings: readonly HeadingPart[],
  wind: { readonly speedMps: number; readonly fromDeg: number },
): WindPart[] {
  return headings.map(({ towardsDeg, seconds, mps }) => ({
    seconds,
    mps,
    headWindMps: wind.speedMps * Math.cos(((wind.fromDeg - towardsDeg) * Math.PI) / 180),
  }))
}

/** Mean component of the wind at 10 m against the runner, m/s; null without time. */
export function meanHeadWind(parts: readonly WindPart[]): number | null {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  return seconds > 0 ? parts.reduce((sum, part) => sum + part.seconds * part.headWindMps, 0) / seconds : null
}
