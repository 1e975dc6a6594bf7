import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { jpeg } from '../../fixtures/media.ts'

// An archive as Tempo 2.x writes it: integers, JSON in strings, base64, paths of its server, nested nulls, .NET times.

export const START_MS = Date.UTC(2024, 4, 4, 6, 30, 0, 250)
export const id = (n: number) => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, '0')}`
export const SHOE = id(900)
export const MEDIA = id(800)

/** 1,201 points at 3 m/s with a heart rate of 150, then a file of them. */
export const points = straightPoints({ n: 1201, startMs: START_MS, hr: 150 })
export const gpx = gpxFile({ points, creator: 'Tempo test' })

export function workout(n: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    ...{ Id: id(n), StartedAt: '2024-05-04T06:30:00.2501234Z', createdAt: '2024-05-04T08:00:00.1239999Z' },
    ...{ durationS: 1200, distanceM: 3600.4, avgPaceS: 333, movingTimeS: 1190, elevGainM: 12.5 },
    ...{ maxHeartRateBpm: 160, avgHeartRateBpm: 150, calories: 301, relativeEffort: 41, rpe: null },
    ...{ runType: 'Easy Run', name: `Run ${n}`, notes: null, source: 'gpx_import', device: 'Tempo test', shoeId: SHOE },
    ...{ rawFileName: 'run.gpx', rawFileType: 'gpx', rawFileData: null, rawGpxData: null, rawFitData: null },
    ...{ rawStravaData: null, weather: null, shoe: null, route: null, splits: [], media: [], timeSeries: [] },
    ...{ bestEfforts: null, ...more },
  }
}

export const splits = (workoutId: string) =>
  [0, 1, 2, 3].map((idx) => ({
    ...{ id: id(5000 + Number(workoutId.slice(-3)) * 10 + idx), workoutId, idx, paceS: 333, workout: null },
    ...{ distanceM: idx === 3 ? 600.4 : 1000.2, durationS: idx === 3 ? 200 : 333 },
  }))

export const heartRates = (workoutId: string, step = 1) =>
  Array.from({ length: Math.floor(1200 / step) + 1 }, (_, i) => ({
    ...{ id: crypto.randomUUID(), workoutId, elapsedSeconds: i * step, distanceM: null, heartRateBpm: 150 },
    ...{ cadenceRpm: null, powerWatts: null, speedMps: null, gradePercent: null, elevationM: null },
    ...{ temperatureC: null, verticalSpeedMps: null, workout: null },
  }))

export const route = (workoutId: string, routePoints = points) => ({
  id: id(7000 + Number(workoutId.slice(-3))),
  workoutId,
  routeGeoJson: JSON.stringify({ type: 'LineString', coordinates: routePoints.map(({ lat, lon }) => [lon, lat]) }),
  workout: null,
})

const BOUNDS = [100, 120, 140, 155, 170, 190]
const ZONES = Object.fromEntries(
  [1, 2, 3, 4, 5].flatMap((k) => [
    [`zone${k}MinBpm`, BOUNDS[k - 1]],
    [`zone${k}MaxBpm`, BOUNDS[k]],
  ]),
)
const SHOES = [
  {
    ...{ ID: SHOE, Brand: 'Hoka', model: 'Mach', initialMileageM: null, workouts: [] },
    ...{ createdAt: '2024-01-01T00:00:00Z', updatedAt: '2024-01-01T00:00:00Z' },
  },
]

/** Every entry of a library of one run with everything, to be given to `archiveOf`. */
export function tempoLibrary(): Record<string, unknown> {
  return {
    'data/settings.json': {
      ...{ id: id(1), calculationMethod: 2, age: null, restingHeartRateBpm: null, maxHeartRateBpm: null, ...ZONES },
      ...{ unitPreference: 'imperial', defaultShoeId: SHOE, defaultShoe: null },
      ...{ createdAt: '2024-01-01T00:00:00.1234567Z', updatedAt: '2024-02-01T00:00:00Z' },
    },
    'data/shoes.json': `\ufeff${JSON.stringify(SHOES)}`,
    'data/workouts.json': [
      workout(1, {
        weather: JSON.stringify({ source: 'open_meteo', temperature: 11.5, relativeHumidity: 0.83 }),
        rawGpxData: JSON.stringify({ metadata: {}, trackPoints: [], source: 'gpx_import' }),
      }),
    ],
    'data/routes.json': [route(id(1))],
    'data/splits.json': splits(id(1)),
    'data/time-series.json': heartRates(id(1)),
    'data/media-metadata.json': [
      {
        ...{ id: MEDIA, workoutId: id(1), filename: 'a/b.jpg', filePath: '/srv/tempo/media/b.jpg' },
        ...{ mimeType: 'image/jpeg', fileSizeBytes: 300, caption: 'hello', createdAt: '2024-05-05T00:00:00Z' },
        workout: null,
      },
    ],
    [`workouts/${id(1)}/raw/run.gpx`]: gpx,
    [`workouts/${id(1)}/media/${MEDIA}/b.jpg`]: jpeg(300),
  }
}

const pascal = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

/** The same value with every name of every object as .NET spells its properties. */
export function pascalCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pascalCased)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [pascal(key), pascalCased(member)]))
}
