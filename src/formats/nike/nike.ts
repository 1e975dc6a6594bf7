import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { type Members, membersOf, type Place } from '../json-bytes.ts'
import { JsonFile, jsonObjectHead } from '../json-file.ts'
import { amountOf, beatsOf, kcalOf, nameOf, serviceRun, timerWithin } from '../service-run.ts'
import { otherSportError } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import type { TimedColumns } from '../table/merged.ts'
import { Rows } from '../table/rows.ts'
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
  const json = new JsonFile(bytes, 'Nike Run Club')
  const root = json.root()
  const places: Place[] = []
  json.members(root, { activities: (place) => void places.push(place) })
  const isList = places.length > 0
  const found = (isList ? places : [root]).map((place) => readActivity(json, place))
  const isRun = ({ type }: NikeActivity) => anySport || RUNNING.test(type)
  const runs = found.filter(isRun)
  if (runs.length === 0 && !isList) throw otherSportError(found[0]?.type || 'unknown')
  if (runs.length === 0) throw new FormatError('The file has no runs', { problem: 'noRun' })
  const sports = sportsNamed(found.flatMap((activity) => (isRun(activity) ? [] : activity.type)))
  return { type: 'json', activities: runs.map(activityOf), skippedOther: found.length - runs.length, sports }
}

type Metric = Rows<'atMs' | 'endMs' | 'value'>

interface NikeActivity {
  readonly type: string
  readonly about: Members
  readonly metrics: ReadonlyMap<string, Metric>
}

function readActivity(json: JsonFile, place: Place): NikeActivity {
  const metrics = new Map<string, Metric>()
  const about = json.members(place, {
    metrics: (metric) => {
      const rows = new Rows('atMs', 'endMs', 'value')
      const { type } = json.members(metric, {
        values: (element) => {
          const { start_epoch_ms: start, end_epoch_ms: end, value } = json.members(element)
          rows.add({ atMs: numberOf(start), endMs: numberOf(end ?? start), value: numberOf(value) })
        },
      })
      if (typeof type === 'string') metrics.set(type, rows)
    },
  })
  return { type: textOf(about.type)?.toLowerCase() ?? '', about, metrics }
}

function activityOf({ about, metrics }: NikeActivity): Activity {
  const [startMs, endMs] = [numberOf(about.start_epoch_ms), numberOf(about.end_epoch_ms)]
  const timerS = amountOf(about.active_duration_ms, 0.001)
  const elapsedS = amountOf((endMs - startMs) / 1000) ?? timerS
  const summaries = Array.isArray(about.summaries) ? about.summaries.map(membersOf) : []
  const summary = (wanted: string) => summaries.find(({ metric }) => metric === wanted)?.value
  const id = cleanText(textOf(about.id), ID_LENGTH)
  return serviceRun({
    startMs,
    series: seriesOf(metrics),
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

function seriesOf(metrics: NikeActivity['metrics']): TimedColumns[] {
  const values = (name: 'heart_rate' | 'elevation' | 'speed') => metrics.get(name) ?? new Rows('atMs', 'endMs', 'value')
  const [heart, elevation, speed] = [values('heart_rate'), values('elevation'), values('speed')]
  const route = routeOf(metrics)
  const series: TimedColumns[] = [
    route,
    { timeMs: heart.column('atMs'), columns: [['heartRateBpm', heart.column('value')]] },
    { timeMs: elevation.column('atMs'), columns: [['elevM', elevation.column('value')]] },
    { timeMs: speed.column('atMs'), columns: [['speedMps', speed.column('value').map((kmh) => kmh * MPS_PER_KMH)]] },
  ]
  // with a route, the distance is computed along it
  const steps = metrics.get('distance')
  if (route.timeMs.length < 2 && steps !== undefined) series.push(distanceOf(steps))
  return series
}

/** Latitudes with the longitude of the same instant. */
function routeOf(metrics: NikeActivity['metrics']): TimedColumns {
  const [lat, lon] = [metrics.get('latitude'), metrics.get('longitude')]
  if (lat === undefined || lon === undefined) return { timeMs: new Float64Array(0), columns: [] }
  const lonAt = new Map([...lon.column('atMs')].map((atMs, row) => [atMs, lon.column('value')[row]!]))
  const lonDeg = lat.column('atMs').map((atMs) => lonAt.get(atMs) ?? Number.NaN)
  return {
    timeMs: lat.column('atMs'),
    columns: [
      ['latDeg', lat.column('value')],
      ['lonDeg', lonDeg],
    ],
  }
}

/** The distance at the end of each step of kilometres. */
function distanceOf(steps: Metric): TimedColumns {
  let reachedM = 0
  const distanceM = steps.column('value').map((km) => {
    if (km > 0) reachedM += km * 1000
    return reachedM
  })
  return { timeMs: steps.column('endMs'), columns: [['distanceM', distanceM]] }
}
