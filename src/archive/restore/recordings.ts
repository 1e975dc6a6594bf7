import { gathered } from '../../engine/gather.ts'
import { columnsWith, LIMITS, scalesOf, timeScale } from '../../engine/grid.ts'
import { quantise } from '../../engine/quantise.ts'
import type { Track } from '../../engine/track.ts'
import type { NewRecording } from '../../library/commit.ts'
import { engineRepairs, isJoined, isResampled, mergeOf, type RunTrack } from '../../library/documents/run.ts'
import { RAW_MEMBERS } from '../../library/files/raw-data.ts'
import { freeId, isTaken } from '../../library/ids.ts'
import { laidSamples, ranked, recordingsByIds, samplesOf } from '../../library/recordings.ts'
import { statedWeather } from '../../library/weather.ts'
import { rawHeartRate } from '../../workers/analyze-file.ts'
import { type PackedSamples, packTrack, unpackTrack } from '../../workers/pack.ts'
import { type StoredTrack, trackOf as settledTrack } from '../../workers/stored-track.ts'
import { objectOf } from '../format/fields.ts'
import type { ReadRecording } from '../format/recording-rows.ts'
import { readTrack } from '../format/repair-rows.ts'
import { hasRoute, hasTimes, type SamplesMeta, type SampleTable, tableOfColumns } from '../format/sample-rows.ts'
import type { ArchivedWorkout, RestoredRecording } from './archived.ts'
import { fileColumns } from './files.ts'
import { routeTrack } from './foreign.ts'
import type { RestoreReport } from './report.ts'
import type { WorkoutWork } from './work.ts'

const NO_RAW = { rawGpxData: null, rawFitData: null, rawStravaData: null }

/** Recordings and track that a restored workout is built from. */
export type RestoredInputs = ReturnType<typeof statedInputs>

/** A recording that the track of a run may name. */
type Sampled = Pick<NewRecording, 'id' | 'channels' | 'samples'>

/**
 * The recordings and the track of an archive, under their own ids unless these are taken.
 * @param found the samples of the first recording; absent: they are as Harrier wrote them
 */
export function statedInputs(
  { deps: { db: tx }, report, otherIds, standIns }: WorkoutWork,
  archived: ArchivedWorkout,
  found?: Track | null,
) {
  const { id: workoutId, stated, values } = archived
  const ids = new Map<string, string>()
  for (const { id, shares } of stated) {
    // another run may have stored it already
    const shared = shares === null ? null : (otherIds.get(shares) ?? shares)
    ids.set(id, shared !== null && isTaken(tx, 'recording', shared) ? shared : freeId(tx, 'recording', id))
  }
  const primary = stated.toSorted((a, b) => a.position - b.position)[0]
  const tracks = new Map<PackedSamples, Track>()
  const recordings = stated.flatMap((recording): RestoredRecording[] => {
    const id = ids.get(recording.id)!
    if (recording.shares !== null && isTaken(tx, 'recording', id)) return []
    const isPrimary = recording === primary
    const track = isPrimary && found !== undefined ? found : trackOf(archived, recording, { isPrimary, report })
    const restored = restoredRecording(archived, recording, { id, track })
    const { samples } = restored.recording
    if (track !== null && samples !== null) tracks.set(samples, track)
    return [restored]
  })
  const made = new Map<string, Sampled>(recordings.map(({ recording }) => [recording.id, recording]))
  const others = [...ids.values()].filter((id) => !made.has(id))
  for (const row of recordingsByIds(tx, others)) made.set(row.id, { ...row, samples: samplesOf(tx, row.id) })
  const first = made.get(ids.get(primary?.id ?? '') ?? '')
  // samples with the repairs applied, and when they begin before these, Unix milliseconds
  const settled = (track: RunTrack) => {
    const source = sourceOf(track, made)
    const startMs = source !== null && isJoined(track) ? track.startedAt : stated[0]!.startedAt
    if (source === null && isResampled(track)) throw new RangeError('No samples to repair')
    return {
      track,
      settled: source && settledTrack(source, (samples) => tracks.get(samples) ?? unpackTrack(samples)),
      startMs,
    }
  }
  const whole = { recordings: [...new Set(ids.values())], repairs: [] }
  const about = { recordings, ours: values.inputs.ours, otherIds: [...ids].filter(([id, stored]) => id !== stored) }
  try {
    const idOf = (id: unknown) => ids.get(String(id)) ?? standIns.get(String(id)) ?? null
    const track = readTrack(archived.repairs, whole, idOf)
    return { ...about, ...settled(pinned(track, made, first)) }
  } catch (error) {
    const hasJoin = archived.repairs.some(({ repair }) => repair.kind === 'join')
    if (!(error instanceof RangeError || (error instanceof Error && hasJoin))) throw error
    report.warn('Workouts whose repairs cannot be done, restored without', { which: workoutId })
    return { ...about, ...settled(pinned(whole, made, first)) }
  }
}

/** The samples of the first one count while a repair changes them, in a merged run, or where they are not the best. */
function pinned(track: RunTrack, stated: ReadonlyMap<string, Sampled>, first: Sampled | undefined): RunTrack {
  if (isJoined(track) || first === undefined || first.samples === null) return track
  const isPinned = isResampled(track) || mergeOf(track) !== undefined || primaryOf(track.recordings, stated) !== first
  return isPinned ? { ...track, primary: first.id } : track
}

