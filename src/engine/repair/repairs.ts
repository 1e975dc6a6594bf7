import type { NumberName, Said } from '../numbers.ts'
import { crop } from '../run/crop.ts'
import type { ClimbLimit, Track } from '../track.ts'
import { cutOut, seamS } from './cut.ts'
import { type MendedChannel, type Mending, mended } from './mend.ts'
import { partOf } from './part.ts'
import { scaled } from './scaled.ts'

// The changes that the runner made to a run. All times are on the clock of the original recording, so that the meaning
// of a repair does not depend on which others are active.

/** Limits for the numbers of the samples that are left; the totals of the devices no longer hold. */
interface Remains {
  /** Most climb that the remaining samples may have; null: no limit needed, they climb no more than the whole. */
  readonly climbLimit: ClimbLimit | null
  /** Calories of the part that remains. */
  readonly caloriesKcal: number | null
}

/** A stretch on the clock of the recording, milliseconds since it began. */
interface RecordedStretch {
  readonly fromMs: number
  readonly toMs: number
}

/** Ends of the run were cut off. */
export interface CropRepair extends RecordedStretch, Remains {
  readonly kind: 'crop'
}

/** A stretch in the middle was removed. */
export interface CutRepair extends RecordedStretch, Remains {
  readonly kind: 'cut'
  /** true: the later part moves up against the earlier. */
  readonly closesGap: boolean
}

/**
 * This run is one of the parts that a run was split into. Reverting keeps this repair, since the other parts are runs
 * of their own.
 */
export interface SplitRepair extends RecordedStretch, Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'split'
  /** The climb of the whole run within this part; null: unknown. */
  readonly climb: ClimbLimit | null
}

/** The samples are those of several runs that were joined. Reverting keeps them joined. */
export interface JoinRepair extends Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'join'
}

/** Readings of one channel were removed or interpolated. */
export interface MendRepair extends RecordedStretch, Pick<Mending, 'channel' | 'fill'> {
  readonly kind: 'mend'
}

/** The distance was set by the runner; it overrides the samples. */
export interface DistanceRepair {
  readonly kind: 'distance'
  readonly distanceM: number
  /** Factor applied to the distance of every sample; null: the samples stay, since they follow a route. */
  readonly factor: number | null
}

/** The start was moved or the time zone was set. */
export interface ShiftRepair {
  readonly kind: 'shift'
  readonly offsetMs: number
  /** Time zone of the local time that is shown; null: that of the place. */
  readonly timeZone: string | null
}

/** Numbers that the runner entered for a run without samples. */
export interface NumbersRepair {
  readonly kind: 'numbers'
  readonly offsetMs: number
  /** null: the number is unknown. */
  readonly values: Said
}

export type Repair =
  | CropRepair
  | CutRepair
  | SplitRepair
  | JoinRepair
  | MendRepair
  | DistanceRepair
  | ShiftRepair
  | NumbersRepair

/** Whether a repair makes the totals of devices, rows and archives invalid, because the run is no longer the whole. */
export function leavesPart(repair: Repair): repair is CropRepair | CutRepair | SplitRepair | JoinRepair {
  return repair.kind === 'crop' || repair.kind === 'cut' || repair.kind === 'split' || repair.kind === 'join'
}

/** Whether a repair changes the samples. */
export function changesSamples(repair: Repair): boolean {
  return leavesPart(repair) || repair.kind === 'mend' || (repair.kind === 'distance' && repair.factor !== null)
}

/** Whether a repair changes the relative effort. */
export function changesEffort(repair: Repair): boolean {
  if (repair.kind !== 'numbers') return changesSamples(repair)
  return repair.values.avgHeartRateBpm !== undefined || repair.values.durationS !== undefined
}

/** Whether a repair makes the heart rate totals of the devices invalid. */
export function mendsHeartRate({ channel }: Pick<MendRepair, 'channel'>): boolean {
  return channel === 'heartRate' || channel === 'all'
}

/**
 * The track after applying repairs in order.
 * @param rest called before the first and after each, which leave several columns behind, to collect garbage
 * @throws RangeError when a crop leaves no time
 */
export function repaired(recorded: Track, repairs: readonly Repair[], rest: () => void = () => {}): Track {
  const clock = recordedClock([])
  const recordedMs = recorded.startMs
  let track = recorded
  rest()
  for (const repair of repairs) {
    track = repairedBy(track, repair, { clock, recordedMs })
    rest()
  }
  const offsetMs = offsetOf(repairs)
  return offsetMs === 0 ? track : { ...track, startMs: track.startMs + offsetMs }
}

