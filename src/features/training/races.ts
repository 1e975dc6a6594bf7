import type { Static } from '@sinclair/typebox'
import type { By } from '../../base/by.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { gently } from '../../base/pace.ts'
import { kept } from '../../db/kept.ts'
import type { Db } from '../../db/open.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import { type Estimate, noEstimate } from '../../engine/training/confidence.ts'
import { raceDistance } from '../../engine/training/races.ts'
import { updatedAt } from '../../library/changes.ts'
import { commitPlain } from '../../library/commit.ts'
import { deleteDocument, neededBody } from '../../library/delete-document.ts'
import type { Deps } from '../../library/deps.ts'
import { bodyOf } from '../../library/documents/rows.ts'
import { workoutExists } from '../../library/ids.ts'
import { raced } from '../../library/race-efforts.ts'
import { MOST_RACES, type Race, raceDocument, raceOf, storedRaces } from '../../library/training/documents.ts'
import { dayAsked } from '../stats/queries.ts'
import { PREDICTED_M } from './estimate-schemas.ts'
import type { EvidenceOf } from './evidence.ts'
import { type RunnerVdot, vdotAsOf } from './evidence.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { predictionsAnswer } from './predictions.ts'
import { MOST_LISTED, type NewRace, type RaceAnswer, type RaceEdit, type RacesQuery } from './races-schemas.ts'
import { defined } from './settings.ts'

type Answer = Static<typeof RaceAnswer>

export type Races = ReturnType<typeof createRaces>

/** Planned races and runs of the type Race. */
export function createRaces(deps: Deps, library: TrainingLibrary, evidence: EvidenceOf) {
  const { db } = deps
  const listOf = kept(db, (viewer: Viewer, from: number | null, to: number | null) =>
    raceList({ deps, library, evidence }, { viewer, from, to }),
  )
  const one = async (id: string) => {
    const day = bodyOf(db, 'race', id)?.day
    const shown = day === undefined ? [] : await listOf(library.viewer(undefined), day, day + 1)
    const found = shown.find((race) => race.id === id)
    if (found === undefined) throw notFound('Race')
    return found
  }
  const store = (race: Race, sent: Static<typeof RaceEdit>) => {
    db.transaction((tx) => {
      const { workoutId, id } = race
      // a run that was linked before may be deleted meanwhile
      if (sent.workoutId !== undefined && workoutId !== null) {
        if (!workoutExists(tx, workoutId))
          throw invalid('Workout not found', { code: 'workout_not_found', field: 'workoutId' })
        const other = storedRaces(tx).find((stored) => stored.workoutId === workoutId && stored.id !== id)
        if (other !== undefined)
          throw invalid(`This run is already the result of ${other.name}`, {
            code: 'not_applicable',
            field: 'workoutId',
          })
      }
      commitPlain(tx, deps, { kind: 'race', id, to: raceDocument(race) })
    })
    return one(race.id)
  }
  return {
    /** The latest first. @throws AppError 400 for an invalid window */
    list: async ({ from, to, timezoneOffsetMinutes }: Static<typeof RacesQuery>): Promise<Answer[]> => {
      const window = [dayAsked(from, null), dayAsked(to, null)] as const
      if (window[0] !== null && window[1] !== null && window[0] >= window[1])
        throw invalid('from must be before to', { field: 'from' })
      return await listOf(library.viewer(timezoneOffsetMinutes), ...window)
    },
    /** @throws AppError 400 for invalid values */
    add: (body: Static<typeof NewRace>): Promise<Answer> => {
      if (storedRaces(db).length >= MOST_RACES)
        throw invalid(`There are ${MOST_RACES} races already`, { code: 'limit_reached' })
      const none = { goalTimeS: null, note: null, workoutId: null, isLinked: false }
      return store({ ...none, ...membersOf(body), id: Bun.randomUUIDv7() } as Race, body)
    },
    /** @throws AppError 404, and 400 for invalid values */
    edit: (id: string, body: Static<typeof RaceEdit>): Promise<Answer> => {
      return store({ ...raceOf(neededBody(db, 'race', id)), ...membersOf(body) }, body)
    },
    remove: (by: By, id: string) => {
      deleteDocument({ ...deps, by }, ['race', id], ({ name }) => `Deleted the race ${name}`)
    },
  }
}

function membersOf(body: Static<typeof RaceEdit>): Partial<Race> {
  const { workoutId, ...others } = defined(body)
  return {
    ...others,
    ...(others.note === '' ? { note: null } : {}),
    ...(workoutId === undefined ? {} : { workoutId: workoutId?.toLowerCase() ?? null, isLinked: true }),
    ...(others.isLinked === false ? { workoutId: null, isLinked: false } : {}),
  }
}

