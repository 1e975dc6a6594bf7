import { FormatError } from '../../src/formats/format.ts'
import { type AnalyzedFile, type AnalyzedRun, analyzeFile } from '../../src/workers/analyze-file.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { pathOf } from '../../src/workers/route-index.ts'
import { NOW_MS } from '../app.ts'
import { AGE_30 } from '../fixtures/recording.ts'
import { type Attack, Defect, expectFinite } from './attack.ts'
import { mutatedUpload } from './mutate.ts'
import { chooser, workoutSeeds } from './seeds.ts'

export const JOB = { nowMs: NOW_MS, splitLengthM: 1000, zones: AGE_30, elevation: { thresholdM: 2, minDistanceM: 10 } }
/** The message of the registry for a defect of a parser itself. */
export const OWN_DEFECT = 'The file could not be read'

/** Workout files, as the Worker gets them: unpacked, read, analysed. */
export const parsers: Attack = {
  name: 'parsers',
  share: 0.25,
  prepare: async () => {
    const seeds = workoutSeeds()
    const choose = chooser(seeds)
    return async ({ random, input }) => {
      const upload = mutatedUpload(choose(random.below(1e9) / 1e9), random, seeds)
      try {
        const file = await input(upload, () => analyzeFile({ ...JOB, file: upload.bytes, filename: upload.name }))
        expectSound(file)
        return { inputs: 1, accepted: file.runs.some((run) => !('error' in run)) ? 1 : 0 }
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        if (error.message === OWN_DEFECT) throw new Defect('A parser failed', { cause: error.cause })
        return { inputs: 1, accepted: 0 }
      }
    }
  },
}

/** Checks what must hold for every accepted file. */
export function expectSound(file: AnalyzedFile): void {
  if (file.runs.length === 0) throw new Defect('A file without runs is accepted')
  for (const run of file.runs) if (!('error' in run)) expectSoundRun(run)
}

function expectSoundRun(run: AnalyzedRun): void {
  expectFinite(run, 'run')
  const { durationS, movingTimeS, distanceM, splits, bestEfforts } = run.analysis
  const expectThat = (is: boolean, what: string) => {
    if (!is) throw new Defect(what)
  }
  expectThat(Number.isInteger(durationS) && durationS > 0, `durationS is ${durationS}`)
  expectThat(distanceM > 0, `distanceM is ${distanceM}`)
  expectThat(movingTimeS === null || (movingTimeS >= 0 && movingTimeS <= durationS), `movingTimeS is ${movingTimeS}`)
  for (const { distanceM: splitM, durationS: splitS } of splits) {
    expectThat(splitM > 0 && splitS >= 0, `a split of ${splitM} m in ${splitS} s`)
  }
  if (run.samples !== null) {
    const again = packTrack(unpackTrack(run.samples))
    expectThat(Bun.deepEquals(again, run.samples), 'samples that are other ones when they are packed again')
  }
  if (run.routeIndex !== null) expectThat(pathOf(run.routeIndex).n > 0, 'a stored path without samples')
  for (const { timeMs } of bestEfforts) expectThat(timeMs > 0, `a best effort of ${timeMs} ms`)
}
