import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import { users } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { AppError, invalid } from '../errors.ts'
import { authorOf } from '../http/author.ts'
import { readUpload } from '../http/multipart.ts'
import type { Arrival } from '../http/schemas.ts'
import { seeOther } from '../http/see-other.ts'
import { type Answer, beginImport, refusalIn, type Told } from '../workouts/upload.ts'

/**
 * Imports files that a phone shared with the installed page. The browser displays the answer, so it is always a
 * redirect to a page: the run, for several runs the receipt, or, when nothing was imported, the list, which requests
 * the reason.
 */
export async function importShared(deps: Deps, request: Request, told: Told): Promise<Response> {
  try {
    const { work } = await beginImport({ ...deps, ...authorOf(request) }, (options) => sharedFiles(request, options), {
      origin: 'share_target',
    })
    const answer = await work
    told(request, refusalIn(answer))
    return seeOther(placeOf(answer))
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.error('What a phone shared could not be imported', error)
    told(
      request,
      error instanceof AppError ? error.message : reasonOf(error, 'An unexpected error, which is in the log'),
    )
    return seeOther('/app/runs?shared=refused')
  }
}

async function sharedFiles(request: Request, options: Parameters<typeof readUpload>[1]) {
  const upload = await readUpload(request, options)
  if (upload.files.length > 0) return upload
  await upload.dispose()
  throw invalid('What was shared is no file')
}

function placeOf(answer: Answer): string {
  if ('action' in answer) return `/app/runs/${answer.id}?shared=${answer.action}`
  if (refusalIn(answer) !== null) return '/app/runs?shared=refused'
  return `/app/receipts/${answer.receiptId}`
}

/** null: nothing was shared yet. */
export function lastShare(tx: Tx): Static<typeof Arrival> {
  const user = tx.select({ atMs: users.lastShareAt, error: users.lastShareError }).from(users).get()
  return user === undefined || user.atMs === null ? null : { at: isoTime(user.atMs), error: user.error }
}
