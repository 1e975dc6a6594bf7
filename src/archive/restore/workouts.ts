import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media, workoutBestEfforts, workoutSamples, workoutSplits, workouts } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { MAX_ROWS } from '../../engine/codec.ts'
import { METRES_PER_KM, METRES_PER_MILE, roundHalfUp } from '../../engine/units.ts'
import { duplicateOf } from '../../library/duplicates.ts'
import { makeRawFolder, placeBytes, rawDataPath, removeRawFiles } from '../../library/files.ts'
import { removeMediaFiles } from '../../library/media-files.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { replaceRouteIndex, sampleColumns, workoutExists } from '../../library/store.ts'
import { placeTime } from '../../library/time-zone.ts'
import { enqueueWeather } from '../../library/weather.ts'
import { rawHeartRate } from '../../workers/analyze-file.ts'
import { type ReadRecording, readRecording } from '../format/recorded.ts'
import { calledOf, type Row, uuidOf } from '../format/row-fields.ts'
import { sampleTable } from '../format/sample-rows.ts'
import {
  fileType,
  objectOf,
  shoeIdOf,
  totalsOfValues,
  type WorkoutValues,
  workoutValues,
} from '../format/workout-values.ts'
import { type FileWork, placeRaw, type RawFile, unpackMedia, unpackRaw } from './files.ts'
import { type RestoredSamples, restoredSamples } from './samples.ts'
import { isStored } from './shoes.ts'
import { restoredSplits } from './splits.ts'
import { spooledRows } from './spool.ts'

export interface WorkoutWork extends FileWork {
  /** Archive shoes that another stands for. */
  readonly standIns: ReadonlyMap<string, string>
}

type Values = Exclude<WorkoutValues, { error: string }>
type SplitRow = typeof workoutSplits.$inferInsert
type MediaRow = typeof media.$inferInsert

/** All that is known of one workout before its transaction. */
interface Restored {
  readonly values: Values
  readonly row: Row
  readonly recording: ReadRecording | null
  readonly samples: RestoredSamples | null
  readonly splits: readonly SplitRow[]
  readonly rawFile: RawFile | null
  readonly rawData: RawObjects | null
  readonly media: readonly MediaRow[]
  readonly routeId: string | null
  readonly shoeId: string | null
}

interface RawObjects {
  readonly rawGpxData: Readonly<Record<string, unknown>> | null
  readonly rawFitData: Readonly<Record<string, unknown>> | null
  readonly rawStravaData: Readonly<Record<string, unknown>> | null
}

/**
 * One workout with all its parts: files first, then one transaction. What is wrong with it is told in the report and does
 * not concern the next one.
 * @throws ZipError with scope `archive`
 */
export async function restoreWorkout(work: WorkoutWork, row: Row | null): Promise<void> {
  const { deps, parts, report } = work
  const id = uuidOf(row?.id)
  if (row === null || id === null) return report.failed('workouts', 'Workouts without an id')
  if (workoutExists(deps.db, id)) {
    // the parts of one that repeats in the archive were counted with its first row
    if (parts.storedId(id) !== null) return report.skipped('workouts')
    parts.addWorkout(id)
    return skip(work, id)
  }
  const values = workoutValues(row, id, report)
  if ('error' in values) {
    parts.addWorkout(id)
    return report.failed('workouts', values.error, { which: id })
  }
  const rawFile = await unpackRaw(work, id, row)
  try {
    const identity = identityOf(values, rawFile, readRecording(row.recording))
    const twin = duplicateOf(deps.db, identity)
    parts.addWorkout(id, twin?.id ?? id)
    if (twin !== null) return skip(work, id)
    await store(work, await collect(work, { id, row, values, rawFile }))
  } finally {
    if (rawFile !== null) await rm(rawFile.path, { force: true })
  }
}

/** Nothing of a workout that is there already is restored. */
function skip({ parts, report }: WorkoutWork, id: string): void {
  const counts = parts.counts(id)
  report.skipped('workouts')
  for (const kind of ['routes', 'splits', 'timeSeries', 'media'] as const) report.skipped(kind, counts[kind])
  report.skipped('rawFiles', parts.entries(id, '').length)
}

