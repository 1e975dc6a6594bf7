import type { Tx } from '../../db/open.ts'
import { recordings as recordingTable, repairs as repairTable } from '../../db/schema.ts'
import { quantise } from '../../engine/codec.ts'
import { gathered } from '../../engine/gather.ts'
import { columnsWith, LIMITS, scalesOf, timeScale } from '../../engine/grid.ts'
import { changesSamples, repaired } from '../../engine/repair/repairs.ts'
import type { Track } from '../../engine/track.ts'
import { freeId } from '../../library/add-workout.ts'
import { RAW_MEMBERS } from '../../library/files/raw-data.ts'
import { repairOf } from '../../library/recordings.ts'
import { packTrack } from '../../workers/pack.ts'
import type { ReadRecording } from '../format/recording-rows.ts'
import { hasRoute, hasTimes, type SamplesMeta, type SampleTable, tableOfColumns } from '../format/sample-rows.ts'
import type { ArchivedWorkout, RestoredInputs, RestoredRecording } from './archived.ts'
import { fileColumns, type RawFile } from './files.ts'
import { routeTrack } from './foreign.ts'
import type { RestoreReport } from './report.ts'

const NO_RAW = { rawGpxData: null, rawFitData: null, rawStravaData: null }

/** The recordings and repairs of an archive, under their own ids unless these are taken. */
export function toldInputs(tx: Tx, archived: ArchivedWorkout, report: RestoreReport): RestoredInputs {
  const { told, rawData, values } = archived
  const ids = new Map(told.map(({ id }) => [id, freeId(tx, recordingTable, id)]))
  const ranked = told.toSorted((a, b) => a.position - b.position)
  const tracks = new Map(
    told.map((recording) => [recording, trackOf(archived, recording, { isPrimary: recording === ranked[0], report })]),
  )
  const hashes = new Set<string>()
  const recordings = told.map((recording): RestoredRecording => {
    const { hasOriginal: _, rawMembers, rawData: ownData, meta: __, columns: ___, ...row } = recording
    const own = rawMembers.filter((name) => rawData[name] !== null).map((name) => [name, rawData[name]])
    const raw = { ...NO_RAW, ...ownData, ...Object.fromEntries(own) }
    const hasRaw = RAW_MEMBERS.some((name) => raw[name] !== null)
    const original = archived.originals.get(recording.id) ?? null
    const track = tracks.get(recording) ?? null
    const id = ids.get(recording.id)!
    return {
      recording: {
        ...row,
        id,
        seq: told.indexOf(recording),
        position: ranked.indexOf(recording),
        ...fileColumns(id, unlessKnown(original, recording.fileSession, hashes), recording.fileSession),
        samples: track && packTrack(track),
        hasRaw,
        hasEstimatedTimes: track?.hasEstimatedTimes === true,
      },
      original,
      rawData: hasRaw ? raw : null,
    }
  })
  const recorded = tracks.get(ranked[0]!) ?? null
  const { repairs, track } = settledBy(recorded, archived, report)
  return {
    recordings,
    repairs: repairs.map((repair) => ({
      ...repair,
      id: freeId(tx, repairTable, repair.id),
      recordingId: repair.recordingId === null ? null : (ids.get(repair.recordingId) ?? null),
    })),
    track,
    ours: values.inputs.ours,
  }
}

/** Drops an original that another recording has already. @param hashes of the other originals */
function unlessKnown(original: RawFile | null, session: number | null, hashes: Set<string>): RawFile | null {
  if (original === null) return null
  const key = `${original.sha256}/${session ?? 0}`
  const isKnown = hashes.has(key)
  hashes.add(key)
  return isKnown ? { ...original, sha256: null } : original
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
 * Applies the repairs. When one cannot be applied, since its samples are missing, all repairs of the workout are
 * dropped.
 */
function settledBy(recorded: Track | null, { id, repairs }: ArchivedWorkout, report: RestoreReport) {
  const active = repairs.filter(({ undoneAt }) => undoneAt === null).map(repairOf)
  if (recorded === null && !active.some(changesSamples)) return { repairs, track: null }
  try {
    if (recorded === null) throw new RangeError('No samples to repair')
    return { repairs, track: repaired(recorded, active) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    report.warn('Workouts whose repairs cannot be done, restored without', { which: id })
    return { repairs: [], track: recorded }
  }
}

/**
 * The track of an archive written by Harrier. Harrier writes all samples, so a value missing in the rows is a gap. When
 * the rows have no positions but there is a route, the positions were lost, and the route is merged as for an archive
 * of another program.
 */
export function ownTrack(
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
