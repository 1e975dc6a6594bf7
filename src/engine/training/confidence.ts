export const REASONS = [
  'noHeartRate',
  'heartRateGaps',
  'suspectHeartRate',
  'defaultMaxHeartRate',
  'defaultRestingHeartRate',
  'defaultLthr',
  'uncalibrated',
  'averageOnly',
  'gpsAltitude',
  'indoor',
  'warmingUp',
  'stale',
  'noRace',
  'tooFewRuns',
  'tooFewEfforts',
  'spanTooShort',
  'uncertain',
  'poorFit',
  'tooShort',
  'notSteady',
  'noDistance',
  'noWeather',
  'extrapolated',
  'excluded',
  'notRaced',
] as const
/** Why a number is less certain, or missing. */
export type Reason = (typeof REASONS)[number]

export const CONFIDENCES = ['low', 'medium', 'high'] as const
type Confidence = (typeof CONFIDENCES)[number]

/** Relative half width of a band up to which confidence is high, and medium. */
const HIGH_WIDTH = 0.03
const MEDIUM_WIDTH = 0.08
/** A wider band says nothing. */
const MOST_WIDTH = 0.15
/** Each of these lowers the confidence of any number by one step. */
const LOWERING: readonly Reason[] = ['defaultMaxHeartRate', 'stale']
/** With more than this share of fitness not measured, its confidence is at most medium; beyond the next, low. */
const MEDIUM_ESTIMATED = 0.25
const LOW_ESTIMATED = 0.5
const WHOLE_COVERAGE = 0.95

/** An estimated number, with its band and confidence. */
export interface Estimate {
  readonly value: number | null
  /** Ends of the 80 % band; null: no band can be given. */
  readonly low: number | null
  readonly high: number | null
  readonly unit: string
  readonly confidence: Confidence | null
  /** What it was computed from. */
  readonly basis: readonly string[]
  readonly n: number
  /** Local day of the newest evidence, `yyyy-MM-dd`. */
  readonly asOf: string | null
  readonly reasons: readonly Reason[]
  /** What would improve it, one sentence. */
  readonly missing: string | null
}

interface EstimateParts extends Pick<Estimate, 'unit' | 'basis' | 'n' | 'asOf' | 'reasons' | 'missing'> {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  /** Set where the width of the band does not determine it. */
  readonly confidence?: Confidence
}

/** Confidence by the width of the band, lowered by each of its reasons in `LOWERING`. */
export function estimate(parts: EstimateParts): Estimate {
  const { value, low, high, reasons } = parts
  const steps = reasons.filter((reason) => LOWERING.includes(reason)).length
  return { ...parts, confidence: lowered(parts.confidence ?? bandConfidence(value, low, high), steps) }
}

export function noEstimate(unit: string, reasons: readonly [Reason, ...Reason[]], missing: string): Estimate {
  return {
    value: null,
    low: null,
    high: null,
    unit,
    confidence: null,
    basis: [],
    n: 0,
    asOf: null,
    reasons,
    missing,
  }
}

/** Confidence by relative half width; low without a band. */
export function bandConfidence(value: number, low: number | null, high: number | null): Confidence {
  if (low === null || high === null || value === 0) return 'low'
  const width = (high - low) / 2 / Math.abs(value)
  if (width <= HIGH_WIDTH) return 'high'
  return width <= MEDIUM_WIDTH ? 'medium' : 'low'
}

export function isTooWide(value: number, low: number | null, high: number | null): boolean {
  return low !== null && high !== null && (high - low) / 2 / value > MOST_WIDTH
}

export function lesser(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) < CONFIDENCES.indexOf(b) ? a : b
}

export function lowered(confidence: Confidence, steps: number): Confidence {
  return CONFIDENCES[Math.max(0, CONFIDENCES.indexOf(confidence) - steps)]!
}

export interface LoadBasis {
  readonly source: 'heartRate' | 'pace' | 'rpe' | 'duration' | 'manual'
  /** Share of the moving time that has samples. */
  readonly coverage: number
  readonly isMaxDefault: boolean
  readonly isLthrDefault: boolean
  readonly isCalibrated: boolean
}

export function loadConfidence(basis: LoadBasis): Confidence {
  if (basis.source === 'manual') return 'high'
  if (basis.source === 'heartRate') {
    return basis.coverage >= WHOLE_COVERAGE && !basis.isMaxDefault && !basis.isLthrDefault ? 'high' : 'medium'
  }
  return basis.source === 'pace' && basis.isCalibrated ? 'medium' : 'low'
}

export function fitnessConfidence(isWarmingUp: boolean, estimatedShare: number): Confidence {
  if (isWarmingUp || estimatedShare > LOW_ESTIMATED) return 'low'
  return estimatedShare > MEDIUM_ESTIMATED ? 'medium' : 'high'
}
