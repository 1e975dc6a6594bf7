import { FormatError } from '../format.ts'
import { OLD_TITLES, STRAVA_COLUMNS, type StravaColumn } from './titles.ts'

export interface StravaColumns {
  /** Indexes of each column, in order; several where its title is repeated. */
  readonly indexes: ReadonlyMap<StravaColumn, readonly number[]>
  readonly titles: readonly string[]
  readonly isOldHeader: boolean
}

/** When four of these are present, the table is one of Strava's. */
const KEY_COLUMNS: readonly StravaColumn[] = ['activityId', 'date', 'type', 'name', 'filename', 'elapsedTime']

/** Whether a header row is that of Strava's activities.csv, in any language. */
export function isStravaHeader(header: readonly string[]): boolean {
  const titles = header.map(plainTitle)
  if (isOld(header)) return true
  const known = STRAVA_COLUMNS.filter(
    (column) => KEY_COLUMNS.includes(column.name) && column.titles.some((title) => titles.includes(title)),
  )
  return known.length >= 4 || layoutShift(titles) !== null
}

/**
 * Finds the columns by title, then by the layout common to all languages, then by the content of rows.
 * @param sample some rows below the header
 * @throws FormatError when the date, type or file column cannot be found
 */
export function stravaColumns(header: readonly string[], sample: readonly (readonly string[])[] = []): StravaColumns {
  const titles = header.map(plainTitle)
  const isOldHeader = isOld(header)
  const indexes = new Map<StravaColumn, readonly number[]>()
  for (const { name, titles: known } of STRAVA_COLUMNS) {
    const wanted = isOldHeader ? [OLD_TITLES[name] ?? ''] : known
    const found = titles.flatMap((title, index) => (title !== '' && wanted.includes(title) ? [index] : []))
    if (found.length > 0) indexes.set(name, found)
  }
  if (!isOldHeader) addByLayout(indexes, titles)
  addByContent(indexes, titles, sample)
  for (const column of ['date', 'type', 'filename'] as const) {
    if (!indexes.has(column)) throw new FormatError(`activities.csv has no column for the activity's ${column}`)
  }
  return { indexes, titles: header.map((title) => withoutMarkup(title)), isOldHeader }
}

function addByLayout(indexes: Map<StravaColumn, readonly number[]>, titles: readonly string[]): void {
  const shift = layoutShift(titles)
  if (shift === null) return
  const taken = new Set([...indexes.values()].flat())
  for (const { name, index } of STRAVA_COLUMNS) {
    const at = layoutIndex(index, shift)
    if (indexes.has(name) || at === null || at >= titles.length || taken.has(at)) continue
    // columns after the 91st were added over the years; their positions are valid only in a header that has all of them
    if (index > 75 && titles.length < 99) continue
    const twin = titles.indexOf(titles[at]!)
    indexes.set(name, twin < at ? [twin, at] : [at])
  }
}

function addByContent(
  indexes: Map<StravaColumn, readonly number[]>,
  titles: readonly string[],
  sample: readonly (readonly string[])[],
): void {
  const holding = (pattern: RegExp) =>
    titles.findIndex((_, index) => sample.some((row) => pattern.test(row[index]?.trim() ?? '')))
  const filename = holding(/^activities\//)
  if (!indexes.has('filename') && filename >= 0) indexes.set('filename', [filename])
  if (!indexes.has('type') && filename >= 0 && titles.length > 3) indexes.set('type', [3])
  if (!indexes.has('date') && filename >= 0 && titles.length > 3) indexes.set('date', [1])
  const media = holding(/^media\//)
  if (!indexes.has('media') && media >= 0) indexes.set('media', [media])
}

/**
 * By how many columns a header is shorter than the layout of 2022: 2 in 2020 and 2021, without the first heart rate and
 * private note. It is known by its repeated titles: elapsed time and distance as displayed, then in SI units. null:
 * others.
 */
function layoutShift(titles: readonly string[]): 0 | 2 | null {
  if (titles.length < 70 || titles[5] === '' || titles[6] === '') return null
  if (titles[5] === titles[15] && titles[6] === titles[17]) return 0
  return titles[5] === titles[13] && titles[6] === titles[15] ? 2 : null
}

function layoutIndex(index: number, shift: 0 | 2): number | null {
  if (index < 0 || (shift === 2 && index === 10)) return null
  return index < 7 ? index : index - shift
}

function isOld(header: readonly string[]): boolean {
  return ['id', 'date', 'type', 'filename'].every((title) => header.some((cell) => withoutMarkup(cell) === title))
}

function plainTitle(cell: string): string {
  return withoutMarkup(cell).toLowerCase()
}

/** A missing translation appears as `<span class="translation_missing" …>Title</span>`. */
function withoutMarkup(cell: string): string {
  return cell
    .replace(/<[^>]*>/g, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\s\ufeff]+/g, ' ')
    .trim()
    .normalize('NFC')
}
