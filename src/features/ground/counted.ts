import type { Static } from '@sinclair/typebox'
import { gently } from '../../base/pace.ts'
import { changesSoFar, kept } from '../../db/kept.ts'
import type { Db } from '../../db/open.ts'
import { idsInOrder } from '../workouts/list.ts'
import type { ListQuery } from '../workouts/list-schemas.ts'
import type { RunFilter } from './schemas.ts'

export type Filter = Static<typeof RunFilter> & Pick<Static<typeof ListQuery>, 'startLat' | 'startLon' | 'startM'>

const MEMBERS = [
  ...(['startDate', 'endDate', 'runType', 'shoeId', 'keyword', 'minDistanceM', 'maxDistanceM'] as const),
  ...(['startLat', 'startLon', 'startM'] as const),
]

/** Runs that count and fit a filter. */
export interface Counted {
  readonly ids: ReadonlySet<string>
  /** By the number of their ground: 1 counts. */
  readonly isCounted: Uint8Array
}

/** All runs, and those of the last filter, kept until the library changes. @throws AppError 400 for an invalid date */
export function createCounted(db: Db): (filter: Filter) => Counted {
  const of = (key: string): Counted => {
    const ids = new Set(idsInOrder(db, { ...(JSON.parse(key) as Filter), days: 'local', leftOut: false }))
    const rows = db.$client.query<{ run: number; id: string }, []>('SELECT run, workout_id AS id FROM ground').all()
    const isCounted = new Uint8Array(rows.reduce((most, { run }) => Math.max(most, run + 1), 0))
    for (const { run, id } of rows) if (ids.has(id)) isCounted[run] = 1
    return { ids, isCounted }
  }
  const [ofAll, ofLast] = [kept(db, of), kept(db, of)]
  const keyOf = (filter: Filter) => JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, filter[name]])))
  const all = keyOf({})
  return (filter) => {
    const key = keyOf(filter)
    return key === all ? ofAll(key) : ofLast(key)
  }
}

const ROWS_AT_ONCE = 256

/** Rows of `ground_square` with an id after one, up to another; some at a time, with others served in between. */
export async function* squareRows<C>(
  { $client: client }: Db,
  columns: string,
  [after, last]: readonly [after: number, last: number],
): AsyncGenerator<readonly (C & { readonly id: number })[], void> {
  const batch = client.query<C & { readonly id: number }, [number, number, number]>(
    `SELECT id, ${columns} FROM ground_square WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
  )
  for (let from = after; ; ) {
    const rows = batch.all(from, last, ROWS_AT_ONCE)
    yield rows
    await gently()
    if (rows.length < ROWS_AT_ONCE) return
    from = rows.at(-1)!.id
  }
}

/** Names what the library holds now; another process of the service has other ones. */
export function createRevision(db: Db): () => string {
  const process = crypto.randomUUID().slice(0, 8)
  return () => `${process}-${changesSoFar(db)}`
}
