import { RAW_LENGTHS } from '../../base/texts.ts'
import type { RawObject } from '../format.ts'
import type { StravaColumns } from './columns.ts'
import { RAW_COLUMNS, type StravaColumn, WEATHER_COLUMNS } from './titles.ts'
import { typedValue } from './values.ts'
import type { StravaWeatherCells } from './weather.ts'

/** rawStravaData of docs/api.md 11.3. Blank cells are left out; of repeated titles the last filled one counts. */
export function rawRow(cells: readonly string[], columns: StravaColumns, weather: StravaWeatherCells): RawObject {
  const otherFields: Record<string, number | boolean | string> = {}
  for (const index of othersOf(columns)) {
    const value = typedValue(cells[index] ?? '')
    if (value !== null) otherFields[columns.titles[index]!] = value
  }
  return {
    ...collected(RAW_COLUMNS, cells, columns),
    ...(Object.keys(weather).length > 0 ? { weather } : {}),
    ...(Object.keys(otherFields).length > 0 ? { otherFields } : {}),
    source: 'strava_import',
  }
}

/** Cached per table, since a table has thousands of rows. */
const knownOthers = new WeakMap<StravaColumns, readonly number[]>()

function othersOf(columns: StravaColumns): readonly number[] {
  const known = knownOthers.get(columns)
  if (known !== undefined) return known
  const names = [...Object.keys(RAW_COLUMNS), ...Object.keys(WEATHER_COLUMNS)] as StravaColumn[]
  const named = new Set(names.flatMap((column) => columns.indexes.get(column) ?? []))
  const others = columns.titles.flatMap((title, index) => (title !== '' && !named.has(index) ? [index] : []))
  knownOthers.set(columns, others)
  return others
}

export function weatherCells(cells: readonly string[], columns: StravaColumns): StravaWeatherCells {
  return collected(WEATHER_COLUMNS, cells, columns)
}

function collected(names: object, cells: readonly string[], { indexes }: StravaColumns) {
  const values: Record<string, number | boolean | string> = {}
  for (const name of Object.keys(names) as StravaColumn[]) {
    const isLong = name === 'activityDescription' || name === 'activityPrivateNote'
    for (const index of indexes.get(name) ?? []) {
      const value = typedValue(cells[index] ?? '', isLong ? RAW_LENGTHS.description : RAW_LENGTHS.other)
      // a number is never replaced by the text of a column with the same title
      if (value !== null && (typeof value === 'number' || typeof values[name] !== 'number')) values[name] = value
    }
  }
  return values
}
