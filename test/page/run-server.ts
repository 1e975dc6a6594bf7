import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { CREDENTIALS } from '../process/real-server.ts'
import { type Server, startServer, type Watched, watchedPage } from './browser.ts'

export interface RunServer extends Server {
  /** Imports a file. @returns the id of its run */
  importRun(file: Uint8Array, name?: string): Promise<string>
  /** Adds a photo or video. */
  addMedia(runId: string, name: string, bytes: Uint8Array): Promise<void>
  call(path: string, init?: RequestInit): Promise<Response>
  /** What a path answers. */
  get<T>(path: string): Promise<T>
  /** Sends JSON. @throws Error when it is refused */
  send(method: string, path: string, body?: unknown): Promise<Response>
}

/** The real process with an account. @param env further variables */
export async function startRunServer(env: Readonly<Record<string, string>> = {}): Promise<RunServer> {
  const server = await startServer(env)
  await server.login()
  const { call } = server
  const upload = async (path: string, name: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.append('file', new File([bytes.slice()], name))
    const answer = await call(path, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  return {
    ...server,
    call,
    get: async <T>(path: string) => (await (await call(path)).json()) as T,
    send: async (method, path, body) => {
      const sent =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const answer = await call(path, { method, ...sent })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer
    },
    importRun: async (file, name = 'run.fit') => (await upload('/workouts/import', name, file)).id,
    addMedia: async (runId, name, bytes) => void (await upload(`/workouts/${runId}/media`, name, bytes)),
  }
}

/** Sessions by the address of their server. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>()

/** A watched page that is logged in; all those of a server by one login. */
export async function loggedInPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const session = sessions.get(address)
  const watched = await watchedPage(browser, address, session ? { storageState: session, ...options } : options)
  const context = watched.page.context()
  if (session === undefined) {
    await context.request.post(`${address}/auth/login`, { data: CREDENTIALS })
    sessions.set(address, await context.storageState())
  }
  await context.addInitScript(() => localStorage.setItem('harrier.session', 'in'))
  return watched
}
