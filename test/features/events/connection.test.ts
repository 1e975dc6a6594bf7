import { describe, expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { listeningApp, reading, until } from './listening.ts'

describe.concurrent('a connection to the stream', () => {
  test('outlives the limit of silence, delivers, and is forgotten when the client goes', async () => {
    await using app = await testApp()
    const { deps, serve, listeners } = listeningApp(app)
    const { address, stop } = serve()
    const abort = new AbortController()
    const headers = { authorization: `Bearer ${app.token}` }
    const answer = await fetch(`${address}/api/events`, { headers, signal: abort.signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const stream = reading(answer)
    expect(await stream.next()).toStartWith(':')
    // the server of this test cuts connections after 1 s of silence, in steps of up to 4 s
    await Bun.sleep(5_500)
    deps.events.emit({ event: 'settings.updated', data: {} })
    expect(await stream.message()).toEqual({ id: 0, event: 'settings.updated', data: { event: 'settings.updated' } })
    abort.abort()
    await until(() => listeners() === 0, 'the aborted client is forgotten')
    await stop()
  }, 15_000)
})
