import { kept } from '../../db/kept.ts'
import { type Spot, startGroups } from '../../engine/ground/starts.ts'
import type { HiddenCircle } from '../../engine/route/trim.ts'
import { DAY_MS } from '../../engine/units.ts'
import { updatedAt } from '../../library/changes.ts'
import type { Deps } from '../../library/deps.ts'
import type { PlaceDocument } from '../../library/documents/rows.ts'
import { hiddenCircle, storedPlaces } from '../../library/places.ts'

type PlacesDeps = Pick<Deps, 'db' | 'jwtSecret'>

/** Where runs start, named or not. */
export interface StartPlace extends Spot {
  /** null: it has no name. */
  readonly named: PlaceDocument | null
  readonly runs: number
  readonly distanceM: number
  readonly firstMs: number | null
  readonly lastMs: number | null
  readonly lastUtcOffsetMinutes: number | null
  readonly isHome: boolean
  /** null: it has no name. */
  readonly updatedAt: string | null
  /** null: nothing about it is hidden. */
  readonly circle: HiddenCircle | null
}

interface Start extends Spot {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly distanceM: number
}

/** Unmarked, home is where so many runs of the last year start. */
const LEAST_RUNS = 10
const HOME_DAYS = 365

/** Where counted runs start, most runs first, and where each does; kept until the library changes. */
export interface StartPlaces {
  readonly places: readonly StartPlace[]
  readonly placeOf: ReadonlyMap<string, StartPlace>
}

export function createStartPlaces(deps: PlacesDeps): () => StartPlaces {
  return kept(deps.db, () => startPlaces(deps))
}

function startPlaces({ db, jwtSecret }: PlacesDeps): StartPlaces {
  const starts = db.$client
    .query<Start, []>(
      `SELECT workout.id, start_lat AS lat, start_lon AS lon, workout.started_at AS startedAt, utc_offset_minutes AS offset, distance_m AS distanceM
       FROM ground JOIN workout ON workout.id = workout_id
       WHERE left_out = 0 AND start_lat IS NOT NULL ORDER BY workout.started_at, workout.id`,
    )
    .all()
  const named = storedPlaces(db)
  const { places, placeOf } = startGroups(starts, named)
  const sums = places.map(() => ({
    distanceM: 0,
    firstMs: null as number | null,
    lastMs: null as number | null,
    lastUtcOffsetMinutes: null as number | null,
    recent: 0,
  }))
  const sinceMs = (starts.at(-1)?.startedAt ?? 0) - HOME_DAYS * DAY_MS
  for (const [k, { startedAt, offset, distanceM }] of starts.entries()) {
    const sum = sums[placeOf[k]!]!
    sum.distanceM += distanceM
    sum.firstMs ??= startedAt
    sum.lastMs = startedAt
    sum.lastUtcOffsetMinutes = offset
    if (startedAt >= sinceMs) sum.recent += 1
  }
  const home = homeOf(named, sums)
  const all = places.map((place, k): StartPlace => {
    const { recent: _, ...sum } = sums[k]!
    const document = named[k] ?? null
    const circle = document && hiddenCircle(document, { jwtSecret })
    const changed = document && updatedAt(db, 'place', document.id)
    return { ...place, ...sum, named: document, isHome: k === home, circle, updatedAt: changed }
  })
  return {
    places: all.toSorted((a, b) => b.runs - a.runs),
    placeOf: new Map(starts.map(({ id }, k) => [id, all[placeOf[k]!]!])),
  }
}

/** @returns -1: nowhere */
function homeOf(named: readonly PlaceDocument[], sums: readonly { readonly recent: number }[]): number {
  const marked = named.findIndex(({ isHome }) => isHome)
  if (marked !== -1) return marked
  const most = sums.reduce((best, { recent }) => Math.max(best, recent), 0)
  return most < LEAST_RUNS ? -1 : sums.findIndex(({ recent }) => recent === most)
}
