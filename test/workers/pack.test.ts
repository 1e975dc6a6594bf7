import { expect, test } from 'bun:test'
import { distanceBetweenM } from '../../src/engine/route/geo.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import type { Track } from '../../src/engine/track.ts'
import { fitFormat } from '../../src/formats/fit/fit.ts'
import { packTrack, unpackTrack } from '../../src/workers/pack.ts'
import { type FitFileOptions, fitFile } from '../fixtures/fit.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { plain } from '../fixtures/recording.ts'

const startMs = Date.UTC(2024, 4, 1, 6)

const trackOf = (options: Omit<FitFileOptions, 'startMs'>) =>
  cleanRecording(fitFormat.parse(fitFile({ startMs, ...options }), { filename: 'run' }).activities[0]!.recording!)!

/** One run whose distance is what the column says of it. */
function runOf(distanceM: (t: number) => number): Track {
  const place = (t: number) => ({ lat: 47 + t * 0.000_027 + 0.000_01 * Math.sin(t), lon: 8 + 0.0001 * Math.sin(t / 9) })
  const samples = Array.from({ length: 900 }, (_, t) => ({
    ...{ t: t < 500 ? t : t + 60 },
    ...(t % 50 === 7 ? {} : place(t)),
    ...{ distanceM: distanceM(t), speedMps: 3 + 0.5 * Math.sin(t / 20), hr: 140 + (t % 3) },
  }))
  return trackOf({ samples })
}

test('whatever a distance is like, it comes back to the last bit, from the whole and alone', () => {
  const random = seededRandom(7)
  let [byRoute, bySpeed, last] = [0, 0, [0, 0] as readonly number[]]
  const forms = {
    'along the positions': (t: number) => {
      const here = [47 + t * 0.000_027 + 0.000_01 * Math.sin(t), 8 + 0.0001 * Math.sin(t / 9)] as const
      byRoute += t === 0 ? 0 : distanceBetweenM(last[0]!, last[1]!, here[0], here[1])
      last = here
      return byRoute
    },
    'at the speed': (t: number) => (bySpeed += 3 + 0.5 * Math.sin(t / 20)),
    'on its own': (t: number) => t * 3,
    'with leaps': (t: number) => t * 2 + (t > 400 ? 1_900_000 : 0) + random(),
    'with gaps': (t: number) => (t % 4 === 0 ? t * 2.5 : Number.NaN),
    'none at all': () => Number.NaN,
  }
  const sizes = Object.entries(forms).map(([name, distanceM]) => {
    const track = runOf(distanceM)
    const packed = packTrack(track)
    expect(plain(unpackTrack(packed)), name).toEqual(plain(track))
    return packed.track.length
  })
  const without = packTrack({ ...runOf(() => 0), distanceM: new Float64Array(900).fill(Number.NaN) }).track.length
  // what other columns tell takes next to nothing
  for (const size of sizes.slice(0, 3)) expect(size - without).toBeLessThan(500)
})
