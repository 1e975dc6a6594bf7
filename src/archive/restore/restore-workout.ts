import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { createPace } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'
import type { media } from '../../db/schema.ts'
import type { StatedSplit } from '../../db/stored.ts'
import { ENGINE_VERSION, preview, routeRows, trackEfforts } from '../../engine/analyze.ts'
import { groundOf } from '../../engine/ground/ground.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { filledDistance } from '../../engine/run/distance.ts'
import { METRES_PER_KM, METRES_PER_MILE } from '../../engine/units.ts'
import { removeUnnamedMedia } from '../../features/media/store.ts'
import {
  commitGroup,
  commitItem,
  insertRecording,
  putAsideMedia,
  type RunChange,
  writeObservation,
} from '../../library/commit.ts'
import {
  type Asked,
  type Carried,
  documentRow,
  type RunDocument,
  type RunWords,
  recordingIds,
} from '../../library/documents/run.ts'
import { twinOf } from '../../library/duplicates.ts'
import { externalsOf, firstDeleted } from '../../library/forgotten.ts'
import { shoeExists, workoutExists } from '../../library/ids.ts'
import { knownReason } from '../../library/receipts/known-reason.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { type Derived, weatherHour } from '../../library/run-rows.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { storeWithFiles } from '../../library/store.ts'
import { STORED_AGAIN } from '../../library/stretches.ts'
import { placeTime } from '../../library/time-zone.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { firstPosition } from '../../workers/derive.ts'
import { routeIndex } from '../../workers/route-index.ts'
import { readCarried } from '../format/carried.ts'
import { calledOf, derivedIds, type Row, textOf, uuidOf } from '../format/fields.ts'
import { type ReadRecording, readRecording } from '../format/recording-rows.ts'
import { readRepairs } from '../format/repair-rows.ts'
import { sampleTable } from '../format/sample-rows.ts'
import { MOST_SPLITS, readSplit } from '../format/split-rows.ts'
import { isGiven, readMember, readWorkout, type WorkoutValues } from '../format/workout-rows.ts'
import { type ArchivedWorkout, filesOf, type RestoredRecording } from './archived.ts'
import { unpackMedia, unpackOriginals } from './files.ts'
import { foreignLaps, foreignTrack, statedByRow } from './foreign.ts'
import { rawDataOf, viewOfRaw } from './raw-data.ts'
import { type RestoredInputs, statedInputs } from './recordings.ts'
import type { RestoreWork, WorkoutWork } from './work.ts'

/**
 * Restores one workout with all its parts: files first, then rows in one transaction. A problem with it is reported and
 * does not affect the next workout.
 * @throws ZipError with scope `archive`
 */
