import type { AnalyzeOptions } from '../engine/analysis.ts'
import type { CropRepair } from '../engine/repair/repairs.ts'
import { crop } from '../engine/run/crop.ts'
import { exceeds, type Readings, trackReadings } from '../engine/run/readings.ts'
import type { ClimbLimit, Span, Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'

/** Fewest seconds that a crop may leave. */
const SHORTEST_S = 10

/** A workout as it is stored, and what is to be taken off its ends. */
export interface CropAsked {
  readonly run: {
    readonly durationS: number
    readonly elevGainM: number | null
    readonly elevLossM: number | null
    readonly calories: number | null
  }
  /** Seconds off the start and off the end. */
  readonly removed: Span
  readonly elevation: AnalyzeOptions['elevation']
}

/** The repair that cuts it, or a sentence for the runner. */
export type CropFound = { readonly repair: Omit<CropRepair, 'kind'> } | { readonly refusal: string }

/** @param asked.recordedMs of an elapsed second, on the clock of the recording */
export function cropOf(
  track: Track,
  asked: CropAsked & { readonly recordedMs: (elapsedS: number) => number },
): CropFound {
  const { removed, run, recordedMs, elevation } = asked
  const recordedS = track.tS.at(-1) ?? 0
  const removedS = removed.startS + removed.endS
  const leftS = Math.min(run.durationS, recordedS) - removedS
  // what is on the clock comes off a grid of milliseconds
  if (removedS > 0 && !(leftS >= SHORTEST_S - 0.0005)) {
    const sizes = `${roundHalfUp(removedS, 3)} s from a workout of ${run.durationS} s`
    return { refusal: `Cannot crop ${sizes}: at least ${SHORTEST_S} s must be left` }
  }
  const cut = crop(track, { startS: removed.startS, endS: recordedS - removed.endS })
  const keptS = roundHalfUp(cut.tS.at(-1) ?? 0)
  // samples may last longer than the device said: taking nothing away must not add
  const share = run.durationS > 0 ? Math.min(1, keptS / run.durationS) : 1
  const startS = (cut.startMs - track.startMs) / 1000
  return {
    repair: {
      fromMs: recordedMs(startS),
      toMs: recordedMs(startS + (cut.tS.at(-1) ?? 0)),
      climbLimit: climbLimit(run, trackReadings(cut, elevation)),
      caloriesKcal: run.calories === null ? null : run.calories * share,
    },
  }
}

/** null: what is left climbs no more than the run did before. */
export function climbLimit({ elevGainM, elevLossM }: CropAsked['run'], { profile }: Readings): ClimbLimit | null {
  const limit = { gainM: elevGainM ?? Number.MAX_VALUE, lossM: elevLossM ?? Number.MAX_VALUE }
  const isOver = exceeds(profile?.gainM.at(-1) ?? 0, limit.gainM) || exceeds(profile?.lossM.at(-1) ?? 0, limit.lossM)
  return isOver ? limit : null
}
