import type { AnalyzeOptions } from '../engine/analysis.ts'
import { MAX_ROWS, SHORTEST_RUN_S } from '../engine/limits.ts'
import { cutOut } from '../engine/repair/cut.ts'
import { hasReadings, type Mending, mended } from '../engine/repair/mend.ts'
import { oddities } from '../engine/repair/oddities.ts'
import type { Repair } from '../engine/repair/repairs.ts'
import type { SplitRepair } from '../engine/repair/split.ts'
import { crop } from '../engine/run/crop.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { exceeds, trackReadings } from '../engine/run/readings.ts'
import { atBoundary, timeBoundaries } from '../engine/run/splits.ts'
import type { ClimbLimit, Span, Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { clockedTrack, joinedTrack, type StoredJoin, type StoredTrack, trackOf } from './stored-track.ts'

interface Stretch {
  readonly fromS: number
  readonly toS: number
}

/** The requested change, in elapsed seconds of the run as it is now. */
export type Change =
  /** Seconds cut from the start and the end. */
  | { readonly kind: 'crop'; readonly removed: Span }
  | ({ readonly kind: 'cut'; readonly closesGap: boolean } & Stretch)
  | ({ readonly kind: 'mend' } & Stretch & Pick<Mending, 'channel' | 'fill'>)
  | { readonly kind: 'distance'; readonly distanceM: number }
  | { readonly kind: 'split'; readonly atS: readonly number[] }

/** A stored workout, and the requested change. */
interface RepairAsked {
  readonly run: {
    readonly durationS: number
    readonly elevGainM: number | null
    readonly elevLossM: number | null
    readonly calories: number | null
  }
  readonly change: Change
  readonly elevation: AnalyzeOptions['elevation']
}

/** The repairs, of a split one for each part in order of time; or a message for the runner. */
type RepairFound = { readonly repairs: readonly Repair[] } | { readonly refusal: string }

export const REPAIR_JOBS = {
  repair: (job: StoredTrack & RepairAsked) => {
    const { track, recordedMs } = clockedTrack(job)
    return { found: plannedRepair(track, { ...job, recordedMs }) }
  },
  oddities: (job: StoredTrack) => ({ oddities: oddities(trackOf(job)) }),
  join: ({ runs, ...how }: JoinAsked & { readonly runs: readonly StoredTrack[] }) => ({
    found: plannedJoin(
      runs.map((run) => trackOf(run)),
      how,
    ),
  }),
}

/** @param recordedMs converts an elapsed second to the clock of the recording */
type Planning = RepairAsked & { readonly recordedMs: (elapsedS: number) => number }

type Plan<C extends Change> = { of(track: Track, change: C, asked: Planning): RepairFound }['of']

const PLANS: { readonly [K in Change['kind']]: Plan<Extract<Change, { readonly kind: K }>> } = {
  crop: plannedCrop,
  cut: plannedCut,
  mend: plannedMend,
  distance: plannedDistance,
  split: plannedSplit,
}

function plannedRepair(track: Track, asked: Planning): RepairFound {
  const plan: Plan<Change> = PLANS[asked.change.kind]
  return plan(track, asked.change, asked)
}

function plannedCrop(
  track: Track,
  { removed }: Extract<Change, { kind: 'crop' }>,
  { run, elevation, recordedMs }: Planning,
): RepairFound {
  const recordedS = track.tS.at(-1) ?? 0
  const removedS = removed.startS + removed.endS
  const leftS = Math.min(run.durationS, recordedS) - removedS
  // half a millisecond of tolerance, since times are whole milliseconds
  if (removedS > 0 && !(leftS >= SHORTEST_RUN_S - 0.0005)) {
    const sizes = `${roundHalfUp(removedS, 3)} s from a workout of ${run.durationS} s`
    return { refusal: `Cannot crop ${sizes}: at least ${SHORTEST_RUN_S} s must be left` }
  }
  const left = crop(track, { startS: removed.startS, endS: recordedS - removed.endS })
  const leftLastS = left.tS.at(-1) ?? 0
  // samples may last longer than the device stated, but a crop must not add calories
  const share = run.durationS > 0 ? Math.min(1, roundHalfUp(leftLastS) / run.durationS) : 1
  const startS = (left.startMs - track.startMs) / 1000
  const stretch = { fromMs: recordedMs(startS), toMs: recordedMs(startS + leftLastS) }
  return { repairs: [{ kind: 'crop', ...stretch, ...remains(left, { run, elevation }, share) }] }
}

function plannedCut(
  track: Track,
  { fromS, toS, closesGap }: Extract<Change, { kind: 'cut' }>,
  { run, elevation, recordedMs }: Planning,
): RepairFound {
  const refusal = outside(track, { fromS, toS })
  if (refusal !== null) return { refusal }
  const lastS = track.tS.at(-1) ?? 0
  if (fromS < SHORTEST_RUN_S || lastS - toS < SHORTEST_RUN_S) {
    return {
      refusal: `At least ${SHORTEST_RUN_S} s must be left on either side of a cut; crop the run to take off an end`,
    }
  }
  const left = cutOut(track, { startS: fromS, endS: toS }, closesGap)
  const share = run.durationS > 0 ? Math.min(1, Math.max(0, 1 - (toS - fromS) / run.durationS)) : 1
  const stretch = { fromMs: recordedMs(fromS), toMs: recordedMs(toS) }
  return { repairs: [{ kind: 'cut', ...stretch, closesGap, ...remains(left, { run, elevation }, share) }] }
}

/** @param share of the calories */
function remains(left: Track, { run, elevation }: Pick<RepairAsked, 'run' | 'elevation'>, share: number) {
  const { profile } = trackReadings(left, elevation)
  const limit = { gainM: run.elevGainM ?? Number.MAX_VALUE, lossM: run.elevLossM ?? Number.MAX_VALUE }
  const isOver = exceeds(profile?.gainM.at(-1) ?? 0, limit.gainM) || exceeds(profile?.lossM.at(-1) ?? 0, limit.lossM)
  const climbLimit: ClimbLimit | null = isOver ? limit : null
  return { climbLimit, caloriesKcal: run.calories === null ? null : run.calories * share }
}

const NAMES: Readonly<Record<Mending['channel'], string>> = {
  position: 'position',
  heartRate: 'heart rate',
  elevation: 'altitude',
  cadence: 'cadence',
  power: 'power',
  all: 'reading',
}

function plannedMend(
  track: Track,
  { fromS, toS, channel, fill }: Extract<Change, { kind: 'mend' }>,
  { recordedMs }: Planning,
): RepairFound {
  const refusal = outside(track, { fromS, toS })
  if (refusal !== null) return { refusal }
  const mending = { startS: fromS, endS: toS, channel, fill }
  if (!hasReadings(track, mending)) return { refusal: `There is no ${NAMES[channel]} between ${fromS} and ${toS} s` }
  if (lengthM(track) > 0 && lengthM(mended(track, mending)) <= 0) {
    return { refusal: 'Nothing of the distance would be left' }
  }
  return { repairs: [{ kind: 'mend', fromMs: recordedMs(fromS), toMs: recordedMs(toS), channel, fill }] }
}

function outside(track: Track, { fromS, toS }: Stretch): string | null {
  const lastS = track.tS.at(-1) ?? 0
  if (fromS >= toS) return 'fromElapsedS must be less than toElapsedS'
  // the end is displayed as a whole second
  return toS > lastS + 1 ? `The run has ${roundHalfUp(lastS, 3)} s, toElapsedS must not be more` : null
}

/** Samples that follow a route are not scaled. */
function plannedDistance(track: Track, change: Extract<Change, { kind: 'distance' }>): RepairFound {
  const recordedM = lengthM(track)
  const isScaled = recordedM > 0 && track.latDeg.every(Number.isNaN)
  return { repairs: [{ ...change, factor: isScaled ? change.distanceM / recordedM : null }] }
}

function lengthM(track: Track): number {
  return filledDistance(track.tS, track.distanceM)?.at(-1) ?? 0
}

function plannedSplit(
  track: Track,
  { atS }: Extract<Change, { kind: 'split' }>,
  { run: { calories }, elevation, recordedMs }: Planning,
): RepairFound {
  const lastS = track.tS.at(-1) ?? 0
  const cutsS = [0, ...atS.toSorted((a, b) => a - b), lastS]
  const isShort = cutsS.some((cutS, k) => k > 0 && !(cutS - cutsS[k - 1]! >= SHORTEST_RUN_S))
  if (isShort)
    return { refusal: `Each part of a run of ${roundHalfUp(lastS)} s must have at least ${SHORTEST_RUN_S} s` }
  for (const cutS of cutsS) {
    const pause = track.off.find(({ startS, endS }) => startS < cutS && cutS < endS)
    if (pause === undefined) continue
    const span = `from ${roundHalfUp(pause.startS, 3)} to ${roundHalfUp(pause.endS, 3)} s`
    return { refusal: `The run is paused ${span}, so it cannot be split at ${cutS} s; split it at an end of the pause` }
  }
  const { profile } = trackReadings(track, elevation)
  const bounds = timeBoundaries(track.tS, cutsS)
  // boundaries are rounded to tenths and whole calories first, so that the rounded parts add up to the rounded whole
  const tenths = (column: Float64Array) => cutsS.map((_, k) => roundHalfUp(atBoundary(column, bounds, k), 1))
  const gains = profile && tenths(profile.gainM)
  const losses = profile && tenths(profile.lossM)
  const kcal = cutsS.map((cutS) => (calories === null || lastS <= 0 ? 0 : roundHalfUp((calories * cutS) / lastS)))
  return {
    repairs: cutsS.slice(1).map(
      (endS, k): SplitRepair => ({
        kind: 'split',
        fromMs: recordedMs(cutsS[k]!),
        toMs: recordedMs(endS),
        caloriesKcal: calories === null ? null : kcal[k + 1]! - kcal[k]!,
        climb:
          gains === null || losses === null
            ? null
            : { gainM: roundHalfUp(gains[k + 1]! - gains[k]!, 1), lossM: roundHalfUp(losses[k + 1]! - losses[k]!, 1) },
      }),
    ),
  }
}

type JoinAsked = Pick<StoredJoin, 'gap' | 'climb'>

/** When the joined run begins, Unix milliseconds, and how long it is; or a message for the runner. */
type JoinFound = { readonly startedAt: number; readonly durationS: number } | { readonly refusal: string }

/** How far runs may overlap, and be apart, seconds. */
const [MOST_OVERLAP_S, MOST_GAP_S] = [60, 43_200]

/** @param tracks in order of time */
function plannedJoin(tracks: readonly Track[], how: JoinAsked): JoinFound {
  for (const [k, track] of tracks.entries()) {
    const before = tracks[k - 1]
    if (before === undefined) continue
    const gapS = (track.startMs - before.startMs) / 1000 - (before.tS.at(-1) ?? 0)
    if (gapS < -MOST_OVERLAP_S) return { refusal: 'These runs overlap, so they are two recordings of one run' }
    if (gapS > MOST_GAP_S) return { refusal: 'There are more than 12 hours between two of these runs' }
  }
  if (tracks.reduce((sum, { n }) => sum + n, 0) > MAX_ROWS)
    return { refusal: `Together they have more than ${MAX_ROWS} points` }
  const track = joinedTrack(tracks, how)
  if (track === null) return { refusal: 'A straight line needs a position at both ends of the gap' }
  return { startedAt: track.startMs, durationS: track.tS.at(-1) ?? 0 }
}