interface Repairing {
  /** The clock after the repairs so far. */
  readonly clock: RecordedClock
  /** When the recording began, Unix milliseconds. */
  readonly recordedMs: number
}

function repairedBy(track: Track, repair: Repair, { clock, recordedMs }: Repairing): Track {
  const elapsedS = (ms: number) => (clock.settledMs(ms) - (track.startMs - recordedMs)) / 1000
  const span = ({ fromMs, toMs }: RecordedStretch) => ({ startS: elapsedS(fromMs), endS: elapsedS(toMs) })
  switch (repair.kind) {
    case 'crop':
      return withLimit(crop(track, span(repair)), repair)
    case 'cut': {
      const cut = cutOut(track, span(repair), repair.closesGap)
      if (repair.closesGap) clock.close(repair, seamS(track) * 1000)
      return withLimit(cut, repair)
    }
    case 'split':
      return partOf(track, span(repair), repair.climb)
    case 'mend':
      return mended(track, { ...repair, ...span(repair) })
    case 'distance':
      return repair.factor === null ? track : scaled(track, repair.factor)
    case 'join':
    case 'shift':
    case 'numbers':
      return track
  }
}

function withLimit(track: Track, { climbLimit }: Remains): Track {
  return climbLimit === null ? track : { ...track, climbLimit }
}

/** By how much the runner moved the run in time, milliseconds; several shifts add up. */
export function offsetOf(repairs: readonly Repair[]): number {
  return repairs.reduce((sum, repair) => {
    return repair.kind === 'shift' || repair.kind === 'numbers' ? sum + repair.offsetMs : sum
  }, 0)
}

interface ClosedGap extends RecordedStretch {
  /** Milliseconds that closing the gap removed: its length less the seam that remains. */
  readonly removedMs: number
}

/**
 * Converts between the clock of the recording and that of a run whose gaps are closed; milliseconds since the recording
 * began.
 */
export interface RecordedClock {
  /** Time on the clock of the run, before it is shifted as a whole. */
  readonly settledMs: (recordedMs: number) => number
  readonly recordedMs: (settledMs: number) => number
  /** @param seamMs what remains of the gap */
  readonly close: (gap: RecordedStretch, seamMs: number) => void
}

/** Smallest step of the clock, which remains at a seam, milliseconds. */
const SEAM_MS = 1

/** @param repairs those that are active */
export function recordedClock(repairs: readonly Repair[]): RecordedClock {
  let closed: ClosedGap[] = []
  const clock: RecordedClock = {
    settledMs: (ms) =>
      closed.reduce((settled, { fromMs, removedMs }) => {
        return settled - Math.min(removedMs, Math.max(0, ms - fromMs))
      }, ms),
    recordedMs: (ms) =>
      closed.reduce((recorded, { fromMs, removedMs }) => (recorded > fromMs ? recorded + removedMs : recorded), ms),
    close: ({ fromMs, toMs }, seamMs) => {
      const touching = closed.filter((gap) => gap.fromMs <= toMs && gap.toMs >= fromMs)
      const from = Math.min(fromMs, ...touching.map((gap) => gap.fromMs))
      const to = Math.max(toMs, ...touching.map((gap) => gap.toMs))
      const others = closed.filter((gap) => !touching.includes(gap))
      const gap = { fromMs: from, toMs: to, removedMs: Math.max(0, to - from - seamMs) }
      closed = [...others, gap].sort((a, b) => a.fromMs - b.fromMs)
    },
  }
  for (const repair of repairs) if (repair.kind === 'cut' && repair.closesGap) clock.close(repair, SEAM_MS)
  return clock
}

/** Numbers that are computed from the samples, not taken from the device, once their channel is mended. */
export const NUMBERS_OF_CHANNEL: Readonly<Record<MendedChannel, readonly NumberName[]>> = {
  position: ['distanceM', 'maxSpeedMps'],
  heartRate: ['maxHeartRateBpm', 'avgHeartRateBpm', 'minHeartRateBpm'],
  elevation: ['elevGainM', 'elevLossM', 'minElevM', 'maxElevM'],
  cadence: ['maxCadenceRpm', 'avgCadenceRpm', 'maxCadenceSpm', 'avgCadenceSpm'],
  power: ['maxPowerWatts', 'avgPowerWatts'],
  all: [
    'distanceM',
    'maxSpeedMps',
    'maxHeartRateBpm',
    'avgHeartRateBpm',
    'minHeartRateBpm',
    'elevGainM',
    'elevLossM',
    'minElevM',
    'maxElevM',
    'maxCadenceRpm',
    'avgCadenceRpm',
    'maxCadenceSpm',
    'avgCadenceSpm',
    'maxPowerWatts',
    'avgPowerWatts',
  ],
}
