import { capitalised } from './format.ts'
import { isKeeping, keepAnswer, keptAnswer, offlineSince } from './kept.ts'
import { outdate } from './store.ts'
import type { Answer, Body, Known, Method, TrialAnswer } from './types.ts'
import { TERMS } from './words.ts'

/** A failed call with the message of the service; status 0 means that the service could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Receipt of an import that failed; null: none. */
    readonly receiptId: string | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** The service's reason of a failed request, else a general sentence. */
export function failureText(error: unknown, otherwise: string = TERMS.failed): string {
  return error instanceof ApiError ? error.message : otherwise
}

/** Whether the service did not answer, or a proxy answered that the service is unavailable. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && AWAY.includes(error.status)
}

/**
 * Event on `window` after a call was answered with 401: the login opens over the view, and the call is repeated after
 * it.
 */
export const SESSION_EXPIRED = 'harrier:session-expired'
/** Event of the login: waiting calls are sent again. */
export const SESSION_RENEWED = 'harrier:session-renewed'
/** Event when the runner logs out instead: waiting calls fail with their 401. */
export const SESSION_ENDED = 'harrier:session-ended'

const UNREACHABLE = 'Can’t reach Harrier. Check that it’s running and try again.'
const NOT_KEPT = 'This isn’t on this device, and Harrier can’t be reached.'
const READ_ONLY = 'You’re offline. You can make changes once Harrier is back.'
/** Statuses of a proxy without a service behind it; 0: no answer at all. */
const AWAY: readonly number[] = [0, 502, 503, 504]
/** After this time an answer that is kept is shown; away from home, an address may not answer for minutes. */
const PATIENCE_MS = 5000
/** Calls whose 401 answers what was typed and does not mean an expired session. */
const OWN_REFUSAL: readonly string[] = ['/auth/login', '/auth/me']

const RECEIPT_HEADER = 'Harrier-Receipt'
/** Longest body of a call that outlives its page; a letter takes up to three bytes. */
const MOST_KEPT_LETTERS = 4000

type Progress = (sentBytes: number, totalBytes: number) => void

/** Calls of the service; every failure is an ApiError whose message can be displayed. */
export const api = {
  /** Equal calls at the same time are one. */
  get<const P extends string>(path: P & Known<'GET', P>): Promise<Answer<P>> {
    const known = underWay.get(path)
    // the path determines the type
    if (known !== undefined) return known as Promise<Answer<P>>
    const call = request<Answer<P>>('GET', path, undefined)
      .then(({ value }) => value)
      .finally(() => underWay.get(path) === call && underWay.delete(path))
    underWay.set(path, call)
    return call
  },

  /** Makes a call that changes something, after which what is shown loads again; 204 gives undefined. */
  async send<M extends Method, const P extends string>(
    method: M,
    path: P & Known<M, P>,
    body?: Body<M, P>,
  ): Promise<Answer<P, M>> {
    return (await changing(path, request<Answer<P, M>>(method, path, body), method === 'DELETE')).value
  },

  /** As `send`, for a change that can be undone. @returns the id of its receipt; null: none */
  async change<M extends Method, const P extends string>(
    method: M,
    path: P & Known<M, P>,
    body?: Body<M, P>,
  ): Promise<string | null> {
    return (await changing(path, request<unknown>(method, path, body), method === 'DELETE')).receiptId
  },

  /** Asks what a change would do. */
  async trial<M extends Method, const P extends string>(
    method: M,
    path: P & Known<M, P>,
    body: object,
  ): Promise<TrialAnswer<P, M>> {
    return (await request<TrialAnswer<P, M>>(method, path, { ...body, dryRun: true })).value
  },

  /** Sends multipart with progress, which fetch cannot report. */
  async upload<const P extends string>(
    path: P & Known<'POST', P>,
    files: readonly File[],
    fields: Readonly<Record<string, string>> = {},
    onProgress: Progress = () => {},
  ): Promise<Answer<P, 'POST'>> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const file of files) form.append('file', file, file.name)
    return await changing(
      path,
      renewing(path, () => sendForm<Answer<P, 'POST'>>(path, form, onProgress)),
    )
  },
}

/** Calls of `get` without an answer so far. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Calls after which nothing is asked again: the session is not data, and an import may be thousands of files, whose end and
 * events have views load again.
 */
const LEAVES_DATA = /^\/(auth\/(?!api-keys)|workouts\/import)/

/** Paths that answer after they were deleted, too. */
const STAYING: readonly string[] = ['/trash', '/settings/calendar-feed']

/** After a change everything shown loads again, even when it failed: it may have been done. @param isDeleting the path will not answer again */
async function changing<T>(path: string, call: Promise<T>, isDeleting = false): Promise<T> {
  try {
    return await call
  } finally {
    underWay.clear()
    if (!LEAVES_DATA.test(path)) outdate((_, shown) => !isDeleting || STAYING.includes(path) || !shown.startsWith(path))
  }
}

