import { expect, test } from 'bun:test'
import { jpeg } from '../fixtures/media.ts'
import { startServer } from '../process/real-server.ts'
import { tempFolder } from '../temp-folder.ts'

const dataDir = tempFolder()

test('a process killed amid uploads leaves no photo without its whole file, and nothing acknowledged is lost', async () => {
  const server = await startServer({ dataDir })
  const cookie = await server.login()
  const json = { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 }
  const headers = { 'content-type': 'application/json' }
  const made = await server.call('/workouts', { method: 'POST', headers, body: JSON.stringify(json) })
  const path = `/workouts/${((await made.json()) as { id: string }).id}/media`
  const acknowledged: string[] = []
  // some stay in memory, some go over a temporary file
  const photos = [1000, 2000, 300_000, 400_000].map((length) => new File([jpeg(length)], `${length}.jpg`))
  const upload = async () => {
    for (;;) {
      const body = new FormData()
      for (const photo of photos) body.append('files', photo)
      const answer = await server.call(path, { method: 'POST', body })
      acknowledged.push(...((await answer.json()) as { id: string }[]).map(({ id }) => id))
    }
  }
  const clients = Promise.allSettled([upload(), upload(), upload()])
  let ended = false
  void clients.then(() => {
    ended = true
  })
  while (acknowledged.length < 40 && !ended) await Bun.sleep(1)
  expect([ended, await server.end('SIGKILL')]).toEqual([false, 137])
  await clients

  const again = await startServer({ dataDir })
  const listed = (await (await again.call(path, {}, cookie)).json()) as { id: string; fileSizeBytes: number }[]
  const ids = listed.map(({ id }) => id)
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
  for (const { id, fileSizeBytes } of listed) {
    const bytes = await (await again.call(`${path}/${id}`, {}, cookie)).bytes()
    expect([id, Buffer.from(bytes).equals(jpeg(fileSizeBytes))]).toEqual([id, true])
  }
  await again.end('SIGTERM')
}, 90_000)
