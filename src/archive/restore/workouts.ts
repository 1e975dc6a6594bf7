import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media, workoutSplits } from '../../db/schema.ts'
import type { StashedSplit } from '../../db/stored.ts'
import type { Deps } from '../../deps.ts'
import { ENGINE_VERSION, preview, routeRows, trackEfforts } from '../../engine/analyze.ts'
import { MAX_ROWS } from '../../engine/codec.ts'
import { filledDistance } from '../../engine/run/distance.ts'
import type { Position, Track } from '../../engine/track.ts'
import { METRES_PER_KM, METRES_PER_MILE } from '../../engine/units.ts'
import { insertWorkout, type NewWorkout, workoutExists } from '../../library/add-workout.ts'
import { duplicateOf } from '../../library/duplicates.ts'
import { removeMediaFiles } from '../../library/files/media.ts'
import { removeRawFiles } from '../../library/files/paths.ts'
import { placeRunFiles } from '../../library/files/place.ts'
import { recordingsOf } from '../../library/recordings.ts'
import { splitUnitM, unitPreference, zonesOfBounds } from '../../library/settings.ts'
import { placeTime } from '../../library/time-zone.ts'
import { enqueueWeather } from '../../library/weather.ts'
import { createPace } from '../../pace.ts'
import { rawHeartRate } from '../../workers/analyze-file.ts'
import { firstPosition } from '../../workers/derive.ts'
import { routeIndex } from '../../workers/route-index.ts'
import { readMember } from '../format/recorded.ts'
import { calledOf, type Row, uuidOf } from '../format/row-fields.ts'
import { objectOf, readInputs, readWorkout, type WorkoutValues } from '../format/workouts.ts'
import { type ArchivedWorkout, archivedWorkout, type RowRead, toldRecordings } from './archived.ts'
import { type FileWork, unpackMedia, unpackOriginals } from './files.ts'
import { LOST_POSITIONS, oneRecording, type RestoredInputs, toldInputs } from './recordings.ts'
import { isStored } from './shoes.ts'
import { foreignTrack, ownTrack } from './track.ts'

export interface WorkoutWork extends FileWork {
  /** Archive shoes that another stands for. */
  readonly standIns: ReadonlyMap<string, string>
}

/** All that is known of one workout before its transaction. */
interface Restored {
  readonly archived: ArchivedWorkout
  readonly row: Row
  readonly inputs: RestoredInputs
  readonly derived: Derived
  readonly media: readonly (typeof media.$inferInsert)[]
  readonly shoeId: string | null
}

/**
 * One workout with all its parts: files first, then one transaction. What is wrong with it is told in the report and does
 * not concern the next one; parts of which nothing else is said are skipped.
 * @throws ZipError with scope `archive`
 */
export async function restoreWorkout(work: WorkoutWork, row: Row | null): Promise<void> {
  const { deps, parts, report } = work
  const id = uuidOf(row?.id)
  if (row === null || id === null) return report.failed('workouts', 'Workouts without an id')
  // the parts of one that repeats in the archive were counted with its first row
  if (parts.storedId(id) !== null) return report.skipped('workouts')
  const before = report.told()
  try {
    if (workoutExists(deps.db, id)) {
      parts.addWorkout(id, id)
      return report.skipped('workouts')
    }
    const values = readWorkout(row, (key) => {
      report.warn('Values of workouts that are not what they should be, left out', { which: `${id} ${key}` })
    })
    if (!('error' in values)) return await restoreRead(work, { id, row, values })
    parts.addWorkout(id, null)
    report.failed('workouts', values.error, { which: id })
  } finally {
    if (parts.storedId(id) !== null) report.skippedRest(before, parts.counts(id))
  }
}

