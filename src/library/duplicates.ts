import { and, between, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { recordings, repairs, samples, workouts } from '../db/schema.ts'
import type { ExternalId } from '../formats/format.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { activeRepairs } from './recordings.ts'

/** Data by which a run is recognised. */
export interface RunIdentity {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  /**
   * A row of Strava's table without a file: any run that started in the same second is the same one (docs/api.md 7.3).
   */
  readonly isSummary: boolean
  /** SHA-256 of the unpacked original, and the run's index in it; null without a file. */
  readonly file: { readonly sha256: string; readonly session: number } | null
}

const SAME_DISTANCE_M = 1

/**
 * The stored workout that is the same run: same bytes and session, or same start, duration and distance within 1 m; for
 * a summary row, whose date has whole seconds and whose totals are Strava's, the same second. When the runner moved the
 * start of a stored run, its original start counts as well.
 */
export function duplicateOf(tx: Tx, run: RunIdentity): { readonly id: string; readonly hasRawFile: boolean } | null {
  const { ofFile, ofSecond, ofExtent, movedOfSecond, movedOfExtent, original } = lookups(tx)
  const { startedAtMs, durationS, distanceM, file } = run
  const sameFile = file && ofFile.get({ sha256: file.sha256, session: file.session })
  const secondMs = Math.floor(startedAtMs / 1000) * 1000
  const second = { secondMs, lastMs: secondMs + 999 }
  const extent = { startedAtMs, durationS, aboveM: distanceM - SAME_DISTANCE_M, belowM: distanceM + SAME_DISTANCE_M }
  const same =
    sameFile ??
    (run.isSummary
      ? (ofSecond.get(second) ?? movedOfSecond.get(second))
      : (ofExtent.get(extent) ?? movedOfExtent.get(extent)))
  return same === undefined ? null : { id: same.id, hasRawFile: original.get({ id: same.id }) !== undefined }
}

/** The stored workout of a run that was just read; `isCompleted`: the file becomes a further recording of it. */
interface KnownRun {
  readonly id: string
  readonly isCompleted: boolean
}

/**
 * The stored workout of a run that was just read. It is completed when it has no file and the run comes from one, or when a
 * service sends the run again with more samples or a first route.
 */
export function knownRun(tx: Tx, run: AnalyzedRun, original: RunIdentity['file']): KnownRun | null {
  const { analysis, startedAtMs, samples, source, external } = run
  const { distanceM, durationS } = analysis
  const isSummary = samples === null && source === 'strava_import'
  const sent = external?.origin === 'health_auto_export' ? sentBefore(tx, run, { ...external, file: original }) : null
  if (sent !== null) return sent
  const known = duplicateOf(tx, { startedAtMs, distanceM, durationS, isSummary, file: original })
  return known && { id: known.id, isCompleted: !known.hasRawFile && original !== null }
}

/** The workout that a service sent under this id before; while a repair is active it is not completed. */
function sentBefore(
  tx: Tx,
  { channels, samples: sent }: AnalyzedRun,
  { origin, id, file }: ExternalId & Pick<RunIdentity, 'file'>,
): KnownRun | null {
  const { workoutId, externalId, fileSha256, fileSession, partFromMs } = recordings
  const stored = tx
    .select({ workoutId, fileSha256, fileSession, channels: recordings.channels, count: samples.sampleCount })
    .from(recordings)
    .leftJoin(samples, eq(samples.recordingId, recordings.id))
    .where(and(eq(recordings.origin, origin), eq(externalId, id), isNull(partFromMs)))
    .all()
  const [first] = stored
  if (first === undefined) return null
  const isThere = stored.some((one) => one.fileSha256 === file?.sha256 && one.fileSession === file?.session)
  const hasRoute = stored.some((one) => one.channels?.includes('position'))
  const most = Math.max(...stored.map(({ count }) => count ?? 0))
  const isMore = (channels.includes('position') && !hasRoute) || (sent?.sampleCount ?? 0) > most
  const isRepaired = activeRepairs(tx, first.workoutId).length > 0
  return { id: first.workoutId, isCompleted: isMore && !isThere && !isRepaired }
}

/** Prepared queries of `duplicateOf`. */
const lookups = preparedOnce((tx) => {
  const { workoutId, fileSha256, fileSession, fileName, partFromMs } = recordings
  const { startedAt, durationS, distanceM } = workouts
  const told = sql.placeholder
  const recorded = () => tx.select({ id: workoutId }).from(recordings)
  const stored = () => tx.select({ id: workouts.id }).from(workouts)
  const isExtent = and(eq(durationS, told('durationS')), gt(distanceM, told('aboveM')), lt(distanceM, told('belowM')))
  const isOfSecond = between(startedAt, told('secondMs'), told('lastMs'))
  const moved = (isSameStart: SQL | undefined) =>
    tx
      .select({ id: workouts.id })
      .from(recordings)
      .innerJoin(workouts, eq(workouts.id, workoutId))
      .innerJoin(
        repairs,
        and(eq(repairs.workoutId, workouts.id), inArray(repairs.kind, ['shift', 'numbers']), isNull(repairs.undoneAt)),
      )
      .where(isSameStart)
      .prepare()
  return {
    ofFile: recorded()
      .where(and(eq(fileSha256, told('sha256')), eq(fileSession, told('session')), isNull(partFromMs)))
      .prepare(),
    ofSecond: stored().where(isOfSecond).prepare(),
    ofExtent: stored()
      .where(and(eq(startedAt, told('startedAtMs')), isExtent))
      .prepare(),
    movedOfSecond: moved(between(recordings.startedAt, told('secondMs'), told('lastMs'))),
    movedOfExtent: moved(and(eq(recordings.startedAt, told('startedAtMs')), isExtent)),
    original: recorded()
      .where(and(eq(workoutId, told('id')), isNotNull(fileName)))
      .prepare(),
  }
})
