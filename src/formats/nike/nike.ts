import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { jsonObjectHead, type Members, membersOf, parsedJson, rowsOf } from '../json.ts'
import { amountOf, beatsOf, kcalOf, nameOf, serviceRun, timerWithin } from '../service-run.ts'
import { otherSportError } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import { type TimedColumns, timedColumns } from '../table/merged.ts'
import { cleanText, numberOf, textOf } from '../text-values.ts'

/** An activity of Nike Run Club, or a list of them, which has their totals only. */
export const nikeFormat: Format = {
  type: 'json',
  name: 'Nike Run Club JSON',
  isListed: false,
  extensions: ['json'],
  detect: (head) => {
    const text = jsonObjectHead(head) ?? ''
    return /"start_epoch_ms"\s*:/.test(text) && /"(?:active_duration_ms|metrics)"\s*:/.test(text)
  },
  parse: parseNike,
}

const RUNNING = /^(?:run|running|jogging)$/
const ID_LENGTH = 100
const MPS_PER_KMH = 1 / 3.6

/** @throws FormatError */
function parseNike(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const root = membersOf(parsedJson(bytes, 'Nike Run Club'))
  const listed = rowsOf(root.activities)
  const found = listed.length > 0 ? listed : [root]
  const isRun = (about: Members) => anySport || RUNNING.test(typeOf(about))
  const runs = found.filter(isRun)
  if (runs.length === 0 && listed.length === 0) throw otherSportError(typeOf(root) || 'unknown')
  if (runs.length === 0) throw new FormatError('The file has no runs', { problem: 'noRun' })
  const sports = sportsNamed(found.flatMap((about) => (isRun(about) ? [] : typeOf(about))))
  return { type: 'json', activities: runs.map(activityOf), skippedOther: found.length - runs.length, sports }
}

function typeOf({ type }: Members): string {
  return textOf(type)?.toLowerCase() ?? ''
}

function activityOf(about: Members): Activity {
  const [startMs, endMs] = [numberOf(about.start_epoch_ms), numberOf(about.end_epoch_ms)]
  const timerS = amountOf(about.active_duration_ms, 0.001)
  const elapsedS = amountOf((endMs - startMs) / 1000) ?? timerS
  const summaries = rowsOf(about.summaries)
  const summary = (wanted: string) => summaries.find(({ metric }) => metric === wanted)?.value
  const id = cleanText(textOf(about.id), ID_LENGTH)
  return serviceRun({
    startMs,
    series: seriesOf(rowsOf(about.metrics)),
    totals: {
      elapsedS,
      timerS: timerWithin(timerS, elapsedS),
      distanceM: amountOf(summary('distance'), 1000),
      avgHeartRateBpm: beatsOf(summary('heart_rate')),
      caloriesKcal: kcalOf(summary('calories')),
      elevGainM: amountOf(summary('ascent')),
      elevLossM: amountOf(summary('descent')),
    },
    indoor: false,
    name: nameOf(membersOf(about.tags)['com.nike.name']),
    external: id === null ? null : { origin: 'nike', id },
  })
}

function seriesOf(metrics: readonly Members[]): TimedColumns[] {
  const values = (name: string) => rowsOf(metrics.findLast(({ type }) => type === name)?.values)
  const lonAt = new Map(values('longitude').map((row) => [startOf(row), amountIn(row)]))
  const series = [
    // latitudes with the longitude of the same instant
    timedColumns(lonAt.size > 0 ? values('latitude') : [], startOf, {
      latDeg: amountIn,
      lonDeg: (row) => lonAt.get(startOf(row)) ?? Number.NaN,
    }),
    timedColumns(values('heart_rate'), startOf, { heartRateBpm: amountIn }),
    timedColumns(values('elevation'), startOf, { elevM: amountIn }),
    timedColumns(values('speed'), startOf, { speedMps: (row) => amountIn(row) * MPS_PER_KMH }),
  ]
  // with a route, the distance is computed along it
  if (series[0]!.timeMs.length < 2) series.push(distanceOf(values('distance')))
  return series
}

function startOf(row: Members): number {
  return numberOf(row.start_epoch_ms)
}

function amountIn({ value }: Members): number {
  return numberOf(value)
}

/** The distance at the end of each step of kilometres. */
function distanceOf(steps: readonly Members[]): TimedColumns {
  let reachedM = 0
  return timedColumns(steps, (row) => numberOf(row.end_epoch_ms ?? row.start_epoch_ms), {
    distanceM: (row) => {
      const km = amountIn(row)
      if (km > 0) reachedM += km * 1000
      return reachedM
    },
  })
}
