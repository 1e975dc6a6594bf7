import { fitFile } from '../test/fixtures/fit.ts'

/** The same pseudo-random numbers on every machine: 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The FIT file of one hour at 1 Hz with noise as of a real watch; another seed is another run on another day. */
export function benchRun(seed: number, seconds = 3600): Uint8Array {
  const random = seeded(seed)
  const noise = (size: number) => (random() + random() + random() - 1.5) * size
  let distanceM = 0
  let heading = random() * 6.28
  let lat = 52.37 + noise(0.05)
  let lon = 4.89 + noise(0.05)
  let hr = 95
  const samples = Array.from({ length: seconds + 1 }, (_, t) => {
    const speedMps = 2.8 + 0.4 * Math.sin(t / 170) + noise(0.1)
    if (t > 0) distanceM += speedMps
    heading += noise(0.05)
    lat += (Math.cos(heading) * speedMps + noise(0.3)) / 111_200
    lon += (Math.sin(heading) * speedMps + noise(0.3)) / 67_900
    hr += 0.02 * (120 + 12 * speedMps - hr) + noise(0.4)
    return {
      t,
      lat,
      lon,
      distanceM,
      elevM: Math.round((20 + 15 * Math.sin(t / 300) + noise(0.3)) * 5) / 5,
      speedMps,
      hr: Math.round(hr),
      cadence: Math.round(84 + noise(3)),
      powerW: Math.round(250 + noise(40)),
      temperatureC: 15,
    }
  })
  return fitFile({ startMs: Date.UTC(2015, 0, 1, 6) + seed * 90_000_000, samples, manufacturer: 1, product: 3113 })
}
