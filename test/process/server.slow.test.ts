import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'
import { command, type RealServer, startServer } from './real-server.ts'

const root = tempFolder()
const folder = () => mkdtempSync(join(root, 'cwd-'))
/** Started as the README says, with only an address that tests may use. */
const start = (env: Record<string, string>, cwd: string) => startServer({ env, cwd, dataDir: '' })

/** A process that should refuse to start, with one line. */
async function refused(env: Record<string, string>, cwd: string): Promise<string> {
  const { exitCode, err } = await command([], { HOST: '127.0.0.1', PORT: '0', ...env }, cwd)
  expect([exitCode, err.split('\n').length]).toEqual([1, 2])
  return err.trimEnd().replace(/^Harrier cannot start: /, '')
}

test('starts without any variable set, warns that registration is open, and keeps sessions and its folder to itself', async () => {
  const cwd = folder()
  await using first = await start({}, cwd)
  expect(first.log()).toContain('registration is open')
  expect(statSync(join(cwd, 'data/jwt-secret')).mode & 0o777).toBe(0o600)
  const cookie = await first.login()
  const isKnown = async (server: RealServer) => (await server.call('/auth/me', {}, cookie)).status === 200
  expect(await first.end('SIGTERM')).toBe(0)

  await using second = await start({}, cwd)
  expect([second.log().includes('registration'), await isKnown(second)]).toEqual([false, true])
  const upload = join(cwd, 'data/tmp/upload-at-work')
  writeFileSync(upload, 'bytes')
  expect(await refused({}, cwd)).toMatch(/^The data folder is in use by another Harrier process \(pid \d+\)/)
  expect(statSync(upload).size).toBe(5)
  expect(await second.end('SIGKILL')).toBe(137)

  writeFileSync(join(cwd, 'data/lock'), 'cut by a power failure, no lock file any more'.repeat(10))
  await using third = await start({}, cwd)
  expect([existsSync(upload), await isKnown(third)]).toEqual([false, true])
  expect(await third.end('SIGINT')).toBe(0)
  writeFileSync(join(cwd, 'data/jwt-secret'), 'short')
  expect(await refused({}, cwd)).toContain('jwt-secret')
}, 30_000)

test('refuses a bad value, a damaged database and a taken port with one line that does not tell secrets', async () => {
  const cwd = folder()
  await using server = await start({}, cwd)
  const { port } = new URL(server.address)
  const damaged = folder()
  writeFileSync(join(damaged, 'harrier.sqlite'), 'no database at all, '.repeat(100))
  for (const [env, said] of [
    [{ PORT: 'http' }, /^PORT is "http", accepted is an integer from 0 to 65535$/],
    [{ JWT_SECRET: 'hunter2' }, /^(?!.*hunter2)/],
    [{ PORT: port, DATA_DIR: folder() }, new RegExp(port)],
    [{ HOST: '203.0.113.1', DATA_DIR: folder() }, /^HOST is "203.0.113.1"/],
    [{ DATA_DIR: join(damaged, 'harrier.sqlite/data') }, /^DATA_DIR is ".*sqlite\/data", accepted is a folder/],
    [{ DATA_DIR: damaged }, /^The database is damaged; restore a backup$/],
  ] as const) {
    expect(await refused(env, cwd)).toMatch(said)
  }
}, 30_000)

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
  const said = await refused({ WATCH_DIR: `/import:${watchDir}`, DATA_DIR: join(cwd, data) }, cwd)
  const real = watched.startsWith('link') ? `, that is "${join(cwd, watched.replace('link', 'data'))}"` : ''
  expect(said).toBe(`WATCH_DIR names "${watchDir}"${real}, accepted are folders neither inside nor above DATA_DIR`)
})

test('answers before a body has arrived, whatever its size and the Host header say', async () => {
  await using server = await start({ CORS_ALLOWED_ORIGINS: 'https://run.example.org' }, folder())
  const cookie = await server.login()
  const get = (host: string, path: string) =>
    raw(server, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const strange = ['a b', 'a/b', 'a@b', 'a?b', 'x/health?', '']
  for (const host of ['pi', 'nas', 'x', 'localhost', 'nas:5001', ...strange]) {
    expect(await get(host, '/api/health/')).toContain('{"status":"healthy"}')
  }
  // none of these addresses becomes another one, or open to a stranger
  for (const host of strange)
    for (const path of ['/workouts', '/x/app/workouts', '/x/assets/shoes', '/app/../workouts', '/x//y/health']) {
      expect(await get(host, path), `${host} ${path}`).toStartWith('HTTP/1.1 401')
    }
  const head = await raw(server, 'HEAD /health HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n.*content-length: 20\r\n(.*\r\n)?\r\n$/is)

  const origin = 'Host: pi\r\nOrigin: https://run.example.org\r\n'
  const post = (path: string, length: number | string, more: string) =>
    raw(server, `POST ${path} HTTP/1.1\r\n${origin}${more}Content-Length: ${length}\r\n\r\n{`)
  const allowed = 'Access-Control-Allow-Origin: https://run.example.org'
  const large = await post('/auth/login', 99_999_999, 'Content-Type: application/json\r\n')
  expect(large).toMatch(
    /^HTTP\/1.1 413.*\{"error":"The request body exceeds the limit of 1048576 bytes","code":"body_too_large"\}$/s,
  )
  const stranger = await post('/workouts/import', 600_000_000, 'Content-Type: application/json\r\n')
  expect(stranger).toStartWith('HTTP/1.1 401')
  for (const answer of [large, stranger]) expect(answer).toContain(allowed)
  const multipart = `Cookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=x\r\n`
  for (const length of ['25000000000', '999999999999999', String(Number.MAX_SAFE_INTEGER)]) {
    for (const path of ['/auth/login', '/workouts/import', '/workouts/import/bulk', '/workouts/import/export']) {
      expect(await post(path, length, multipart), `${path} ${length}`).toMatch(
        /^HTTP\/1.1 413.*\{"error":"The (request body|uploaded files) exceeds? the limit of \d+ bytes","code":"body_too_large"\}$/s,
      )
    }
  }
}, 30_000)

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
