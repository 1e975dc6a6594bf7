import { METRES_PER_KM, METRES_PER_MILE, roundHalfUp } from '../units.ts'
import { decodedHistogram, decodedTenths, type Histogram } from './run/histograms.ts'
import { LEAST_COVERAGE } from './training-load.ts'
import { speedAtShare, timeOfVdot } from './vdot.ts'

const BORDER_SHARES = [0.75, 0.84, 0.92, 1.03] as const
const EASY_SHARES = [0.59, 0.74] as const
const THRESHOLD_SHARE = 0.88
const INTERVAL_SHARE = 0.975
const MARATHON_M = 42_195
/** Share of the one-hour heart rate below which intensity is low. */
const LOW_SHARE = 0.89
/** A session is classified by the hardest band with at least this much time, seconds. */
const SESSION_S = 600

export const PACE_ZONES = ['easy', 'marathon', 'threshold', 'interval', 'repetition'] as const
export type PaceZoneSeconds = readonly [number, number, number, number, number]
export type BandSeconds = readonly [low: number, moderate: number, high: number]

/** Training paces for a VDOT, s/km; the lower bounds of marathon, threshold, interval and repetition pace also in m/s. */
export function paceZones(vdot: number) {
  const paceAt = (share: number) => METRES_PER_KM / speedAtShare(vdot, share)
  const racePaceS = (metres: number) => (METRES_PER_KM * timeOfVdot(vdot, metres)) / metres
  return {
    boundsMps: BORDER_SHARES.map((share) => speedAtShare(vdot, share)),
    boundPacesS: BORDER_SHARES.map(paceAt),
    /** Slow and fast end of the easy range. */
    easyS: [paceAt(EASY_SHARES[0]), paceAt(EASY_SHARES[1])] as const,
    marathonS: racePaceS(MARATHON_M),
    thresholdS: paceAt(THRESHOLD_SHARE),
    intervalS: paceAt(INTERVAL_SHARE),
    repetitionS: racePaceS(METRES_PER_MILE),
  }
}

/** Seconds in the five pace zones; a bound belongs to the faster zone. @param boundsMps ascending */
export function paceZoneSeconds({ first, counts }: Histogram, boundsMps: readonly number[]): PaceZoneSeconds {
  const seconds: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  for (const [i, count] of counts.entries()) {
    const mps = (first + i) / 100
    seconds[boundsMps.filter((bound) => mps >= bound).length]! += count
  }
  return seconds
}

/** Below the first value intensity is low, from the second on it is high. */
export function bandBounds(lthrBpm: number) {
  return { lowBelowBpm: roundHalfUp(LOW_SHARE * lthrBpm), highFromBpm: lthrBpm }
}

export function heartRateBands(
  { first, counts }: Histogram,
  { lowBelowBpm, highFromBpm }: ReturnType<typeof bandBounds>,
): BandSeconds {
  const tenths: [number, number, number] = [0, 0, 0]
  for (const [i, count] of counts.entries()) {
    const bpm = first + i
    tenths[bpm < lowBelowBpm ? 0 : bpm < highFromBpm ? 1 : 2] += count
  }
  return [tenths[0] / 10, tenths[1] / 10, tenths[2] / 10]
}

/** The three bands of a run without heart rate. */
export function paceBands([easy, marathon, threshold, interval, repetition]: PaceZoneSeconds): BandSeconds {
  return [easy, marathon + threshold, interval + repetition]
}

/** The histograms of a run as stored; null or empty: it has none. */
interface KeptHistograms {
  readonly hrHist: Uint8Array | null
  readonly speedHist: Uint8Array | null
  /** Share of the time with a heart rate. */
  readonly coverage: number
}

/** @param bounds null: they are not known */
export function zoneSecondsOf(
  { speedHist }: Pick<KeptHistograms, 'speedHist'>,
  bounds: readonly number[] | null,
): PaceZoneSeconds | null {
  return bounds === null || speedHist === null || speedHist.length === 0
    ? null
    : paceZoneSeconds(decodedHistogram(speedHist), bounds)
}

/** Time in the three bands: by heart rate where enough of it exists, else by pace; null: unknown. */
export function bandsOf(
  run: KeptHistograms,
  { lthrBpm, bounds }: { readonly lthrBpm: number; readonly bounds: readonly number[] | null },
): BandSeconds | null {
  const { hrHist } = run
  if (hrHist !== null && hrHist.length > 0 && run.coverage >= LEAST_COVERAGE) {
    return heartRateBands(decodedTenths(hrHist), bandBounds(lthrBpm))
  }
  const zones = zoneSecondsOf(run, bounds)
  return zones === null ? null : paceBands(zones)
}

/** The hardest band with at least ten minutes; null: none. */
export function sessionBand([low, moderate, high]: BandSeconds): 'low' | 'moderate' | 'high' | null {
  if (high >= SESSION_S) return 'high'
  if (moderate >= SESSION_S) return 'moderate'
  return low >= SESSION_S ? 'low' : null
}

/** How time is spread, by shares of the time with known intensity. */
interface Distribution {
  readonly lowShare: number | null
  readonly polarizationIndex: number | null
  readonly kind: 'easyOnly' | 'polarized' | 'pyramidal' | 'threshold' | 'highIntensity' | null
}

/** A distribution needs at least this much known time, seconds. */
export const LEAST_KNOWN_S = 4 * 3600
const EASY_ONLY_SHARE = 0.05
const LEAST_SHARE = 0.01
const POLARIZED_INDEX = 2

/** Classifies how time is spread over the bands (Treff 2019). */
export function distribution([lowS, moderateS, highS]: BandSeconds): Distribution {
  const total = lowS + moderateS + highS
  if (!(total > 0)) return { lowShare: null, polarizationIndex: null, kind: null }
  const [low, middle, high] = [lowS / total, moderateS / total, highS / total]
  if (middle + high < EASY_ONLY_SHARE) return { lowShare: low, polarizationIndex: null, kind: 'easyOnly' }
  const polarizationIndex = polarization(low, middle, high)
  if (high >= low && high >= middle) return { lowShare: low, polarizationIndex, kind: 'highIntensity' }
  if (middle >= low) return { lowShare: low, polarizationIndex, kind: 'threshold' }
  const isPolarized = high > middle && (polarizationIndex ?? 0) > POLARIZED_INDEX
  return { lowShare: low, polarizationIndex, kind: isPolarized ? 'polarized' : 'pyramidal' }
}

function polarization(low: number, middle: number, high: number): number | null {
  if (high > low) return null
  if (high === 0) return 0
  if (middle === 0 && high > LEAST_SHARE) return Math.log10((low / LEAST_SHARE) * (high - LEAST_SHARE) * 100)
  return Math.log10((low / Math.max(middle, LEAST_SHARE)) * high * 100)
}