async function restoreRead(
  work: WorkoutWork,
  { id, row, values }: Pick<RowRead, 'id' | 'row' | 'values'>,
): Promise<void> {
  const { deps, parts, report } = work
  const told = toldRecordings(work, id)
  const originals = await unpackOriginals(work, { id, row, told })
  try {
    const member = readMember(row.recording)
    const sessions = new Map(told.map((recording) => [recording.id, recording.fileSession]))
    const files = [...originals].map(([recordingId, { sha256 }]) => ({
      sha256,
      session: (sessions.has(recordingId) ? sessions.get(recordingId) : member?.fileSession) ?? 0,
    }))
    const twin = twinOf(deps.db, values, files)
    parts.addWorkout(id, twin ?? id)
    if (twin !== null) return report.skipped('workouts')
    const restored = await collect(work, { id, row, values, member, told, originals })
    await store(work, restored, () => twinOf(deps.db, values, files) !== null)
  } finally {
    for (const { path } of originals.values()) await rm(path, { force: true })
  }
}

interface FileKey {
  readonly sha256: string | null
  readonly session: number
}

/** @returns id of the stored workout that is the same run */
function twinOf(tx: Tx, { startedAtMs, numbers }: WorkoutValues, files: readonly FileKey[]): string | null {
  const run = { startedAtMs, distanceM: numbers.distanceM, durationS: numbers.durationS, isSummary: false }
  for (const { sha256, session } of files) {
    const twin = sha256 === null ? null : duplicateOf(tx, { ...run, file: { sha256, session } })
    if (twin !== null) return twin.id
  }
  return duplicateOf(tx, { ...run, file: null })?.id ?? null
}

async function collect(work: WorkoutWork, read: RowRead): Promise<Restored> {
  const { deps, report } = work
  const archived = archivedWorkout(work, read)
  const inputs =
    archived.told.length > 0
      ? toldInputs(deps.db, archived, report)
      : oneRecording(deps.db, archived, { track: await trackOf(work, archived), nowMs: deps.now() })
  return {
    ...{ archived, inputs, row: read.row },
    derived: await derivedOf(inputs.track),
    media: await unpackMedia(work, read.id),
    shoeId: shoeOf(work, read.row),
  }
}

async function trackOf({ deps, report }: WorkoutWork, archived: ArchivedWorkout): Promise<Track | null> {
  const { id, member, values, table, routeGeoJson, rawData, originals } = archived
  const { startedAtMs, numbers } = values
  const { durationS } = numbers
  if (member === null) {
    const run = { startedAtMs, durationS }
    return await foreignTrack(deps, { run, table, rawFile: originals.get(id) ?? null, ...rawData, routeGeoJson })
  }
  // a Harrier writes all it has: what is not in the rows was not in its samples
  const { samples: meta } = member
  const whenLost = () => report.warn(LOST_POSITIONS, { which: id })
  return meta && ownTrack({ table, meta, routeGeoJson, durationS }, whenLost)
}

type Derived = Pick<NewWorkout, 'bestEfforts' | 'preview' | 'routeIndex' | 'hasHeartRate'> & {
  readonly firstPosition: Position | null
}

/** What is made of the samples whatever the archive says; each step of a run of a day is as long as others may wait. */
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
    bestEfforts: await rested(trackEfforts(track, filledDistance(track.tS, track.distanceM))),
    preview: preview(track, route),
    routeIndex: route.length === 0 ? null : await rested(routeIndex(track)),
    hasHeartRate: track.heartRateBpm.some((bpm) => !Number.isNaN(bpm)),
    firstPosition: firstPosition(track, route),
  }
}

/** What a shoe's id stands for here; null with a warning for an unknown one. */
function shoeOf({ deps, standIns, report }: WorkoutWork, { id, shoeId }: Row): string | null {
  if (shoeId === null || shoeId === undefined || shoeId === '') return null
  const archiveId = uuidOf(shoeId)
  const here = archiveId === null ? null : (standIns.get(archiveId) ?? archiveId)
  if (here !== null && isStored(deps.db, here)) return here
  report.warn('Workouts whose shoe does not exist, restored without one', { which: calledOf(id) })
  return null
}

