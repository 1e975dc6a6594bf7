import type { NumberName, Said } from '../numbers.ts'
import { crop } from '../run/crop.ts'
import type { ClimbLimit, Track } from '../track.ts'
import { cutOut, seamS } from './cut.ts'
import { type MendedChannel, type Mending, mended } from './mend.ts'
import { partOf } from './part.ts'
import { scaled } from './scaled.ts'

// What the runner changed of a run. All times are on the clock of the recording, so that a repair means the same whichever of
// the others are active.

/** What the samples that are left say in place of the devices. */
interface Remains {
  /** null: what is left climbs no more than the whole did. */
  readonly climbLimit: ClimbLimit | null
  /** What is left of the calories. */
  readonly caloriesKcal: number | null
}

/** A stretch on the clock of the recording, milliseconds since it began. */
interface RecordedStretch {
  readonly fromMs: number
  readonly toMs: number
}

/** What is left of a run after the runner took something off its ends. */
export interface CropRepair extends RecordedStretch, Remains {
  readonly kind: 'crop'
}

/** A stretch that is taken out of the middle. */
export interface CutRepair extends RecordedStretch, Remains {
  readonly kind: 'cut'
  /** true: the later part moves up against the earlier. */
  readonly closesGap: boolean
}

/** One of the parts that a run was split into. Reverting a run leaves it: the other parts are runs of their own. */
export interface SplitRepair extends RecordedStretch, Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'split'
  /** What of the climb of the whole lies in it; null: nobody knows. */
  readonly climb: ClimbLimit | null
}

/** The samples are those of several runs that were joined. Reverting leaves them joined. */
export interface JoinRepair extends Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'join'
}

/** Readings of one channel that are taken out. */
export interface MendRepair extends RecordedStretch, Pick<Mending, 'channel' | 'fill'> {
  readonly kind: 'mend'
}

/** How far the run was, whatever the samples say. */
export interface DistanceRepair {
  readonly kind: 'distance'
  readonly distanceM: number
  /** Of the distance of every sample; null: the samples stay, as those of a route do. */
  readonly factor: number | null
}

/** When the run was. */
export interface ShiftRepair {
  readonly kind: 'shift'
  readonly offsetMs: number
  /** Of the local time that is shown; null: that of the place. */
  readonly timeZone: string | null
}

/** Numbers of a run without samples, as the runner knows them. */
export interface NumbersRepair {
  readonly kind: 'numbers'
  readonly offsetMs: number
  /** null: nobody knows the number. */
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

/** A repair after which devices, rows and archives no longer describe the run. */
export function leavesPart(repair: Repair): repair is CropRepair | CutRepair | SplitRepair | JoinRepair {
  return repair.kind === 'crop' || repair.kind === 'cut' || repair.kind === 'split' || repair.kind === 'join'
}

/** A repair after which the samples are others. */
export function changesSamples(repair: Repair): boolean {
  return leavesPart(repair) || repair.kind === 'mend' || (repair.kind === 'distance' && repair.factor !== null)
}

/** A repair after which the effort is another than was said. */
export function changesEffort(repair: Repair): boolean {
  if (repair.kind !== 'numbers') return changesSamples(repair)
  return repair.values.avgHeartRateBpm !== undefined || repair.values.durationS !== undefined
}

/** A repair after which devices no longer describe the heart rate. */
export function mendsHeartRate({ channel }: Pick<MendRepair, 'channel'>): boolean {
  return channel === 'heartRate' || channel === 'all'
}

/** A track with repairs done to it, one after the other. @throws RangeError when a crop leaves no time */
export function repaired(recorded: Track, repairs: readonly Repair[]): Track {
  const clock = recordedClock([])
  let track = recorded
  for (const repair of repairs) track = repairedBy(track, repair, { clock, recordedMs: recorded.startMs })
  const offsetMs = offsetOf(repairs)
  return offsetMs === 0 ? track : { ...track, startMs: track.startMs + offsetMs }
}

interface Repairing {
  /** Of the repairs so far. */
  readonly clock: RecordedClock
  /** When the recording began. */
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

/** By how much the runner moved the run in time, milliseconds. */
export function offsetOf(repairs: readonly Repair[]): number {
  return repairs.reduce((sum, repair) => {
    return repair.kind === 'shift' || repair.kind === 'numbers' ? sum + repair.offsetMs : sum
  }, 0)
}

interface ClosedGap extends RecordedStretch {
  /** A little less than its length. */
  readonly removedMs: number
}

/** The clock of a recording, and that of a run of which gaps are closed; milliseconds since the recording began. */
export interface RecordedClock {
  /** Of the run, before it is moved as a whole. */
  readonly settledMs: (recordedMs: number) => number
  readonly recordedMs: (settledMs: number) => number
  /** @param seamMs what is left of the gap */
  readonly close: (gap: RecordedStretch, seamMs: number) => void
}

/** The usual step of the clock at a seam, milliseconds. */
const SEAM_MS = 1

/** @param repairs the active ones */
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

/** Numbers that a mended channel is told by its samples from then on. */
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