function identityOf(
  { startedAt, distanceM, durationS }: Values,
  rawFile: RawFile | null,
  recording: ReadRecording | null,
) {
  const sha256 = rawFile?.sha256 ?? null
  const file = sha256 === null ? null : { sha256, session: recording?.fileSession ?? 0 }
  return { startedAtMs: startedAt, distanceM, durationS, isSummary: false, file }
}

async function collect(
  work: WorkoutWork,
  { id, row, values, rawFile }: { id: string; row: Row; values: Values; rawFile: RawFile | null },
): Promise<Restored> {
  const { deps, parts, report } = work
  const recording = readRecording(row.recording)
  const rawGpxData = rawObject(work, { id, row, key: 'rawGpxData' })
  const rawFitData = rawObject(work, { id, row, key: 'rawFitData' })
  const rawStravaData = rawObject(work, { id, row, key: 'rawStravaData' })
  const hasRawData = rawGpxData !== null || rawFitData !== null || rawStravaData !== null
  const [route] = spooledRows(parts, 'routes', id)
  const table = sampleTable(parts.of('timeSeries', id))
  if (table === null) {
    const { timeSeries } = parts.counts(id)
    report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count: timeSeries })
  }
  const samples = await restoredSamples(deps, {
    run: { startedAtMs: values.startedAt, durationS: values.durationS },
    table: table ?? sampleTable([])!,
    recording,
    rawFile,
    ...{ rawGpxData, rawFitData },
    routeGeoJson: route?.routeGeoJson,
  })
  return {
    ...{ values, row, recording, samples, rawFile },
    splits: restoredSplits(spooledRows(parts, 'splits', id), id, report),
    rawData: hasRawData ? { rawGpxData, rawFitData, rawStravaData } : null,
    media: await unpackMedia(work, id),
    routeId: uuidOf(route?.id),
    shoeId: shoeOf(work, row),
  }
}

/** What a shoe's id stands for here; null with a warning for an unknown one. */
function shoeOf({ deps, standIns, report }: WorkoutWork, row: Row): string | null {
  const archiveId = shoeIdOf(row)
  if (archiveId === null) return null
  const shoeId = archiveId === undefined ? undefined : (standIns.get(archiveId) ?? archiveId)
  if (shoeId !== undefined && isStored(deps.db, shoeId)) return shoeId
  report.warn('Workouts whose shoe does not exist, restored without one', { which: calledOf(row.id) })
  return null
}

function rawObject({ report }: WorkoutWork, { id, row, key }: { id: string; row: Row; key: keyof RawObjects }) {
  const object = objectOf(row[key])
  const isLost = object === null && row[key] !== null && row[key] !== undefined && row[key] !== ''
  if (isLost) report.warn('Raw data of workouts that is no JSON object, left out', { which: `${id} ${key}` })
  return object
}

async function store(work: WorkoutWork, restored: Restored): Promise<void> {
  const { deps, report, parts } = work
  const { values, rawFile, rawData, media: mediaRows, samples, splits } = restored
  const { id } = values
  const { dataDir } = deps.config
  let isOurs = false
  try {
    if (rawFile !== null) await placeRaw(dataDir, id, rawFile)
    if (rawData !== null) {
      await makeRawFolder(dataDir)
      const text = new TextEncoder().encode(JSON.stringify(rawData))
      await placeBytes(dataDir, rawDataPath(dataDir, id), Bun.zstdCompressSync(text, { level: 3 }))
    }
    isOurs = deps.db.transaction(
      (tx) => {
        if (duplicateOf(tx, identityOf(values, rawFile, restored.recording)) !== null || workoutExists(tx, id)) {
          return false
        }
        insert(tx, deps, restored)
        return true
      },
      { behavior: 'immediate' },
    )
  } finally {
    if (!isOurs) {
      if (!workoutExists(deps.db, id)) await removeRawFiles(dataDir, id)
      await removeMediaFiles(
        deps,
        mediaRows.map((row) => row.id),
      )
    }
  }
  if (!isOurs) return skip(work, id)
  report.imported('workouts')
  report.imported('splits', splits.length)
  report.imported('media', mediaRows.length)
  if (samples?.preview !== null && samples?.preview !== undefined) report.imported('routes', parts.counts(id).routes)
  else report.skipped('routes', parts.counts(id).routes)
  if (rawFile !== null) report.imported('rawFiles')
  const rows = parts.counts(id).timeSeries
  if (rows <= MAX_ROWS) report.imported('timeSeries', rows)
}

