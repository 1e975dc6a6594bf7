import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../process/real-server.ts'
import { reading } from './listening.ts'

test('a process that receives a stop signal ends its streams and exits at once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-events-'))
  const server = await startServer({ dataDir })
  try {
    await server.login()
    const streams = await Promise.all([1, 2, 3].map(() => server.call('/events')))
    const readings = streams.map(reading)
    const body = JSON.stringify({ brand: 'Asics', model: 'Novablast' })
    const headers = { 'content-type': 'application/json' }
    expect((await server.call('/shoes', { method: 'POST', body, headers })).status).toBe(200)
    for (const stream of readings) expect(await stream.message()).toMatchObject({ id: 1, event: 'shoe.created' })
    const startMs = performance.now()
    const exited = server.end('SIGTERM')
    for (const stream of readings) expect(await stream.message()).toBe(null)
    expect(await exited).toBe(0)
    // without an end of the streams it would be the 7 s that requests at work are given
    expect(performance.now() - startMs).toBeLessThan(4_000)
  } finally {
    await server.end('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 20_000)
