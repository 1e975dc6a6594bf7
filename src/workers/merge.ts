import { bestLayers, beyondS, type ChosenLayers, following, type Layer } from '../engine/merge/overlay.ts'
import { type ComparedRun, type SameRun, sameRun } from '../engine/merge/same-run.ts'
import { type PackedSamples, unpackTrack } from './pack.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

export interface StoredRun extends Omit<ComparedRun, 'track'> {
  /** null: it has no samples. */
  readonly stored: StoredTrack | null
}

/** The recordings of a run whose samples count, the first with the clock that the others are laid on. */
export interface LayeredRun extends Omit<ComparedRun, 'track'> {
  readonly layers: readonly { readonly samples: PackedSamples; readonly shiftS: number }[]
}

/** How recordings are laid together; indexes over the layers of the first run, then those of the second. */
export interface FoundMerge {
  readonly shiftsS: readonly number[]
  readonly chosen: ChosenLayers
  readonly tail: number | null
  /** How long the rows of `tail` continue after the end of the first, seconds. */
  readonly tailS: number
}

export const MERGE_JOBS = {
  sameRun: ({ runs: [a, b], isAlone }: { runs: readonly [StoredRun, StoredRun]; isAlone: boolean }) => {
    return { found: sameRun(compared(a), compared(b), isAlone) }
  },
  merge: ({ runs }: { runs: readonly [LayeredRun, LayeredRun] }) => ({ found: foundMerge(runs) }),
}

function compared({ stored, ...run }: StoredRun): ComparedRun {
  return { ...run, track: stored && trackOf(stored) }
}

/** On the clock of the first run. */
function foundMerge(runs: readonly [LayeredRun, LayeredRun]): FoundMerge | { readonly refusal: string } {
  const [a, b] = runs.map((run) => run.layers.map(({ samples, shiftS }) => ({ track: unpackTrack(samples), shiftS })))
  const [first, second] = [
    { ...runs[0], track: a![0]?.track ?? null },
    { ...runs[1], track: b![0]?.track ?? null },
  ]
  const same: SameRun | null = sameRun(first, second)
  const endMs = ({ startMs, durationS }: ComparedRun) => startMs + durationS * 1000
  const overlap = first.startMs < endMs(second) && second.startMs < endMs(first)
  if (same === null && !overlap) {
    return { refusal: 'These runs are at different times, so they are not one run; consecutive runs can be joined' }
  }
  const shiftS = same?.shiftS ?? 0
  const layers: Layer[] = [...a!, ...b!.map((layer) => ({ ...layer, shiftS: layer.shiftS + shiftS }))]
  const shiftsS = layers.map((layer) => layer.shiftS)
  if (layers.length < 2) return { shiftsS, chosen: {}, tail: null, tailS: 0 }
  const tail = following(layers)
  const tailS = tail === null ? 0 : beyondS(layers[0]!, layers[tail]!)
  return { shiftsS, chosen: bestLayers(layers), tail, tailS }
}
