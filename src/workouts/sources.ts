import type { Static } from '@sinclair/typebox'
import { asc, eq } from 'drizzle-orm'
import { repairs, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName } from '../engine/numbers.ts'
import type { Voice } from '../engine/run/telling.ts'
import { notFound } from '../errors.ts'
import { hasRawData, recordingRawTexts, wholeText } from '../library/files/raw-data.ts'
import { elevationOptions, runJob } from '../library/inputs.ts'
import { recordingsOf, repairOf, type StoredRecording, type StoredRepair } from '../library/recordings.ts'
import { computed } from '../workers/compute.ts'
import type { RunSources } from '../workers/derive.ts'
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
  const job = runJob(db, id, workout?.elevationSettings ?? elevationOptions(deps))
  if (workout === undefined || job === null) throw notFound('Workout')
  const recordings = recordingsOf(db, id)
  const made = db.select().from(repairs).where(eq(repairs.workoutId, id)).orderBy(asc(repairs.seq)).all()

  const found = await computed(deps.analyzer, { ...job, what: 'sources' })
  const voices = await Promise.all(recordings.map((recording, place) => allVoices(deps, recording, found, place)))

  return {
    recordings: recordings.map((recording, place) => recordingObject(recording, voices[place] ?? [], found, place)),
    repairs: made.map(repairObject),
    numbers: eachNumber((name) => numberObject(name, workout[name], { found, voices, recordings })),
  }
}

function repairObject(row: StoredRepair): Sources['repairs'][number] {
  const { id, madeAt, undoneAt } = row
  const { kind, ...data } = repairOf(row)
  const told = { id, kind, data, madeAt: isoTime(madeAt), undoneAt: undoneAt === null ? null : isoTime(undoneAt) }
  return told as Sources['repairs'][number]
}

function recordingObject(
  recording: StoredRecording,
  voices: readonly Voice[],
  { channels }: RunSources,
  place: number,
): Sources['recordings'][number] {
  const says = (name: NumberName) => voices.find((voice) => voice.name === name)?.value ?? null
  return {
    id: recording.id,
    origin: recording.origin,
    kind: recording.kind,
    filename: recording.fileName,
    fileType: recording.fileType,
    startedAt: isoTime(recording.startedAt),
    durationS: says('durationS'),
    distanceM: says('distanceM'),
    device: recording.words.device ?? null,
    channels: [...(channels[place] ?? [])],
    addedAt: isoTime(recording.addedAt),
    isPrimary: recording.position === 0,
  }
}

interface Known {
  readonly found: RunSources
  readonly voices: readonly (readonly Voice[])[]
  readonly recordings: readonly StoredRecording[]
}

function numberObject(
  name: NumberName,
  value: number | null,
  { found, voices, recordings }: Known,
): Sources['numbers'][NumberName] {
  const chosen = found.origins[name]
  const others = voices.flatMap((of, place) =>
    of
      .filter((voice) => voice.name === name && !(chosen?.recording === place && chosen.origin === voice.origin))
      .map((voice) => ({ origin: voice.origin, recordingId: recordings[place]?.id ?? null, value: voice.value })),
  )
  const recordingId = chosen?.recording == null ? null : (recordings[chosen.recording]?.id ?? null)
  return { value, origin: value === null ? null : (chosen?.origin ?? 'derived'), recordingId, others }
}

/**
 * All values that a recording states. The climb of a watch does not count, since each counts it differently; it is read
 * from the raw data to be shown.
 */
async function allVoices(
  { db, config, log, analyzer }: Deps,
  recording: StoredRecording,
  { voices }: RunSources,
  place: number,
): Promise<readonly Voice[]> {
  const known = voices[place] ?? []
  if (!hasRawData(recording) || recording.fileType !== 'fit') return known
  const whenDamaged = (cause: unknown) => log.error(`The raw data of the recording ${recording.id} is damaged`, cause)
  const library = { db, dataDir: config.dataDir, analyzer }
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
