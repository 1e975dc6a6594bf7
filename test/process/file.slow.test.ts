import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { fitRun } from '../fixtures/runs.ts'
import { chromiumPath, drop, launch, PASSWORD, USERNAME, watchedPage, welcome } from '../page/browser.ts'
import { tempFolder } from '../temp-folder.ts'
import { builtFile } from './built-file.ts'
import { type RealServer, startServer } from './real-server.ts'

const chromium = chromiumPath()
const work = tempFolder()
/** Nothing is in it but the file, and the data that it makes. */
const home = join(work, 'home')
/** What a process might write to besides; all of them must stay empty. */
const elsewhere = ['cwd', 'user', 'tmp'].map((name) => join(work, name))
const [cwd = '', user = '', tmp = ''] = elsewhere
const harrier = join(home, 'harrier')
/** Neither Bun nor Node, nor anything else, can be found. */
const env = { PATH: cwd, HOME: user, TMPDIR: tmp, DATA_DIR: '' }
const archive = join(home, 'library.zip')
/** Notes each file that is opened or made; the process itself stays our child. */
const strace = Bun.which('strace')
const trace = join(work, 'trace')
const calls = 'trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat'
const watch = strace === null ? [] : [strace, '-D', '-f', '-qq', '-e', calls, '-o', trace]
let server: RealServer

beforeAll(async () => {
  for (const folder of [home, ...elsewhere]) mkdirSync(folder)
  copyFileSync(process.env.BUILT_PROGRAM ?? (await builtFile('harrier-linux-x64', join(work, 'a'))), harrier)
  chmodSync(harrier, 0o755)
  server = await startServer({ through: watch, command: [harrier], dataDir: '', env, cwd })
}, 120_000)
afterAll(async () => {
  await server?.end('SIGKILL')
})

function run(...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([harrier, ...args], { cwd, env })
  return { exitCode, out: stdout.toString(), err: stderr.toString() }
}

test('the file is the same bytes wherever it is built', async () => {
  const again = readFileSync(await builtFile('harrier-linux-x64', join(work, 'b')))
  expect(again.equals(readFileSync(harrier))).toBe(true)
  expect(again.includes(work) || again.includes(process.cwd())).toBe(false)
}, 120_000)

test('the file is as large as the README says', async () => {
  const bytes = readFileSync(harrier)
  const said = /large: (\d+)–(\d+) MB, (\d+)–(\d+) MB gzipped/.exec(
    await Bun.file(`${import.meta.dir}/../../README.md`).text(),
  )
  const [least, most, leastPacked, mostPacked] = said!.slice(1).map((megabytes) => Number(megabytes) * 1e6)
  expect(bytes.length).toBeWithin(least! - 5e5, most! + 5e5)
  expect(Bun.gzipSync(bytes, { level: 6 }).length).toBeWithin(leastPacked! - 5e5, mostPacked! + 5e5)
}, 60_000)

