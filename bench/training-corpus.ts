import type { BestEffort } from '../src/engine/analysis.ts'
import { trackEfforts } from '../src/engine/analyze.ts'
import { combine } from '../src/engine/combine.ts'
import { STANDARD_DISTANCES } from '../src/engine/run/best-efforts.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { effortVdot, HARD_DISTANCES } from '../src/engine/training/chosen-efforts.ts'
import type { RunTraining } from '../src/engine/training/run/run-training.ts'
import { runTraining } from '../src/engine/training/run/run-training.ts'
import { type HeartProfile, heartRateLoads, paceLoad } from '../src/engine/training/training-load.ts'
import { thresholdMps } from '../src/engine/training/vdot.ts'
import { roundHalfUp } from '../src/engine/units.ts'
import type { Activity } from '../src/formats/format.ts'
import { OPTIONS } from '../test/fixtures/recording.ts'
import { corpusNames, corpusRuns } from './numbers.ts'

const RESTING_BPM = 60
const LEAST_MAX_BPM = 190
const LTHR_SHARE = 0.9
/**
 * Range of heart-rate load over pace load. A run shows at most what its runner can do, so pace load at its own VDOT is
 * too high, and the VDOT at which both agree is higher than its own: both say that this ratio is below 1.
 */
const [LEAST_RATIO, MOST_RATIO] = [0.3, 1.05]
const MOST_VDOT = 70
/** Bounds of the search for the VDOT at which both loads agree. */
const [LOWEST_VDOT, HIGHEST_VDOT] = [10, 200]
const HALVINGS = 60

/** Loads of one run of the corpus that has heart rate and distance. */
export interface CorpusLoad {
  readonly name: string
  readonly hours: number
  readonly heartLoad: number
  /** Of the moving time that has heart rate. */
  readonly coverage: number
  /** Of the hardest effort from a mile on; null: the run has none. */
  readonly vdot: number | null
  /** At the run's own VDOT. */
  readonly paceLoad: number | null
  /** Pace load over heart-rate load, at the run's own VDOT. */
  readonly ratio: number | null
  /** At which pace load equals heart-rate load; null: at none within 10 to 200. */
  readonly agreeingVdot: number | null
  readonly decouplingPct: number | null
  readonly isIndoor: boolean
}

/** Every run of the corpus, and the names of those without heart rate for half of their time, or without distance. */
export async function corpusLoads(): Promise<{ loads: CorpusLoad[]; without: string[] }> {
  const loads: CorpusLoad[] = []
  const without: string[] = []
  for (const name of corpusNames()) {
    for (const activity of await corpusRuns(name)) {
      const load = loadsOf(name, activity)
      if (load === null) without.push(name)
      else loads.push(load)
    }
  }
  return { loads, without }
}

function loadsOf(name: string, { recording }: Activity): CorpusLoad | null {
  const track = recording && cleanRecording(recording)
  if (!track) return null
  const { zones, elevation } = OPTIONS
  const combined = combine([{ kind: 'file', said: {}, track }], [], {
    primary: 0,
    ours: { effort: false },
    zones,
    elevation,
  })
  const { readings, numbers } = combined
  const movingS = numbers.movingTimeS ?? 0
  if (readings === null || !(movingS > 0)) return null
  const efforts = trackEfforts(track, readings.distanceM).filter(
    ({ distanceIndex, implausibleReason }) => HARD_DISTANCES.includes(distanceIndex) && implausibleReason === null,
  )
  const run = runTraining(track, readings, efforts)
  const heart = heartRateLoads(profileOf(run), null)(run.heartRate, movingS)
  if (heart.load === null || run.speed.counts.length === 0) return null
  const vdot = ownVdot(run, efforts)
  const pace = vdot === null ? null : paceLoadAt(run, vdot)
  return {
    name,
    hours: movingS / 3600,
    heartLoad: heart.load,
    coverage: heart.coverage,
    vdot,
    paceLoad: pace,
    ratio: pace === null ? null : pace / heart.load,
    agreeingVdot: agreeingVdot(run, heart.load),
    decouplingPct: run.efficiency.decouplingPct,
    isIndoor: run.isIndoor,
  }
}

function profileOf({ heartRate: { first, counts } }: RunTraining): HeartProfile {
  const maxHeartRateBpm = Math.max(LEAST_MAX_BPM, first + counts.length - 1)
  const lthrBpm = roundHalfUp(LTHR_SHARE * maxHeartRateBpm)
  const valued = { maxHeartRateBpm: { value: maxHeartRateBpm }, restingHeartRateBpm: { value: RESTING_BPM } }
  return { ...valued, lthrBpm: { value: lthrBpm } }
}

function ownVdot({ effortGradedM }: RunTraining, efforts: readonly BestEffort[]): number | null {
  const gradedM = new Map(effortGradedM)
  const rated = efforts.flatMap(({ distanceIndex, timeMs }) => {
    const { distanceM } = STANDARD_DISTANCES[distanceIndex]!
    const vdot = effortVdot({ distanceM, gradedM: gradedM.get(distanceIndex) ?? null, timeS: timeMs / 1000 })
    return vdot === null ? [] : [vdot]
  })
  return rated.length === 0 ? null : Math.max(...rated)
}

function paceLoadAt({ speed }: RunTraining, vdot: number): number {
  return paceLoad(speed, { thresholdMps: thresholdMps(vdot), sex: null })
}

/** By bisection: a fitter runner has a smaller pace load for the same run. */
function agreeingVdot(run: RunTraining, load: number): number | null {
  let [low, high] = [LOWEST_VDOT, HIGHEST_VDOT]
  if (paceLoadAt(run, low) < load || paceLoadAt(run, high) > load) return null
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (low + high) / 2
    if (paceLoadAt(run, middle) > load) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** What is not as expected, in words; empty: all is. */
export function outside({ vdot, agreeingVdot, ratio }: CorpusLoad): string[] {
  if (vdot === null || ratio === null) return []
  return [
    ...(agreeingVdot === null || agreeingVdot > MOST_VDOT ? ['agrees above 70'] : []),
    ...(agreeingVdot !== null && agreeingVdot < vdot ? ['agrees below its own'] : []),
    ...(1 / ratio > MOST_RATIO ? ['heart above pace'] : []),
    ...(1 / ratio < LEAST_RATIO ? ['heart far below pace'] : []),
  ]
}
