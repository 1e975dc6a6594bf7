import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { eventStream } from './stream.ts'

const DESCRIPTION = `Server-sent events. Each message has an id (an integer that grows and starts anew with the process), \
an event and one line of JSON as data: import.progress {kind, processed, total, filename}; import.done {kind, successful, \
skipped, updated, errors} or {kind, error}; workout.created, workout.updated and workout.deleted {id}, where an id of null \
stands for many workouts; shoe.created, shoe.updated and shoe.deleted {id}; receipt.created and receipt.undone {id}; \
settings.updated {}; training.updated {} once loads that were out of date are computed; watch_folder.updated {} when a look or a \
round changed anything there. kind is files, bulk or restore. A comment every 15 seconds keeps the connection. \
A new connection first receives the progress of each import under way (import.progress, with processed 0 and an empty filename \
before its first run); nothing else is sent again after a reconnect. The stream ends with its credential.`

/** The stream of live events. */
export function eventRoutes(deps: Deps) {
  return new Elysia({ tags: ['Events'] }).get(
    '/events',
    ({ request, server }) => eventStream(deps, request, { server }),
    {
      detail: {
        summary: 'Changes and progress of imports as they happen',
        description: DESCRIPTION,
        responses: {
          200: {
            description: 'A stream of messages that stays open',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
  )
}
