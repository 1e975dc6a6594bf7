import { and, eq } from 'drizzle-orm'
import { Answered, type ErrorCode, invalid } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/open.ts'
import { ANSWERS_KEPT_MS, keptAnswers } from '../db/schema-receipts.ts'
import { byOf, callerIdOf, REPLAYED_HEADER, receiptLeft } from './author.ts'
import { AS_IT_COMES } from './compression.ts'
import { errorResponse } from './errors.ts'
import type { Handle } from './frame.ts'

// A request with a key, sent again, gets the answer of the first one (draft-ietf-httpapi-idempotency-key-header). Its body
// has to be read first, since a key counts for one body: readers of bodies claim the key before the call does anything.

export const KEY_HEADER = 'Idempotency-Key'
const MOST_ANSWER_BYTES = 262_144
const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * What doing it twice would do. `adds`: one more of it, so that a key is stored before the work, and counts as used when
 * the process ends within it. `recognises`: nothing, since content that is stored already is recognised, so that work
 * that was cut short may be repeated with its key.
 */
export type Repeated = 'adds' | 'recognises'

interface Attempt {
  readonly key: string
  /** null: the call takes no keys. */
  repeated: Repeated | null
  claim(bodyHash: string): void
  isKept: boolean
  /** `lastChange` when it began. */
  readonly began: number
}

/** Requests in progress that have a key. */
const attempts = new WeakMap<Request, Attempt>()

/** A reader of bodies that reads nothing, but notes that the call takes keys. */
export function takesKey(repeated: Repeated): (context: { request: Request }) => undefined {
  return ({ request }) => {
    const attempt = attempts.get(request)
    if (attempt === undefined) return undefined
    if (!KEY.test(attempt.key))
      throw invalid(`${KEY_HEADER} must have 1 to 255 visible ASCII characters`, { field: KEY_HEADER })
    attempt.repeated = repeated
    return undefined
  }
}

/** What a body is hashed with; null where nothing needs the hash. */
export function bodyHasher(request: Request): Bun.CryptoHasher | null {
  return attempts.get(request)?.repeated == null ? null : new Bun.CryptoHasher('sha256')
}

/**
 * Takes the key of a request for its body. From then on the request is under way.
 * @param hasher that took the whole body
 * @throws Answered when the key was used before
 */
export function claimKey(request: Request, hasher: Bun.CryptoHasher | null): void {
  if (hasher !== null) attempts.get(request)?.claim(hasher.digest('hex'))
}

/** Its answer is not kept: what it reports may come out better when it is sent again. */
export function keepNoAnswer(request: Request): void {
  const attempt = attempts.get(request)
  if (attempt !== undefined) attempt.isKept = false
}

interface Needs {
  readonly db: Db
  readonly log: Log
  now(): number
  /** The place of the last change that was committed. */
  lastChange(): number
}

type Row = typeof keptAnswers.$inferSelect

