import { afterAll, beforeAll, expect, test } from 'bun:test'
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

test.each([
  ['a workout', () => `/workouts/${id}/file`],
  ['its first recording, which has the same id,', () => `/workouts/${id}/sources/${id}/file`],
])(
  'of %s an original can be fetched in parts; others are refused, and odd ones are the whole file',
  async (_, path) => {
    for (const [range, status, length] of [
      ['bytes=0-9', 206, 10],
      ['bytes=10-', 206, bytes.length - 10],
      ['bytes=-1', 206, 1],
      ['bytes=-0', 416, null],
      [`bytes=${bytes.length}-`, 416, null],
      ['bytes=5-3', 200, bytes.length],
      [`bytes=${bytes.length + 5}-1`, 200, bytes.length],
      ['bytes=0-1,3-4', 200, bytes.length],
      ['lines=1-2', 200, bytes.length],
    ] as const) {
      const answer = await server.call(path(), { headers: { range } })
      expect([range, answer.status]).toEqual([range, status])
      if (length === null) {
        expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
        expect(await answer.json()).toEqual({ error: expect.any(String) })
      } else {
        const from = range === 'bytes=0-9' ? 0 : bytes.length - length
        expect(Buffer.compare(await answer.bytes(), bytes.subarray(from, from + length))).toBe(0)
      }
    }
  },
)
