import type { Static } from '@sinclair/typebox'
import { changesSoFar, kept } from '../../db/kept.ts'
import type { Db } from '../../db/open.ts'
import { idsWhere } from '../workouts/list.ts'
import type { ListQuery } from '../workouts/list-schemas.ts'
import type { RunFilter } from './schemas.ts'

export type Filter = Static<typeof RunFilter> & Pick<Static<typeof ListQuery>, 'startLat' | 'startLon' | 'startM'>

const MEMBERS = [
  ...(['startDate', 'endDate', 'runType', 'shoeId', 'keyword', 'minDistanceM', 'maxDistanceM'] as const),
  ...(['startLat', 'startLon', 'startM'] as const),
]

/** Runs that count and fit a filter. */
export interface Counted {
  /** Members of the filter that were sent, in order. */
  readonly key: string
  readonly ids: ReadonlySet<string>
  /** By the number of their ground: 1 counts. */
  readonly isCounted: Uint8Array
}

/** All runs, and those of the last filter, kept until the library changes. @throws AppError 400 for an invalid date */
export function createCounted(db: Db): (filter: Filter) => Counted {
  const of = (key: string): Counted => {
    const ids = new Set(idsWhere(db, { ...(JSON.parse(key) as Filter), days: 'local', leftOut: false }))
    const rows = db.$client.query<{ run: number; id: string }, []>('SELECT run, workout_id AS id FROM ground').all()
    const isCounted = new Uint8Array(rows.reduce((most, { run }) => Math.max(most, run + 1), 0))
    for (const { run, id } of rows) if (ids.has(id)) isCounted[run] = 1
    return { key, ids, isCounted }
  }
  const [ofAll, ofLast] = [kept(db, of), kept(db, of)]
  const keyOf = (filter: Filter) => JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, filter[name]])))
  const all = keyOf({})
  return (filter) => {
    const key = keyOf(filter)
    return key === all ? ofAll(key) : ofLast(key)
  }
}

/** Names what the library holds now; another process of the service has other ones. */
export function createRevision(db: Db): () => string {
  const process = crypto.randomUUID().slice(0, 8)
  return () => `${process}-${changesSoFar(db)}`
}
