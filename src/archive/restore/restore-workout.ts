import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { gently } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'
import type { StatedSplit } from '../../db/stored.ts'
import { preview, routeRows, trackEfforts } from '../../engine/analyze.ts'
import { groundOf } from '../../engine/ground/ground.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { filledDistance } from '../../engine/run/distance.ts'
import type { Track } from '../../engine/track.ts'
import { METRES_PER_KM, METRES_PER_MILE } from '../../engine/units.ts'
import { type RunChange, writeObservation } from '../../library/commit.ts'
import { type Asked, type Carried, documentRow, type RunDocument } from '../../library/documents/run.ts'
import { twinOf } from '../../library/duplicates.ts'
import { firstDeleted } from '../../library/forgotten.ts'
import { shoeExists, workoutExists } from '../../library/ids.ts'
import { knownReason } from '../../library/receipts/known-reason.ts'
import { type Derived, weatherHour } from '../../library/run-rows.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { STORED_AGAIN } from '../../library/stretches.ts'
import { placeTime } from '../../library/time-zone.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { firstPosition } from '../../workers/derive.ts'
import { routeIndex } from '../../workers/route-index.ts'
import { calledOf, derivedIds, type Row, textOf, uuidOf } from '../format/fields.ts'
import { sampleTable } from '../format/sample-rows.ts'
import { MOST_SPLITS, readSplit } from '../format/split-rows.ts'
import { isGiven, readWorkout, type WorkoutValues } from '../format/workout-rows.ts'
import { mediaOfRows, unpackMedia, unpackOriginal } from './files.ts'
import { type ArchivedWorkout, foreignLaps, foreignTrack, statedByRow } from './foreign.ts'
import { rawDataOf, viewOfRaw } from './raw-data.ts'
import { type RestoredRecording, storeRun } from './store-run.ts'
import type { RestoreWork } from './work.ts'

/**
 * Restores one workout by its rows, with all its parts: files first, then rows in one transaction. A problem with it is
 * reported and does not affect the next workout.
 * @throws ZipError with scope `archive`
 */
export async function restoreWorkout(work: RestoreWork, id: string, row: Row): Promise<void> {
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
  const original = await unpackOriginal(work, id, row)
  try {
    const { startedAtMs, numbers } = values
    const files = original === null ? [] : [{ sha256: original.sha256, session: 0 }]
    const known = files.map(({ sha256, session }) => (sha256 === null ? null : { sha256, session }))
    const twinIn = (tx: Tx) => twinOf(tx, { ...numbers, startedAtMs }, { files: known, isOther: () => false })
    const twin = twinIn(deps.db)
    parts.addWorkout(id, twin ?? id)
    if (twin !== null) return skipped(twin)
    const gone = deps.by.isAutomatic ? firstDeleted(deps.db, { files, externals: [] }) : null
    if (gone !== null) return skipped(id, gone.reason)
    const archived = { ...partsOf(work, id), id, values, original, rawData: rawDataOf(report, id, row) }
    const track = await foreignTrack(deps, archived)
    const recording = await withRawView(
      work,
      statedByRow(archived, { track, laps: await foreignLaps(deps, archived), nowMs: deps.now() }),
    )
    const derived = await derivedOf(archived, track)
    const counts = parts.counts(id)
    await storeRun(work, {
      ...{ id, filename, recordings: [recording] },
      media: await unpackMedia(work, id, mediaOfRows(work, id)),
      isStored: (tx) => workoutExists(tx, id) || twinIn(tx) !== null,
      change: (tx) => newRun(tx, work, { archived, recording, derived, shoeId: shoeOf(work, row) }),
      counts: {
        routes: derived.analysis.preview === null ? 0 : Math.min(1, counts.routes),
        splits: archived.splits.length,
        timeSeries: counts.timeSeries,
        rawFiles: original === null ? 0 : 1,
      },
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.message !== STORED_AGAIN) throw error
    skipped(id, STORED_AGAIN)
  } finally {
    if (original !== null) await rm(original.path, { force: true })
  }
}

/** The name of a workout in messages. */
export function calledRow(row: Row | null): string | null {
  return textOf(row?.rawFileName, 255) ?? textOf(row?.name, 255)
}

/** Collects the parts of a workout; unreadable ones are reported. */
function partsOf(work: RestoreWork, id: string) {
  const { parts, report } = work
  const [route] = parts.rows('routes', id)
  const table = sampleTable(parts.of('timeSeries', id))
  if (table === null) {
    const { timeSeries: count } = parts.counts(id)
    report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count })
  }
  return {
    table: table ?? sampleTable([])!,
    routeGeoJson: route?.routeGeoJson,
    routeId: uuidOf(route?.id),
    splits: splitsOf(work, id),
  }
}

