import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Event } from '../../base/events.ts'
import type { ChangeKind } from '../../db/schema-receipts.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { call } from '../../http/call.ts'
import type { ServerTimeouts } from '../../http/frame.ts'
import { type Change, catchUp, changesAfter, placeOf, spanOf } from '../../library/changes.ts'
import type { Deps } from '../../library/deps.ts'
import { callerOf } from '../auth/credentials.ts'
import { ChangePage, ChangesQuery, EventData } from './schemas.ts'

const SAYS = `Server-sent events: \`id\` is the place in GET /changes up to which changes were sent, \`event\` is the name, \
\`data\` one line of JSON with the name in it, too. A comment every 15 s keeps the connection. It begins with the progress of \
imports under way. With Last-Event-ID, as browsers reconnect, the changes of runs, shoes, places and settings since then come \
first, or workout.updated with id null where they are more than 20 or no longer kept. It ends with its credential. \
import.progress comes at most four times a second, the last one always; import.done ends an import, with stopped when it ended \
before its last run. workout.created, workout.updated and workout.deleted follow each change; workout.updated also comes for \
weather found later, and once with id null for more than 20 runs or a recalculation of all; an import of an export or archive \
sends import.done alone. shoe.created, shoe.updated, shoe.deleted, receipt.created (a change was made) and receipt.undone name \
one. settings.updated follows a change of settings or places; training.updated comes once loads that were out of date are \
computed, ground.updated once where older runs went is filled in, watch_folder.updated when a look or a round of a sync \
changed something.`

const CHANGES_SAYS = `What a copy of the library must fetch again or forget: whoever applies all of it has the library of now. \
Begin without \`after\`, keep \`next\`, read everything, and ask with \`after\` from then on. A run is updated for its words, \
numbers, repairs, weather, photos and shoe; for its load, which follows from all runs, once an hour at most. Changes are kept for \
30 days, or UNDO_DAYS when that is more; 410 when \`after\` is older or of another database: begin again.`

export function eventRoutes(deps: Deps) {
  return new Elysia({ tags: ['Events'] })
    .get(
      '/events',
      ({ request, server }) => eventStream(deps, request, { server }),
      call('listenToEvents', 'Changes and progress of imports as they happen', {
        says: SAYS,
        responses: {
          200: {
            description: 'A stream of messages that stays open; the schema is that of the data of a message',
            content: { 'text/event-stream': { schema: EventData } },
          },
        },
      }),
    )
    .get(
      '/changes',
      ({ query }) => changePage(deps, query),
      call('listChanges', 'What was changed since, for programs that keep a copy', {
        query: ChangesQuery,
        answer: ChangePage,
        statuses: [410],
        says: CHANGES_SAYS,
      }),
    )
}

const USUAL_LIMIT = 100

/** @throws AppError 410 */
function changePage(
  deps: Deps,
  { after, limit = USUAL_LIMIT }: Static<typeof ChangesQuery>,
): Static<typeof ChangePage> {
  catchUp(deps)
  if (after === undefined) return { items: [], next: spanOf(deps.db).last, more: false }
  const found = changesAfter(deps.db, after, limit + 1)
  const items = found.slice(0, limit).map(({ at, ...change }) => ({ ...change, at: isoTime(at) }))
  return { items, next: items.at(-1)?.seq ?? after, more: found.length > limit }
}

/** Interval of comments, since proxies cut connections that are silent for 30 to 60 s. */
const SILENCE_MS = 15_000
/** About 2,000 messages; a client that falls behind by more is gone or too slow. */
const MAX_WAITING_BYTES = 262_144
/** More changes than that are sent as one event. */
const MOST_MISSED = 20
/** How long a connection may stay open after its stream ended, even if its client does not read. */
const FAREWELL_S = 2

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // otherwise nginx and similar proxies would buffer messages
  'X-Accel-Buffering': 'no',
} as const

/**
 * Sends events as they occur, as server-sent events (WHATWG HTML 9.2), until the client disconnects, its credential
 * becomes invalid, it reads too slowly or the process stops. Emitting never waits for it.
 * @param options.server null in tests that call the app without a server
 * @param options.silenceMs interval at which a comment is sent and the credential is checked again
 */
