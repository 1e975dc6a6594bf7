import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { call } from '../../http/call.ts'
import { isTagKnown } from '../../http/file-response.ts'
import { moment, nullable, text } from '../../http/schemas.ts'
import { reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { calendarEvents } from './feed.ts'
import { icsText } from './ics.ts'
import { feedState, makeFeed, withdrawFeed } from './token.ts'

const CalendarFeed = Type.Object(
  { createdAt: nullable(moment('When the address was made; null: there is none')) },
  { title: 'CalendarFeed' },
)
const CreatedCalendarFeed = Type.Object(
  {
    path: text('The address of the feed on this server; shown only here, only a hash of it is stored'),
    createdAt: moment('When it was made'),
  },
  { title: 'CreatedCalendarFeed' },
)
/** The gate has validated the token. */
const feedInPath = reader(
  Type.Object({ feed: text('The token and .ics, as the answer of POST /settings/calendar-feed ends') }),
  () => ({}),
)

/** Runs, races and goals as a calendar that other programs subscribe to, and its address. */
export function calendarRoutes(deps: Deps) {
  const { db } = deps
  return new Elysia({ tags: ['Calendar'] })
    .get(
      '/settings/calendar-feed',
      () => feedState(db),
      call('getCalendarFeed', 'Whether the calendar feed has an address', {
        answer: CalendarFeed,
        says: 'The address itself is shown only when it is made.',
      }),
    )
    .post(
      '/settings/calendar-feed',
      ({ status }) => status(201, makeFeed(deps)),
      call('createCalendarFeed', 'Make an address for the calendar feed', {
        parse: 'none',
        answers: { 201: CreatedCalendarFeed },
        says: 'There is one at most: the address before stops working immediately.',
      }),
    )
    .delete(
      '/settings/calendar-feed',
      ({ status }) => {
        withdrawFeed(deps)
        return status(204)
      },
      call('withdrawCalendarFeed', 'Withdraw the address of the calendar feed', {
        statuses: [204],
        says: 'It stops working immediately; when there is none, nothing changes.',
      }),
    )
    .get(
      '/calendar/:feed',
      ({ request }) => calendar(deps, request),
      call('getCalendar', 'Runs, races and goals for a calendar app', {
        params: feedInPath,
        statuses: [304],
        says:
          'iCalendar (RFC 5545), by the token in its path, which is never logged: runs of the last two years with name, distance ' +
          'and times, races with their goal, and goals on their last day. No positions and notes, and no name that contains ' +
          'that of a hidden place. 404 for an unknown or withdrawn token.',
        responses: {
          200: { description: 'The calendar', content: { 'text/calendar': { schema: { type: 'string' } } } },
        },
      }),
    )
}

function calendar({ db, now }: Deps, request: Request): Response {
  const events = calendarEvents(db, now())
  // not of the text, which states when it was written
  const etag = `"${new Bun.CryptoHasher('sha256').update(JSON.stringify(events)).digest('base64url').slice(0, 22)}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' }
  if (isTagKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const type = { 'Content-Type': 'text/calendar; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
  return new Response(icsText(events, now()), { headers: { ...headers, ...type } })
}
