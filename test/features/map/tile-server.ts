import { png } from '../../fixtures/media.ts'

/** A tile server of our own on a free port; it counts what it is asked. */
export interface FakeTileServer extends Disposable {
  /** For MAP_TILES_URL. */
  readonly template: string
  readonly asked: readonly { readonly path: string; readonly headers: Headers }[]
  /** The largest number of requests that were open at the same time. */
  readonly mostOpen: () => number
  /** What it answers from now on. */
  answer: (path: string, request: Request) => Response | Promise<Response>
}

export function pictureOf(bytes: Uint8Array<ArrayBuffer>, type = 'image/png'): Response {
  return new Response(bytes, { headers: { 'content-type': type } })
}

export function fakeTileServer(): FakeTileServer {
  const asked: { path: string; headers: Headers }[] = []
  let open = 0
  let most = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const path = new URL(request.url).pathname
      asked.push({ path, headers: request.headers })
      open += 1
      most = Math.max(most, open)
      try {
        return await fake.answer(path, request)
      } finally {
        open -= 1
      }
    },
  })
  const fake: FakeTileServer = {
    template: `http://127.0.0.1:${server.port}/base/{z}/{x}/{y}.png`,
    asked,
    mostOpen: () => most,
    answer: () => pictureOf(png()),
    [Symbol.dispose]: () => void server.stop(true),
  }
  return fake
}
