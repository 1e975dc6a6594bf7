import type { Track } from '../../engine/track.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { written } from './rows.ts'
import { derivedIds } from './sample-ids.ts'

/** Decimals of a position: finer than what FIT's semicircles and text files hold (CONTRACT 1.2). */
const POSITION_DECIMALS = 9
/** Rows of one piece of text: about 80 KB. */
const ROWS_A_PIECE = 256

/**
 * The rows of `time-series.json` of one workout as JSON texts without the commas between them, one row per stored sample.
 * Grade and vertical speed, which Tempo stores and Harrier computes where it needs them, are null.
 */
export function* sampleTexts(workoutId: string, track: Track): Generator<string> {
  const id = derivedIds(workoutId, 'sample')
  for (let from = 0; from < track.n; from += ROWS_A_PIECE) {
    const rows: string[] = []
    for (let i = from; i < Math.min(track.n, from + ROWS_A_PIECE); i += 1) {
      rows.push(
        `{"id":"${id(i)}","workoutId":"${workoutId}","elapsedSeconds":${roundHalfUp(track.tS[i]!)}` +
          `,"distanceM":${written(track.distanceM[i]!, 3)},"heartRateBpm":${written(track.heartRateBpm[i]!, 0)}` +
          `,"cadenceRpm":${written(track.cadenceRpm[i]!, 0)},"powerWatts":${written(track.powerW[i]!, 0)}` +
          `,"speedMps":${written(track.speedMps[i]!, 3)},"gradePercent":null` +
          `,"elevationM":${written(track.elevM[i]!, 2)},"temperatureC":${written(track.temperatureC[i]!, 0)}` +
          `,"verticalSpeedMps":null,"elapsedMs":${roundHalfUp(track.tS[i]! * 1000)}` +
          `,"lat":${written(track.latDeg[i]!, POSITION_DECIMALS)},"lon":${written(track.lonDeg[i]!, POSITION_DECIMALS)}` +
          ',"workout":null}',
      )
    }
    yield rows.join(',')
  }
}

/** One row of `routes.json`; null for fewer than two positions. */
export function routeText(
  { workoutId, routeId }: { readonly workoutId: string; readonly routeId: string | null },
  { latDeg, lonDeg }: { readonly latDeg: Float64Array; readonly lonDeg: Float64Array },
): string | null {
  const points: string[] = []
  for (let i = 0; i < latDeg.length; i += 1) {
    if (Number.isNaN(latDeg[i]!)) continue
    points.push(`[${written(lonDeg[i]!, POSITION_DECIMALS)},${written(latDeg[i]!, POSITION_DECIMALS)}]`)
  }
  if (points.length < 2) return null
  const id = routeId ?? derivedIds(workoutId, 'route')(0)
  return `{"id":"${id}","workoutId":"${workoutId}","routeGeoJson":{"type":"LineString","coordinates":[${points.join(',')}]}}`
}
