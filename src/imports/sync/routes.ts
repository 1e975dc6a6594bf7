import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { invalid } from '../../base/errors.ts'
import { isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { DAY_MS } from '../../engine/units.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { choice, day, flag, integer, meaning, moment, nullable, text, uuid } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { removeAccount, storeAccount, storedAccount } from './account.ts'
import { type Athlete, IntervalsError, intervalsClient } from './client.ts'
import type { Sync } from './sync.ts'

const SINCE_MS = 30 * DAY_MS
const EVERY_MINUTES = 30
const ENDING = 4

const EVERY = { minimum: 5, maximum: 1440 }

const SyncState = Type.Object(
  {
    intervalsIcu: Type.Object(
      {
        connected: flag('false: all other members are absent'),
        athlete: Type.Optional(text('Id of the athlete at intervals.icu')),
        name: Type.Optional(nullable(text('Of the athlete; null: none there'))),
        keyEnding: Type.Optional(text('Last 4 characters of the key')),
        since: Type.Optional(nullable(day('First day that is imported; null: all runs'))),
        everyMinutes: Type.Optional(integer('Minutes between two rounds')),
        lastRunAt: Type.Optional(nullable(moment('End of the last round; null: none yet'))),
        lastReceiptId: Type.Optional(nullable(uuid('Of the last round that stored something or failed; null: none'))),
        state: Type.Optional(
          meaning(
            'waiting: the last round failed and is repeated; refused: no round until the key is entered again',
            choice('ok', 'waiting', 'refused'),
          ),
        ),
        message: Type.Optional(nullable(text('Why the last round failed, for people; null: it did not'))),
        stravaOnly: Type.Optional(integer('Runs of the last round that came there from Strava and cannot be read')),
      },
      { title: 'IntervalsIcuState', description: 'The connection to intervals.icu' },
    ),
  },
  { title: 'SyncState' },
)

const SyncConnect = Type.Object(
  {
    apiKey: Type.String({ minLength: 1, maxLength: 200, description: 'Personal key, stored encrypted, in no archive' }),
    since: Type.Optional(nullable(day('First day that is imported; absent: 30 days ago; null: all runs'))),
    everyMinutes: Type.Optional(
      Type.Number({ multipleOf: 1, ...EVERY, description: `Minutes between two rounds; ${EVERY_MINUTES} when absent` }),
    ),
  },
  {
    title: 'IntervalsIcuConnect',
    description: 'since absent: 30 days ago; null: all runs',
    examples: [{ apiKey: 'abc', since: '2024-01-01', everyMinutes: 30 }],
  },
)

const SyncRound = Type.Object(
  {
    created: integer('Runs that were imported'),
    updated: integer('Stored runs that got data they lacked'),
    skipped: integer('Runs that are stored already, or were deleted'),
    errors: integer('Runs that failed for the first time'),
    stravaOnly: integer('Runs that came there from Strava and cannot be read'),
    message: nullable(text('Why it ended early, for people; null: it did not')),
    receiptId: nullable(uuid('null: nothing was stored, and nothing failed')),
  },
  { title: 'SyncRound' },
)

/** The connection to intervals.icu, from which new runs come by themselves. */
export function syncRoutes(deps: Deps, sync: Sync) {
  const { db, events } = deps
  const state = () => ({ intervalsIcu: shown(storedAccount(db)) })
  return new Elysia({ prefix: '/settings/sync', tags: ['Watch folder and sync'] })
    .get(
      '/',
      state,
      call('getSync', 'Services that new runs are synced from', {
        answer: SyncState,
        says: 'Only intervals.icu. Its key is never answered.',
      }),
    )
    .put(
      '/intervals-icu',
      async ({ body }) => {
        await connect(deps, body)
        sync.wake()
        events.emit({ event: 'settings.updated', data: {} })
        return state()
      },
      call('connectIntervalsIcu', 'Connect intervals.icu with a personal key, which is tried first', {
        body: SyncConnect,
        answer: SyncState,
        says: '400 when the key is refused, or intervals.icu does not answer. Nothing is ever written there.',
      }),
    )
    .post(
      '/intervals-icu/run',
      async ({ request }) => {
        const { retryAfterMs: _, ...round } = await sync.run({ ...deps, ...byOf(request) })
        return round
      },
      call('syncIntervalsIcu', 'Import what is new at intervals.icu now', {
        answer: SyncRound,
        statuses: [400],
        says:
          '400 when it is not connected. Looks back 14 days before the newest run, imports oldest first, one request a second; ' +
          'a failure ends the round, and what was imported stays.',
        receipt: true,
      }),
    )
    .delete(
      '/intervals-icu',
      ({ status }) => {
        removeAccount(db)
        events.emit({ event: 'settings.updated', data: {} })
        return status(204)
      },
      call('disconnectIntervalsIcu', 'Disconnect intervals.icu; its runs stay', {
        statuses: [204],
        says: 'The key is deleted as well.',
      }),
    )
}

function shown(account: ReturnType<typeof storedAccount>) {
  if (account === null) return { connected: false }
  const { name: _, secret: __, cursor: ___, athleteName: name, lastRunAt, ...rest } = account
  return { connected: true, ...rest, name, lastRunAt: isoTimeOrNull(lastRunAt) }
}

/** Stores a key once it was accepted. @throws AppError 400 when it is refused, or nothing answers */
async function connect(
  deps: Deps,
  { apiKey, since, everyMinutes = EVERY_MINUTES }: Static<typeof SyncConnect>,
): Promise<void> {
  const { db, config, now } = deps
  const before = storedAccount(db)
  const client = intervalsClient({ baseUrl: config.intervalsBaseUrl, apiKey, timeoutMs: 15_000 })
  const athlete = await client.athlete().catch((error: unknown): Athlete => {
    if (!(error instanceof IntervalsError)) throw error
    const isRefused = error.failure === 'refused'
    throw invalid(
      error.message,
      isRefused ? { code: 'wrong_credentials', field: 'apiKey' } : { code: 'upstream_failed' },
    )
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
