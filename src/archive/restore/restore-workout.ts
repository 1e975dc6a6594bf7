import { rm } from 'node:fs/promises'
import type { Tx } from '../../db/open.ts'
import { media, workoutSplits } from '../../db/schema.ts'
import { ENGINE_VERSION, preview, routeRows, trackEfforts } from '../../engine/analyze.ts'
import { MAX_ROWS } from '../../engine/codec.ts'
import { filledDistance } from '../../engine/run/distance.ts'
import type { Position, Track } from '../../engine/track.ts'
import {
  freeId,
  insertWorkout,
  type NewWorkout,
  shoeExists,
  storeWithFiles,
  workoutExists,
} from '../../library/add-workout.ts'
import { duplicateOf } from '../../library/duplicates.ts'
import { viewOfRaw } from '../../library/files/raw-copies.ts'
import { externalsOf, firstDeleted } from '../../library/receipts/deleted-runs.ts'
import { knownReason } from '../../library/receipts/known-reason.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { placeTime } from '../../library/time-zone.ts'
import { enqueueWeather } from '../../library/weather.ts'
import { removeUnnamedMedia } from '../../media/store.ts'
import { createPace } from '../../pace.ts'
import { rawHeartRate } from '../../workers/analyze-file.ts'
import { firstPosition } from '../../workers/derive.ts'
import { routeIndex } from '../../workers/route-index.ts'
import { calledOf, objectOf, type Row, textOf, uuidOf } from '../format/fields.ts'
import { type ReadRecording, readRecording } from '../format/recording-rows.ts'
import { readRepair } from '../format/repair-rows.ts'
import { sampleTable } from '../format/sample-rows.ts'
import { isGiven, readMember, readWorkout, type WorkoutValues } from '../format/workout-rows.ts'
import { type ArchivedWorkout, filesOf, type RestoredInputs, type RestoredRecording } from './archived.ts'
import { type FileWork, type RawFile, unpackMedia, unpackOriginals } from './files.ts'
import { foreignTrack, oneRecording } from './foreign.ts'
import { rawDataOf } from './raw-data.ts'
import { ownTrack, toldInputs } from './recordings.ts'
import { splitsOf, unitOfSplits } from './splits.ts'

export interface WorkoutWork extends FileWork {
  /** Archive shoes that an existing one replaces. */
  readonly standIns: ReadonlyMap<string, string>
}

/**
 * Restores one workout with all its parts: files first, then rows in one transaction. A problem with it is reported and
 * does not affect the next workout.
 * @throws ZipError with scope `archive`
 */
export async function restoreWorkout(work: WorkoutWork, id: string, row: Row): Promise<void> {
  const { deps, parts, report, receipt } = work
  const filename = textOf(row.rawFileName, 255) ?? textOf(row.name, 255)
  const skipped = (known: string, reason = knownReason(deps.db, known, null)) => {
    receipt?.note({ outcome: 'skipped', workoutId: known, filename, reason })
    report.skipped('workouts')
  }
  // a workout that was deleted meanwhile stays deleted, since its parts were left out
  if (workoutExists(deps.db, id) || parts.isKnown(id)) {
    parts.addWorkout(id, id)
    return skipped(id)
  }
  const values = readWorkout(row, (key) => {
    report.warn('Values of workouts that are not what they should be, left out', { which: `${id} ${key}` })
  })
  if ('error' in values) {
    parts.addWorkout(id, null)
    receipt?.note({ outcome: 'error', filename, reason: values.error })
    return report.failed('workouts', values.error, { which: id })
  }
  const told = toldRecordings(work, id)
  const member = readMember(row.recording)
  const originals = await unpackOriginals(work, { id, row, told })
  try {
    const sessions = new Map(told.map((recording) => [recording.id, recording.fileSession]))
    // data shared by the parts of a split run is stored with the first part
    const areParts = new Set(told.filter(({ partFromMs }) => partFromMs !== null).map((recording) => recording.id))
    const files = [...originals].map(([recordingId, { sha256 }]) => ({
      sha256: areParts.has(recordingId) ? null : sha256,
      session: (sessions.has(recordingId) ? sessions.get(recordingId) : member?.fileSession) ?? 0,
    }))
    const twin = twinOf(deps.db, values, files)
    parts.addWorkout(id, twin ?? id)
    if (twin !== null) return skipped(twin)
    const keys = { files, externals: told.flatMap(externalsOf) }
    const gone = deps.author?.isAutomatic ? firstDeleted(deps.db, keys) : null
    if (gone !== null) return skipped(id, gone.reason)
    const archived = { ...partsOf(work, id), id, values, member, told, originals, rawData: rawDataOf(report, id, row) }
    const inputs = await withRawViews(work, await inputsOf(work, archived))
    await store(work, {
      archived,
      inputs,
      derived: await derivedOf(inputs.track),
      media: await unpackMedia(work, id),
      filename,
      shoeId: shoeOf(work, row),
      isStored: (tx) => workoutExists(tx, id) || twinOf(tx, values, files) !== null,
    })
  } finally {
    for (const { path } of originals.values()) await rm(path, { force: true })
  }
}

