import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { archivedBestEfforts, workoutBestEfforts, workoutSamples, workoutSplits, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Analysis, AnalyzeOptions } from '../engine/analysis.ts'
import { analyze } from '../engine/analyze.ts'
import { exceeds } from '../engine/run/climb-limit.ts'
import { crop } from '../engine/run/crop.ts'
import { NO_TOTALS } from '../engine/totals.ts'
import type { Span, Track } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid, notFound } from '../errors.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from '../library/settings.ts'
import { derivedColumns, insertBestEfforts, insertSplits, replaceRouteIndex, sampleColumns } from '../library/store.ts'
import { placeTime, utcOffsetMinutes } from '../library/time-zone.ts'
import { packTrack, unpackTrack } from '../workers/pack.ts'
import { routeIndex } from '../workers/route-index.ts'

/** Seconds to take away; undefined and null were not sent. */
export interface CropRequest {
  readonly removeFromStartSeconds?: number | null | undefined
  readonly removeFromEndSeconds?: number | null | undefined
}

const SHORTEST_S = 10

/**
 * Cuts a workout and computes everything derived anew, from the samples alone: the device's own totals no longer count.
 * What the runner wrote, weather, media, raw data and the original stay. A track takes a few milliseconds, so that all
 * of it is one transaction.
 * @throws AppError 404; 400 without a number, without route, or with less than 10 s left
 */
export function cropWorkout({ db, config, events, now }: Deps, id: string, request: CropRequest): void {
  const { removeFromStartSeconds, removeFromEndSeconds } = request
  if ((removeFromStartSeconds ?? null) === null && (removeFromEndSeconds ?? null) === null) {
    throw invalid('removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0')
  }
  const removed = { startS: removeFromStartSeconds ?? 0, endS: removeFromEndSeconds ?? 0 }
  const elevation = { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM }
  db.transaction(
    (tx) => {
      const stored = storedRun(tx, id)
      const cut = cutOf(stored, removed)
      const splitLengthM = splitUnitM(unitPreference(tx))
      const options = { totals: NO_TOTALS, splitLengthM, zones: zonesOrDefault(tx), elevation }
      const cropped = croppedRun(stored, cut, options)
      save(tx, stored, { ...cropped, splitLengthM, nowMs: now() })
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'workout.updated', data: { id } })
}

type StoredRun = ReturnType<typeof storedRun>

function storedRun(tx: Tx, id: string) {
  const workout = tx
    .select({
      id: workouts.id,
      startedAtMs: workouts.startedAt,
      durationS: workouts.durationS,
      elevGainM: workouts.elevGainM,
      elevLossM: workouts.elevLossM,
      calories: workouts.calories,
      timeZone: workouts.timeZone,
      utcOffsetMinutes: workouts.utcOffsetMinutes,
      routePreview: workouts.routePreview,
    })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (workout === undefined) throw notFound('Workout')
  if (workout.routePreview === null) throw invalid('The workout has no route, so it cannot be cropped')
  const samples = tx.select().from(workoutSamples).where(eq(workoutSamples.workoutId, id)).get()
  if (samples === undefined) throw invalid('The workout has no recorded points, so it cannot be cropped')
  return { ...workout, revision: samples.revision, track: unpackTrack(samples) }
}

/** The recorded time that is left. @throws AppError 400 */
function cutOf({ track, durationS }: StoredRun, removed: Span): Span {
  const recordedS = track.tS.at(-1) ?? 0
  const cut = { startS: removed.startS, endS: recordedS - removed.endS }
  const removedS = removed.startS + removed.endS
  const leftS = Math.min(durationS, recordedS) - removedS
  // what is on the clock comes off a grid of milliseconds
  if (removedS > 0 && !(leftS >= SHORTEST_S - 0.0005)) {
    throw invalid(
      `Cannot crop ${roundHalfUp(removedS, 3)} s from a workout of ${durationS} s: at least ${SHORTEST_S} s must be left`,
    )
  }
  return cut
}

interface CroppedRun {
  readonly track: Track
  readonly analysis: Analysis
  readonly totals: AnalyzeOptions['totals']
}

function croppedRun(stored: StoredRun, cut: Span, options: AnalyzeOptions): CroppedRun {
  const track = crop(stored.track, cut)
  const leftS = roundHalfUp(track.tS.at(-1) ?? 0)
  // samples may last longer than the device said: taking nothing away must not add
  const share = stored.durationS > 0 ? Math.min(1, leftS / stored.durationS) : 1
  const totals = { ...options.totals, caloriesKcal: stored.calories === null ? null : stored.calories * share }
  const analysis = analyze(track, { ...options, totals })
  const limit = { gainM: stored.elevGainM ?? Number.MAX_VALUE, lossM: stored.elevLossM ?? Number.MAX_VALUE }
  if (!exceeds(analysis.elevGainM ?? 0, limit.gainM) && !exceeds(analysis.elevLossM ?? 0, limit.lossM)) {
    return { track, analysis, totals }
  }
  const limited = { ...track, climbLimit: limit }
  return { track: limited, analysis: analyze(limited, { ...options, totals }), totals }
}

function save(
  tx: Tx,
  stored: StoredRun,
  {
    track,
    analysis,
    totals,
    splitLengthM,
    nowMs,
  }: CroppedRun & { readonly splitLengthM: number; readonly nowMs: number },
): void {
  const { id } = stored
  const startedAtMs = stored.startedAtMs + track.startMs - stored.track.startMs
  tx.update(workouts)
    .set({
      ...derivedColumns(analysis),
      ...placeOf(stored, { track, startedAtMs, first: analysis.routeIndex[0] }),
      startedAt: startedAtMs,
      splitUnitM: splitLengthM,
      hasTimeSeriesHr: track.heartRateBpm.some((bpm) => !Number.isNaN(bpm)),
      deviceTotals: { ...totals },
    })
    .where(eq(workouts.id, id))
    .run()
  tx.update(workoutSamples)
    .set({ ...sampleColumns(packTrack(track)), revision: stored.revision + 1 })
    .where(eq(workoutSamples.workoutId, id))
    .run()
  tx.delete(workoutSplits).where(eq(workoutSplits.workoutId, id)).run()
  insertSplits(tx, id, analysis.splits)
  tx.delete(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, id)).run()
  tx.delete(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, id)).run()
  insertBestEfforts(tx, id, { ...analysis, calculatedAtMs: nowMs })
  replaceRouteIndex(tx, id, { startedAtMs, index: routeIndex(track) })
}

/** Where the run begins now, and when that is there: a cut may cross a border or a change of the clocks. */
function placeOf(
  { timeZone, utcOffsetMinutes: stored }: StoredRun,
  { track, startedAtMs, first }: { track: Track; startedAtMs: number; first: number | undefined },
) {
  const position = first === undefined ? null : { latDeg: track.latDeg[first]!, lonDeg: track.lonDeg[first]! }
  const place = placeTime(position, null, startedAtMs)
  if (place.zone !== null) return { timeZone: place.zone, utcOffsetMinutes: place.utcOffsetMinutes }
  return { timeZone, utcOffsetMinutes: timeZone === null ? stored : utcOffsetMinutes(timeZone, startedAtMs) }
}