const ROWS_A_STATEMENT = 500

function insert(tx: Tx, deps: Deps, restored: Restored): void {
  const { values, recording, samples, splits, rawFile, rawData, media: mediaRows, row } = restored
  const { id } = values
  const place = placeTime(samples?.firstPosition ?? null, null, values.startedAt)
  const offset = row.utcOffsetMinutes === undefined ? place.utcOffsetMinutes : row.utcOffsetMinutes
  tx.insert(workouts)
    .values({
      ...values,
      // asked again: it may have been deleted since
      shoeId: restored.shoeId !== null && isStored(tx, restored.shoeId) ? restored.shoeId : null,
      utcOffsetMinutes: typeof offset === 'number' && Math.abs(offset) <= 1440 ? roundHalfUp(offset) : null,
      timeZone: recording?.timeZone ?? place.zone,
      splitsCount: splits.length,
      splitUnitM: recording?.splitUnitM ?? unitOfSplits(splits) ?? splitUnitM(unitPreference(tx)),
      routePreview: samples?.preview ?? null,
      hasTimeSeriesHr: samples?.hasHeartRate ?? false,
      hasRawHr: rawHeartRate(rawData?.rawFitData ?? null),
      deviceTotals: { ...(recording === null ? totalsOfValues(values) : recording.deviceTotals) },
      engineVersion: recording?.engineVersion ?? ENGINE_VERSION,
      fileSha256: rawFile?.sha256 ?? null,
      fileSession: rawFile?.sha256 ? (recording?.fileSession ?? 0) : null,
      rawFileName: rawFile?.name ?? null,
      rawFileType: rawFile === null ? null : fileType(row.rawFileType),
      hasRawData: rawData !== null,
      ...(restored.routeId === null ? {} : { routeId: restored.routeId }),
    })
    .run()
  for (let from = 0; from < splits.length; from += ROWS_A_STATEMENT) {
    tx.insert(workoutSplits)
      .values(splits.slice(from, from + ROWS_A_STATEMENT).map((split) => withFreeId(tx, split)))
      .run()
  }
  for (const mediaRow of mediaRows) tx.insert(media).values(mediaRow).run()
  if (samples === null) return
  tx.insert(workoutSamples)
    .values({ workoutId: id, ...sampleColumns(samples.packed) })
    .run()
  if (samples.bestEfforts.length > 0) {
    tx.insert(workoutBestEfforts)
      .values(samples.bestEfforts.map((effort) => ({ ...effort, workoutId: id, calculatedAt: deps.now() })))
      .run()
  }
  replaceRouteIndex(tx, id, { startedAtMs: values.startedAt, index: samples.routeIndex })
  const isAsked = values.weather === null && samples.firstPosition !== null && deps.config.weatherEnabled
  if (isAsked) enqueueWeather(tx, id, deps.now())
}

/** Two workouts of an archive may claim one id for a split; the second gets another. */
function withFreeId(tx: Tx, split: SplitRow): SplitRow {
  const taken = tx.select({ id: workoutSplits.id }).from(workoutSplits).where(eq(workoutSplits.id, split.id)).get()
  return taken === undefined ? split : { ...split, id: Bun.randomUUIDv7() }
}

/** Metres within which a full split is a mile or a kilometre; older programs cut at the next sample. */
const UNIT_SLACK_M = 100

/** What a run was cut into; null when it has no full split to tell. */
function unitOfSplits(splits: readonly SplitRow[]): number | null {
  const first = splits.length < 2 ? undefined : splits[0]
  if (first === undefined) return null
  return [METRES_PER_KM, METRES_PER_MILE].find((unitM) => Math.abs(first.distanceM - unitM) <= UNIT_SLACK_M) ?? null
}