type FileKey = Pick<RawFile, 'sha256'> & { readonly session: number }

/** @returns id of the stored workout that is the same run */
function twinOf(tx: Tx, { startedAtMs, numbers }: WorkoutValues, files: readonly FileKey[]): string | null {
  const { distanceM, durationS } = numbers
  for (const { sha256, session } of [...files, { sha256: null, session: 0 }]) {
    const file = sha256 === null ? null : { sha256, session }
    const twin = duplicateOf(tx, { startedAtMs, distanceM, durationS, isSummary: false, file })
    if (twin !== null) return twin.id
  }
  return null
}

/** The recordings of a workout in order of arrival; none in archives from before `recordings.json` existed. */
function toldRecordings({ parts, report }: WorkoutWork, id: string): ReadRecording[] {
  const read = [...parts.rows('recordings', id)].map(readRecording)
  const told = read.filter((recording) => recording !== null)
  const unique = told.filter((recording, place) => told.findIndex((other) => other.id === recording.id) === place)
  if (unique.length < read.length) report.warn('Recordings that cannot be read, left out', { which: id })
  return unique.toSorted((a, b) => a.seq - b.seq)
}

/** Collects the parts of a workout; unreadable ones are reported. */
function partsOf(work: WorkoutWork, id: string) {
  const { parts, report } = work
  const repairs = [...parts.rows('repairs', id)].map(readRepair)
  if (repairs.includes(null)) report.warn('Repairs that cannot be read, left out', { which: id })
  const [route] = parts.rows('routes', id)
  const table = sampleTable(parts.of('timeSeries', id))
  if (table === null) {
    const { timeSeries: count } = parts.counts(id)
    report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count })
  }
  return {
    repairs: repairs.filter((repair) => repair !== null).toSorted((a, b) => a.seq - b.seq),
    table: table ?? sampleTable([])!,
    routeGeoJson: route?.routeGeoJson,
    routeId: uuidOf(route?.id),
    splits: splitsOf(work, id),
  }
}

/** Its recordings and repairs: those of the archive, else a single recording with everything that is known. */
async function inputsOf({ deps, report }: WorkoutWork, archived: ArchivedWorkout): Promise<RestoredInputs> {
  const { told, member } = archived
  if (told.length > 0) return toldInputs(deps.db, archived, report)
  const own = member?.samples ? ownTrack(archived, member.samples, report) : null
  const track = member === null ? await foreignTrack(deps, archived) : own
  return oneRecording(deps.db, archived, { track, nowMs: deps.now() })
}

/** Drops raw data that can be parsed from the original unchanged, so that it is not stored twice. */
async function withRawViews({ deps }: WorkoutWork, inputs: RestoredInputs): Promise<RestoredInputs> {
  const viewed = inputs.recordings.map(async (restored): Promise<RestoredRecording> => {
    const { recording, original, rawData } = restored
    if (rawData === null) return restored
    const { fileName = null, fileSession = null, origin } = recording
    const file = original && { path: original.path, fileName, fileSession }
    const view = await viewOfRaw(deps, rawData, { original: file, origin })
    return { ...restored, recording: { ...recording, rawView: view ?? false, hasRaw: view === null } }
  })
  return { ...inputs, recordings: await Promise.all(viewed) }
}

type Derived = Pick<NewWorkout, 'bestEfforts' | 'preview' | 'routeIndex'> & {
  readonly hasHeartRate: boolean
  readonly firstPosition: Position | null
}

/** Data that is always derived from the samples. For a run of a day, each step takes as long as requests may wait. */
async function derivedOf(track: Track | null): Promise<Derived> {
  const pace = createPace()
  await pace.rest()
  if (track === null) {
    return { bestEfforts: [], preview: null, routeIndex: null, hasHeartRate: false, firstPosition: null }
  }
  const rested = async <T>(value: T): Promise<T> => {
    if (pace.needsRest()) await pace.rest()
    return value
  }
  const route = routeRows(track)
  return {
    bestEfforts: await rested(trackEfforts(track, filledDistance(track.tS, track.distanceM), () => track)),
    preview: preview(track, route),
    routeIndex: route.length === 0 ? null : await rested(routeIndex(track)),
    hasHeartRate: track.heartRateBpm.some((bpm) => !Number.isNaN(bpm)),
    firstPosition: firstPosition(track, route),
  }
}

