/** A failed call with the message of the service; status 0 means that the service could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = 'ApiError'
  }
}

/** Whether the service did not answer, or a proxy answered that the service is unavailable. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
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

const UNREACHABLE = 'Harrier cannot be reached. Check that it is running and try again.'
/** Calls whose 401 answers what was typed and does not mean an expired session. */
const OWN_REFUSAL: readonly string[] = ['/auth/login', '/auth/me']

/** Longest body of a call that outlives its page; a letter takes up to three bytes. */
const MOST_KEPT_LETTERS = 4000

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Progress = (sentBytes: number, totalBytes: number) => void

/** Calls of the service; every failure is an ApiError whose message can be displayed. */
export const api = {
  async get<T>(path: string): Promise<T> {
    return (await request<T>('GET', path, undefined)).value
  },

  /** Makes a call that changes something; an answer of 204 gives undefined. */
  async send<T>(method: Method, path: string, body?: unknown): Promise<T> {
    return (await request<T>(method, path, body)).value
  },

  /** As `send`, for a change that can be undone. @returns the id of its receipt; null: none */
  async change(method: Method, path: string, body?: unknown): Promise<string | null> {
    return (await request<unknown>(method, path, body)).receiptId
  },

  /** Sends multipart with progress, which fetch cannot report. */
  async upload<T>(
    path: string,
    files: readonly File[],
    fields: Readonly<Record<string, string>> = {},
    onProgress: Progress = () => {},
  ): Promise<T> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const file of files) form.append('file', file, file.name)
    return await renewing<T>(path, () => sendForm<T>(path, form, onProgress))
  },
}

interface Answered<T> {
  readonly value: T
  readonly receiptId: string | null
}

function request<T>(method: string, path: string, body: unknown): Promise<Answered<T>> {
  return renewing(path, async () => {
    const init: RequestInit & { body?: string } = {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
    }
    if (body !== undefined) {
      init.headers = { accept: 'application/json', 'content-type': 'application/json' }
      init.body = JSON.stringify(body)
    }
    // what was just saved arrives also when the page is left at once; browsers allow 64 KB for all such calls
    if (method !== 'GET' && (init.body?.length ?? 0) <= MOST_KEPT_LETTERS) init.keepalive = true
    const answer = await fetch(path, init).catch(() => {
      throw new ApiError(0, UNREACHABLE)
    })
    const value = result<T>(answer.status, await answer.text())
    return { value, receiptId: answer.headers.get('Harrier-Receipt') }
  })
}

/** Repeats a call after a new login, so that nothing typed is lost. */
async function renewing<T>(path: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const isExpired = error instanceof ApiError && error.status === 401 && !OWN_REFUSAL.includes(path)
    if (!isExpired || !(await renewed())) throw error
    return await send()
  }
}

function renewed(): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isRenewed: boolean) => () => {
      window.removeEventListener(SESSION_RENEWED, onRenewed)
      window.removeEventListener(SESSION_ENDED, onEnded)
      resolve(isRenewed)
    }
    const onRenewed = settle(true)
    const onEnded = settle(false)
    window.addEventListener(SESSION_RENEWED, onRenewed)
    window.addEventListener(SESSION_ENDED, onEnded)
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
        resolve(result<T>(call.status, call.responseText))
      } catch (error) {
        reject(error)
      }
    })
    call.addEventListener('error', () => reject(new ApiError(0, UNREACHABLE)))
    call.send(form)
  })
}

function result<T>(status: number, text: string): T {
  const value = parsed(text)
  // the type is determined by the path and not checked here
  if (status >= 200 && status < 300) return value as T
  const hasReason = typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
  throw new ApiError(status, hasReason ? sentence(`${value.error}`) : `The service answered ${status}`)
}

/** Turns a message that begins with a field name, such as `password is too common`, into a sentence. */
function sentence(words: string): string {
  return /^[a-z]+ /.test(words) ? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}` : words
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
