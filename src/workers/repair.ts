import type { AnalyzeOptions } from '../engine/analysis.ts'
import { cutOut } from '../engine/repair/cut.ts'
import { hasReadings, type Mending, mended } from '../engine/repair/mend.ts'
import type { Repair } from '../engine/repair/repairs.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { trackReadings } from '../engine/run/readings.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { type CropAsked, climbLimit } from './crop.ts'
import { restFor } from './large.ts'

/** Least seconds that a cut must leave on either side. */
const SHORTEST_S = 10

/** The requested change, in elapsed seconds of the run as it is now. */
export type Change =
  | { readonly kind: 'cut'; readonly fromS: number; readonly toS: number; readonly closesGap: boolean }
  | ({ readonly kind: 'mend'; readonly fromS: number; readonly toS: number } & Pick<Mending, 'channel' | 'fill'>)
  | { readonly kind: 'distance'; readonly distanceM: number }

/** A stored workout, and the requested change. */
export interface RepairAsked {
  readonly run: CropAsked['run']
  readonly change: Change
  readonly elevation: AnalyzeOptions['elevation']
}

/** The repair, or a message for the runner. */
export type RepairFound = { readonly repair: Repair } | { readonly refusal: string }

type Planning = RepairAsked & { readonly recordedMs: (elapsedS: number) => number }

/** @param asked.recordedMs converts an elapsed second to the clock of the recording */
export function plannedRepair(track: Track, asked: Planning): RepairFound {
  const { change } = asked
  switch (change.kind) {
    case 'cut':
      return plannedCut(track, change, asked)
    case 'mend':
      return plannedMend(track, change, asked)
    case 'distance':
      return { repair: { ...change, factor: factorOf(track, change.distanceM) } }
  }
}

function plannedCut(
  track: Track,
  { fromS, toS, closesGap }: Extract<Change, { kind: 'cut' }>,
  { run, elevation, recordedMs }: Planning,
): RepairFound {
  const refusal = outside(track, { fromS, toS })
  if (refusal !== null) return { refusal }
  const lastS = track.tS.at(-1) ?? 0
  if (fromS < SHORTEST_S || lastS - toS < SHORTEST_S) {
    return { refusal: `At least ${SHORTEST_S} s must be left on either side of a cut; crop the run to take off an end` }
  }
  const cut = cutOut(track, { startS: fromS, endS: toS }, closesGap)
  const rest = restFor(track.n)
  rest()
  const [fromMs, toMs] = [recordedMs(fromS), recordedMs(toS)]
  const share = run.durationS > 0 ? Math.min(1, Math.max(0, 1 - (toS - fromS) / run.durationS)) : 1
  const caloriesKcal = run.calories === null ? null : run.calories * share
  const limit = climbLimit(run, trackReadings(cut, elevation, rest))
  return { repair: { kind: 'cut', fromMs, toMs, closesGap, climbLimit: limit, caloriesKcal } }
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
  const [fromMs, toMs] = [recordedMs(fromS), recordedMs(toS)]
  const mending = { startS: fromS, endS: toS, channel, fill }
  if (!hasReadings(track, mending)) return { refusal: `There is no ${NAMES[channel]} between ${fromS} and ${toS} s` }
  if (lengthM(track) > 0 && lengthM(mended(track, mending)) <= 0) {
    return { refusal: 'Nothing of the distance would be left' }
  }
  return { repair: { kind: 'mend', fromMs, toMs, channel, fill } }
}

function outside(track: Track, { fromS, toS }: { readonly fromS: number; readonly toS: number }): string | null {
  const lastS = track.tS.at(-1) ?? 0
  if (fromS >= toS) return 'fromElapsedS must be less than toElapsedS'
  // the end is displayed as a whole second
  return toS > lastS + 1 ? `The run has ${roundHalfUp(lastS, 3)} s, toElapsedS must not be more` : null
}

/** null: the samples of a route are not scaled. */
function factorOf(track: Track, distanceM: number): number | null {
  const recordedM = lengthM(track)
  return recordedM > 0 && track.latDeg.every(Number.isNaN) ? distanceM / recordedM : null
}

function lengthM(track: Track): number {
  return filledDistance(track.tS, track.distanceM)?.at(-1) ?? 0
}