interface Run {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly distanceM: number
  readonly durationS: number
  readonly name: string | null
}

const RUNS = `
  SELECT id, started_at AS startedAt, utc_offset_minutes AS offset, distance_m AS distanceM, duration_s AS durationS, name
  FROM workout WHERE run_type = 'Race' AND left_out = 0 ORDER BY started_at, id`

interface Needs {
  readonly deps: Deps
  readonly library: TrainingLibrary
  readonly evidence: EvidenceOf
}

interface Asked {
  readonly viewer: Viewer
  readonly from: number | null
  readonly to: number | null
}

/** A race with its result, before it is compared with others. */
interface Listed extends Omit<Answer, 'updatedAt' | 'date' | 'place' | 'prediction' | 'inPrediction' | 'ageGrade'> {
  readonly day: number
  /** The day before it, or before the run if that was earlier. */
  readonly eve: number
}

async function raceList({ deps: { db }, library, evidence }: Needs, { viewer, from, to }: Asked): Promise<Answer[]> {
  const vdotOn = (day: number) => (day === viewer.today ? evidence(viewer.offsetMinutes).vdot : vdotAsOf(library, day))
  const all = listedRaces(db, library, viewer)
  const timed = Map.groupBy(
    all.flatMap(({ distanceM, timeMs }) => (timeMs === null ? [] : [{ distanceM: raceDistance(distanceM), timeMs }])),
    ({ distanceM }) => distanceM,
  )
  const shown = all
    .filter(({ day }) => (from === null || day >= from) && (to === null || day < to))
    .toSorted((a, b) => b.day - a.day)
    .slice(0, MOST_LISTED)
  const vdots = new Map<number, RunnerVdot>()
  const answer: Answer[] = []
  for (const { day, eve, ...race } of shown) {
    const asOf = Math.min(viewer.today, eve)
    const vdot = vdots.get(asOf) ?? vdotOn(asOf)
    vdots.set(asOf, vdot)
    const prediction = predictionOf(race.distanceM, vdot, viewer)
    const { low, high } = prediction
    const { timeMs } = race
    const same = timed.get(raceDistance(race.distanceM)) ?? []
    const isCompared = timeMs !== null && low !== null && high !== null
    answer.push({
      ...race,
      date: isoDate(day),
      place: timeMs === null ? null : { rank: 1 + same.filter((one) => one.timeMs < timeMs).length, of: same.length },
      prediction,
      inPrediction: isCompared ? low <= timeMs / 1000 && timeMs / 1000 <= high : null,
      updatedAt: race.id === null ? updatedAt(db, 'workout', race.workoutId!) : updatedAt(db, 'race', race.id),
      ageGrade: null,
    })
    await gently()
  }
  return answer
}

/** Planned races with their results, then the runs of the type Race that are none. */
function listedRaces(db: Db, library: TrainingLibrary, viewer: Viewer): Listed[] {
  const results = raced(db).runs
  const taken = new Set([...results.values()].map(({ id }) => id))
  const free = db.$client.query<Run, []>(RUNS).all()
  return [
    ...storedRaces(db).map(({ date, workoutId: _, ...race }): Listed => {
      const day = parseDay(date)!
      const run = results.get(race.id)
      const timeMs = run === undefined ? null : 1000 * run.durationS
      const ran = run === undefined ? day : library.dayOf(run, viewer)
      return { ...race, day, workoutId: run?.id ?? null, timeMs, eve: Math.min(day, ran) - 1 }
    }),
    ...free
      .filter(({ id }) => !taken.has(id))
      .map(({ id, name, distanceM, durationS, ...run }): Listed => {
        const plan = { id: null, isLinked: false, goalTimeS: null, note: null, distanceM: raceDistance(distanceM) }
        const day = library.dayOf(run, viewer)
        return { ...plan, name, day, eve: day - 1, workoutId: id, timeMs: 1000 * durationS }
      }),
  ]
}

const [LEAST_M, MOST_M] = PREDICTED_M

/** The time of a race as it was expected on a day. */
function predictionOf(distanceM: number, vdot: RunnerVdot, { today }: Viewer): Estimate {
  if (distanceM < LEAST_M || distanceM > MOST_M) {
    const reason = distanceM < LEAST_M ? 'tooShort' : 'extrapolated'
    return noEstimate('s', [reason], `Times are predicted from ${LEAST_M / 1000} to ${MOST_M / 1000} km`)
  }
  const [prediction] = predictionsAnswer(vdot, [distanceM]).predictions
  // nothing sharpens what was expected of a race that is over
  return vdot.day === today ? prediction!.time : { ...prediction!.time, missing: null }
}
