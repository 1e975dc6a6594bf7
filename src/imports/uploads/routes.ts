import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError, invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { createTurns, type Turns } from '../../base/turns.ts'
import { reasonOf } from '../../db/disk-full.ts'
import type { Tx } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { ImportAnswer, ImportQuery, ImportSummary } from '../../features/workouts/schemas.ts'
import { FormatError } from '../../formats/format.ts'
import { FORMAT_NAMES } from '../../formats/registry.ts'
import { byOf, receiptLeft } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { nameInHeaders } from '../../http/file-names.ts'
import { UNREAD, type Upload, type UploadedFile, uploadLimit } from '../../http/multipart.ts'
import { bytesBody, multipartBody, unreadJsonBody } from '../../http/openapi.ts'
import { seeOther } from '../../http/paths.ts'
import { asSummary } from '../../http/query.ts'
import { Arrival, meaning, nullable, text } from '../../http/schemas.ts'
import { reader } from '../../http/standard.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { leaveRefusal } from '../../library/receipts/record.ts'
import { ImportResults } from '../files/results.ts'
import {
  beginImport,
  importAddressed,
  importBody,
  type NoteArrival,
  nameOf,
  receiveFile,
  refusalIn,
} from '../files/upload.ts'
import { FieldsOfFiles, isContainer, onDisk, received } from '../receive.ts'

const AS = asSummary('ImportResults')

const RawParameters = Type.Object({
  ...AS,
  name: Type.Optional(text('Of the file; else X-Filename or Content-Disposition name it, or its content does')),
})

/** One file answers itself, several a summary, and with `as=summary` all the same. */
const UploadAnswer = Type.Union([ImportAnswer, ImportResults])

const HEALTH_WORKOUT = {
  ...{ id: 'A1', name: 'Outdoor Run', start: '2025-11-01 08:00:00 +0100', end: '2025-11-01 08:30:00 +0100' },
  ...{ duration: 1800, distance: { qty: 5.2, units: 'km' } },
}
const HealthExport = Type.Object(
  {
    data: Type.Object(
      {
        workouts: Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'As the app writes them, of its version 1 or 2; at most 64 MiB together',
        }),
      },
      { description: 'What the automation exports; other members are ignored' },
    ),
  },
  { title: 'HealthAutoExport', examples: [{ data: { workouts: [HEALTH_WORKOUT] } }] },
)
const key = text('An API key of scope upload')
/** The gate has validated the key. */
const keyInPath = reader(Type.Object({ key }), () => ({}))
/** A name that cannot be decoded counts as absent. */
const fileInPath = reader(Type.Object({ key, name: text('Of the file') }), (params) => ({
  name: isObject(params) && typeof params.name === 'string' ? params.name : null,
}))

const DUPLICATES =
  'Content decides the format, never the name. A run that is stored already is skipped: the same bytes and session, or the ' +
  'same start and duration and, within 1 m, distance. One that has channels which the stored run lacks is a second recording: ' +
  'merged, suggested or skipped, by /settings/second-recording. Where the stored run has no original the file completes it.'
const ANSWERS =
  'One file with one run is answered with that run, and with 400 when it cannot be read; all else with a summary, even when ' +
  'everything failed. Files are processed in order, each run alone: a bad one affects no other.'
const JOINED =
  'With receiptId the files join the receipt of an earlier call of the same caller, so that one undo takes back both: 404 when ' +
  'it is not known or of another caller, 409 when it is of another kind, undone, in progress or ended more than 10 minutes ago.'

