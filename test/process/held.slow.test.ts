import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../features/events/listening.ts'
import { tempFolder } from '../temp-folder.ts'
import { type RealServer, startServer } from './real-server.ts'

// A process that may open 1,024 files, as many systems set it, and a stranger who opens more connections than that.

const CONNECTIONS = 1_100
const HALF = 'POST /auth/login HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
const folder = tempFolder()

test('1,100 held connections do not stop the service', async () => {
  const few = ['sh', '-c', 'ulimit -n 1024; exec "$@"', 'sh']
  await using server = await startServer({ dataDir: folder, through: few })
  const session = await server.login()
  const sockets: Socket[] = []
  try {
    for (let count = 0; count < CONNECTIONS; count += 1) sockets.push(holding(server))
    const isSettled = () => !sockets.some(({ connecting }) => connecting) && openOf(sockets) <= 64
    await until(isSettled, 'the service keeps few of them')
    const begunMs = performance.now()
    const signal = AbortSignal.timeout(10_000)
    const answers = await Promise.all([
      fetch(`${server.address}/health`, { signal, headers: { connection: 'close' } }),
      server.call('/auth/me', { signal }, session),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(performance.now() - begunMs).toBeLessThan(5_000)
    // the log in goes through the same door
    expect(await server.login()).toStartWith('authToken=')
    expect(openOf(sockets)).toBeLessThanOrEqual(64)
    expect(readdirSync(`/proc/${server.pid}/fd`).length).toBeLessThan(150)
    expect(server.log()).not.toContain(' error ')
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}, 120_000)

function openOf(sockets: readonly Socket[]): number {
  return sockets.filter(({ readyState }) => readyState === 'open').length
}

function holding(server: RealServer): Socket {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname, () => socket.write(HALF))
  socket.on('error', () => {})
  // a connection counts as open until its end was read
  socket.resume()
  return socket
}
