import { createApp } from '../../../src/app.ts'
import { createEvents, type Events } from '../../../src/base/events.ts'
import type { Deps } from '../../../src/library/deps.ts'
import type { TestApp } from '../../app.ts'

/** Reads a stream of server-sent events block by block; a block ends at an empty line. */
export interface Reading {
  /** The next block without its empty line; null: the stream ended. */
  next(): Promise<string | null>
  /** The next block that is a message, its comments passed over. */
  message(): Promise<{ id: number; event: string; data: unknown } | null>
  cancel(): Promise<void>
}

export function reading(response: Response): Reading {
  if (response.body === null) throw new Error('The answer has no body')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const next = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return block
      }
      const { done, value } = await reader.read()
      if (done) return null
      text += decoder.decode(value, { stream: true })
    }
  }
  const message = async () => {
    for (;;) {
      const block = await next()
      if (block === null) return null
      if (block.startsWith(':')) continue
      const fields = /^id: (\d+)\nevent: ([\w.]+)\ndata: (.+)$/.exec(block)
      if (fields === null) throw new Error(`Not a message: ${block}`)
      return { id: Number(fields[1]), event: fields[2] ?? '', data: JSON.parse(fields[3] ?? '') }
    }
  }
  return { next, message, cancel: () => reader.cancel() }
}

export interface ListeningApp {
  readonly deps: Deps
  /** How many subscriptions exist. */
  listeners(): number
  /** GET of a stream, with the runner's session where no headers are given. */
  open(path?: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  handle(request: Request): Promise<Response>
  /** The same app on a port of this machine, for what only a real connection shows. */
  serve(options?: { readonly idleTimeoutS?: number }): {
    readonly address: string
    stop(options?: { readonly isForced: boolean }): Promise<void>
  }
}

/** The app of a test with an emitter whose subscriptions are counted. */
export function listeningApp(app: TestApp): ListeningApp {
  let count = 0
  const events = createEvents()
  const counted: Events = {
    ...events,
    subscribe: (listener) => {
      const end = events.subscribe(listener)
      count += 1
      return () => {
        count -= 1
        end()
      }
    },
  }
  const deps: Deps = { ...app.deps, events: counted }
  const elysia = createApp(deps)
  const handle = async (request: Request): Promise<Response> => await elysia.handle(request)
  return {
    deps,
    listeners: () => count,
    handle,
    open: (path = '/events', headers = { authorization: `Bearer ${app.token}` }) =>
      handle(new Request(`http://localhost${path}`, { headers })),
    serve: ({ idleTimeoutS = 1 } = {}) => {
      elysia.listen({ port: 0, hostname: '127.0.0.1', idleTimeout: idleTimeoutS })
      return {
        address: `http://127.0.0.1:${elysia.server?.port}`,
        stop: async ({ isForced } = { isForced: true }) => void (await elysia.server?.stop(isForced)),
      }
    },
  }
}

/** Waits until something holds, for what another side of a connection does. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`It did not happen in a minute: ${what}`)
    await Bun.sleep(5)
  }
}