interface Answered<T> {
  readonly value: T
  readonly receiptId: string | null
}

function request<T>(method: string, path: string, body: unknown): Promise<Answered<T>> {
  return renewing(path, async () => {
    const text = body === undefined ? null : JSON.stringify(body)
    const init: RequestInit = {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(text !== null && { 'content-type': 'application/json' }) },
      body: text,
      // what was just saved arrives also when the page is left at once; browsers allow 64 KB for all such calls
      keepalive: method !== 'GET' && (text?.length ?? 0) <= MOST_KEPT_LETTERS,
    }
    const answer = method === 'GET' && isKeeping() ? await keptOrSent(path, init) : await sent(path, init)
    return { value: result<T>(answer.status, answer.text), receiptId: answer.receiptId }
  })
}

interface Received {
  readonly status: number
  readonly text: string
  readonly receiptId: string | null
}

/** @throws ApiError when the service is away */
async function sent(path: string, init: RequestInit): Promise<Received> {
  if (offlineSince.get() !== null) throw new ApiError(0, init.method === 'GET' ? NOT_KEPT : READ_ONLY)
  const answer = await fetch(path, init).catch(() => {
    throw new ApiError(0, UNREACHABLE)
  })
  return { status: answer.status, text: await answer.text(), receiptId: answer.headers.get(RECEIPT_HEADER) }
}

/** The answer of the service, which is then kept on this device; while the service is away, the one kept before. */
async function keptOrSent(path: string, init: RequestInit): Promise<Received> {
  const kept = async () => {
    const text = await keptAnswer(path)
    return text === null ? null : { status: 200, text, receiptId: null }
  }
  if (offlineSince.get() !== null) return (await kept()) ?? (await sent(path, init))
  const asked = sent(path, init).catch((error: unknown) => ({ status: 0, text: '', receiptId: null, error }))
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null)).then(kept)
  const answer = (await Promise.race([asked, late])) ?? (await asked)
  if (AWAY.includes(answer.status)) {
    const before = await kept()
    if (before !== null) return before
    if ('error' in answer) throw answer.error
  }
  if (answer.status === 200) void keepAnswer(path, answer.text)
  return answer
}

/** Calls that end all sessions and renew the cookie of this one. */
const RENEWALS = ['/auth/logout-others', '/auth/change-password']
const renewals: { ended: number; latest: Promise<unknown> } = { ended: 0, latest: Promise.resolve() }

/**
 * Repeats a call after a new login, so that nothing typed is lost; without one when it was sent with a cookie that was
 * renewed meanwhile.
 */
async function renewing<T>(path: string, send: () => Promise<T>): Promise<T> {
  const { ended } = renewals
  const call = send()
  if (RENEWALS.includes(path)) {
    renewals.latest = call.then(
      () => renewals.ended++,
      () => {},
    )
  }
  try {
    return await call
  } catch (error) {
    const isExpired = error instanceof ApiError && error.status === 401 && !OWN_REFUSAL.includes(path)
    if (!isExpired) throw error
    await renewals.latest
    if (renewals.ended > ended) return await renewing(path, send)
    if (!(await renewed())) throw error
    return await send()
  }
}

function renewed(): Promise<boolean> {
  return new Promise((resolve) => {
    // the first of them settles it
    window.addEventListener(SESSION_RENEWED, () => resolve(true), { once: true })
    window.addEventListener(SESSION_ENDED, () => resolve(false), { once: true })
    window.dispatchEvent(new Event(SESSION_EXPIRED))
  })
}

function sendForm<T>(path: string, form: FormData, onProgress: Progress): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open('POST', path)
    call.setRequestHeader('accept', 'application/json')
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total))
    call.addEventListener('load', () => {
      try {
        resolve(result<T>(call.status, call.responseText, call.getResponseHeader(RECEIPT_HEADER)))
      } catch (error) {
        reject(error)
      }
    })
    call.addEventListener('error', () => reject(new ApiError(0, UNREACHABLE)))
    call.send(form)
  })
}

function result<T>(status: number, text: string, receiptId: string | null = null): T {
  const value = parsed(text)
  // the type is determined by the path and not checked here
  if (status >= 200 && status < 300) return value as T
  const hasReason = typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
  const message = hasReason ? sentence(`${value.error}`) : `Harrier returned error ${status}`
  throw new ApiError(status, message, receiptId)
}

/** Turns a message that begins with a field name, such as `password is too common`, into a sentence. */
function sentence(words: string): string {
  return /^[a-z]+ /.test(words) ? capitalised(words) : words
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
