import { isObject } from '../../../base/json-object.ts'
import { paced } from '../../../base/pace.ts'
import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { FIT_HEAD_BYTES, fitFileType } from '../../../formats/fit/file-type.ts'
import { FormatError } from '../../../formats/format.ts'
import { arrivingRows } from '../../../formats/json-rows.ts'
import type { SportWord } from '../../../formats/sport-words.ts'
import { cleanText } from '../../../formats/text-values.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import type { Item, TakeoutKind, Told, Unpacking } from '../kind.ts'
import { countedFiles, countFile, type Found, filesWithin, isZipName, unpackedItem } from '../nested.ts'
import { totalsItem } from '../services/rows.ts'
import { messageOf, type TakeoutSource } from '../source.ts'
import { createRows, type GarminRow, readRow } from './rows.ts'

const GARMIN_PATH = /(?:^|\/)DI_CONNECT\/|(?:^|\/)DI-Connect-[^/]*\//i
const SUMMARIES = /summarizedActivities\.json$/i
const GEAR = /_gear\.json$/i
const RECORDING = /\.(?:fit|tcx|gpx)(?:\.gz)?$/i
/** ZIPs of uploaded files; in older exports they are beside the summaries. */
const UPLOADED = /(?:^|\/)(?:DI-Connect-(?:Uploaded-Files|Fitness)[^/]*\/[^/]+|UploadedFiles[^/]*)\.zip$/i
const ACTIVITY_FILE = 4
/** Of all summaries, and of a gear.json. */
const [MAX_SUMMARY_BYTES, MAX_GEAR_BYTES] = [4 * 1024 ** 3, 64 * 1_048_576]
const NOTHING =
  'The Garmin export has neither activity files (UploadedFiles_….zip) nor summaries (…_summarizedActivities.json)'

/** The archive of "Export Your Data": summaries of activities, and ZIPs of every file that was uploaded. */
export const garmin: TakeoutKind = {
  origin: 'garmin_takeout',
  listed: 'Garmin',
  names: [GARMIN_PATH],
  items,
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const summaries = await readSummaries(source, unpacking)
  const { runs, gear, sports } = summaries
  const sportsCount = [...sports.values()].reduce((sum, count) => sum + count, 0)
  const hasRows = runs.length + sportsCount > 0
  if (hasRows) unpacking.expect(runs.length + sportsCount)
  const rows = createRows(runs)
  const told = (row: GarminRow | null) => row && toldBy(row, gear)
  let isAny = hasRows
  const others = new Map<string, number>()
  for await (const found of filesWithin(source, isWanted)) {
    if ('error' in found) yield found
    else if (await isActivity(found)) {
      const item = await unpackedItem(source, found, (run) => told(rows.take(run)))
      yield { ...item, isSportCounted: hasRows }
    } else {
      countFile(others, found.filename)
      continue
    }
    isAny = true
  }
  yield* countedFiles(others, ['an activity', 'activities'])
  if (!isAny) throw new FormatError(NOTHING)
  for (const [sport, count] of sports) yield { sport, count }
  await unpacking.allDone()
  for (const row of rows.withoutFile()) yield rowItem(row, toldBy(row, gear))
}

/** Files of the uploads: what is beside summaries in the other folders is never looked at. */
function isWanted(name: string): boolean {
  return /\.zip\//i.test(name) || (isZipName(name) ? UPLOADED : RECORDING).test(name)
}

/** Of a FIT only its beginning is unpacked: nineteen of twenty are monitoring, sleep, settings and the like. */
async function isActivity({ zip, entry }: Found): Promise<boolean> {
  if (!RECORDING.test(entry.name)) return false
  if (!/\.fit$/i.test(entry.name)) return true
  try {
    const type = fitFileType(await zip.head(entry, FIT_HEAD_BYTES))
    return type === null || type === ACTIVITY_FILE
  } catch {
    // unpacking it says what is wrong
    return true
  }
}

interface Summaries {
  readonly runs: readonly GarminRow[]
  readonly sports: ReadonlyMap<SportWord, number>
  /** Names of shoes by id of the activity. */
  readonly gear: ReadonlyMap<string, string>
}