/** Answers requests whose key was used before, and keeps the answers of the others. */
export function createKeyed({ db, log, now, lastChange }: Needs) {
  /** Rows of the requests under way, by caller and key. */
  const underWay = new Map<string, Row>()

  const put = (row: Row) => {
    const target = [keptAnswers.caller, keptAnswers.key]
    db.insert(keptAnswers).values(row).onConflictDoUpdate({ target, set: row }).run()
  }

  /** @returns what is under way from now on, or the answer where the key was used before */
  const begun = (request: Request, { key, repeated }: Attempt, bodyHash: string): Row | Response => {
    const id = { caller: callerIdOf(request), key }
    const call = `${request.method} ${request.url.slice(request.url.indexOf('/', 8))}`
    const stored = db.select().from(keptAnswers).where(isOf(id)).get()
    const running = underWay.get(nameOf(id))
    const known = running ?? (stored !== undefined && stored.at > now() - ANSWERS_KEPT_MS ? stored : null)
    if (known !== null) {
      if (known.call !== call || known.bodyHash !== bodyHash) return refusal('idempotency_key_reused')
      if (running !== undefined) return refusal('idempotency_in_progress')
      return known.status === null ? refusal('idempotency_answer_lost') : answerAgain(request, known)
    }
    const row = { ...id, call, bodyHash, at: now(), status: null, location: null, receiptId: null, answer: null }
    if (repeated === 'adds') put(row)
    underWay.set(nameOf(row), row)
    return row
  }

  /** @param answer null: the request failed without one */
  const ended = (row: Row, request: Request, { isKept, repeated, began }: Attempt, answer: Answer | null) => {
    const receiptId = receiptLeft(request)
    const status = answer?.status ?? 500
    // a refusal that left nothing may be sent again with its key, corrected or not; of a failure, or of an answer that is not
    // kept, it is not known whether it did what was committed meanwhile
    const mayHaveDone = (status >= 500 || !isKept) && lastChange() !== began
    const isDone = receiptId !== null || (status < 300 && isKept) || mayHaveDone
    const isFit =
      isDone &&
      isKept &&
      answer !== null &&
      answer.status < 500 &&
      Buffer.byteLength(answer.answer) <= MOST_ANSWER_BYTES
    try {
      if (isFit) put({ ...row, ...answer, receiptId, at: now() })
      else if (repeated === 'adds' && !isDone) db.delete(keptAnswers).where(isOf(row)).run()
    } catch (error) {
      // what the request did stays done, so its own answer is sent; the disk may be full
      log.warn(`The answer of ${row.call} could not be kept: ${error instanceof Error ? error.message : error}`)
    } finally {
      underWay.delete(nameOf(row))
    }
  }

  return async (request: Request, handle: Handle): Promise<Response> => {
    const key = request.headers.get(KEY_HEADER)
    if (key === null || request.method !== 'POST') return await handle(request)
    let row: Row | null = null
    let before: Response | null = null
    const attempt: Attempt = {
      ...{ key, repeated: null, isKept: true, began: lastChange() },
      claim: (bodyHash) => {
        const made = begun(request, attempt, bodyHash)
        if (!(made instanceof Response)) row = made
        else {
          before = made
          throw new Answered()
        }
      },
    }
    attempts.set(request, attempt)
    const end = (answer: Answer | null) => row !== null && ended(row, request, attempt, answer)
    try {
      const answer = await handle(request)
      if (before !== null) return before
      return row === null ? answer : await noted(answer, end)
    } catch (error) {
      end(null)
      throw error
    }
  }
}

type Answer = Pick<Row, 'status' | 'location'> & { readonly status: number; readonly answer: string }

/** Notes an answer before it is sent; one that blanks keep alive once it is whole, even when its client left. */
async function noted(sent: Response, end: (answer: Answer | null) => void): Promise<Response> {
  const { status, headers, body } = sent
  const answer = (text: string) => ({ status, location: headers.get('location'), answer: text.trim() })
  if (body === null || headers.get('cache-control') !== AS_IT_COMES['Cache-Control']) {
    const text = await sent.text()
    end(answer(text))
    return new Response(text, { status, headers })
  }
  const [toClient, toKeep] = body.tee()
  new Response(toKeep).text().then(
    (text) => end(answer(text)),
    () => end(null),
  )
  return new Response(toClient, { status, headers })
}

function answerAgain(request: Request, { status, location, receiptId, answer }: Row): Response {
  if (receiptId !== null) byOf(request).by.left(receiptId)
  const headers = { 'Content-Type': 'application/json', [REPLAYED_HEADER]: 'true' }
  return new Response(answer, {
    status: status!,
    headers: { ...headers, ...(location !== null && { Location: location }) },
  })
}

const REFUSALS = {
  idempotency_key_reused: [422, `${KEY_HEADER} was used for another request`],
  idempotency_in_progress: [409, 'The request with this key is still under way; try again later'],
  idempotency_answer_lost: [
    409,
    'The answer to this key is not known: look whether the request was done, and send it again with another key',
  ],
} as const satisfies Partial<Record<ErrorCode, readonly [status: number, sentence: string]>>

function refusal(code: keyof typeof REFUSALS): Response {
  const [status, error] = REFUSALS[code]
  return errorResponse(status, { error, code, field: KEY_HEADER })
}

function nameOf({ caller, key }: Pick<Row, 'caller' | 'key'>): string {
  return `${caller} ${key}`
}

function isOf({ caller, key }: Pick<Row, 'caller' | 'key'>) {
  return and(eq(keptAnswers.caller, caller), eq(keptAnswers.key, key))
}