function primaryOf(ids: readonly string[], stated: ReadonlyMap<string, Sampled>, pin?: string): Sampled | null {
  const known = ids.flatMap((id) => stated.get(id) ?? [])
  const [best] = ranked(
    known.map(({ id, channels, samples }) => ({ id, channels, sampleCount: samples?.sampleCount ?? null })),
    pin,
  )
  return stated.get(best?.id ?? '') ?? null
}

/** The samples that a track is made of; null when it has none. */
function sourceOf(track: RunTrack, stated: ReadonlyMap<string, Sampled>): StoredTrack | null {
  const repairs = engineRepairs(track)
  if (!isJoined(track)) {
    const samples = primaryOf(track.recordings, stated, track.primary)?.samples ?? null
    return samples && { samples, ...laidSamples(track, (id) => stated.get(id)?.samples ?? null), repairs }
  }
  const parts = track.join.map((part) => sourceOf(part, stated))
  const join = parts.filter((part) => part !== null)
  if (join.length < parts.length) throw new RangeError('No samples to join')
  return { join, gap: track.gap, climb: track.climb, repairs }
}

function restoredRecording(
  { rawData, originals, member }: ArchivedWorkout,
  { rawMembers, rawData: ownData, ...row }: ReadRecording,
  { id, track }: { readonly id: string; readonly track: Track | null },
): RestoredRecording {
  const own = rawMembers.filter((name) => rawData[name] !== null).map((name) => [name, rawData[name]])
  const raw = { ...NO_RAW, ...ownData, ...Object.fromEntries(own) }
  const hasRaw = RAW_MEMBERS.some((name) => raw[name] !== null)
  const original = originals.get(row.id) ?? null
  return {
    recording: {
      ...row,
      id,
      ...fileColumns(id, original, row.fileSession),
      weather: statedWeather(row.weather),
      samples: track && { ...packTrack(track), ...(member && { engineVersion: member.engineVersion }) },
      hasRaw,
      hasRawHr: rawHeartRate(objectOf(raw.rawFitData)),
      hasEstimatedTimes: row.hasEstimatedTimes || track?.hasEstimatedTimes === true,
    },
    original,
    rawData: hasRaw ? raw : null,
  }
}

function trackOf(
  archived: ArchivedWorkout,
  { meta, columns }: ReadRecording,
  { isPrimary, report }: { readonly isPrimary: boolean; readonly report: RestoreReport },
): Track | null {
  if (meta === null) return null
  const isInTimeSeries = isPrimary && !hasTimes(columns)
  const rows = tableOfColumns(columns, isInTimeSeries ? archived.table : null)
  const track = isInTimeSeries
    ? ownTrack({ ...archived, table: rows ?? archived.table }, meta, report)
    : rows && exportedTrack(rows, meta)
  if (track === null) {
    report.warn('Recordings whose samples are not in the archive, restored without', { which: archived.id })
  }
  return track
}

/**
 * The track of an archive written by Harrier. Harrier writes all samples, so a value missing in the rows is a gap. When
 * the rows have no positions but there is a route, the positions were lost, and the route is merged as for an archive
 * of another program.
 */
function ownTrack(
  { id, table, routeGeoJson, values }: ArchivedWorkout,
  meta: SamplesMeta,
  report: RestoreReport,
): Track | null {
  const track = exportedTrack(table, meta)
  if (track !== null && hasRoute(track)) return track
  const run = { startedAtMs: meta.startMs, durationS: values.numbers.durationS }
  const routed = routeTrack({ routeGeoJson, table }, run)
  if (routed === null) return track
  report.warn('Workouts whose samples lost their positions, which are taken from the route', { which: id })
  const { off, elevationSource, indoor, climbLimit } = meta
  return { ...routed, off, elevationSource, indoor, ...(climbLimit === undefined ? {} : { climbLimit }) }
}

/**
 * A track as Harrier exported it: its values are on their grids already, and its properties are in the meta member.
 * @returns null without rows
 */
function exportedTrack(table: SampleTable, meta: SamplesMeta): Track | null {
  const rows = risingRows(table.elapsedMs)
  if (rows.length === 0) return null
  const scales = scalesOf(meta.positionUnit)
  const lastS = table.elapsedMs[rows.at(-1)!]! / 1000
  const tS = quantise(
    gathered(table.elapsedMs, rows).map((ms) => ms / 1000),
    timeScale(lastS),
  )
  const columns = columnsWith((name) => {
    const [least, most] = LIMITS[name]
    const values = quantise(gathered(table[name], rows), scales[name])
    return values.map((value) => (value >= least && value <= most ? value : Number.NaN))
  })
  for (let i = 0; i < rows.length; i += 1) {
    if (!Number.isNaN(columns.latDeg[i]! + columns.lonDeg[i]!)) continue
    columns.latDeg[i] = Number.NaN
    columns.lonDeg[i] = Number.NaN
  }
  dropFalls(columns.distanceM)
  return { ...columns, ...meta, n: rows.length, tS }
}

/** Rows later than the row before, from the start of the run on; columns are compared in whole milliseconds. */
function risingRows(elapsedMs: Float64Array): number[] {
  const unitMs = 1000 / timeScale((elapsedMs.at(-1) ?? 0) / 1000)
  const rows: number[] = []
  let previous = -1
  for (let row = 0; row < elapsedMs.length; row += 1) {
    const units = Math.round(elapsedMs[row]! / unitMs)
    if (units <= previous) continue
    rows.push(row)
    previous = units
  }
  return rows
}

function dropFalls(distanceM: Float64Array): void {
  let most = 0
  for (let i = 0; i < distanceM.length; i += 1) {
    const metres = distanceM[i]!
    if (metres < most) distanceM[i] = Number.NaN
    else if (metres > most) most = metres
  }
}