/** Files of runs, one or many: as a form, alone, from automations, to an address that holds its key, from the share sheet. */
export function uploadRoutes(deps: Deps, turns: Turns, noteArrival: NoteArrival) {
  const joins = createTurns({ atOnce: 1 })
  const addressed = (request: Request, name: string | null = null) => importAddressed(deps, request, name, noteArrival)
  const toAddress = (id: string, words: string) =>
    call(id, `${words} to an address that holds its key`, {
      ...UNREAD,
      answers: { 201: ImportAnswer },
      statuses: [400, 401, 413, 429],
      says:
        'Needs no header: the key is in the path, which is never logged; only keys of scope upload are accepted. The body ' +
        'is a file or a form, also JSON of Health Auto Export. The header FitoTrack-Comment becomes the notes of a run ' +
        'without any. Answers like POST /workouts/import.',
      receipt: true,
      requestBody: bytesBody('The file, or a form with files'),
    })
  const toKey = (id: string, words: string) => ({ ...toAddress(id, words), params: keyInPath })
  const toName = (id: string, words: string) => ({ ...toAddress(id, words), params: fileInPath })
  return new Elysia({ tags: ['Import'] })
    .post(
      '/workouts/import',
      ({ request, query }) => importBody(deps, request, request, { noteArrival, turns: joins, ...query }),
      call('importWorkouts', `Import workout files: ${FORMAT_NAMES}, each also gzipped`, {
        idempotent: 'recognises',
        ...uploadLimit(deps.config.maxUploadBytes),
        query: Type.Object({ ...ImportQuery.properties, ...AS }),
        answer: UploadAnswer,
        statuses: [404, 409],
        says: `${DUPLICATES} ${ANSWERS} ${JOINED}`,
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'Files in fields of any name; one run answers itself, several a summary',
          fields: FieldsOfFiles,
          example: { file: 'morning.fit.gz', fields: { unitPreference: 'metric' } },
        }),
      }),
    )
    .post(
      '/workouts/import/raw',
      ({ request, query: { name = null, ...more } }) =>
        importBody(deps, request, receiveFile(request, nameOf(request, name), 'the file'), { noteArrival, ...more }),
      call('importRawWorkout', 'Import one workout file that is the body itself', {
        idempotent: 'recognises',
        ...UNREAD,
        query: RawParameters,
        answer: UploadAnswer,
        says:
          'Of any content type but a form, which POST /workouts/import takes. One run is answered with itself, and a file ' +
          'that cannot be read with 400; several runs with a summary.',
        receipt: true,
        requestBody: bytesBody(`One file: ${FORMAT_NAMES}, gzipped or not`),
      }),
    )
    .post(
      '/workouts/import/health',
      ({ request }) => {
        const body = receiveFile(request, nameInHeaders(request.headers) ?? 'health.json', 'the JSON')
        return importBody(deps, request, body, { noteArrival, origin: 'health_auto_export', isSummary: true })
      },
      call('importHealthWorkouts', 'Import runs from Health Auto Export', {
        ...UNREAD,
        answer: ImportSummary,
        says:
          'The JSON of its automations, answered with a summary, or 400 where the only run is unreadable. Workouts named like ' +
          'a run, in many languages, are imported, others count in skippedOther. One of the same id is skipped, or updated ' +
          'when it now has a route or more samples and the run was not repaired.',
        receipt: true,
        requestBody: unreadJsonBody(HealthExport),
      }),
    )
    .post('/in/:key', ({ request }) => addressed(request), toKey('postUpload', 'Send workout files'))
    .put('/in/:key', ({ request }) => addressed(request), toKey('putUpload', 'Put a workout file'))
    .post(
      '/in/:key/:name',
      ({ request, params }) => addressed(request, params.name),
      toName('postNamedUpload', 'Send a named workout file'),
    )
    .put(
      '/in/:key/:name',
      ({ request, params }) => addressed(request, params.name),
      toName('putNamedUpload', 'Put a named workout file'),
    )
    .get(
      '/share',
      () => ({ lastShare: lastShare(deps.db) }),
      call('getLastShare', 'When a phone last shared something with the page, and its error', {
        answer: Type.Object({ lastShare: nullable(meaning('The last time; null: nothing was shared yet', Arrival)) }),
        says: 'Shared by POST /share, from the share sheet of the phone.',
      }),
    )
    .post(
      '/share',
      ({ request }) => importShared(deps, turns, request, noteArrival),
      call('shareFiles', 'Files that a phone shares with the installed page', {
        ...UNREAD,
        statuses: [303],
        says:
          'For browsers, when files, exports or archives are shared with Harrier. Leads to the receipt after 15 s at the ' +
          'latest, while a longer import continues; without a session to the login.',
        receipt: true,
        requestBody: multipartBody({
          files: 'file',
          description: 'Files; the title and text shared with them are ignored',
          example: { file: 'morning.fit' },
        }),
      }),
    )
}

