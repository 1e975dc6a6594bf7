import type { Tx } from '../../db/open.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { bandsOf, paceZones } from '../../engine/training/intensity.ts'
import { vdotOn } from '../../engine/training/latent/fitness-readings.ts'
import type { LatentFitness } from '../../engine/training/latent/latent-fitness.ts'
import { profileOn } from '../../engine/training/profile.ts'
import { standardNear } from '../../engine/training/races.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import {
  COMPARED_DAYS,
  SHORTEST_RACE_M,
  type SuggestedRunType,
  type SuggestionFacts,
  suggestedRunType,
} from '../../engine/training/suggested-type.ts'
import { DAY_MS, METRES_PER_KM } from '../../engine/units.ts'
import { effortsInOrder, type Ranked } from '../effort-ranks.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from './profile.ts'

/** A run without a type, with what a suggestion needs of it alone. */
interface Untyped {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly distanceM: number
  readonly durationS: number
  readonly repetitions: number
  readonly hrHist: Uint8Array | null
  readonly speedHist: Uint8Array | null
  readonly coverage: number
}

/** Runs of a request that have no type, unless the runner chose that they have none, or left them out. */
const UNTYPED = `
  SELECT w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.distance_m AS distanceM, w.duration_s AS durationS,
    coalesce(json_array_length(d.body, '$.choices.intervals.stretches'), t.reps, 0) AS repetitions,
    t.hr_hist AS hrHist, t.speed_hist AS speedHist, coalesce(l.coverage / ${KEPT_PARTS.share}.0, 0) AS coverage
  FROM json_each(?1) AS asked CROSS JOIN workout AS w ON w.id = asked.value JOIN document AS d ON d.id = w.id
    LEFT JOIN workout_training AS t ON t.workout_id = w.id LEFT JOIN workout_load AS l ON l.workout_id = w.id
  WHERE w.run_type IS NULL AND w.left_out = 0 AND json_type(d.body, '$.words.runType') IS NULL`

interface Other {
  readonly id: string
  readonly startedAt: number
  readonly distanceM: number
}

const OTHERS = `SELECT id, started_at AS startedAt, distance_m AS distanceM FROM workout
  WHERE started_at > ?1 AND started_at <= ?2 AND left_out = 0 ORDER BY started_at`

/**
 * The types that runs without one probably have, by id; a run that no rule fits has none.
 * @param fit null: the intensity by pace is not known
 */
export function suggestedTypes(
  tx: Tx,
  ids: readonly string[],
  fit: LatentFitness | null,
): Map<string, SuggestedRunType> {
  const client = tx.$client
  const runs = ids.length === 0 ? [] : client.query<Untyped, [string]>(UNTYPED).all(JSON.stringify(ids))
  if (runs.length === 0) return new Map()
  const starts = runs.map(({ startedAt }) => startedAt)
  const span = { fromMs: Math.min(...starts), toMs: Math.max(...starts) }
  const others = client
    .query<Other, [number, number]>(OTHERS)
    .all(span.fromMs - COMPARED_DAYS.median * DAY_MS, span.toMs)
  const bands = bandsOn(tx, fit)
  const raced = racesBy(tx, runs, span)
  return new Map(
    runs.flatMap((run) => {
      const before = (days: number) =>
        others
          .filter(({ id, startedAt }) => id !== run.id && isWithin(startedAt, run.startedAt, days))
          .map(({ distanceM }) => distanceM)
      const { distanceM, repetitions } = run
      const suggested = suggestedRunType({
        ...{ distanceM, repetitions, race: raced(run), bands: bands(run) },
        ...{ last14DaysM: before(COMPARED_DAYS.longest), last56DaysM: before(COMPARED_DAYS.median) },
      })
      return suggested === null ? [] : [[run.id, suggested] as const]
    }),
  )
}

function isWithin(atMs: number, endMs: number, days: number): boolean {
  return atMs > endMs - days * DAY_MS && atMs <= endMs
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Time in the three bands of intensity, as the training views count it; by pace with the fitness of the day. */
function bandsOn(tx: Tx, fit: LatentFitness | null) {
  const settings = trainingOrDefault(tx)
  const entries = profileEntries(settings)
  const zones = zonesProfile(tx)
  const borders = settings.paceZoneBorders?.map((paceS) => METRES_PER_KM / paceS) ?? null
  return (run: Untyped): SuggestionFacts['bands'] => {
    const day = localDay(run.startedAt, run.offset ?? 0)
    const bounds = borders ?? (fit && paceZones(vdotOn(fit, day).value).boundsMps)
    return bandsOf(run, { lthrBpm: profileOn(day, entries, zones).lthrBpm.value, bounds })
  }
}

/** The time of a run over the standard distance that it has, beside the best of the other runs of the year up to it. */
function racesBy(tx: Tx, runs: readonly Untyped[], { fromMs, toMs }: Span) {
  const raced = new Set(runs.flatMap(({ distanceM }) => standardNear(distanceM, SHORTEST_RACE_M) ?? []))
  const efforts = new Map(
    [...raced].map((standard) => {
      const index = STANDARD_DISTANCES.indexOf(standard)
      return [standard, effortsInOrder(tx, index, { fromMs: fromMs - COMPARED_DAYS.race * DAY_MS, toMs: toMs + 1 })]
    }),
  )
  return ({ id, startedAt, distanceM, durationS }: Untyped): SuggestionFacts['race'] => {
    const standard = standardNear(distanceM, SHORTEST_RACE_M)
    if (standard === null) return null
    const ofYear = (efforts.get(standard) ?? []).filter((one) => {
      return isWithin(one.startedAtMs, startedAt, COMPARED_DAYS.race)
    })
    const [own, others] = [bestOf(ofYear, true), bestOf(ofYear, false)]
    // one that was recorded a little short has no effort over the whole distance
    const timeMs = own ?? (1000 * durationS * standard.distanceM) / distanceM
    return { label: standard.label, timeMs, bestMs: others }

    function bestOf(efforts: readonly Ranked[], isOwn: boolean): number | null {
      const times = efforts.filter(({ workoutId }) => (workoutId === id) === isOwn).map(({ timeMs }) => timeMs)
      return times.length === 0 ? null : Math.min(...times)
    }
  }
}