describe.skipIf(chromium === null)('the file alone, in a browser', () => {
  test('brings the page: account, import by dropping a file, the run with its charts', async () => {
    const browser = await launch(chromium ?? '')
    try {
      const { page, faults } = await watchedPage(browser, server.address)
      await welcome(page, server.address)
      await drop(page, [{ name: 'morning.fit', bytes: fitRun({ startMs: Date.now() - 7_200_000 }) }])
      const link = await page.getByRole('link', { name: 'morning.fit' }).getAttribute('href')
      await page.goto(server.address + link)
      await page.locator('.run-figure').first().waitFor()
      expect(await page.locator('.run-figure').allTextContents()).toContain('Distance1.80km')
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  }, 90_000)
})

test('it brings the service worker, which names what the file has', async () => {
  const answer = await fetch(`${server.address}/service-worker.js`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  const files: string[] = JSON.parse(/^const FILES = (.*)$/m.exec(await answer.text())?.[1] ?? '[]')
  expect(files.length).toBeGreaterThan(3)
  for (const path of files) expect([path, (await fetch(server.address + path)).status]).toEqual([path, 200])
})

test('it brings the page of the API', async () => {
  const html = await (await fetch(`${server.address}/swagger`)).text()
  const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(parts.length).toBeGreaterThan(2)
  for (const path of [...parts, '/swagger/json']) {
    const answer = await fetch(server.address + path)
    expect([path, answer.status, (await answer.text()).length > 50]).toEqual([path, 200, true])
  }
})

test('it imports, exports, backs up and verifies', async () => {
  await server.login()
  const body = new FormData()
  body.append('file', new File([fitRun({ seconds: 900 }).slice()], 'a.fit'))
  expect((await server.call('/workouts/import', { method: 'POST', body })).status).toBe(200)
  const exported = await server.call('/workouts/export', { method: 'POST' })
  await Bun.write(archive, exported)

  const verified = run('verify', archive)
  expect(verified).toMatchObject({ exitCode: 0, err: '' })
  expect(verified.out).toEndWith('\nEverything in the archive was restored and is identical.\n')
  expect(run('backup', join(home, 'backup.zip'))).toMatchObject({ exitCode: 0, err: '' })
  const folder = join(home, 'backups')
  mkdirSync(folder)
  expect(run('backup', folder)).toMatchObject({ exitCode: 0, err: '', out: expect.stringMatching(/verified\n$/) })
  expect(run('verify', folder)).toMatchObject({ exitCode: 0, err: '', out: expect.stringMatching(/all right\n$/) })
  expect(run('restore', folder, join(home, 'restored'))).toMatchObject({ exitCode: 0, err: '' })
  expect(existsSync(join(home, 'restored/harrier.sqlite'))).toBe(true)
  for (const made of [folder, join(home, 'restored')]) rmSync(made, { recursive: true })
  expect(run('verify')).toEqual({ exitCode: 2, out: '', err: 'Usage: harrier verify <file>\n' })
}, 90_000)

test('it says what it is, what it can do, and what it was built of', async () => {
  const commit = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: import.meta.dir })
    .stdout.toString()
    .trim()
  const { out } = run('--version')
  expect(out).toStartWith(`harrier ${packageJson.version}`)
  expect(out).toContain(commit.slice(0, 12))
  const version = (await (await server.call('/version')).json()) as { gitCommit: string }
  expect(version.gitCommit).toStartWith(commit === '' ? 'unknown' : commit)
  expect(run('--help').out).toContain('harrier reset-password')
  expect(run('serv')).toMatchObject({ exitCode: 2, err: expect.stringContaining('There is no command "serv"') })
})

test('it sets a forgotten password', async () => {
  const child = Bun.spawn([harrier, 'reset-password'], { cwd, env, stdin: 'pipe', stdout: 'pipe' })
  child.stdin.write('a-better-password-than-that\n')
  child.stdin.end()
  expect(await new Response(child.stdout).text()).toStartWith(`The password of ${USERNAME} is changed`)
  const login = (password: string) => {
    const headers = { 'content-type': 'application/json' }
    return server.call('/auth/login', {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: USERNAME, password }),
    })
  }
  expect((await login(PASSWORD)).status).toBe(401)
  expect((await login('a-better-password-than-that')).status).toBe(200)
})

test('all that it wrote is beside it', () => {
  expect(readdirSync(home).toSorted()).toEqual(['backup.zip', 'data', 'harrier', 'library.zip'])
  expect(existsSync(join(home, 'data/harrier.sqlite'))).toBe(true)
  expect(elsewhere.map((folder) => readdirSync(folder))).toEqual([[], [], []])
})

test.skipIf(strace === null)('no file outside of DATA_DIR was made or written, however short-lived', async () => {
  expect(await server.end('SIGTERM')).toBe(0)
  const writing = /O_WRONLY|O_RDWR|O_CREAT|(?:creat|mkdir|mkdirat|rename\w*|link|linkat|symlink\w*)\(/
  const lines = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => writing.test(line) && !/ = -1 /.test(line))
  expect(lines.filter((line) => line.includes(`"${home}/data/`)).length).toBeGreaterThan(5)
  expect(lines.filter((line) => !line.includes(`"${home}/data`) && !line.includes('"/dev/null"'))).toEqual([])
})