export async function restoreWorkout(work: WorkoutWork, id: string, row: Row): Promise<void> {
  const { deps, parts, report, receipt } = work
  const filename = calledRow(row)
  const skipped = (known: string, reason = knownReason(deps.db, known, null)) =>
    receipt?.note({ outcome: 'skipped', workoutId: known, filename, reason })
  // a workout that was deleted meanwhile stays deleted, since its parts were left out
  if (workoutExists(deps.db, id) || parts.isMarked('known', id)) {
    parts.addWorkout(id, id)
    return skipped(id)
  }
  const values = readWorkout(row, (key) => {
    report.warn('Invalid values of workouts, skipped', { which: `${id} ${key}` })
  })
  if ('error' in values) {
    parts.addWorkout(id, null)
    receipt?.note({ outcome: 'error', filename, reason: values.error })
    return report.failed('workouts', values.error, { which: id })
  }
  const stated = statedRecordings(work, id)
  const member = readMember(row.recording)
  const originals = await unpackOriginals(work, { id, row, stated })
  try {
    const files = [...originals].map(([recordingId, { sha256 }]) => {
      const recording = stated.find((one) => one.id === recordingId)
      // parts of a split run have the file of the first part
      const isPart = recording !== undefined && (recording.partFromMs !== null || recording.shares !== null)
      return { sha256: isPart ? null : sha256, session: recording?.fileSession ?? 0 }
    })
    const { startedAtMs, numbers } = values
    const known = files.map(({ sha256, session }) => (sha256 === null ? null : { sha256, session }))
    // a library may have two recordings of one run, apart
    const isOther = (other: string) => work.isExact && parts.storedId(other) === other
    const twinIn = (tx: Tx) => twinOf(tx, { ...numbers, startedAtMs }, { files: known, isOther })
    const twin = twinIn(deps.db)
    parts.addWorkout(id, twin ?? id)
    if (twin !== null) return skipped(twin)
    const keys = { files, externals: stated.flatMap(externalsOf) }
    const gone = deps.by.isAutomatic ? firstDeleted(deps.db, keys) : null
    if (gone !== null) return skipped(id, gone.reason)
    const archived = {
      ...partsOf(work, id),
      id,
      values,
      member,
      stated,
      originals,
      rawData: rawDataOf(report, id, row),
    }
    const inputs = await withRawViews(work, await inputsOf(work, archived))
    await store(work, {
      archived,
      inputs,
      derived: await derivedOf(archived, inputs),
      media: await unpackMedia(work, id),
      filename,
      shoeId: shoeOf(work, row),
      isStored: (tx) => workoutExists(tx, id) || twinIn(tx) !== null,
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.message !== STORED_AGAIN) throw error
    skipped(id, STORED_AGAIN)
  } finally {
    for (const { path } of originals.values()) await rm(path, { force: true })
  }
}

/** The name of a workout in messages. */
export function calledRow(row: Row | null): string | null {
  return textOf(row?.rawFileName, 255) ?? textOf(row?.name, 255)
}

/** The recordings of a workout in order of arrival; none in archives of other programs. */
function statedRecordings({ parts, report }: WorkoutWork, id: string): ReadRecording[] {
  const read = [...parts.rows('recordings', id)].map(readRecording)
  const stated = read.filter((recording) => recording !== null)
  const unique = stated.filter((recording, place) => stated.findIndex((other) => other.id === recording.id) === place)
  if (unique.length < read.length) report.warn('Recordings that cannot be read, skipped', { which: id })
  return unique.toSorted((a, b) => a.seq - b.seq)
}

/** Collects the parts of a workout; unreadable ones are reported. */
function partsOf(work: WorkoutWork, id: string) {
  const { parts, report } = work
  let isLost = false
  const repairs = readRepairs(parts.rows('repairs', id), () => {
    isLost = true
  })
  if (isLost) report.warn('Repairs that cannot be read, skipped', { which: id })
  const [route] = parts.rows('routes', id)
  const table = sampleTable(parts.of('timeSeries', id))
  if (table === null) {
    const { timeSeries: count } = parts.counts(id)
    report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count })
  }
  return {
    repairs,
    table: table ?? sampleTable([])!,
    routeGeoJson: route?.routeGeoJson,
    routeId: uuidOf(route?.id),
    splits: splitsOf(work, id),
  }
}

/** Its recordings and repairs: those of the archive, else a single recording with everything that is known. */
async function inputsOf(work: WorkoutWork, archived: ArchivedWorkout): Promise<RestoredInputs> {
  const { deps } = work
  if (archived.stated.length > 0) return statedInputs(work, archived)
  const track = await foreignTrack(deps, archived)
  const laps = await foreignLaps(deps, archived)
  return statedInputs(work, statedByRow(archived, { track, laps, nowMs: deps.now() }), track)
}

/** Drops raw data that can be parsed from the original unchanged, so that it is not stored twice. */
async function withRawViews({ deps }: WorkoutWork, inputs: RestoredInputs): Promise<RestoredInputs> {
  const viewed = inputs.recordings.map(async (restored): Promise<RestoredRecording> => {
    const { recording, original, rawData } = restored
    if (rawData === null) return restored
    const { fileName = null, fileSession = null, origin } = recording
    const file = original && { path: original.path, fileName, fileSession }
    const view = await viewOfRaw(deps, rawData, { original: file, origin })
    return { ...restored, recording: { ...recording, rawView: view, hasRaw: view === null } }
  })
  return { ...inputs, recordings: await Promise.all(viewed) }
}