async function readSummaries(source: TakeoutSource, { warn, shoe }: Unpacking): Promise<Summaries> {
  const runs: GarminRow[] = []
  const ids = new Set<string>()
  const sports = new Map<SportWord, number>()
  const gear = new Map<string, string>()
  for await (const entry of source.entries()) {
    try {
      if (SUMMARIES.test(entry.name)) {
        for await (const row of summaryRows(source, entry, warn)) {
          if (row === null) continue
          if ('sport' in row) sports.set(row.sport, (sports.get(row.sport) ?? 0) + 1)
          else if (row.run.id === null || !ids.has(row.run.id)) {
            runs.push(row.run)
            if (row.run.id !== null) ids.add(row.run.id)
          }
        }
      } else if (GEAR.test(entry.name)) addGear(gear, await jsonOf(source, entry), shoe)
    } catch (error) {
      warn({ filename: entry.name, message: error instanceof SyntaxError ? 'The file is not JSON' : messageOf(error) })
    }
  }
  return { runs, sports, gear }
}

async function* summaryRows(source: TakeoutSource, entry: ZipEntry, warn: Unpacking['warn']) {
  let passed = 0
  const pieces = source.zip!.read(entry, { maxBytes: MAX_SUMMARY_BYTES })
  const rows = arrivingRows(pieces, 'summarizedActivitiesExport', () => {
    passed += 1
  })
  for await (const row of paced(rows)) yield readRow(row)
  if (passed > 0) warn({ filename: entry.name, message: `${passed} of its rows could not be read` })
}

async function jsonOf(source: TakeoutSource, entry: ZipEntry): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await source.zip!.bytes(entry, MAX_GEAR_BYTES)))
}

function toldBy({ id, name, isAutoName, runType, utcOffsetMinutes }: GarminRow, gear: Summaries['gear']): Told {
  return {
    external: id === null ? null : { origin: 'garmin_takeout', id },
    ...{ name, isAutoName, notes: null, rpe: null, runType, utcOffsetMinutes },
    gear: (id === null ? undefined : gear.get(id)) ?? null,
  }
}

/** A run from totals, since the export has no file of it. */
function rowItem({ startedAtMs, totals }: GarminRow, told: Told): Item {
  const filename = 'summarizedActivities.json'
  if (totals.elapsedS === null || totals.distanceM === null) {
    const called = `${told.name ?? 'The run'} of ${new Date(startedAtMs).toISOString().slice(0, 10)}`
    return { filename, skipped: `${called} has no file, and no distance or duration` }
  }
  return totalsItem({ name: filename, told, startedAtMs, totals, source: 'fit_import' })
}

/** Longest name of a shoe, as brand and model take it. */
const NAME_LENGTH = 100

/** Adds the shoes in a gear.json to the names by activity; of several on one activity the first stays. */
function addGear(names: Map<string, string>, json: unknown, shoe: Unpacking['shoe']): void {
  for (const part of Array.isArray(json) ? json : [json]) {
    if (!isObject(part)) continue
    const shoes = shoeNames(part.gearDTOS, shoe)
    const worn = isObject(part.gearActivityDTOs) ? part.gearActivityDTOs : {}
    for (const [gear, activities] of Object.entries(worn)) {
      const name = shoes.get(gear)
      if (name === undefined || !Array.isArray(activities)) continue
      for (const activity of activities) {
        const id = isObject(activity) ? activity.activityId : null
        if ((typeof id === 'number' || typeof id === 'string') && !names.has(String(id))) names.set(String(id), name)
      }
    }
  }
}

/** By key; gear of another type than shoes is left out. */
function shoeNames(list: unknown, shoe: Unpacking['shoe']): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const gear of Array.isArray(list) ? list : []) {
    if (!isObject(gear) || !/^shoes$/i.test(textIn(gear.gearTypeName) ?? 'shoes')) continue
    const name = textIn(gear.customMakeModel) ?? textIn(gear.displayName)
    const isKey = typeof gear.gearPk === 'number' || typeof gear.gearPk === 'string'
    if (!isKey || name === null) continue
    names.set(String(gear.gearPk), name)
    shoe(name, /^retired$/i.test(textIn(gear.gearStatusName) ?? '') ? fileTime(textIn(gear.dateEnd) ?? '') : null)
  }
  return names
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value, NAME_LENGTH) : null
}
