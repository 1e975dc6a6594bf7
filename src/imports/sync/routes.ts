import { Elysia } from 'elysia'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { ErrorBody } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { removeAccount, storedAccount } from './intervals/account.ts'
import { connect } from './intervals/connect.ts'
import type { Sync } from './intervals/sync.ts'
import { SyncConnect, SyncRound, SyncState } from './schemas.ts'

/** The connection to intervals.icu, from which new runs come by themselves. */
export function syncRoutes(deps: Deps, sync: Sync) {
  const { db, events } = deps
  const state = () => ({ intervalsIcu: shown(storedAccount(db)) })
  return new Elysia({ prefix: '/settings/sync', tags: ['Settings'] })
    .get('/', state, {
      response: { 200: SyncState },
      detail: { summary: 'Services that new runs are synced from' },
    })
    .put(
      '/intervals-icu',
      async ({ body }) => {
        await connect(deps, body)
        sync.wake()
        events.emit({ event: 'settings.updated', data: {} })
        return state()
      },
      {
        ...json(SyncConnect),
        response: { 200: SyncState, 400: ErrorBody },
        detail: { summary: 'Connect intervals.icu with a personal key, which is tried first' },
      },
    )
    .post(
      '/intervals-icu/run',
      async ({ request }) => {
        const { retryAfterMs: _, ...round } = await sync.run({ ...deps, ...byOf(request) })
        return round
      },
      { response: { 200: SyncRound, 400: ErrorBody }, detail: { summary: 'Import what is new at intervals.icu now' } },
    )
    .delete(
      '/intervals-icu',
      ({ status }) => {
        removeAccount(db)
        events.emit({ event: 'settings.updated', data: {} })
        return status(204)
      },
      { detail: { summary: 'Disconnect intervals.icu; its runs stay', ...responses(204) } },
    )
}

function shown(account: ReturnType<typeof storedAccount>) {
  if (account === null) return { connected: false }
  const { athlete, athleteName: name, keyEnding, since, everyMinutes, lastRunAt, lastReceiptId } = account
  const { state, message, stravaOnly } = account
  const at = lastRunAt === null ? null : isoTime(lastRunAt)
  return {
    connected: true,
    athlete,
    name,
    keyEnding,
    since,
    everyMinutes,
    lastRunAt: at,
    lastReceiptId,
    state,
    message,
    stravaOnly,
  }
}
