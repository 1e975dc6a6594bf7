import type { Static } from '@sinclair/typebox'
import { AppError, invalid } from '../../base/errors.ts'
import type { Turns } from '../../base/turns.ts'
import { reasonOf } from '../../db/disk-full.ts'
import type { Tx } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { FormatError } from '../../formats/format.ts'
import { byOf, receiptLeft } from '../../http/author.ts'
import type { Upload, UploadedFile } from '../../http/multipart.ts'
import { seeOther } from '../../http/paths.ts'
import type { Arrival } from '../../http/schemas.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { leaveRefusal } from '../../library/receipts/record.ts'
import { isContainer, onDisk, received } from '../door.ts'
import { beginImport, type NoteArrival, refusalIn } from '../files/upload.ts'

/** An import that takes longer continues after the answer; its receipt shows the result. */
const LONGEST_WAIT_MS = 15_000

/**
 * Imports files that a phone shared with the installed page. The browser displays the answer, so it is always a
 * redirect: to the receipt, or to the list of runs, which requests the reason when nothing was received. The import
 * continues when the client goes away.
 */
export async function importShared(
  deps: Deps,
  turns: Turns,
  request: Request,
  noteArrival: NoteArrival,
): Promise<Response> {
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
export function lastShare(tx: Tx): Static<typeof Arrival> {
  const user = tx.select({ atMs: users.lastShareAt, error: users.lastShareError }).from(users).get()
  return user === undefined || user.atMs === null ? null : { at: isoTime(user.atMs), error: user.error }
}
