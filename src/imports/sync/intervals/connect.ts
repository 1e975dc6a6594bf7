import type { Static } from '@sinclair/typebox'
import { invalid } from '../../../base/errors.ts'
import { DAY_MS } from '../../../engine/units.ts'
import type { Deps } from '../../../library/deps.ts'
import type { SyncConnect } from '../schemas.ts'
import { storeAccount, storedAccount } from './account.ts'
import { type Athlete, IntervalsError, intervalsClient } from './client.ts'

const SINCE_MS = 30 * DAY_MS
const EVERY_MINUTES = 30
const ENDING = 4

/** Stores a key once it was accepted. @throws AppError 400 when it is refused, or nothing answers */
export async function connect(
  deps: Deps,
  { apiKey, since, everyMinutes = EVERY_MINUTES }: Static<typeof SyncConnect>,
): Promise<void> {
  const { db, config, now } = deps
  const before = storedAccount(db)
  const client = intervalsClient({ baseUrl: config.intervalsBaseUrl, apiKey, timeoutMs: 15_000 })
  const athlete = await client.athlete().catch((error: unknown): Athlete => {
    if (error instanceof IntervalsError) throw invalid(error.message)
    throw error
  })
  const first = since === undefined ? new Date(now() - SINCE_MS).toISOString().slice(0, 10) : since
  db.transaction((tx) =>
    storeAccount(tx, deps, apiKey, {
      ...{
        athlete: athlete.id,
        athleteName: athlete.name,
        keyEnding: apiKey.slice(-ENDING),
        since: first,
        everyMinutes,
      },
      // what was seen before need not be listed again
      cursor: before?.athlete === athlete.id && before.since === first ? before.cursor : null,
      ...{ state: 'ok', message: null, lastRunAt: null, lastReceiptId: null, stravaOnly: 0 },
    }),
  )
}
