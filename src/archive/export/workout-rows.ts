import { rowsBy } from '../../db/prepared.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { type DeviceTotals, eachNumber, NO_TOTALS, NUMBER_NAMES, NUMBERS, type Said } from '../../engine/numbers.ts'
import { leavesPart } from '../../engine/repair/repairs.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { engineRepairs, isJoined, type RunHead, wordsSet } from '../../library/documents/run.ts'
import { type TextPieces, workoutRawData } from '../../library/files/raw-data.ts'
import { shoeExists } from '../../library/ids.ts'
import { metaById, primaryId, recordingsOf, workoutTrack } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { memberTexts, objectText } from '../../workers/json-text.ts'
import { packedMeta } from '../../workers/pack.ts'
import { readCarried } from '../format/carried.ts'
import { oneOf, type Row } from '../format/fields.ts'
import { effortWordObject } from '../format/part-rows.ts'
import { type SamplesMeta, storedMeta } from '../format/sample-rows.ts'
import type { ExportedLibrary } from './library.ts'

/** Values of `rawFileType`, which older readers restrict to these. */
const RAW_FILE_TYPES: readonly string[] = ['gpx', 'fit', 'tcx', 'csv']
const workoutBy = rowsBy(workouts, workouts.id)

/**
 * One row of `workouts.json` as JSON text. The raw data, which can be megabytes, is inserted as it is. Older readers
 * expect the pace in whole seconds.
 */
export async function workoutText(library: ExportedLibrary, head: RunHead): Promise<TextPieces> {
  const { db, hasFile, whenDamaged } = library
  const { body, asked } = head
  const row = workoutBy(db).get({ is: head.id })!
  const first = recordingsOf(db, head.id).find(({ storedAs }) => storedAs !== null)
  const original = first !== undefined && hasFile(first.id) ? first : null
  const { efforts = {}, load = NO_CHOICE, intervals, wasRaced, stated } = body.choices ?? {}
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
    recording: recordingMember(library, head, row),
    inputs: {
      effortZones: asked.zones,
      elevationSettings: asked.elevation,
      ours: asked.ours ?? [],
      runnerSet: wordsSet(body),
      effortWords: Object.entries(efforts).map(([index, isRecord]) =>
        effortWordObject({ distanceIndex: Number(index), isRecord }),
      ),
      ...(intervals && { intervals: intervals.stretches }),
      ...(wasRaced && { wasRaced }),
      ...(stated && { stated }),
      ...(body.carried && { carried: readCarried(body.carried) }),
    },
  }
  const rawData = await workoutRawData(library, id, () => whenDamaged(id))
  return [...objectText({ ...memberTexts(about), ...rawData, ...memberTexts(after) })]
}

/**
 * Summarises all recordings as one, for readers from before `recordings.json` existed. The split unit, the time zone and the
 * engine version are only here. While a repair is active no recording's numbers count.
 */
function recordingMember({ db }: ExportedLibrary, head: RunHead, row: typeof workouts.$inferSelect): Row {
  const { timeZone, engineVersion } = row
  const stored = recordingsOf(db, head.id)
  const last = engineRepairs(head.body.track).findLast(leavesPart)
  const found = settledMeta(db, head)
  return {
    splitUnitM: head.asked.splitUnitM,
    timeZone,
    fileSession: stored.find(({ storedAs }) => storedAs !== null)?.fileSession ?? null,
    deviceTotals: last
      ? { ...NO_TOTALS, caloriesKcal: last.caloriesKcal }
      : totalsOf(stored.map(({ totals }) => totals)),
    engineVersion,
    samples: found && packedMeta(found),
  }
}

/** Of the settled track. */
function settledMeta(db: ExportedLibrary['db'], { id, body: { track } }: RunHead): SamplesMeta | null {
  if (isJoined(track) || engineRepairs(track).length > 0) return workoutTrack(db, id)
  const primary = primaryId(db, track)
  if (primary === null) return null
  const stored = metaById(db).get(primary)
  return stored && storedMeta(stored.meta)
}

/** The first stated value of each number, under the names of totals. */
function totalsOf(said: readonly Said[]): DeviceTotals {
  const totals: { -readonly [K in keyof DeviceTotals]: number | null } = { ...NO_TOTALS }
  for (const name of NUMBER_NAMES) {
    const { total } = NUMBERS[name]
    if (total !== null) totals[total] = said.map((statement) => statement[name]).find((value) => value != null) ?? null
  }
  return totals
}
