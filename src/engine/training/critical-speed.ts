import { sumOf } from './numbers.ts'

const SHORTEST_S = 120
const LONGEST_S = 1800
const LEAST_POINTS = 3
const LEAST_RUNS = 2
const LEAST_RATIO = 3
const MOST_RELATIVE_ERROR = 0.02
const D_PRIME_RANGE_M = [50, 500] as const
const MOST_RESIDUAL = 0.05
/** Half width of an 80 % interval of Student's t, by degrees of freedom from 1 on. */
const T80 = [3.0777, 1.8856, 1.6377, 1.5332, 1.4759, 1.4398, 1.4149, 1.3968, 1.383, 1.3722] as const

/** Indexes in STANDARD_DISTANCES from half a mile to 10 km. */
export const CRITICAL_DISTANCES = [1, 2, 3, 4, 5, 6] as const

interface SpeedPoint {
  readonly workoutId: string
  readonly distanceM: number
  readonly timeS: number
}

type CriticalSpeedRefusal = 'tooFewEfforts' | 'oneRun' | 'spanTooShort' | 'uncertain' | 'dPrimeImplausible' | 'poorFit'

type CriticalSpeedFit = ReturnType<typeof fitted>

interface CriticalSpeed {
  readonly n: number
  /** Points of the frontier that were fitted, the shortest time first. */
  readonly used: readonly SpeedPoint[]
  /** null: too few points for a fit. */
  readonly fit: CriticalSpeedFit | null
  /** null: the fit is valid. */
  readonly reason: CriticalSpeedRefusal | null
}

/** Critical speed, and the distance that can be run above it (D'), or the reason why they cannot be computed. */
export function criticalSpeed(points: readonly SpeedPoint[]): CriticalSpeed {
  const used = frontier(points)
  const n = used.length
  const refused = (reason: CriticalSpeedRefusal, fit: CriticalSpeedFit | null = null) => ({ n, used, fit, reason })
  if (n < LEAST_POINTS) return refused('tooFewEfforts')
  if (new Set(used.map(({ workoutId }) => workoutId)).size < LEAST_RUNS) return refused('oneRun')
  if (used.at(-1)!.timeS / used[0]!.timeS < LEAST_RATIO) return refused('spanTooShort')
  const fit = fitted(used)
  if (!(fit.csMps > 0) || fit.seCsMps / fit.csMps > MOST_RELATIVE_ERROR) return refused('uncertain', fit)
  if (fit.dPrimeM < D_PRIME_RANGE_M[0] || fit.dPrimeM > D_PRIME_RANGE_M[1]) return refused('dPrimeImplausible', fit)
  if (fit.worstResidual > MOST_RESIDUAL) return refused('poorFit', fit)
  return { n, used, fit, reason: null }
}

/** The fastest point at each distance; a point is dropped when a longer one is faster on average. */
function frontier(points: readonly SpeedPoint[]): SpeedPoint[] {
  const fastest = new Map<number, SpeedPoint>()
  for (const point of points) {
    if (point.timeS < SHORTEST_S || point.timeS > LONGEST_S) continue
    const known = fastest.get(point.distanceM)
    if (known === undefined || point.timeS < known.timeS) fastest.set(point.distanceM, point)
  }
  const sorted = [...fastest.values()].toSorted((a, b) => a.timeS - b.timeS)
  const speed = ({ distanceM, timeS }: SpeedPoint) => distanceM / timeS
  return sorted.filter((point, i) => !sorted.slice(i + 1).some((longer) => speed(longer) > speed(point)))
}

/** Weighted least squares of time on distance: at a fixed distance the time varies, by a constant share. */
function fitted(points: readonly SpeedPoint[]) {
  const weights = points.map(({ timeS }) => 1 / timeS ** 2)
  const total = sumOf(weights)
  const meanD = sumOf(points.map(({ distanceM }, i) => weights[i]! * distanceM)) / total
  const meanT = sumOf(points.map(({ timeS }, i) => weights[i]! * timeS)) / total
  const sxx = sumOf(points.map(({ distanceM }, i) => weights[i]! * (distanceM - meanD) ** 2))
  const sxy = sumOf(points.map(({ distanceM, timeS }, i) => weights[i]! * (distanceM - meanD) * (timeS - meanT)))
  const slope = sxy / sxx
  const intercept = meanT - slope * meanD
  const residuals = points.map(({ distanceM, timeS }) => (timeS - intercept - slope * distanceM) / timeS)
  const freedom = points.length - 2
  const scatter = sumOf(residuals.map((residual) => residual ** 2)) / freedom
  const varSlope = scatter / sxx
  const varIntercept = scatter * (1 / total + meanD ** 2 / sxx)
  const covariance = (-scatter * meanD) / sxx
  const csMps = 1 / slope
  const dPrimeM = -intercept / slope
  const seCsMps = Math.sqrt(varSlope) / slope ** 2
  const seDPrimeM = Math.sqrt(
    Math.max(
      0,
      varIntercept / slope ** 2 + (intercept ** 2 * varSlope) / slope ** 4 - (2 * intercept * covariance) / slope ** 3,
    ),
  )
  const t80 = T80[freedom - 1]!
  return {
    csMps,
    dPrimeM,
    seCsMps,
    seDPrimeM,
    csLowMps: csMps - t80 * seCsMps,
    csHighMps: csMps + t80 * seCsMps,
    dPrimeLowM: dPrimeM - t80 * seDPrimeM,
    dPrimeHighM: dPrimeM + t80 * seDPrimeM,
    /** As a share of the effort's time. */
    worstResidual: Math.max(...residuals.map(Math.abs)),
  }
}
