import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fitRun } from '../fixtures/runs.ts'
import { oneFile, type RealServer, startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'

// ranges are cut by the server of the runtime, which a call of the app alone does not pass

const bytes = fitRun({ seconds: 60 })
const folder = tempFolder()
let server: RealServer
let id: string

beforeAll(async () => {
  server = await startServer({ dataDir: folder })
  await server.login()
  const answer = await server.call('/workouts/import', oneFile('a.fit', bytes))
  id = ((await answer.json()) as { id: string }).id
})
afterAll(async () => {
  await server.end('SIGTERM')
})

/** Of the workout, and of its first recording, which has the same id. */
const PATHS = [() => `/workouts/${id}/file`, () => `/workouts/${id}/sources/${id}/file`]

describe.each(PATHS)('one of two ways to an original', (path) => {
  const get = (range: string) => server.call(path(), { headers: { range } })

  test('an original can be fetched in parts, which put together are the file', async () => {
    const parts: Uint8Array[] = []
    for (const range of ['bytes=0-9', 'bytes=10-', 'bytes=-1']) {
      const answer = await get(range)
      expect(answer.status).toBe(206)
      parts.push(new Uint8Array(await answer.arrayBuffer()))
    }
    expect(parts[2]).toEqual(bytes.slice(-1))
    expect(Buffer.concat(parts.slice(0, 2)).equals(bytes)).toBe(true)
  })

  test.each(['bytes=-0', `bytes=${bytes.length}-`])(
    'a range outside of it is 416 with a sentence: %s',
    async (range) => {
      const answer = await get(range)
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
      expect(await answer.json()).toEqual({ error: expect.any(String) })
    },
  )

  test.each(['bytes=5-3', `bytes=${bytes.length + 5}-1`, 'bytes=0-1,3-4', 'lines=1-2'])(
    'a malformed or several ranges are the whole file: %s',
    async (range) => {
      const answer = await get(range)
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(bytes))
    },
  )
})