export function eventStream(
  deps: Deps,
  request: Request,
  { server, silenceMs = SILENCE_MS }: { readonly server: ServerTimeouts | null; readonly silenceMs?: number },
): Response {
  let leave = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        leave = listen(deps, request, { controller, server, silenceMs })
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  )
  return new Response(body, { headers: HEADERS })
}

interface Connection {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  readonly server: ServerTimeouts | null
  readonly silenceMs: number
}

/** @returns a function that removes the connection */
function listen(deps: Deps, request: Request, { controller, server, silenceMs }: Connection): () => void {
  const { events, log } = deps
  const encoder = new TextEncoder()
  let isOpen = true

  const leave = () => {
    isOpen = false
    unsubscribe()
    clearInterval(timer)
    events.closed.removeEventListener('abort', close)
  }
  const close = () => {
    if (!isOpen) return
    leave()
    controller.close()
    server?.timeout(request, FAREWELL_S)
  }
  const send = (text: string) => {
    if (!isOpen) return
    if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(encoder.encode(text))
    leave()
    // unlike closing, an error drops the queued messages; Bun prints every other kind of error
    controller.error(new DOMException('The listener reads too slowly', 'AbortError'))
    server?.timeout(request, FAREWELL_S)
  }
  const checkCredential = async () => {
    const caller = await callerOf(deps, request).catch((error: unknown) => {
      log.error('The credential of a listener could not be checked', error)
      return null
    })
    if (caller === null) close()
  }
  const sentUpTo = placeSent(deps)
  const deliver = (event: Event) => {
    if (event.event === 'credentials.changed') return void checkCredential()
    try {
      send(message(event, sentUpTo(event)))
    } catch (error) {
      // what was changed is changed, whoever listens
      log.error('A change could not be sent to a listener', error)
      close()
    }
  }
  const unsubscribe = events.subscribe(deliver)
  const timer = setInterval(() => {
    send(': still here\n\n')
    void checkCredential()
  }, silenceMs)
  events.closed.addEventListener('abort', close)

  // the first bytes make server and proxies send the head
  send(': listening\n\n')
  for (const [event, id] of missed(deps, request)) send(message(event, id))
  events.tellUnderWay(deliver)
  if (events.closed.aborted) close()
  return leave
}

/**
 * The place in the log up to which changes were sent to a connection, after each event. An import of an export or archive is
 * sent at its end, so until then the place stays.
 */
function placeSent({ db, events }: Deps): (event: Event) => number {
  let last = spanOf(db).last
  const isHeld = () => {
    let found = false
    events.tellUnderWay(({ event, data }) => {
      if (event === 'import.progress' && data.kind !== 'files') found = true
    })
    return found
  }
  return ({ event, data }) => {
    const [kind] = event.split('.')
    const isOfChange = kind === 'workout' || kind === 'shoe' || kind === 'settings'
    if ((!isOfChange && event !== 'import.done') || isHeld()) return last
    const id = 'id' in data ? data.id : ''
    const isOfMany = event === 'import.done' || id === null
    last = Math.max(last, (isOfMany ? null : placeOf(db, kind as ChangeKind, id!)) ?? spanOf(db).last)
    return last
  }
}

/** What was not sent to a connection that was interrupted, as `Last-Event-ID` says (WHATWG HTML 9.2.3). */
function missed({ db }: Deps, request: Request): (readonly [Event, number])[] {
  const lastId = request.headers.get('Last-Event-ID') ?? ''
  if (!/^\d{1,15}$/.test(lastId)) return []
  const { first, last } = spanOf(db)
  const many = [[{ event: 'workout.updated', data: { id: null } }, last] as const]
  if (Number(lastId) < first || Number(lastId) > last) return many
  const found = changesAfter(db, Number(lastId), MOST_MISSED + 1).map(
    (change) => [eventOf(change), change.seq] as const,
  )
  if (found.length > MOST_MISSED) return many
  return found.flatMap(([event, seq]) => (event === null ? [] : [[event, seq] as const]))
}

/** null: there is no event for it. */
function eventOf({ kind, id, change }: Change): Event | null {
  if (kind === 'settings' || kind === 'place') return { event: 'settings.updated', data: {} }
  if (kind === 'workout' || kind === 'shoe') return { event: `${kind}.${change}`, data: { id: id! } }
  return null
}

/** One message; JSON escapes line breaks, so the data is a single line. */
function message({ event, data }: Event, id: number): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ event, ...data } satisfies EventData)}\n\n`
}
