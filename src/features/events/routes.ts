import { Elysia } from 'elysia'
import type { Deps } from '../../library/deps.ts'
import { eventStream } from './stream.ts'

const DESCRIPTION = `Server-sent events with a growing id and one line of JSON. import.progress {kind, processed, total, \
filename}; import.done {kind, successful, skipped, updated, errors}, with stopped when it ended early, or {kind, error}; \
workout.created, workout.updated, workout.deleted, shoe.created, shoe.updated, shoe.deleted, receipt.created, \
receipt.undone {id}, null for many workouts; settings.updated, training.updated, ground.updated, watch_folder.updated {}. \
kind is files, bulk or restore. Imports under way come first. The stream ends with its credential.`

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