/** The id of the shoe here; null with a warning for an unknown one. */
function shoeOf({ deps, standIns, report }: WorkoutWork, { id, shoeId }: Row): string | null {
  if (!isGiven(shoeId)) return null
  const archiveId = uuidOf(shoeId)
  const here = archiveId === null ? null : (standIns.get(archiveId) ?? archiveId)
  if (here !== null && shoeExists(deps.db, here)) return here
  report.warn('Workouts whose shoe does not exist, restored without one', { which: calledOf(id) })
  return null
}

/** Everything of one workout that is known before its transaction. */
interface Restored {
  readonly archived: ArchivedWorkout
  readonly inputs: RestoredInputs
  readonly derived: Derived
  readonly media: readonly (typeof media.$inferInsert)[]
  readonly shoeId: string | null
  /** Its name in the receipt. */
  readonly filename: string | null
  /** Checked again within the transaction, when no other request can write. */
  readonly isStored: (tx: Tx) => boolean
}

async function store({ deps, report, parts, receipt }: WorkoutWork, restored: Restored): Promise<void> {
  const { archived, inputs, derived, media: mediaRows } = restored
  const { id, originals, splits } = archived
  const files = inputs.recordings.map(filesOf)
  let isOurs = false
  try {
    isOurs = await storeWithFiles(deps, files, (tx) => {
      if (restored.isStored(tx)) return false
      insertWorkout(tx, newWorkout(tx, { calculatedAtMs: deps.now(), receiptId: receipt?.id ?? null }, restored))
      for (const row of mediaRows) tx.insert(media).values(row).run()
      const isAsked = archived.values.weather === null && derived.firstPosition !== null && deps.config.weatherEnabled
      if (isAsked) enqueueWeather(tx, id, deps.now())
      receipt?.write(tx, { outcome: 'created', workoutId: id, filename: restored.filename, afterRevision: 0 })
      return true
    })
  } finally {
    const unused = isOurs ? [] : mediaRows.map((row) => row.id)
    await removeUnnamedMedia(deps, unused)
  }
  if (!isOurs) {
    receipt?.note({ outcome: 'skipped', filename: restored.filename, reason: 'It was stored meanwhile' })
    return report.skipped('workouts')
  }
  report.imported('workouts')
  report.imported('splits', splits.length)
  report.imported('media', mediaRows.length)
  report.imported('rawFiles', originals.size)
  const counts = parts.counts(id)
  if (derived.preview !== null) report.imported('routes', Math.min(1, counts.routes))
  if (counts.timeSeries <= MAX_ROWS) report.imported('timeSeries', counts.timeSeries)
}

function newWorkout(
  tx: Tx,
  { calculatedAtMs, receiptId }: { readonly calculatedAtMs: number; readonly receiptId: string | null },
  { archived, inputs, derived, shoeId }: Restored,
): NewWorkout {
  const { id, values, member, splits, routeId } = archived
  const { hasHeartRate, firstPosition: first, ...fromTrack } = derived
  const { startedAtMs, weather, leftOut, utcOffsetMinutes: said } = values
  const { effortWords, ...made } = values.inputs
  const isSaid = said !== undefined && (member?.timeZone ?? null) !== null
  const place = isSaid ? null : placeTime(first, null, startedAtMs)
  return {
    row: {
      id,
      startedAt: startedAtMs,
      createdAt: values.createdAtMs,
      weather,
      leftOut,
      ...values.words,
      ...made,
      // checked again: the shoe may have been deleted since
      shoeId: shoeId !== null && shoeExists(tx, shoeId) ? shoeId : null,
      timeZone: member?.timeZone ?? place?.zone ?? null,
      utcOffsetMinutes: said === undefined ? (place?.utcOffsetMinutes ?? null) : said,
      hasTimeSeriesHr: hasHeartRate,
      hasRawHr: inputs.recordings.some(({ rawData }) => rawHeartRate(objectOf(rawData?.rawFitData))),
      engineVersion: member?.engineVersion ?? ENGINE_VERSION,
      splitUnitM: member?.splitUnitM ?? unitOfSplits(splits) ?? splitUnitM(unitPreference(tx)),
      ...(routeId === null ? {} : { routeId }),
      ours: inputs.ours,
    },
    ...fromTrack,
    numbers: values.numbers,
    calculatedAtMs,
    effortWords,
    choice: values.choice,
    // two workouts of an archive may claim one id for a split; the second gets a new one
    splits: splits.map((split) => ({ ...split, id: freeId(tx, workoutSplits, split.id), workoutId: id })),
    recordings: inputs.recordings.map(({ recording }) => ({ ...recording, receiptId })),
    repairs: inputs.repairs,
  }
}
