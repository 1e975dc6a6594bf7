import { Elysia } from 'elysia'
import type { Event } from '../../base/events.ts'
import { call } from '../../http/call.ts'
import type { ServerTimeouts } from '../../http/frame.ts'
import type { Deps } from '../../library/deps.ts'
import { callerOf } from '../auth/credentials.ts'
import { EventData } from './schemas.ts'

const SAYS = `Server-sent events: \`id\` grows and starts again with the process, \`event\` is the name, \`data\` one line \
of JSON. A comment every 15 s keeps the connection. It begins with the progress of imports under way; nothing else is \
repeated, so clients fetch again after a reconnect. It ends with its credential. import.progress comes at most four times a \
second, the last one always; import.done ends an import, with stopped when it ended before its last run. workout.created, \
workout.updated and workout.deleted follow each change; workout.updated also comes for weather found later, and once with id \
null for more than 20 runs or a recalculation of all; an import of an export or archive sends import.done alone. \
shoe.created, shoe.updated, shoe.deleted, receipt.created (a change was made) and receipt.undone name one. settings.updated \
follows a change of settings; training.updated comes once loads that were out of date are computed, ground.updated once \
where older runs went is filled in, watch_folder.updated when a look or a round of a sync changed something.`

export function eventRoutes(deps: Deps) {
  return new Elysia({ tags: ['Events'] }).get(
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
}

/** Interval of comments, since proxies cut connections that are silent for 30 to 60 s. */
const SILENCE_MS = 15_000
/** About 2,000 messages; a client that falls behind by more is gone or too slow. */
const MAX_WAITING_BYTES = 262_144
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
  const deliver = (event: Event, id: number) => {
    if (event.event === 'credentials.changed') void checkCredential()
    else send(message(event, id))
  }
  const unsubscribe = events.subscribe(deliver)
  const timer = setInterval(() => {
    send(': still here\n\n')
    void checkCredential()
  }, silenceMs)
  events.closed.addEventListener('abort', close)

  // the first bytes make server and proxies send the head
  send(': listening\n\n')
  events.tellUnderWay(deliver)
  if (events.closed.aborted) close()
  return leave
}

/** One message; JSON escapes line breaks, so the data is a single line. */
function message({ event, data }: Event, id: number): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data satisfies EventData)}\n\n`
}
