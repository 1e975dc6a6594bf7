import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reading } from './listening.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const USER = { username: 'runner', password: 'correct-horse-battery-staple' }

test('a process that receives a stop signal ends its streams and exits at once', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'harrier-events-'))
  const { PATH = '' } = process.env
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', WEATHER_ENABLED: 'false' }
  const child = Bun.spawn([process.execPath, MAIN], { cwd, env, stdout: 'ignore', stderr: 'pipe' })
  try {
    const address = await addressIn(child.stderr)
    const post = (path: string, json: object, headers: Record<string, string> = {}) =>
      fetch(address + path, {
        method: 'POST',
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...headers },
      })
    await post('/auth/register', USER)
    const login = await post('/auth/login', USER)
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const streams = await Promise.all([1, 2, 3].map(() => fetch(`${address}/events`, { headers: { cookie } })))
    const readings = streams.map(reading)
    expect((await post('/shoes', { brand: 'Asics', model: 'Novablast' }, { cookie })).status).toBe(200)
    for (const stream of readings) expect(await stream.message()).toMatchObject({ id: 1, event: 'shoe.created' })
    const startMs = performance.now()
    child.kill('SIGTERM')
    for (const stream of readings) expect(await stream.message()).toBe(null)
    expect(await child.exited).toBe(0)
    // without an end of the streams it would be the 7 s that requests at work are given
    expect(performance.now() - startMs).toBeLessThan(4_000)
  } finally {
    child.kill('SIGKILL')
    rmSync(cwd, { recursive: true, force: true })
  }
}, 20_000)

/** Where the line of the start says that the process listens; the rest is read on, so that it never waits. */
function addressIn(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = async () => {
      let text = ''
      for await (const chunk of stream) {
        text += new TextDecoder().decode(chunk)
        const address = /http:\/\/[\d.:]+/.exec(text)?.[0]
        if (address !== undefined) resolve(address)
      }
      reject(new Error(`The server did not start: ${text}`))
    }
    read().catch(reject)
  })
}