/**
 * The numbers and splits of the archive, and what is always derived from the samples. For a run of a day, each step takes
 * as long as requests may wait.
 */
async function derivedOf(archived: ArchivedWorkout, { settled: track, startMs }: RestoredInputs): Promise<Derived> {
  const { values, member, splits } = archived
  const pace = createPace()
  await pace.rest()
  const rested = async <T>(value: T): Promise<T> => {
    if (pace.needsRest()) await pace.rest()
    return value
  }
  const route = track === null ? new Uint32Array(0) : routeRows(track)
  const efforts = () => track && trackEfforts(track, filledDistance(track.tS, track.distanceM), () => track)
  return {
    analysis: {
      ...values.numbers,
      splits: splits as unknown as Derived['analysis']['splits'],
      bestEfforts: await rested(efforts() ?? []),
      preview: track && preview(track, route),
    },
    routeIndex: track === null || route.length === 0 ? null : await rested(routeIndex(track)),
    ground: track && (await rested(groundOf(track))),
    hasHeartRate: track?.heartRateBpm.some((bpm) => !Number.isNaN(bpm)) ?? false,
    firstPosition: firstPosition(track, route),
    startShiftMs: values.startedAtMs - startMs,
    engineVersion: member?.engineVersion ?? ENGINE_VERSION,
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
  readonly media: readonly (typeof media.$inferSelect)[]
  readonly shoeId: string | null
  /** Its name in the receipt. */
  readonly filename: string | null
  /** Checked again within the transaction, when no other request can write. */
  readonly isStored: (tx: Tx) => boolean
}

async function store(work: WorkoutWork, restored: Restored): Promise<void> {
  const { deps, report, parts, receipt, otherIds } = work
  const { archived, inputs, derived, media: mediaRows, filename } = restored
  const { id, originals, splits } = archived
  let isOurs = false
  try {
    isOurs = await storeWithFiles(deps, inputs.recordings.map(filesOf), (tx) => {
      if (restored.isStored(tx)) return false
      for (const { recording } of inputs.recordings) {
        insertRecording(tx, { ...recording, receiptId: receipt?.id ?? null })
      }
      putAsideMedia(
        tx,
        deps,
        id,
        mediaRows.map((row) => row.id),
      )
      const change = newRun(tx, work, restored)
      commitItem(tx, deps, { changes: [change], item: { outcome: 'created', workoutId: id, filename } }, receipt)
      const changes = mediaRows.map((row) => ({ kind: 'media' as const, id: row.id, to: row }))
      commitGroup(tx, deps, { changes, item: { outcome: 'created' } }, null)
      return true
    })
  } finally {
    const unused = isOurs ? [] : mediaRows.map((row) => row.id)
    await removeUnnamedMedia(deps, unused)
  }
  if (!isOurs) return void receipt?.note({ outcome: 'skipped', filename, reason: 'It was stored in the meantime' })
  for (const [archivedId, storedId] of inputs.otherIds) otherIds.set(archivedId, storedId)
  report.imported('workouts')
  report.imported('splits', splits.length)
  report.imported('media', mediaRows.length)
  report.imported('rawFiles', originals.size)
  const counts = parts.counts(id)
  if (derived.analysis.preview !== null) report.imported('routes', Math.min(1, counts.routes))
  if (counts.timeSeries <= MAX_ROWS) report.imported('timeSeries', counts.timeSeries)
}

/** The document of a restored workout; its numbers are those of the archive. Its recordings are stored already. */
function newRun(tx: Tx, { deps, isExact }: WorkoutWork, { archived, inputs, derived, shoeId }: Restored): RunChange {
  const { id, values, member, splits, routeId } = archived
  const { runnerSet, effortZones, elevationSettings, effortWords, intervals, wasRaced, stated, carried } = values.inputs
  const { createdAtMs: createdAt, leftOut, choice } = values
  // checked again: the shoe may have been deleted since
  const wearable = shoeId !== null && shoeExists(tx, shoeId) ? shoeId : null
  const words = Object.fromEntries(
    runnerSet.map((word) => [word, word === 'shoeId' ? wearable : values.words[word]]),
  ) as Partial<RunWords>
  const body: RunDocument = {
    track: inputs.track,
    words,
    ...(wearable === null || runnerSet.includes('shoeId') ? {} : { shoeId: wearable }),
    choices: {
      ...(Bun.deepEquals(choice, NO_CHOICE) ? {} : { load: choice }),
      efforts: Object.fromEntries(effortWords.map(({ distanceIndex, isRecord }) => [distanceIndex, isRecord])),
      ...(leftOut ? { leftOut } : {}),
      ...(wasRaced ? { wasRaced } : {}),
      ...(stated ? { stated } : {}),
      ...(intervals && { intervals: { stretches: intervals } }),
    },
    routeId: routeId ?? derivedIds(id, 'route')(0),
    createdAt,
  }
  const nowMs = deps.now()
  const times = derived.analysis.bestEfforts.map(({ distanceIndex }) => [distanceIndex, nowMs] as const)
  const asked: Asked = {
    zones: effortZones,
    splitUnitM: member?.splitUnitM ?? unitOfSplits(splits) ?? splitUnitM(unitPreference(tx)),
    elevation: elevationSettings,
    ...(inputs.ours.length === 0 ? {} : { ours: inputs.ours }),
    ...(times.length === 0 || nowMs === createdAt ? {} : { effortTimes: Object.fromEntries(times) }),
  }
  const to = {
    ...body,
    carried: isExact ? readCarried(carried) : { place: placeOf(values, derived) },
  }
  const recordings = recordingsByIds(tx, recordingIds(to.track))
  const { weather } = values
  if (weather !== null && recordings.find((one) => one.weather !== null)?.weather !== weather) {
    writeObservation(tx, id, { hour: weatherHour(tx, to), weather })
  }
  const from = documentRow(tx, id)?.seq ?? null
  return { kind: 'run', id, from, to, asked, derived, asksWeather: weather === null }
}

/** Where and when a run of another program's archive was: its offset counts, else that of its first position. */
function placeOf(
  { startedAtMs, utcOffsetMinutes }: WorkoutValues,
  { firstPosition: first }: Derived,
): Carried['place'] & object {
  const place = placeTime(first, null, startedAtMs)
  const offset = utcOffsetMinutes === undefined ? place?.utcOffsetMinutes : utcOffsetMinutes
  return { timeZone: place?.zone ?? null, utcOffsetMinutes: offset ?? null }
}

/** The splits of one workout by index; one that cannot be read, or occurs twice, is reported alone. */
function splitsOf({ parts, report }: RestoreWork, workoutId: string): StatedSplit[] {
  const byIndex = new Map<number, StatedSplit>()
  const ids = new Set<string>()
  for (const row of parts.rows('splits', workoutId)) {
    const split = readSplit(row)
    if (split === null) report.failed('splits', 'Splits without index, distance or duration', { which: workoutId })
    else if (byIndex.has(split.idx)) continue
    else if (byIndex.size >= MOST_SPLITS) report.failed('splits', `Splits beyond ${MOST_SPLITS}`, { which: workoutId })
    else {
      byIndex.set(split.idx, ids.has(split.id) ? { ...split, id: Bun.randomUUIDv7() } : split)
      ids.add(split.id)
    }
  }
  return [...byIndex.values()].sort((a, b) => a.idx - b.idx)
}

/** Metres within which a full split counts as a mile or a kilometre, since older programs cut at the next sample. */
const UNIT_SLACK_M = 100

/** Length of the splits of a run; null when none of them is full. */
function unitOfSplits(splits: readonly StatedSplit[]): number | null {
  const first = splits.length < 2 ? undefined : splits[0]
  if (first === undefined) return null
  return [METRES_PER_KM, METRES_PER_MILE].find((unitM) => Math.abs(first.distanceM - unitM) <= UNIT_SLACK_M) ?? null
}
