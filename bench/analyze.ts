import { NO_TOTALS } from '../src/engine/numbers.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../src/engine/run/zones.ts'
import { fitFormat } from '../src/formats/fit/fit.ts'
import { packTrack, unpackTrack } from '../src/workers/pack.ts'
import { analyze } from '../test/fixtures/derived.ts'
import { benchRun } from './library.ts'

/** One seeded hour at 1 Hz: cleaning, analysis and storage, best of 20 each, milliseconds. */
export function benchAnalyze(): void {
  const { recording } = fitFormat.parse(benchRun(1), { filename: 'hour.fit' }).activities[0]!
  if (recording === null) throw new Error('The made file has no records')
  const track = cleanRecording(recording)
  if (track === null) throw new Error('The made file has no track')
  const options = {
    totals: NO_TOTALS,
    splitLengthM: 1000,
    zones: DEFAULT_ZONES,
    elevation: { thresholdM: 2, minDistanceM: 10 },
  }
  const packed = packTrack(track)
  const bytes = packed.timeHr.length + packed.track.length + packed.rest.length
  const line = (what: string, ms: number) =>
    console.log(
      `  ${what.padEnd(28)} ${ms.toFixed(2).padStart(8)} ms  ${((track.n / ms) * 1000).toFixed(0).padStart(10)} samples/s`,
    )
  console.log(`analyze: one hour at 1 Hz, ${track.n} samples with position, heart rate, cadence and power`)
  line(
    'clean',
    bestOf(20, () => cleanRecording(recording)),
  )
  line(
    'analyze',
    bestOf(20, () => analyze(track, options)),
  )
  line(
    'pack',
    bestOf(20, () => packTrack(track)),
  )
  line(
    'unpack',
    bestOf(20, () => unpackTrack(packed)),
  )
  console.log(`  stored samples: ${(bytes / 1024).toFixed(1)} KiB a run-hour (budget 20)`)
}

export function bestOf(times: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    work()
    best = Math.min(best, performance.now() - started)
  }
  return best
}
