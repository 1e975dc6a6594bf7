import {
  type FitnessRun,
  HILLY_M_PER_KM,
  heatTerms,
  LEAST_COUNTED_S,
  LEAST_COVERAGE,
  pulseTerms,
  type TrendProfile,
  USUAL_HOURS,
} from '../latent/fitness-rows.ts'
import { MOST_VARIATION } from '../run/decoupling.ts'
import type { TrendPrior, TrendRow } from './trend-fit.ts'

// Which runs say how fast somebody is at one heart rate, and what of each is due to its conditions (docs/training.md).

/** Heat costs are against a day of this WBGT. */
export const COOL_C = 12
const COLD_C = 2
const CELL_DEG = 0.02
const LEAST_PER_CELL = 3
const MOST_CELLS = 30
const MOST_DEVICES = 15
const MOST_SENSORS = 15

/** What a stored run says. */
export interface TrendRun extends Omit<FitnessRun, 'best'> {
  /** Local hour of the start, with its fraction. */
  readonly hour: number
  /** Weather is off, so that runs take part without it. */
  readonly mayLackWeather?: boolean
  readonly isSuspect: boolean
  readonly temperatureC: number | null
  /** Per cent of the energy, the middle of its range; null: no wind is known. */
  readonly windCostPct: number | null
  /** Fatigue over fitness of the morning, less 1; 0 where fitness is too small. */
  readonly tired: number
  /** Middle of the bounds of its route, degrees. */
  readonly place: readonly [latDeg: number, lonDeg: number] | null
  /** null: unknown, which counts as a device of its own. */
  readonly device: string | null
}

export const TREND_REFUSALS = [
  'noHeartRate',
  'heartRateGaps',
  'suspectHeartRate',
  'tooShort',
  'notSteady',
  'noWeather',
  'gpsAltitude',
  'indoor',
  'race',
  'excluded',
] as const
/** Why a run does not take part. */
export type TrendRefusal = (typeof TREND_REFUSALS)[number]

export function trendRefusal(run: TrendRun): TrendRefusal | null {
  if (run.isExcluded) return 'excluded'
  if (run.isRace) return 'race'
  if (run.isIndoor) return 'indoor'
  if (run.bpm === null) return 'noHeartRate'
  if (run.coverage < LEAST_COVERAGE) return 'heartRateGaps'
  if (run.isSuspect) return 'suspectHeartRate'
  if (!((run.countedS ?? 0) >= LEAST_COUNTED_S)) return 'tooShort'
  if (run.mps === null || !(run.mps > 0) || run.speedCv === null || run.speedCv > MOST_VARIATION) return 'notSteady'
  if (lacksWeather(run) && run.mayLackWeather !== true) return 'noWeather'
  return run.isAltitudeUsable || (run.gainPerKm ?? 0) < HILLY_M_PER_KM ? null : 'gpsAltitude'
}

export function lacksWeather({ wbgtC, temperatureC }: Pick<TrendRun, 'wbgtC' | 'temperatureC'>): boolean {
  return wbgtC === null || temperatureC === null
}

/** Group, prior mean and deviation of each term that every library has. */
const FIXED = {
  pulse: ['pulse', 0.9, 0.2],
  pulse2: ['pulse', 0, 0.01],
  heat10: ['heat', 0.003, 0.003],
  heat15: ['heat', 0.002, 0.003],
  heat20: ['heat', 0.002, 0.003],
  cold: ['cold', 0, 0.002],
  wind: ['wind', 0.5, 0.3],
  climb: ['climb', 0, 0.006],
  length: ['length', 0.015, 0.015],
  cosHour: ['hour', 0, 0.007],
  sinHour: ['hour', 0, 0.007],
  tired: ['tired', 0.005, 0.008],
} as const
/** Prior deviation of a term of a cell, a device or a mark. */
const OWN = { place: 0.01, device: 0.015, sensor: 0.05 } as const

export type TrendGroup = (typeof FIXED)[keyof typeof FIXED][0] | keyof typeof OWN

/** A column of the fit. */
export interface TrendTerm {
  readonly name: keyof typeof FIXED | keyof typeof OWN
  readonly group: TrendGroup
  /** Of a device its name, of a sensor the day of its mark. */
  readonly of: string | number | null
}

export interface TrendEvidence {
  readonly rows: readonly TrendRow[]
  readonly terms: readonly TrendTerm[]
  readonly prior: TrendPrior
}

/**
 * Rows and terms of the fit.
 * @param runs that take part, in order of start
 * @param sensorDays days from which on the runner wore another sensor
 */
export function trendEvidence(
  runs: readonly TrendRun[],
  profile: TrendProfile,
  sensorDays: readonly number[],
): TrendEvidence {
  const cells = fullest(runs.map(cellOf), MOST_CELLS, LEAST_PER_CELL)
  const devices = fullest(
    runs.map(({ device }) => device ?? ''),
    MOST_DEVICES,
    1,
  )
  const named = devices.length > 1 ? devices : []
  const [first, last] = [runs[0]?.day ?? 0, runs.at(-1)?.day ?? 0]
  const sensors = [...new Set(sensorDays)]
    .filter((day) => day > first && day <= last)
    .toSorted((a, b) => a - b)
    .slice(-MOST_SENSORS)
  const fixed = Object.entries(FIXED).map(([name, [group, mean, sd]]) => {
    return { term: { name: name as keyof typeof FIXED, group, of: null }, mean, sd }
  })
  const own = (name: keyof typeof OWN, of: string | number) => ({
    term: { name, group: name, of },
    mean: 0,
    sd: OWN[name],
  })
  const columns = [
    ...fixed,
    ...cells.map((cell) => own('place', cell)),
    ...named.map((device) => own('device', device)),
    ...sensors.map((day) => own('sensor', day)),
  ]
  return {
    terms: columns.map(({ term }) => term),
    prior: { mean: columns.map(({ mean }) => mean), sd: columns.map(({ sd }) => sd) },
    rows: runs.map((run) => {
      const place = cellOf(run)
      const x = [
        ...fixedTerms(run, profile),
        ...cells.map((cell) => (cell === place ? 1 : 0)),
        ...named.map((device) => (device === (run.device ?? '') ? 1 : 0)),
        ...sensors.map((day) => (run.day >= day ? 1 : 0)),
      ]
      return { day: run.day, y: Math.log(run.mps!), x }
    }),
  }
}

/** Values of the terms of `FIXED`, in their order. */
export function fixedTerms(run: TrendRun, profile: TrendProfile): number[] {
  const angle = (2 * Math.PI * run.hour) / 24
  return [
    ...Object.values(pulseTerms(run.bpm!, profile)),
    // without weather heat is not taken out: as on a cool day
    ...Object.values(heatTerms(run.wbgtC ?? COOL_C)),
    -Math.max(0, COLD_C - (run.temperatureC ?? COLD_C)),
    -(run.windCostPct ?? 0) / 100,
    -(run.gainPerKm ?? 0) / 10,
    -(run.movingS / 3600 - USUAL_HOURS),
    Math.cos(angle),
    Math.sin(angle),
    -Math.min(1.5, Math.max(-1, run.tired)),
  ]
}

function cellOf({ place }: TrendRun): string | null {
  return place === null ? null : place.map((degrees) => Math.floor(degrees / CELL_DEG)).join()
}

/** The values that occur most often, most frequent first; equal ones in their own order. */
function fullest(values: readonly (string | null)[], most: number, least: number): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= least)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value)
}
