// The files of the made library: short runs over a few places, whose pace, heart rate and readings wander by seed.
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { tcxFile } from '../../fixtures/tcx.ts'

const METRE = 1 / 111_170

/** One reading a second; whatever the format, it has them all. */
interface Reading {
  readonly t: number
  readonly lat: number
  readonly lon: number
  readonly distanceM: number
  readonly elevM: number
  readonly speedMps: number
  readonly hr: number
  readonly cadence: number
}

/** Where a run leads: metres along the way to a position and a height. */
type Way = (metres: number) => { readonly lat: number; readonly lon: number; readonly elevM: number }

const CIRCLE_M = 950

export const WAYS = {
  north: (metres) => ({ lat: 47 + metres * METRE, lon: 8, elevM: 400 + 12 * Math.sin(metres / 300) }),
  circle: (metres) => {
    const [angle, radius] = [(metres / CIRCLE_M) * 2 * Math.PI, CIRCLE_M / 2 / Math.PI]
    const lat = 47.2 + radius * Math.sin(angle) * METRE
    return { lat, lon: 8.1 + radius * Math.cos(angle) * METRE * 1.47, elevM: 430 + 6 * Math.sin(angle) }
  },
  town: (metres) => ({ lat: 40.75 + metres * METRE * 0.8, lon: -73.97 + metres * METRE * 0.6, elevM: 20 }),
} satisfies Record<string, Way>

export interface Made {
  readonly startMs: number
  readonly seconds?: number
  readonly speedMps?: number
  readonly hr?: number
  readonly way?: keyof typeof WAYS
  /** Metres along the way at which it begins. */
  readonly fromM?: number
  readonly seed?: number
}

export function readings({ seconds = 300, speedMps = 3, hr = 145, way = 'north', fromM = 0, seed = 1 }: Made) {
  const random = seededRandom(seed)
  let [distanceM, wander] = [0, 0]
  return Array.from({ length: seconds + 1 }, (_, t): Reading => {
    // even for some seconds, which packs better
    if (t % 8 === 0) wander = Math.round((random() - 0.5) * 25) / 50
    const speed = speedMps + (t % 120 < 40 ? 0.5 : 0) + wander
    if (t > 0) distanceM += speed
    return {
      ...{ t, ...WAYS[way](fromM + distanceM), distanceM: Math.round(distanceM * 100) / 100 },
      ...{ speedMps: Math.round(speed * 1000) / 1000, hr: Math.round(hr + 20 * (1 - Math.exp(-t / 60)) + wander * 9) },
      cadence: 84 + Math.round(wander * 4),
    }
  })
}

export function fit(made: Made, more: Partial<Parameters<typeof fitFile>[0]> = {}): Uint8Array {
  return fitFile({ startMs: made.startMs, samples: readings(made), manufacturer: 1, product: 1967, ...more })
}

/** A watch without positions on a treadmill. */
export function treadmill(made: Made): Uint8Array {
  const samples = readings(made).map(({ lat: _lat, lon: _lon, elevM: _elevM, ...rest }) => rest)
  return fitFile({ startMs: made.startMs, samples, session: { subSport: 1, calories: 60 }, manufacturer: 1 })
}

export function points(made: Made) {
  return readings(made).map(({ t, lat, lon, elevM, hr, cadence }) => ({
    ...{ lat: Number(lat.toFixed(6)), lon: Number(lon.toFixed(6)), ele: Number(elevM.toFixed(1)), hr, cad: cadence },
    timeMs: made.startMs + t * 1000,
  }))
}

export function gpx(made: Made, more: Partial<Parameters<typeof gpxFile>[0]> = {}): Uint8Array {
  return gpxFile({ points: points(made), creator: 'net', ...more })
}

export function tcx(made: Made, lapS = 120): Uint8Array {
  const all = readings(made).map(({ t, elevM, ...reading }) => ({
    ...{ ...reading, lat: Number(reading.lat.toFixed(6)), lon: Number(reading.lon.toFixed(6)) },
    ...{ ele: Number(elevM.toFixed(1)), timeMs: made.startMs + t * 1000 },
  }))
  const laps = Array.from({ length: Math.ceil((all.length - 1) / lapS) }, (_, k) => {
    const [from, to] = [all[k * lapS]!, all[Math.min((k + 1) * lapS, all.length - 1)]!]
    return {
      ...{
        startMs: from.timeMs,
        totalTimeS: (to.timeMs - from.timeMs) / 1000,
        distanceM: to.distanceM - from.distanceM,
      },
      ...{ avgHr: 150, maxHr: 170, calories: 20, tracks: [all.slice(k * lapS, (k + 1) * lapS)] },
    }
  })
  return tcxFile([{ creator: 'Net watch', notes: 'Laps by hand', laps }])
}
