import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings, pageSettings } from '../../library/settings.ts'
import type { PageAnswer, PageRequest } from './schemas.ts'

/** What the dashboard shows; load comes first once a run has one, until the runner chooses. */
export function dashboardPage(db: Db): Static<typeof PageAnswer> {
  const { cards, effort } = pageSettings(db)
  return { cards: [...cards], effort: effort ?? (hasLoads(db) ? 'load' : 'relative') }
}

function hasLoads({ $client: client }: Db): boolean {
  return client.query('SELECT 1 FROM workout_load WHERE load IS NOT NULL LIMIT 1').get() !== null
}

/** Stores what was sent; cards that were not sent follow in their usual order. @throws AppError 400 for a repeated card */
export function putPage(
  { db, ...deps }: Pick<Deps, 'db' | 'config' | 'now'>,
  { cards, effort }: Static<typeof PageRequest>,
): void {
  const twice = cards?.find(({ id }, index) => cards.findIndex((card) => card.id === id) < index)
  if (twice !== undefined) throw invalid(`cards must not repeat ${twice.id}`)
  const before = pageSettings(db)
  changeSettings(db, deps, { page: { cards: cards ?? before.cards, effort: effort ?? before.effort } })
}
