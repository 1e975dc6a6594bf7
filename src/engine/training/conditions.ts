/** Above it warmth costs time. */
export const HEAT_BASE_C = 15
/** Per cent of the time for each degree above it. */
const HEAT_SLOPES = { low: 0.15, mid: 0.35, high: 0.85 } as const
/** Too warm for a run to be compared by its heart rate. */
export const WARM_C = 23
/** Warmth is told of runs from here on, seconds. */
export const SHORTEST_WARM_S = 1800
/** Per cent of the power for each per cent of body weight that pushes back (da Silva 2021). */
const COST_OF_FORCE = 6.13
const AIR_DENSITY = 1.2
const GRAVITY = 9.81
const USUAL_MASS_KG = 70
const USUAL_DRAG_AREA_M2 = 0.44
/** Wind at a runner's height beside that at 10 m: between houses, mixed, in the open. */
const SHELTER = [0.3, 0.5, 0.7] as const

/** The ends and the middle of what something may have cost. */
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

/** °C (Magnus). */
export function dewPoint(temperatureC: number, humidityPct: number): number {
  const gamma = Math.log(humidityPct / 100) + (17.625 * temperatureC) / (243.04 + temperatureC)
  return (243.04 * gamma) / (17.625 - gamma)
}

/** Per cent of the time that warmth costs; null for runs under half an hour. @param ownSlope of this runner, when it is known */
export function heatCostPct(wbgtC: number, durationS: number, ownSlope: number | null = null): CostRange | null {
  if (durationS < SHORTEST_WARM_S) return null
  const above = Math.max(0, wbgtC - HEAT_BASE_C)
  const slope = ownSlope ?? HEAT_SLOPES.mid
  return {
    low: Math.min(slope, HEAT_SLOPES.low) * above,
    mid: slope * above,
    high: Math.max(slope, HEAT_SLOPES.high) * above,
  }
}

export interface Body {
  readonly massKg: number | null
  readonly heightCm: number | null
}

/** A part of a run in one direction. */
export interface WindPart {
  readonly seconds: number
  readonly mps: number
  /** Wind against the runner at 10 m, m/s; negative from behind. */
  readonly headWindMps: number
}

/** Per cent of the energy that wind costs over the parts of a run; null without time. */
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
  // wind from behind that is faster than the runner helps less in the open than between houses
  return { low: Math.min(built, open), mid, high: Math.max(built, open) }
}

/** Time and speed of a run towards one sector of the compass. */
export interface HeadingPart {
  /** Degrees clockwise from north that were run towards. */
  readonly towardsDeg: number
  readonly seconds: number
  readonly mps: number
}

/** @param wind m/s, and degrees that it comes from */
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

/** Mean wind against the runner at 10 m, m/s; null without time. */
export function meanHeadWind(parts: readonly WindPart[]): number | null {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  return seconds > 0 ? parts.reduce((sum, part) => sum + part.seconds * part.headWindMps, 0) / seconds : null
}