/** Drops raw data that can be parsed from the original unchanged, so that it is not stored twice. */
async function withRawView({ deps }: RestoreWork, restored: RestoredRecording): Promise<RestoredRecording> {
  const { recording, original: path, rawData } = restored
  if (rawData === null) return restored
  const { fileName = null, fileSession = null, origin } = recording
  const file = path === null ? null : { path, fileName, fileSession }
  const view = await viewOfRaw(deps, rawData, { original: file, origin })
  return { ...restored, recording: { ...recording, rawView: view, hasRaw: view === null } }
}

/**
 * The numbers and splits of the archive, and what is always derived from the samples. For a run of a day, each step takes
 * as long as requests may wait.
 */
async function derivedOf({ values, splits }: ArchivedWorkout, track: Track | null): Promise<Derived> {
  await gently()
  const rested = async <T>(value: T): Promise<T> => {
    await gently()
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
    startShiftMs: 0,
  }
}

/** The id of the shoe here; null with a warning for an unknown one. */
function shoeOf({ deps, standIns, report }: RestoreWork, { id, shoeId }: Row): string | null {
  if (!isGiven(shoeId)) return null
  const archiveId = uuidOf(shoeId)
  const here = archiveId === null ? null : (standIns.get(archiveId) ?? archiveId)
  if (here !== null && shoeExists(deps.db, here)) return here
  report.warn('Workouts whose shoe does not exist, restored without one', { which: calledOf(id) })
  return null
}

interface NewRun {
  readonly archived: ArchivedWorkout
  readonly recording: RestoredRecording
  readonly derived: Derived
  readonly shoeId: string | null
}

/** The document of a restored workout; its numbers are those of the archive. Its recording is stored already. */
function newRun(tx: Tx, { deps }: RestoreWork, { archived, recording, derived, shoeId }: NewRun): RunChange {
  const { id, values, splits, routeId } = archived
  const { createdAtMs: createdAt, leftOut, choice, weather } = values
  const to: RunDocument = {
    track: { recordings: [recording.recording.id], repairs: [] },
    // checked again: the shoe may have been deleted since
    ...(shoeId !== null && shoeExists(tx, shoeId) ? { shoeId } : {}),
    choices: { ...(Bun.deepEquals(choice, NO_CHOICE) ? {} : { load: choice }), ...(leftOut ? { leftOut } : {}) },
    routeId: routeId ?? derivedIds(id, 'route')(0),
    createdAt,
    carried: { place: placeOf(values, derived) },
  }
  const nowMs = deps.now()
  const times = derived.analysis.bestEfforts.map(({ distanceIndex }) => [distanceIndex, nowMs] as const)
  const asked: Asked = {
    zones: null,
    splitUnitM: unitOfSplits(splits) ?? splitUnitM(unitPreference(tx)),
    elevation: null,
    ...(times.length === 0 || nowMs === createdAt ? {} : { effortTimes: Object.fromEntries(times) }),
  }
  if (weather !== null && recording.recording.weather !== weather) {
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
