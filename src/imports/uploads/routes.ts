import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { isObject } from '../../base/json-object.ts'
import { createTurns, type Turns } from '../../base/turns.ts'
import { ImportAnswer, ImportQuery, ImportSummary } from '../../features/workouts/schemas.ts'
import { FORMAT_NAMES } from '../../formats/registry.ts'
import { UNREAD, uploadLimit } from '../../http/multipart.ts'
import { bytesBody, multipartBody, responses, unreadJsonBody } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { Arrival, choice, ErrorBody } from '../../http/schemas.ts'
import { reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { importAddressed, importBody, importHealth, importRaw, type NoteArrival } from '../files/upload.ts'
import { importShared, lastShare } from './share.ts'

const RawParameters = Type.Object({
  name: Type.Optional(
    Type.String({ description: 'Of the file; else X-Filename or Content-Disposition name it, or its content does' }),
  ),
})

const HEALTH_WORKOUT = {
  ...{ id: 'A1', name: 'Outdoor Run', start: '2025-11-01 08:00:00 +0100', end: '2025-11-01 08:30:00 +0100' },
  ...{ duration: 1800, distance: { qty: 5.2, units: 'km' } },
}
const HealthExport = Type.Object(
  { data: Type.Object({ workouts: Type.Array(Type.Object({}, { additionalProperties: true })) }) },
  { examples: [{ data: { workouts: [HEALTH_WORKOUT] } }] },
)
const key = Type.String({ description: 'An API key of scope upload' })
/** The gate has validated the key. */
const keyInPath = reader(Type.Object({ key }), () => ({}))
/** A name that cannot be decoded counts as absent. */
const fileInPath = reader(Type.Object({ key, name: Type.String({ description: 'Of the file' }) }), (params) => ({
  name: isObject(params) && typeof params.name === 'string' ? params.name : null,
}))

/** Files of runs, one or many: as a form, alone, from automations, to an address that holds its key, from the share sheet. */
export function uploadRoutes(deps: Deps, turns: Turns, noteArrival: NoteArrival) {
  const joins = createTurns({ atOnce: 1 })
  const addressed = (request: Request, name: string | null = null) => importAddressed(deps, request, name, noteArrival)
  const toAddress = (words: string) => ({
    ...UNREAD,
    response: { 201: ImportAnswer, 400: ErrorBody, 401: ErrorBody, 413: ErrorBody, 429: ErrorBody },
    detail: {
      summary: `${words} to an address that holds its key`,
      description: 'Needs no header: the key is in the path. FitoTrack-Comment becomes the notes of a run without any.',
      requestBody: bytesBody('The file, or a form with files'),
    },
  })
  const toKey = (words: string) => ({ ...toAddress(words), params: keyInPath })
  const toName = (words: string) => ({ ...toAddress(words), params: fileInPath })
  return new Elysia({ tags: ['Workouts'] })
    .post(
      '/workouts/import',
      ({ request, query: asked }) => importBody(deps, request, request, { noteArrival, turns: joins, ...asked }),
      {
        ...uploadLimit(deps.config.maxUploadBytes),
        ...query(ImportQuery),
        response: { 200: ImportAnswer, 404: ErrorBody, 409: ErrorBody },
        detail: {
          summary: `Import workout files: ${FORMAT_NAMES}, each also gzipped`,
          requestBody: multipartBody({
            files: 'file',
            description: 'Files in fields of any name; one run answers itself, several a summary',
            fields: Type.Object({ unitPreference: choice('metric', 'imperial') }),
            example: { file: 'morning.fit.gz', fields: { unitPreference: 'metric' } },
          }),
        },
      },
    )
    .post(
      '/workouts/import/raw',
      ({ request, query: { name = null } }) => importRaw(deps, request, name, noteArrival),
      {
        ...UNREAD,
        ...query(RawParameters),
        response: { 200: ImportAnswer },
        detail: {
          summary: 'Import one workout file that is the body itself',
          description: 'Of any content type but a form, which POST /workouts/import takes.',
          requestBody: bytesBody('One GPX, FIT, TCX or CSV file, gzipped or not'),
        },
      },
    )
    .post('/workouts/import/health', ({ request }) => importHealth(deps, request, noteArrival), {
      ...UNREAD,
      response: { 200: ImportSummary },
      detail: {
        summary: 'Import runs from Health Auto Export',
        description: 'The JSON of its automations. Only runs are imported.',
        requestBody: unreadJsonBody(HealthExport),
      },
    })
    .post('/in/:key', ({ request }) => addressed(request), toKey('Send workout files'))
    .put('/in/:key', ({ request }) => addressed(request), toKey('Put a workout file'))
    .post(
      '/in/:key/:name',
      ({ request, params }) => addressed(request, params.name),
      toName('Send a named workout file'),
    )
    .put('/in/:key/:name', ({ request, params }) => addressed(request, params.name), toName('Put a named workout file'))
    .get('/share', () => ({ lastShare: lastShare(deps.db) }), {
      response: { 200: Type.Object({ lastShare: Arrival }) },
      detail: { summary: 'When a phone last shared something with the page, and its error' },
    })
    .post('/share', ({ request }) => importShared(deps, turns, request, noteArrival), {
      ...UNREAD,
      detail: {
        summary: 'Files that a phone shares with the installed page',
        description: 'For browsers, when files are shared with Harrier. Leads to the receipt, or to the login.',
        ...responses(303),
        requestBody: multipartBody({
          files: 'file',
          description: 'Files; the title and text shared with them are ignored',
          example: { file: 'morning.fit' },
        }),
      },
    })
}
