import { LENGTHS } from '../../base/texts.ts'
import type { RunType } from '../../engine/limits.ts'
import { type DeviceTotals, NO_TOTALS } from '../../engine/numbers.ts'
import { roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import { type Activity, type ExternalId, FormatError, type RawObject, UNSAID } from '../format.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { csvSteps, csvText, firstRow, SEPARATORS, type Separator } from '../table/reader.ts'
import { cleanText } from '../text-values.ts'
import { isStravaHeader, type StravaColumns, stravaColumns } from './columns.ts'
import { rawRow, weatherCells } from './raw.ts'
import type { StravaColumn } from './titles.ts'
import { stravaDate, stravaNumber, typedValue } from './values.ts'
import { stravaWeather } from './weather.ts'

/** One row of Strava's activities.csv (docs/api.md 7.3). Its totals only fill numbers that the file does not give. */
export interface StravaRow extends Pick<Activity, 'name' | 'runType' | 'rpe' | 'totals' | 'weather'> {
  /** Strava's id of the activity; null: the table has none. */
  readonly activityId: string | null
  /** As written, such as `activities/123.fit.gz`; null when the row has no file. Not yet validated as a path. */
  readonly filename: string | null
  readonly type: string
  /** Whether the type is Run, in any language; Trail Run and Virtual Run do not count. */
  readonly isRun: boolean
  /** Description and private note, joined by a blank line. */
  readonly notes: string | null
  /** Unix milliseconds; null when the date cannot be read. Used only for rows without a file. */
  readonly startedAtMs: number | null
  /** Paths as written, such as `media/abc.jpg`. */
  readonly media: readonly string[]
  /** Activity Gear: a name such as `Brooks Ghost 7`. */
  readonly gear: string | null
  /** rawStravaData of docs/api.md 11.3 without importedAt. */
  readonly raw: RawObject
}

const ID_LENGTH = 40
const SAMPLE_ROWS = 200

const RUN_NAMES =
  /^(?:run|lauf|laufen|course à pied|carrera|corsa|corrida|hardloopsessie|hardlopen|跑步|跑步機|ランニング|ラン|달리기|бег|bieg|löpning|løb|løping|juoksu)$/

/** A row of which only the type was parsed, since an export may hold a million activities of other sports. */
interface StravaLine extends Pick<StravaRow, 'type' | 'isRun'> {
  row(): StravaRow
}

/** As `stravaSteps`, rows alone. */
export function* stravaLines(pieces: Iterable<Uint8Array>): Generator<StravaLine, void> {
  for (const line of stravaSteps(pieces)) if (line !== null) yield line
}

/**
 * The rows of an activities.csv in file order, one at a time: neither its text nor its objects are in memory as a
 * whole; null after each piece of its text, as `csvSteps` gives it.
 * @param pieces the bytes of the file, which are read twice
 * @throws FormatError without a header or a needed column (on the first step), or when a quote is never closed
 */
export function* stravaSteps(pieces: Iterable<Uint8Array>): Generator<StravaLine | null, void> {
  let header: string[] | null = null
  let columns: StravaColumns | null = null
  const sample: string[][] = []
  const lines = (found: StravaColumns) => sample.map((cells) => stravaLine(cells, found))
  for (const cells of csvSteps(csvText(pieces), stravaSeparator(pieces) ?? ',')) {
    if (cells === null) yield null
    else if (columns !== null) yield stravaLine(cells, columns)
    else if (header === null) header = cells
    else if (sample.push(cells) === SAMPLE_ROWS) {
      columns = stravaColumns(header, sample)
      yield* lines(columns)
    }
  }
  if (header === null) throw new FormatError('activities.csv is empty')
  if (columns === null) yield* lines(stravaColumns(header, sample))
}

/** A comma, unless a spreadsheet saved it again; null: the header is not Strava's. @throws FormatError as `csvRows` */
export function stravaSeparator(pieces: Iterable<Uint8Array>): Separator | null {
  return SEPARATORS.find((separator) => isStravaHeader(firstRow(csvText(pieces), separator) ?? [])) ?? null
}

/** Converts a row to a run without file. @throws FormatError when its date cannot be read */
export function summaryActivity(row: StravaRow): Activity {
  if (row.startedAtMs === null) {
    throw new FormatError(`The date of the activity ${row.name ?? 'without name'} in activities.csv cannot be read`)
  }
  return {
    ...UNSAID,
    startedAtMs: row.startedAtMs,
    totals: row.totals,
    name: row.name,
    notes: row.notes,
    runType: row.runType,
    rpe: row.rpe,
    source: 'strava_import',
    weather: row.weather,
    gear: row.gear,
    external: externalOf(row),
    rawStravaData: row.raw,
  }
}

/** Strava's id of the activity in a row; null: the table has none. */
export function externalOf({ activityId: id }: StravaRow): ExternalId | null {
  return id === null ? null : { origin: 'strava_archive', id }
}

function stravaLine(cells: readonly string[], columns: StravaColumns): StravaLine {
  const type = textIn('type', cells, columns).trim()
  const isRun = RUN_NAMES.test(type.toLowerCase().normalize('NFC'))
  return {
    type,
    isRun,
    row: () => stravaRow(cells, columns, { type, isRun }),
  }
}

function textIn(column: StravaColumn, cells: readonly string[], { indexes }: StravaColumns): string {
  const index = indexes.get(column)?.at(-1)
  return index === undefined ? '' : (cells[index] ?? '')
}

function stravaRow(
  cells: readonly string[],
  columns: StravaColumns,
  { type, isRun }: Pick<StravaRow, 'type' | 'isRun'>,
): StravaRow {
  const text = (column: StravaColumn) => textIn(column, cells, columns)
  const weather = weatherCells(cells, columns)
  const notes = [text('activityDescription'), text('activityPrivateNote')].map((part) => cleanText(part, LENGTHS.notes))
  return {
    activityId: cleanText(text('activityId'), ID_LENGTH),
    filename: text('filename').trim() || null,
    type,
    isRun,
    name: cleanText(text('name'), LENGTHS.name),
    notes: notes.filter((part) => part !== null).join('\n\n') || null,
    startedAtMs: stravaDate(text('date')),
    runType: runTypeOfFlags(text('competition'), text('longRun')),
    rpe: effortOf(text('perceivedExertion')),
    totals: rowTotals(cells, columns),
    weather: stravaWeather(weather),
    media: mediaOf(text('media')),
    gear: cleanText(text('gear'), LENGTHS.name),
    raw: rawRow(cells, columns, weather),
  }
}

/** SI values; heart rates, cadence, watts and calories are whole and above 0; cadence counts one foot. */
function rowTotals(cells: readonly string[], columns: StravaColumns): DeviceTotals {
  const value = (column: StravaColumn, isSaid: (number: number) => boolean) => {
    const number = numberIn(column, cells, columns)?.value
    return number !== undefined && isSaid(number) ? number : null
  }
  const atLeast0 = (column: StravaColumn) => value(column, (number) => number >= 0 && number < NUMBER_LIMITS.amount)
  const altitude = (column: StravaColumn) => value(column, (number) => Math.abs(number) < NUMBER_LIMITS.elevM)
  const above0 = (column: StravaColumn, limit: number) => value(column, (number) => number > 0 && number < limit)
  const whole = (column: StravaColumn, limit: number) => roundedOrNull(above0(column, limit))
  const oneFoot = (column: StravaColumn) => {
    const number = above0(column, NUMBER_LIMITS.cadence)
    return roundedOrNull(number !== null && number > 120 ? number / 2 : number)
  }
  const movingS = atLeast0('movingTime')
  return {
    ...NO_TOTALS,
    distanceM: distanceM(cells, columns),
    elapsedS: atLeast0('elapsedTime') ?? movingS,
    timerS: atLeast0('timerTime') || null,
    movingS,
    avgHeartRateBpm: whole('averageHeartRate', 255),
    maxHeartRateBpm: whole('maxHeartRate', 255),
    avgCadenceRpm: oneFoot('averageCadence'),
    maxCadenceRpm: oneFoot('maxCadence'),
    avgPowerW: whole('averageWatts', NUMBER_LIMITS.powerW),
    maxPowerW: whole('maxWatts', NUMBER_LIMITS.powerW),
    caloriesKcal: whole('calories', NUMBER_LIMITS.caloriesKcal),
    elevGainM: atLeast0('elevationGain'),
    elevLossM: atLeast0('elevationLoss'),
    minElevM: altitude('elevationLow'),
    maxElevM: altitude('elevationHigh'),
    avgSpeedMps: atLeast0('averageSpeed') || null,
    maxSpeedMps: atLeast0('maxSpeed') || null,
  }
}

/** Of repeated Distance columns the last holds metres; a single one holds kilometres, or metres in the old header. */
function distanceM(cells: readonly string[], columns: StravaColumns): number | null {
  const found = numberIn('distance', cells, columns)
  if (found === null || !(found.value >= 0 && found.value < NUMBER_LIMITS.amount)) return null
  return found.isDisplayed && !columns.isOldHeader ? found.value * 1000 : found.value
}

/** The last number of a column and of those with the same title; the first of several is the displayed value. */
function numberIn(column: StravaColumn, cells: readonly string[], { indexes }: StravaColumns) {
  const places = indexes.get(column) ?? []
  for (let i = places.length - 1; i >= 0; i--) {
    const value = stravaNumber(cells[places[i]!] ?? '')
    if (value !== null) return { value, isDisplayed: i === 0 }
  }
  return null
}

function runTypeOfFlags(competition: string, longRun: string): RunType | null {
  const isSet = (cell: string) => {
    const value = typedValue(cell)
    return value === true || (typeof value === 'number' && value !== 0)
  }
  if (isSet(competition)) return 'Race'
  return isSet(longRun) ? 'Long Run' : null
}

function effortOf(cell: string): number | null {
  const number = stravaNumber(cell)
  const effort = number === null ? 0 : roundHalfUp(number)
  return effort >= 1 && effort <= 10 ? effort : null
}

function mediaOf(cell: string): string[] {
  return cell
    .split(/[|,]/)
    .map((path) => path.trim())
    .filter((path) => path !== '')
}
