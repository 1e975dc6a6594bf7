import type { AnalyzeOptions } from '../engine/analysis.ts'
import type { CropRepair } from '../engine/repair/repairs.ts'
import { crop } from '../engine/run/crop.ts'
import { exceeds, type Readings, trackReadings } from '../engine/run/readings.ts'
import type { ClimbLimit, Span, Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { restFor } from './large.ts'

/** Least remaining seconds after a crop. */
const SHORTEST_S = 10

/** A stored workout, and what to cut off its ends. */
export interface CropAsked {
  readonly run: {
    readonly durationS: number
    readonly elevGainM: number | null
    readonly elevLossM: number | null
    readonly calories: number | null
  }
  /** Seconds cut off the start and the end. */
  readonly removed: Span
  readonly elevation: AnalyzeOptions['elevation']
}

/** The repair, or a message for the runner. */
export type CropFound = { readonly repair: Omit<CropRepair, 'kind'> } | { readonly refusal: string }

/** @param asked.recordedMs converts an elapsed second to the clock of the recording */
export function cropOf(
  track: Track,
  asked: CropAsked & { readonly recordedMs: (elapsedS: number) => number },
): CropFound {
  const { removed, run, recordedMs, elevation } = asked
  const recordedS = track.tS.at(-1) ?? 0
  const removedS = removed.startS + removed.endS
  const leftS = Math.min(run.durationS, recordedS) - removedS
  // half a millisecond of tolerance, since times are whole milliseconds
  if (removedS > 0 && !(leftS >= SHORTEST_S - 0.0005)) {
    const sizes = `${roundHalfUp(removedS, 3)} s from a workout of ${run.durationS} s`
    return { refusal: `Cannot crop ${sizes}: at least ${SHORTEST_S} s must be left` }
  }
  const cut = crop(track, { startS: removed.startS, endS: recordedS - removed.endS })
  const rest = restFor(track.n)
  rest()
  const keptS = roundHalfUp(cut.tS.at(-1) ?? 0)
  // samples may last longer than the device stated, but a crop must not add calories
  const share = run.durationS > 0 ? Math.min(1, keptS / run.durationS) : 1
  const startS = (cut.startMs - track.startMs) / 1000
  return {
    repair: {
      fromMs: recordedMs(startS),
      toMs: recordedMs(startS + (cut.tS.at(-1) ?? 0)),
      climbLimit: climbLimit(run, trackReadings(cut, elevation, rest)),
      caloriesKcal: run.calories === null ? null : run.calories * share,
    },
  }
}

/** null: the samples left show no more climb than the run had before. */
export function climbLimit({ elevGainM, elevLossM }: CropAsked['run'], { profile }: Readings): ClimbLimit | null {
  const limit = { gainM: elevGainM ?? Number.MAX_VALUE, lossM: elevLossM ?? Number.MAX_VALUE }
  const isOver = exceeds(profile?.gainM.at(-1) ?? 0, limit.gainM) || exceeds(profile?.lossM.at(-1) ?? 0, limit.lossM)
  return isOver ? limit : null
}
