import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid, notApplicable, notFound } from '../../../base/errors.ts'
import type { Db } from '../../../db/open.ts'
import { workouts } from '../../../db/schema.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import { SHORTEST_STRETCH_M } from '../../../engine/limits.ts'
import { isShared } from '../../../engine/route/passes.ts'
import { type PulsedPass, samePulse, seasonName, seasonNumber } from '../../../engine/route/same-pulse.ts'
import { roundedOrNull, roundHalfUp } from '../../../engine/units.ts'
import { storedTrack } from '../../../library/recordings.ts'
import type { StretchFound } from '../../../workers/passes.ts'
import { passesOfAll, type RunPass, type Search } from './candidates.ts'
import type { Passes, PassesParameters } from './passes-schemas.ts'

type Asked = Static<typeof PassesParameters>

const MOST = 1000
const STANDARD = 100

/**
 * All passes of the library through a stretch of a run, in both directions, with ranks by time; found in the route
 * index and the stored tracks, without stored results. The Worker does most of the work, in pieces.
 * @throws AppError 404; 400 for a stretch that is not within the run, or a run without route; the reason of the signal
 */
export async function passesOfStretch(search: Search, id: string, asked: Asked): Promise<Static<typeof Passes>> {
  const { db, worker } = search
  const run = db
    .select({ startedAtMs: workouts.startedAt, route: workouts.routePreview, leftOut: workouts.leftOut })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  const stored = storedTrack(db, id)
  if (run.route === null || stored === null) throw notApplicable('The workout has no route, so it has no sections')
  const { fromM = 0, toM = null, maxResults = STANDARD } = asked
  if (toM !== null && toM - fromM < SHORTEST_STRETCH_M)
    throw invalid(`toM must be at least ${SHORTEST_STRETCH_M} m after fromM`, { field: 'toM' })
  const { found: stretch } = await worker.ask('stretch', { ...stored, fromM, toM })
  const { runM, own } = ownStretch(stretch, fromM)
  const ownPass: RunPass = { workoutId: id, startedAtMs: run.startedAtMs, direction: 'same', ...own.span, ...own }

  const found = await passesOfAll(search, own.stretch)
  const all = found.filter((pass) => pass.workoutId !== id || !isShared(pass, ownPass))
  all.push(ownPass)

  const ranked = ranks(all)
  const shown = passShown(db, ranked)
  const same = all.filter(({ direction }) => direction === 'same')
  // a run that is left out holds no record, unless there is no other pass
  const others = same.filter((pass) => pass !== ownPass)
  const counting = run.leftOut && others.length > 0 ? others : same
  const listed = all.toSorted(latestFirst).slice(0, Math.min(maxResults, MOST))
  return {
    fromM,
    toM: Math.min(toM ?? Number.POSITIVE_INFINITY, roundHalfUp(runM, 2)),
    lengthM: roundHalfUp(own.stretch.lengthM, 1),
    count: all.length,
    sameCount: same.length,
    runCount: new Set(all.map(({ workoutId }) => workoutId)).size,
    own: shown(ownPass),
    best: shown(counting.reduce((best, pass) => (isFaster(pass, best) ? pass : best))),
    atSamePulse: pulseShown(ownPass, same, own.stretch.plane.latDeg),
    passes: listed.map(shown),
  }
}

function ownStretch({ runM, isTimed, own }: StretchFound, fromM: number) {
  if (!isTimed) throw notApplicable('The workout has no recorded times, so it has no sections')
  if (runM === null) throw notApplicable('The workout has no distance, so it has no sections')
  if (runM - fromM < SHORTEST_STRETCH_M)
    throw invalid(`fromM must be at least ${SHORTEST_STRETCH_M} m before the end of the workout`, { field: 'fromM' })
  if (own !== null) return { runM, own }
  throw invalid(`fromM and toM must lie within the ${roundHalfUp(runM, 2)} m of the workout, where it has positions`)
}

function elapsedS({ startS, endS }: RunPass): number {
  return endS - startS
}

/** Of equal times the earlier pass wins. */
function isFaster(a: RunPass, b: RunPass): boolean {
  return (elapsedS(a) - elapsedS(b) || a.startedAtMs - b.startedAtMs || a.startS - b.startS) < 0
}

function latestFirst(a: RunPass, b: RunPass): number {
  return (
    b.startedAtMs - a.startedAtMs ||
    (a.workoutId < b.workoutId ? -1 : Number(a.workoutId > b.workoutId)) ||
    b.startS - a.startS
  )
}

/** Rank by elapsed time within each direction, from 1; equal times share a rank. */
function ranks(all: readonly RunPass[]): Map<RunPass, number> {
  const found = new Map<RunPass, number>()
  for (const passes of Map.groupBy(all, ({ direction }) => direction).values()) {
    const ordered = passes.toSorted((a, b) => elapsedS(a) - elapsedS(b))
    let rank = 1
    for (const [place, pass] of ordered.entries()) {
      if (place > 0 && elapsedS(pass) > elapsedS(ordered[place - 1]!)) rank = place + 1
      found.set(pass, rank)
    }
  }
  return found
}

function passShown(db: Db, ranked: ReadonlyMap<RunPass, number>): (pass: RunPass) => Static<typeof Passes>['own'] {
  const named = db.$client.query<{ name: string | null; utcOffsetMinutes: number | null }, [string]>(
    'SELECT name, utc_offset_minutes AS utcOffsetMinutes FROM workout WHERE id = ?',
  )
  return (pass) => ({
    workoutId: pass.workoutId,
    ...(named.get(pass.workoutId) ?? { name: null, utcOffsetMinutes: null }),
    startedAt: isoTime(pass.startedAtMs),
    direction: pass.direction,
    startElapsedS: roundHalfUp(pass.startS, 3),
    endElapsedS: roundHalfUp(pass.endS, 3),
    elapsedS: roundHalfUp(elapsedS(pass)),
    movingTimeS: Math.min(roundHalfUp(elapsedS(pass)), roundHalfUp(pass.movingS)),
    avgHeartRateBpm: roundedOrNull(pass.heartRateBpm),
    rank: ranked.get(pass) ?? 1,
  })
}

function pulseShown(own: RunPass, same: readonly RunPass[], latDeg: number): Static<typeof Passes>['atSamePulse'] {
  const pulsed = (pass: RunPass): PulsedPass[] => {
    const day = new Date(pass.startedAtMs + 1000 * pass.startS)
    const season = seasonNumber(day.getUTCFullYear(), day.getUTCMonth() + 1)
    return pass.heartRateBpm === null ? [] : [{ season, movingS: pass.movingS, heartRateBpm: pass.heartRateBpm }]
  }
  const [pass] = pulsed(own)
  const found = pass === undefined ? null : samePulse(pass, same.flatMap(pulsed))
  if (pass === undefined || found === null) return null
  const { name, year } = seasonName(found.season, latDeg)
  return {
    season: name,
    year,
    passes: found.passes,
    heartRateBpm: roundHalfUp(pass.heartRateBpm),
    expectedS: roundHalfUp(found.expectedS, 1),
    differenceS: roundHalfUp(found.differenceS, 1),
    standardErrorS: roundHalfUp(found.standardErrorS, 1),
    secondsPerBpm: roundHalfUp(found.secondsPerBpm, 2),
  }
}
