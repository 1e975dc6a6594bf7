import type { Db } from '../../src/db/open.ts'
import { routeIndexes } from '../../src/db/schema.ts'
import { workoutTrainings } from '../../src/db/schema-training.ts'
import type { TrendRun } from '../../src/engine/training/truth/trend-rows.ts'
import { NO_TRAINING } from '../../src/workers/training.ts'
import { HUMIDITY_PCT, trendRunner } from '../fixtures/trend-runner.ts'
import { addWorkout } from './feature-app.ts'

const DAY_MS = 86_400_000
const YEARS = 2

/** A runner of two years, four runs a week, whose last day is today. */
export function madeRuns(values: Partial<Parameters<typeof trendRunner>[0]> = {}): TrendRun[] {
  return trendRunner({ seed: 4, years: YEARS, perWeek: 4, ...values })
}

interface Stored {
  readonly deps: { readonly db: Db }
  readonly clock: { readonly nowMs: number }
}

/** Stores runs as if their samples had been read. @returns ids, in the order of the runs */
export function storeRuns(app: Stored, runs: readonly TrendRun[], lastDay = 365 * YEARS): string[] {
  const todayMs = Math.floor(app.clock.nowMs / DAY_MS) * DAY_MS
  const { db } = app.deps
  return db.transaction(() =>
    runs.map((run) => {
      const id = Bun.randomUUIDv7()
      const hour = Math.min(23, Math.max(0, run.hour))
      const startedAt = todayMs - (lastDay - run.day) * DAY_MS + Math.round(hour * 3_600_000)
      const distanceM = run.movingS * (run.mps ?? 3)
      const hasWeather = run.temperatureC !== null
      addWorkout(app.deps, {
        ...{ id, startedAt, utcOffsetMinutes: 0, durationS: Math.round(run.movingS), distanceM, device: run.device },
        weatherTemperatureC: run.temperatureC,
        weatherHumidity: hasWeather ? HUMIDITY_PCT : null,
        runType: run.isRace ? 'Race' : null,
      })
      const steady = { steadyS: run.countedS, steadyMps: run.mps, steadyBpm: run.bpm, speedCv: run.speedCv }
      const { hrHist, speedHist, pieces, headings, peaks } = NO_TRAINING
      const empty = { hrHist, speedHist, pieces, headings, peaks }
      const blobs = Object.fromEntries(Object.entries(empty).map(([name, bytes]) => [name, Buffer.from(bytes)]))
      db.insert(workoutTrainings)
        .values({
          ...{ ...NO_TRAINING, effortGraded: null, ...(blobs as Record<keyof typeof empty, Buffer>) },
          ...{ ...steady, workoutId: id, hrCover: run.coverage },
          ...{ altitudeUsable: run.isAltitudeUsable, indoor: run.isIndoor, gainPerKm: run.gainPerKm },
        })
        .run()
      if (run.place !== null) {
        const [lat, lon] = run.place
        const box = { southDeg: lat - 0.005, northDeg: lat + 0.005, westDeg: lon - 0.005, eastDeg: lon + 0.005 }
        const none = Buffer.alloc(0)
        db.insert(routeIndexes)
          .values({
            ...box,
            workoutId: id,
            startedAt,
            lengthM: distanceM,
            sketch: Buffer.alloc(512),
            path: none,
            trace: none,
          })
          .run()
      }
      return id
    }),
  )
}