/** An import that takes longer continues after the answer; its receipt shows the result. */
const LONGEST_WAIT_MS = 15_000

/**
 * Imports files that a phone shared with the installed page. The browser displays the answer, so it is always a
 * redirect: to the receipt, or to the list of runs, which requests the reason when nothing was received. The import
 * continues when the client goes away.
 */
async function importShared(deps: Deps, turns: Turns, request: Request, noteArrival: NoteArrival): Promise<Response> {
  let refusal: string | null = null
  const work = importAll({ ...deps, ...byOf(request) }, turns, request)
    .then((reason) => {
      refusal = reason
    })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) deps.log.error('A file shared from a phone could not be imported', error)
      refusal = reasonOf(error, 'An unexpected error, which is in the log', deps.damage)
    })
    .then(() => noteArrival(request, refusal))
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const cancel = deps.after(LONGEST_WAIT_MS, resolve)
  await Promise.race([work, isLate]).finally(cancel)
  // without a receipt there is nothing to show yet
  if (receiptLeft(request) === null) await work
  const receiptId = receiptLeft(request)
  if (receiptId !== null) return seeOther(`/app/receipts/${receiptId}`)
  return seeOther(refusal === null ? '/app/runs' : '/app/runs?shared=refused')
}

/**
 * @returns why nothing was imported; null: something was, or is stored already
 * @throws AppError when no file was shared, or too much, or the only one is refused, as its receipt notes
 */
async function importAll(deps: DepsBy, turns: Turns, request: Request): Promise<string | null> {
  const { maxUploadBytes: maxBytes, maxArchiveBytes: maxZipBytes } = deps.config
  const upload = await received(deps, request, { maxBytes, maxZipBytes }, (sent) => sent)
  try {
    if (upload.files.length === 0) throw invalid('You shared something that is not a file')
    const containers: UploadedFile[] = []
    const files: UploadedFile[] = []
    for (const file of upload.files) ((await isContainer(file)) ? containers : files).push(file)
    // the files are removed with the whole upload, below
    const part: Upload = { ...upload, dispose: async () => {} }
    const refusals: (string | null)[] = []
    if (files.length > 0) {
      const { work } = await beginImport(deps, () => Promise.resolve({ ...part, files }), { origin: 'share_target' })
      const refusal = work.then(({ summary }) => refusalIn(summary))
      refusals.push(await (containers.length === 0 ? refusal : refusal.catch(whyNot)))
    }
    for (const file of containers) refusals.push(await turns.take(() => importOne(deps, part, file)))
    return refusals.includes(null) ? null : (refusals[0] ?? null)
  } finally {
    await upload.dispose()
  }
}

/** The reason why files of runs were refused, so that the archives beside them are imported all the same. */
function whyNot(error: unknown): string {
  if (error instanceof AppError) return error.message
  throw error
}

/** Imports an export or archive; it always leaves a receipt. @returns why nothing was imported; null: something was */
async function importOne(deps: DepsBy, upload: Upload, file: UploadedFile): Promise<string | null> {
  const { filename, path, dispose } = await onDisk(deps, upload, file)
  try {
    const { takeContainer } = await import('../kinds/container.ts')
    const done = await takeContainer(deps, path, { title: filename })
    return done.successful + done.updated + done.skipped > 0 ? null : done.firstError
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    leaveRefusal(deps, { origin: 'share_target', filename, reason: error.message })
    return error.message
  } finally {
    await dispose()
  }
}

/** When something was last shared, and why it was refused; null: nothing was shared yet. */
function lastShare(tx: Tx): Static<typeof Arrival> | null {
  const user = tx.select({ atMs: users.lastShareAt, error: users.lastShareError }).from(users).get()
  return user === undefined || user.atMs === null ? null : { at: isoTime(user.atMs), error: user.error }
}
