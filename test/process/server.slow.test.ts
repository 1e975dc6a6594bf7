import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, type RealServer, startServer } from './real-server.ts'

const folders: string[] = []
const running: RealServer[] = []

afterAll(async () => {
  await Promise.all(running.map((server) => server.end('SIGKILL')))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'harrier-process-'))
  folders.push(path)
  return path
}

/** Started as the README says, with only an address that tests may use. */
async function start(env: Record<string, string>, cwd: string): Promise<RealServer> {
  const server = await startServer({ env, cwd, dataDir: '' })
  running.push(server)
  return server
}

/** A process that should refuse to start. */
async function refused(env: Record<string, string>, cwd: string) {
  const { exitCode: code, err: output } = await command([], { HOST: '127.0.0.1', PORT: '0', ...env }, cwd)
  return { code, output }
}

describe('the process', () => {
  test('starts without any variable set, warns that registration is open, and keeps sessions over a restart', async () => {
    const cwd = folder()
    const first = await start({}, cwd)
    expect(first.log()).toContain('registration is open')
    expect(statSync(join(cwd, 'data/jwt-secret')).mode & 0o777).toBe(0o600)
    const cookie = await first.login()
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await start({}, cwd)
    expect(second.log()).not.toContain('registration')
    expect((await fetch(`${second.address}/auth/me`, { headers: { cookie } })).status).toBe(200)
    expect(await second.end('SIGKILL')).toBe(137)
    const third = await start({}, cwd)
    expect((await fetch(`${third.address}/auth/me`, { headers: { cookie } })).status).toBe(200)
    expect(await third.end('SIGINT')).toBe(0)
  }, 20_000)

  test('refuses a bad value, a damaged secret and a taken port with one line', async () => {
    const cwd = folder()
    const cwd2 = folder()
    const bad = await refused({ PORT: 'http' }, cwd)
    expect([bad.code, bad.output]).toEqual([
      1,
      'Harrier cannot start: PORT is "http", accepted is an integer from 0 to 65535\n',
    ])
    const secret = await refused({ JWT_SECRET: 'hunter2' }, cwd)
    expect([secret.code, secret.output.includes('hunter2'), secret.output.trim().split('\n')]).toEqual([
      1,
      false,
      expect.any(Array),
    ])
    expect(secret.output.trim().split('\n')).toHaveLength(1)
    const server = await start({}, cwd)
    const port = new URL(server.address).port
    const taken = await refused({ PORT: port, DATA_DIR: folder() }, cwd)
    expect([taken.code, taken.output.trim().split('\n').length]).toEqual([1, 1])
    expect(taken.output).toContain(port)
    const host = await refused({ HOST: '203.0.113.1' }, cwd2)
    expect([host.code, host.output.split('\n').length]).toEqual([1, 2])
    expect(host.output).toStartWith('Harrier cannot start: HOST is "203.0.113.1"')
    writeFileSync(join(cwd2, 'file'), '')
    const data = await refused({ DATA_DIR: join(cwd2, 'file/data') }, cwd2)
    expect([data.code, data.output.split('\n').length]).toEqual([1, 2])
    expect(data.output).toMatch(/^Harrier cannot start: DATA_DIR is ".*file\/data", accepted is a folder/)
    const damaged = folder()
    writeFileSync(join(damaged, 'harrier.sqlite'), 'no database at all, '.repeat(100))
    expect(await refused({ DATA_DIR: damaged }, cwd2)).toEqual({
      ...{ code: 1, output: 'Harrier cannot start: The database is damaged; restore a backup\n' },
    })
    await server.end('SIGKILL')
    writeFileSync(join(cwd, 'data/jwt-secret'), 'short')
    expect((await refused({}, cwd)).output).toContain('jwt-secret')
  }, 20_000)

  test.each([
    ['inside', 'data/inbox', 'data'],
    ['inside, by a link, before it exists', 'link/inbox', 'data'],
    ['itself', 'link', 'data'],
    ['above', '', 'data'],
    ['above, by a link', '', 'link/data'],
  ])('refuses a watch folder that is %s', async (_, watched, data) => {
    const cwd = folder()
    mkdirSync(join(cwd, 'data/data'), { recursive: true })
    symlinkSync('data', join(cwd, 'link'))
    const watchDir = join(cwd, watched)
    const { code, output } = await refused({ WATCH_DIR: `/import:${watchDir}`, DATA_DIR: join(cwd, data) }, cwd)
    const real = watched.startsWith('link') ? `, that is "${join(cwd, watched.replace('link', 'data'))}"` : ''
    const refusal = `WATCH_DIR names "${watchDir}"${real}, accepted are folders neither inside nor above DATA_DIR`
    expect([code, output]).toEqual([1, `Harrier cannot start: ${refusal}\n`])
  })

  test('refuses a data folder that another process uses, and takes it when that one died', async () => {
    const cwd = folder()
    const first = await start({}, cwd)
    writeFileSync(join(cwd, 'data/tmp/upload-at-work'), 'bytes')
    const second = await refused({}, cwd)
    expect(second.code).toBe(1)
    expect(second.output).toMatch(
      /^Harrier cannot start: The data folder is in use by another Harrier process \(pid \d+\)/,
    )
    expect(statSync(join(cwd, 'data/tmp/upload-at-work')).size).toBe(5)
    await first.end('SIGKILL')
    writeFileSync(join(cwd, 'data/lock'), 'cut by a power failure, no lock file any more'.repeat(10))
    const third = await start({}, cwd)
    expect(() => statSync(join(cwd, 'data/tmp/upload-at-work'))).toThrow()
    await third.end('SIGKILL')
  }, 20_000)

  test('answers under short host names, with HEAD, and 413 and 401 before a body has arrived', async () => {
    const server = await start({ CORS_ALLOWED_ORIGINS: 'https://run.example.org' }, folder())
    for (const host of ['pi', 'nas', 'x', 'localhost', 'nas:5001']) {
      expect(await raw(server, `GET /api/health/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toContain(
        '{"status":"healthy"}',
      )
    }
    const head = await raw(server, 'HEAD /health HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n')
    expect(head).toStartWith('HTTP/1.1 200 OK')
    expect(head.toLowerCase()).toContain('content-length: 20\r\n')
    expect(head).toEndWith('\r\n\r\n')
    const origin = 'Host: pi\r\nOrigin: https://run.example.org\r\nContent-Type: application/json\r\n'
    const large = await raw(server, `POST /auth/login HTTP/1.1\r\n${origin}Content-Length: 99999999\r\n\r\n{`)
    expect(large).toStartWith('HTTP/1.1 413')
    expect(large).toContain('Access-Control-Allow-Origin: https://run.example.org')
    expect(large).toContain('{"error":"The request body exceeds the limit of 1048576 bytes"}')
    const stranger = await raw(server, `POST /workouts/import HTTP/1.1\r\n${origin}Content-Length: 600000000\r\n\r\n{`)
    expect(stranger).toStartWith('HTTP/1.1 401')
    expect(stranger).toContain('Access-Control-Allow-Origin: https://run.example.org')
    await server.end('SIGKILL')
  }, 20_000)

  test('whatever size a body announces, the answer says in words that it is too large', async () => {
    const server = await start({}, folder())
    const cookie = await server.login()
    const multipart = 'Content-Type: multipart/form-data; boundary=x\r\n'
    for (const length of ['25000000000', '999999999999999', String(Number.MAX_SAFE_INTEGER)]) {
      for (const path of ['/auth/login', '/workouts/import', '/workouts/import/bulk', '/workouts/import/export']) {
        const head = `POST ${path} HTTP/1.1\r\nHost: pi\r\nCookie: ${cookie}\r\n${multipart}Content-Length: ${length}\r\n\r\n{`
        const answer = await raw(server, head)
        expect(answer, `${path} ${length}`).toStartWith('HTTP/1.1 413')
        expect(answer).toMatch(/\{"error":"The (request body|uploaded files) exceeds? the limit of \d+ bytes"\}$/)
      }
    }
    await server.end('SIGKILL')
  }, 20_000)

  test('an invalid Host header neither changes an address nor grants access', async () => {
    const server = await start({}, folder())
    const ask = (host: string, path: string) =>
      raw(server, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    for (const host of ['a b', 'a/b', 'a@b', 'a?b', 'x/health?', '']) {
      expect(await ask(host, '/api/health/')).toContain('{"status":"healthy"}')
      for (const path of ['/workouts', '/x/app/workouts', '/x/assets/shoes', '/app/../workouts', '/x//y/health']) {
        expect(await ask(host, path), `${host} ${path}`).toStartWith('HTTP/1.1 401')
      }
    }
    await server.end('SIGKILL')
  }, 20_000)
})

/** Bytes on a socket, until a whole answer is there or the server closes. */
function raw(server: RealServer, request: string): Promise<string> {
  const { hostname, port } = new URL(server.address)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', (data) => {
      answer += data.toString()
      if (/\r\n\r\n.*\}$/s.test(answer)) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
