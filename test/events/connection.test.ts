import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { testApp } from '../app.ts'
import { setRows } from '../library/as-stored.ts'
import { listeningApp, reading, until } from './listening.ts'

/** A connection that asked for the stream and has its head. */
async function connected(address: string, token: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET /events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

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
    expect(await stream.message()).toEqual({ id: 1, event: 'settings.updated', data: {} })
    abort.abort()
    await until(() => listeners() === 0, 'the aborted client is forgotten')
    await stop()
  }, 15_000)

  test('of many clients that vanish leaves nothing behind, and HEAD ends at once', async () => {
    await using app = await testApp()
    const { deps, serve, listeners } = listeningApp(app)
    const { address, stop } = serve()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connected(address, app.token)))
    expect(listeners()).toBe(20)
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.destroy()
      else socket.resetAndDestroy()
    }
    deps.events.emit({ event: 'settings.updated', data: {} })
    await until(() => listeners() === 0, 'the vanished clients are forgotten')
    const headers = { authorization: `Bearer ${app.token}` }
    const head = await fetch(`${address}/events`, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(listeners()).toBe(0)
    await stop()
  }, 15_000)

  test('that reads nothing any more is cut off', async () => {
    await using app = await testApp()
    const { deps, serve, listeners } = listeningApp(app)
    const { address, stop } = serve()
    const socket = await connected(address, app.token)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.pause()
    const filename = 'x'.repeat(16_000)
    for (let n = 0; n < 4_000 && listeners() > 0; n += 1) {
      deps.events.emit({ event: 'import.progress', data: { kind: 'bulk', processed: n, total: 9_999, filename } })
      if (n % 4 === 0) await Bun.sleep(1)
    }
    expect(listeners()).toBe(0)
    // the server waits for no connection any more, although the client never took what was sent to it
    await stop({ isForced: false })
    socket.resume()
    await ended
  }, 15_000)

  test('is closed soon after its stream ended, however long its client would keep it', async () => {
    await using app = await testApp()
    const { deps, serve, listeners } = listeningApp(app)
    const { address, stop } = serve({ idleTimeoutS: 60 })
    const socket = await connected(address, app.token)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let heard = ''
    socket.on('data', (data) => {
      heard += data.toString()
    })
    setRows(deps, 'user', { session_version: 2 })
    deps.events.emit({ event: 'credentials.changed', data: {} })
    await until(() => listeners() === 0, 'the stream ends')
    await closed
    // the last chunk of a body that came to its end
    expect(heard).toEndWith('0\r\n\r\n')
    await stop()
  }, 15_000)
})
