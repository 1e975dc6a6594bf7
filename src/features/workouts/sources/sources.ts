import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../../base/errors.ts'
import { workouts } from '../../../db/schema.ts'
import type { RecordingOrigin } from '../../../db/stored.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName } from '../../../engine/numbers.ts'
import type { Voice } from '../../../engine/run/statement.ts'
import type { Deps } from '../../../library/deps.ts'
import {
  isJoined,
  type JoinedTrack,
  plainRepair,
  type RunHead,
  type RunRepair,
  runHead,
} from '../../../library/documents/run.ts'
import { hasRawData, recordingRawTexts, wholeText } from '../../../library/files/raw-data.ts'
import { deriveJob, elevationOptions, statement } from '../../../library/inputs.ts'
import { rankedRecordings, recordingsOf, type StoredRecording } from '../../../library/recordings.ts'
import type { RunSources } from '../../../workers/derive.ts'
import type { WorkoutSources } from './sources-schemas.ts'

type Sources = Static<typeof WorkoutSources>

/**
 * The recordings and repairs of a workout, and for every number the value shown, its origin, and the values of other
 * sources. The Worker analyses every recording for it.
 * @throws AppError 404
 */
export async function workoutSources(deps: Deps, id: string): Promise<Sources> {
  const { db } = deps
  const workout = db.select().from(workouts).where(eq(workouts.id, id)).get()
  const head = runHead(db, id)
  if (workout === undefined || head === null) throw notFound('Workout')
  const { track } = head.body
  const stored = recordingsOf(db, id)
  const found = await deps.worker.ask('sources', sourcesJob(deps, head, stored, workout.durationS))
  const primary = isJoined(track) ? track.id : rankedRecordings(db, track)[0]?.id
  const sources = [...(isJoined(track) ? [sourceOfJoin(track)] : []), ...stored.map(sourceOfRecording)]
  const stated = await Promise.all(
    sources.map(async ({ recording, ...shown }, place): Promise<StatedSource> => {
      const known = found.voices[place] ?? []
      const voices = recording === null ? known : await allVoices(deps, recording, known)
      return { ...shown, voices, channels: [...(found.channels[place] ?? [])], isPrimary: shown.id === primary }
    }),
  )
  return {
    recordings: stated.map(recordingObject),
    repairs: [...(isJoined(track) ? [repairOfJoin(track)] : []), ...track.repairs].map(repairObject),
    corrections: stored.flatMap(({ id: recordingId, corrections }) =>
      corrections.map((correction) => ({ ...correction, recordingId })),
    ),
    choices: { stated: head.body.choices?.stated ?? false },
    numbers: eachNumber((name) => numberObject(name, workout[name], { found, stated })),
  }
}

/** With the elevation settings that the stored numbers were computed with. */
function sourcesJob(deps: Deps, { body, asked }: RunHead, recordings: readonly StoredRecording[], durationS: number) {
  return {
    ...deriveJob(deps.db, { body, asked, durationS }, deps),
    ...(isJoined(body.track) ? { recordings: recordings.map((recording) => statement(deps.db, recording)) } : {}),
    elevation: asked.elevation ?? elevationOptions(deps),
  }
}

type RecordingObject = Sources['recordings'][number]

interface Source extends Omit<RecordingObject, 'durationS' | 'distanceM' | 'channels' | 'isPrimary' | 'origin'> {
  readonly origin: RecordingOrigin
  /** null: it is a join, which counts as the first recording. */
  readonly recording: StoredRecording | null
}

interface StatedSource extends Omit<Source, 'recording'>, Pick<RecordingObject, 'channels' | 'isPrimary'> {
  readonly voices: readonly Voice[]
}

function sourceOfRecording(recording: StoredRecording): Source {
  const { id, origin, kind, fileName: filename, fileType, startedAt, words, addedAt } = recording
  const times = { startedAt: isoTime(startedAt), addedAt: isoTime(addedAt) }
  return { id, origin, kind, filename, fileType, ...times, device: words.device ?? null, recording }
}

function sourceOfJoin({ id, startedAt, madeAt }: JoinedTrack): Source {
  const times = { startedAt: isoTime(startedAt), addedAt: isoTime(madeAt) }
  return { id, origin: 'joined', kind: 'file', filename: null, fileType: null, ...times, device: null, recording: null }
}

function recordingObject({ voices, ...source }: StatedSource): RecordingObject {
  const says = (name: NumberName) => voices.find((voice) => voice.name === name)?.value ?? null
  return { ...source, durationS: says('durationS'), distanceM: says('distanceM') }
}

function repairOfJoin({ id, madeAt, caloriesKcal }: JoinedTrack): RunRepair {
  return { id, madeAt, kind: 'join', caloriesKcal }
}

function repairObject(repair: RunRepair): Sources['repairs'][number] {
  const { id, madeAt, undoneAt } = repair
  const { kind, ...data } = plainRepair(repair)
  const stated = {
    id,
    kind,
    data,
    madeAt: isoTime(madeAt),
    undoneAt: undoneAt === undefined ? null : isoTime(undoneAt),
  }
  return stated as Sources['repairs'][number]
}

interface Known {
  readonly found: RunSources
  readonly stated: readonly StatedSource[]
}

function numberObject(
  name: NumberName,
  value: number | null,
  { found, stated }: Known,
): Sources['numbers'][NumberName] {
  const chosen = found.origins[name]
  const others = stated.flatMap(({ id, voices }, place) =>
    voices
      .filter((voice) => voice.name === name && !(chosen?.recording === place && chosen.origin === voice.origin))
      .map((voice) => ({ origin: voice.origin, recordingId: id, value: voice.value })),
  )
  const recordingId = chosen?.recording == null ? null : (stated[chosen.recording]?.id ?? null)
  return { value, origin: value === null ? null : (chosen?.origin ?? 'derived'), recordingId, others }
}

/**
 * All values that a recording states. The climb of a watch does not count, since each counts it differently; it is read
 * from the raw data to be shown.
 */
async function allVoices(
  { db, config, log, worker }: Deps,
  recording: StoredRecording,
  known: readonly Voice[],
): Promise<readonly Voice[]> {
  if (!hasRawData(recording) || recording.fileType !== 'fit') return known
  const whenDamaged = (cause: unknown) => log.error(`The raw data of the recording ${recording.id} is damaged`, cause)
  const library = { db, dataDir: config.dataDir, worker }
  const question = { wanted: ['rawFitData'], points: false, whenDamaged } as const
  const { rawFitData } = await recordingRawTexts(library, recording, question)
  const raw = rawFitData === undefined ? null : (JSON.parse(wholeText(rawFitData)) as RawFit)
  const said = (name: NumberName, value: unknown): Voice[] =>
    typeof value === 'number' ? [{ name, origin: 'device', value }] : []
  return [...known, ...said('elevGainM', raw?.session?.totalAscent), ...said('elevLossM', raw?.session?.totalDescent)]
}

interface RawFit {
  readonly session?: { readonly totalAscent?: unknown; readonly totalDescent?: unknown }
}
