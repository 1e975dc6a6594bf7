import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, createWorks } from '../src/app.ts'
import { type Config, type Environment, readConfig } from '../src/base/config.ts'
import { ERROR_CODES } from '../src/base/errors.ts'
import { createEvents } from '../src/base/events.ts'
import type { Db } from '../src/db/open.ts'
import { signToken } from '../src/features/auth/sessions.ts'
import { WeatherError } from '../src/features/weather/client.ts'
import type { Watch } from '../src/imports/watch/watch.ts'
import type { Deps, WeatherClient } from '../src/library/deps.ts'
import { createLoadRefresher } from '../src/library/training/refresh.ts'
import { workerHere } from './fixtures/worker.ts'
import { addRows, countOf } from './library/as-stored.ts'
import { memoryDb } from './library/memory-db.ts'

/** Who the signed-in calls of a test app are. */
export const RUNNER = {
  userId: '0198a000-0000-7000-8000-000000000001',
  username: 'runner',
  password: 'correct-horse-battery-staple',
  /** argon2id of the password, so that tests that only need a user do not wait for one. */
  passwordHash:
    '$argon2id$v=19$m=19456,t=2,p=1$bcLa/omaS6wo0ftJ5I5F/5QnBwmJ7IBX16Ow/6zK/Yw$6HlOoBO60wOmTR6EaT4SUwBmn4bhvQJ66p2Z/Q8VTsQ',
} as const

/** Thursday, 20 November 2025, 13:05:11 UTC: what the clock of a test app shows until a test moves it. */
export const NOW_MS = Date.UTC(2025, 10, 20, 13, 5, 11)

export interface TestOptions {
  /** Variables as the process would read them. */
  readonly env?: Environment
  /** true: no user exists and calls carry no credentials. */
  readonly fresh?: boolean
  readonly weather?: WeatherClient
  /** Absent: a new one in memory. */
  readonly db?: Db
  /** Removed when the app is closed; absent: a new one. */
  readonly dataDir?: string
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, with the content type of `headers`. */
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  /** A session token or API key; null: a stranger. Without it the runner's session. */
  readonly token?: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when there is none or it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers and compare them
  readonly json: any
}

export interface TestApp extends AsyncDisposable {
  readonly deps: Deps
  /** Move `nowMs` to let time pass. */
  readonly clock: { nowMs: number }
  /** Lets time pass, and alarms ring that are due. */
  pass(ms: number): void
  /** Nothing is looked at automatically until a test starts it. */
  readonly watch: Watch
  readonly logged: string[]
  /** The runner's session token, as the last call without another one renewed it; empty when fresh. */
  readonly token: string
  handle(request: Request): Promise<Response>
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A call that must succeed. @returns its body */
  // biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
  ok(method: string, path: string, json?: unknown): Promise<any>
  /** Imports one file, which must be a run. @returns the id */
  run(bytes: Uint8Array | string, name?: string): Promise<string>
  /** A multipart call with files, and fields where wanted. */
  upload(path: string, files: readonly TestFile[], fields?: Readonly<Record<string, string>>): Promise<Answer>
  close(): Promise<void>
}

export interface TestFile {
  readonly name: string
  readonly bytes: Uint8Array | string
}

const RENEWED = /^authToken=([^;]+)/

/** The real app over an in-memory SQLite, with a fixed clock, canned weather, a temporary data folder and no Worker. */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'harrier-test-'))
  mkdirSync(join(dataDir, 'tmp'))
  const config: Config = readConfig({ ...options.env, DATA_DIR: dataDir })
  const clock = { nowMs: NOW_MS }
  const alarms = new Set<{ readonly atMs: number; readonly ring: () => void }>()
  const logged: string[] = []
  const base: Omit<Deps, 'loads'> = {
    db: options.db ?? memoryDb(),
    damage: { isFound: false },
    config,
    now: () => clock.nowMs,
    after: (ms, ring) => {
      const alarm = { atMs: clock.nowMs + ms, ring }
      alarms.add(alarm)
      return () => alarms.delete(alarm)
    },
    weather: options.weather ?? noWeather(),
    log: {
      error: (message, error) => void logged.push(`error ${message} ${error instanceof Error ? error.message : ''}`),
      warn: (message) => void logged.push(`warn ${message}`),
      info: (message) => void logged.push(`info ${message}`),
      debug: () => {},
    },
    events: createEvents(),
    worker: workerHere(),
    jwtSecret: 'a-secret-of-tests-that-is-long-enough',
  }
  const deps: Deps = { ...base, loads: createLoadRefresher(base) }
  const works = createWorks(deps)
  const app = createApp(deps, works)
  let token = options.fresh === true ? '' : await signedIn(deps)
  const handle = async (request: Request): Promise<Response> => await app.handle(request)
  const call = async (method: string, path: string, sent: CallOptions = {}): Promise<Answer> => {
    const headers = new Headers(sent.headers)
    const credential = sent.token === undefined ? token : sent.token
    if (credential) headers.set('authorization', `Bearer ${credential}`)
    if (sent.json !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json)
    const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body }) }
    const answer = await answerOf(await handle(new Request(`http://localhost${path}`, init)))
    if (sent.token === undefined) token = RENEWED.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? token
    return answer
  }
  const upload: TestApp['upload'] = (path, files, fields = {}) => call('POST', path, { body: formOf(files, fields) })
  const close = async () => {
    await works.watch.stop()
    deps.worker.close()
    deps.db.$client.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    deps,
    clock,
    pass: (ms) => {
      clock.nowMs += ms
      for (const alarm of [...alarms].filter(({ atMs }) => atMs <= clock.nowMs)) {
        alarms.delete(alarm)
        alarm.ring()
      }
    },
    watch: works.watch,
    logged,
    get token() {
      return token
    },
    handle,
    call,
    ok: async (method, path, json) => {
      const answer = await call(method, path, json === undefined ? {} : { json })
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
      return answer.json
    },
    upload,
    run: async (bytes, name = 'a.fit') => {
      const { json, text } = await upload('/workouts/import', [{ name, bytes }])
      if (json?.action !== 'created') throw new Error(`${name} was not imported: ${text}`)
      return json.id
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function signedIn(deps: Deps): Promise<string> {
  const { userId, username, passwordHash } = RUNNER
  const user = { id: userId, username, password_hash: passwordHash, created_at: deps.now() }
  if (countOf(deps, 'user') === 0) addRows(deps, 'user', [user])
  const { token } = await signToken(deps, { userId, version: 1, rememberMe: false })
  return token
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.includes('json') === true && text !== ''
  const json = isJson ? JSON.parse(text) : undefined
  if (isJson && status >= 400 && !Object.hasOwn(ERROR_CODES, json.code))
    throw new Error(`An error without a code of the list: ${status} ${text}`)
  return { status, headers, text, json }
}

function formOf(files: readonly TestFile[], fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const { name, bytes } of files) {
    const part = typeof bytes === 'string' ? bytes : bytes.slice()
    form.append('file', new File([part], name))
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

function noWeather(): WeatherClient {
  return {
    hours: () => Promise.reject(new WeatherError('Tests have no weather service', { retry: true })),
  }
}