/** @param isStoredAlready asked once more, now that nobody else can write */
async function store(work: WorkoutWork, restored: Restored, isStoredAlready: () => boolean): Promise<void> {
  const { deps, report, parts } = work
  const { archived, inputs, derived, media: mediaRows } = restored
  const { id, originals, splits } = archived
  const { dataDir } = deps.config
  let isOurs = false
  try {
    for (const { recording, original, rawData } of inputs.recordings) {
      const text = rawData && new TextEncoder().encode(JSON.stringify(rawData))
      await placeRunFiles(dataDir, {
        id: recording.id,
        original: original && { bytes: original.path },
        rawData: text && Bun.zstdCompressSync(text, { level: 3 }),
      })
    }
    isOurs = deps.db.transaction(
      (tx) => {
        if (isStoredAlready() || workoutExists(tx, id)) return false
        insert(tx, deps, restored)
        return true
      },
      { behavior: 'immediate' },
    )
  } finally {
    if (!isOurs) {
      const stored = recordingsOf(deps.db, id).map((recording) => recording.id)
      for (const { recording } of inputs.recordings) {
        if (!stored.includes(recording.id)) await removeRawFiles(dataDir, recording.id)
      }
      await removeMediaFiles(
        deps,
        mediaRows.map((row) => row.id),
      )
    }
  }
  if (!isOurs) return report.skipped('workouts')
  report.imported('workouts')
  report.imported('splits', splits.length)
  report.imported('media', mediaRows.length)
  report.imported('rawFiles', originals.size)
  const counts = parts.counts(id)
  if (derived.preview !== null) report.imported('routes', Math.min(1, counts.routes))
  if (counts.timeSeries <= MAX_ROWS) report.imported('timeSeries', counts.timeSeries)
}

function insert(tx: Tx, deps: Deps, { archived, row, inputs, derived, media: mediaRows, shoeId }: Restored): void {
  const { id, values, member, splits, routeId } = archived
  const { firstPosition: first, ...fromTrack } = derived
  const place = placeTime(first, null, values.startedAtMs)
  const { effortZones, elevationSettings, ours, runnerSet } = readInputs(row.inputs)
  insertWorkout(tx, {
    id,
    ...fromTrack,
    startedAtMs: values.startedAtMs,
    createdAtMs: values.createdAtMs,
    calculatedAtMs: deps.now(),
    numbers: values.numbers,
    // asked again: it may have been deleted since
    words: { ...values.words, shoeId: shoeId !== null && isStored(tx, shoeId) ? shoeId : null },
    weather: values.weather,
    timeZone: member?.timeZone ?? place.zone,
    utcOffsetMinutes: values.utcOffsetMinutes === undefined ? place.utcOffsetMinutes : values.utcOffsetMinutes,
    hasRawHeartRate: inputs.recordings.some(({ rawData }) => rawHeartRate(objectOf(rawData?.rawFitData))),
    engineVersion: member?.engineVersion ?? ENGINE_VERSION,
    splitUnitM: member?.splitUnitM ?? unitOfSplits(splits) ?? splitUnitM(unitPreference(tx)),
    zones: effortZones === null ? null : zonesOfBounds(effortZones),
    elevation: elevationSettings,
    routeId: routeId ?? undefined,
    ours: archived.told.length > 0 ? ours : inputs.ours,
    runnerSet,
    splits: splits.map((split) => ({ ...withFreeId(tx, split), workoutId: id })),
    recordings: inputs.recordings.map(({ recording }) => recording),
    primary: inputs.positions.indexOf(0),
    positions: inputs.positions,
    repairs: inputs.repairs,
  })
  for (const mediaRow of mediaRows) tx.insert(media).values(mediaRow).run()
  const isAsked = values.weather === null && first !== null && deps.config.weatherEnabled
  if (isAsked) enqueueWeather(tx, id, deps.now())
}

/** Two workouts of an archive may claim one id for a split; the second gets another. */
function withFreeId(tx: Tx, split: StashedSplit): StashedSplit {
  const taken = tx.select({ id: workoutSplits.id }).from(workoutSplits).where(eq(workoutSplits.id, split.id)).get()
  return taken === undefined ? split : { ...split, id: Bun.randomUUIDv7() }
}

/** Metres within which a full split is a mile or a kilometre; older programs cut at the next sample. */
const UNIT_SLACK_M = 100

/** What a run was cut into; null when it has no full split to tell. */
function unitOfSplits(splits: readonly StashedSplit[]): number | null {
  const first = splits.length < 2 ? undefined : splits[0]
  if (first === undefined) return null
  return [METRES_PER_KM, METRES_PER_MILE].find((unitM) => Math.abs(first.distanceM - unitM) <= UNIT_SLACK_M) ?? null
}
