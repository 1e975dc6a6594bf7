import { rowsBy } from '../../db/prepared.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber } from '../../engine/numbers.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { RunHead } from '../../library/documents/run.ts'
import { type TextPieces, workoutRawData } from '../../library/files/raw-data.ts'
import { shoeExists } from '../../library/ids.ts'
import { recordingsOf } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { memberTexts, objectText } from '../../workers/json-text.ts'
import { oneOf } from '../format/fields.ts'
import type { ExportedLibrary } from './library.ts'

/** Values of `rawFileType`, which other programs restrict to these. */
const RAW_FILE_TYPES: readonly string[] = ['gpx', 'fit', 'tcx', 'csv']
const workoutBy = rowsBy(workouts, workouts.id)

/**
 * One row of `workouts.json` as JSON text. The raw data, which can be megabytes, is inserted as it is. Other programs
 * expect the pace in whole seconds.
 */
export async function workoutText(library: ExportedLibrary, head: RunHead): Promise<TextPieces> {
  const { db, hasFile, whenDamaged } = library
  const { body } = head
  const row = workoutBy(db).get({ is: head.id })!
  const first = recordingsOf(db, head.id).find(({ storedAs }) => storedAs !== null)
  const original = first !== undefined && hasFile(first.id) ? first : null
  const { load = NO_CHOICE } = body.choices ?? {}
  const { id, hrZoneSeconds, rpe, runType, name, notes, source, device, utcOffsetMinutes, leftOut } = row
  const shoeId = row.shoeId !== null && shoeExists(db, row.shoeId) ? row.shoeId : null
  const about = {
    id,
    startedAt: isoTime(row.startedAt),
    createdAt: isoTime(row.createdAt),
    ...eachNumber((number) => row[number]),
    avgPaceS: roundHalfUp(row.avgPaceS),
    ...{ hrZoneSeconds, rpe, runType, name, notes, source, device, shoeId, utcOffsetMinutes, leftOut },
    ...(Bun.deepEquals(load, NO_CHOICE) ? {} : load),
    rawFileName: original?.fileName ?? null,
    rawFileType: oneOf(original?.fileType, RAW_FILE_TYPES),
    rawFileData: null,
  }
  const after = {
    weather: row.weather,
    ...{ shoe: null, route: null, splits: [], media: [], timeSeries: [] },
  }
  const rawData = await workoutRawData(library, id, () => whenDamaged(id))
  return [...objectText({ ...memberTexts(about), ...rawData, ...memberTexts(after) })]
}
