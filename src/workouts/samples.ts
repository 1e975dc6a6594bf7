import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutBestEfforts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { slopes } from '../engine/run/grade.ts'
import { trackReadings } from '../engine/run/readings.ts'
import { smoothPace } from '../engine/run/smooth-pace.ts'
import { thinRows } from '../engine/run/thin-rows.ts'
import type { Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { notFound } from '../errors.ts'
import { workoutExists } from '../library/add-workout.ts'
import { elevationOptions } from '../library/inputs.ts'
import { workoutTrack } from '../library/recordings.ts'
import { SAMPLE_COLUMNS, type SampleColumn } from './samples-schemas.ts'

/** Their extremes survive thinning: what a chart of a run is looked at for. */
const KEPT_EXTREMES: readonly SampleColumn[] = ['heartRateBpm', 'paceS', 'elevationM']

/**
 * The cleaned samples of a workout as columns, thinned to `maxPoints` rows when that is given, with its pauses and its
 * best efforts, as JSON text: checking every number of an answer that is made here would take longer than making it.
 * @throws AppError 404
 */
export function samplesJson({ db, config }: Pick<Deps, 'db' | 'config'>, id: string, maxPoints?: number): string {
  if (!workoutExists(db, id)) throw notFound('Workout')
  const track = workoutTrack(db, id)
  const bestEfforts = effortsOf(db, id)
  if (track === null) {
    return JSON.stringify({ totalCount: 0, count: 0, ...eachColumn(() => null), pauses: [], bestEfforts })
  }

  const values = sampleValues(track, elevationOptions({ config }))
  const rows = thinRows(
    track.n,
    KEPT_EXTREMES.map((name) => values[name]),
    maxPoints ?? Infinity,
  )

  return JSON.stringify({
    totalCount: track.n,
    count: rows.length,
    ...eachColumn((name) => column(values[name], { rows, decimals: SAMPLE_COLUMNS[name].decimals })),
    pauses: track.off.map(({ startS, endS }) => ({ startS, endS })),
    bestEfforts,
  })
}

type Values = Readonly<Record<SampleColumn, Float64Array>>

/** Every column at every row; NaN is a gap. */
function sampleValues(track: Track, elevation: Parameters<typeof trackReadings>[1]): Values {
  const { tS, off } = track
  const { distanceM, profile, equivalentM } = trackReadings(track, elevation)
  const nothing = new Float64Array(track.n).fill(Number.NaN)
  // times that were made of the distance know no fast and slow
  const isTimed = track.hasEstimatedTimes !== true
  // altitude that is too noisy to climb by tells no slope either: there is no equivalent distance then
  const isSloped = equivalentM !== null && distanceM !== null && profile !== null
  return {
    elapsedS: tS,
    distanceM: track.distanceM,
    lat: track.latDeg,
    lon: track.lonDeg,
    elevationM: track.elevM,
    heartRateBpm: track.heartRateBpm,
    cadenceRpm: track.cadenceRpm,
    powerWatts: track.powerW,
    speedMps: track.speedMps,
    paceS: isTimed && distanceM !== null ? smoothPace(tS, distanceM, off) : nothing,
    gapPaceS: isTimed && equivalentM !== null ? smoothPace(tS, equivalentM, off) : nothing,
    gradePercent: isSloped ? slopes(distanceM, profile.smoothedM).map((slope) => slope * 100) : nothing,
    temperatureC: track.temperatureC,
  }
}

function eachColumn<T>(value: (name: SampleColumn) => T): Readonly<Record<SampleColumn, T>> {
  const names = Object.keys(SAMPLE_COLUMNS) as SampleColumn[]
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<SampleColumn, T>
}

/** null inside is a gap, a column without any value is null. */
function column(
  values: Float64Array,
  { rows, decimals }: { readonly rows: Uint32Array; readonly decimals: number },
): (number | null)[] | null {
  const result = new Array<number | null>(rows.length)
  let isEmpty = true
  for (let k = 0; k < rows.length; k += 1) {
    const value = values[rows[k]!]!
    const isGap = Number.isNaN(value)
    result[k] = isGap ? null : roundHalfUp(value, decimals)
    if (!isGap) isEmpty = false
  }
  return isEmpty ? null : result
}

function effortsOf(tx: Tx, workoutId: string) {
  return tx
    .select()
    .from(workoutBestEfforts)
    .where(eq(workoutBestEfforts.workoutId, workoutId))
    .orderBy(asc(workoutBestEfforts.distanceIndex))
    .all()
    .flatMap(({ distanceIndex, timeMs, startMs }) => {
      const standard = STANDARD_DISTANCES[distanceIndex]
      if (standard === undefined) return []
      return {
        distance: standard.label,
        distanceM: standard.distanceM,
        timeS: roundHalfUp(timeMs / 1000),
        timeMs,
        startS: startMs / 1000,
        endS: (startMs + timeMs) / 1000,
      }
    })
}
