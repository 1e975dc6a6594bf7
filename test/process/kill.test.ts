// The shortest of kills.slow.test.ts, with every run of the tests.
import { test } from 'bun:test'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { killing } from './killing.ts'
import { oneFile } from './real-server.ts'

const { zip } = maker(randomOf('kill')).strava(18)
const { expectSurvived } = killing()

/** A multipart upload that falls silent in the middle. */
function halfSent(bytes: Uint8Array): RequestInit {
  const head = '--cut\r\ncontent-disposition: form-data; name="file"; filename="export.zip"\r\n\r\n'
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(head))
      controller.enqueue(bytes.slice(0, bytes.length / 2))
    },
  })
  return { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=cut' } }
}

test('a bulk import that is killed while it arrives, and amid its runs, stores no half, and repeated it ends as one', async () => {
  let calls = 0
  const write = async (call: (path: string, init: RequestInit) => Promise<Response>) => {
    calls += 1
    // the first one is not killed
    const sent = calls === 2 ? halfSent(zip.bytes) : oneFile(zip.name, zip.bytes)
    return await (await call('/workouts/import/bulk', sent)).json()
  }
  await expectSurvived({ name: 'import', write }, randomOf('a kill'), 2)
}, 60_000)
