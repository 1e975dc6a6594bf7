import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
/** What the browser says when a test looks at the dots of a canvas. */
const READ_BY_TEST = /^Canvas2D: Multiple readback/
const CREDENTIALS = { username: 'runner', password: 'correct-horse-battery-staple' }

export interface RunServer {
  readonly address: string
  /** Imports a file. @returns the id of its run */
  importRun(file: Uint8Array, name?: string): Promise<string>
  /** Adds a photo or video. */
  addMedia(runId: string, name: string, bytes: Uint8Array): Promise<void>
  call(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

/** The real process with an account. @param env further variables */
export async function startRunServer(env: Readonly<Record<string, string>> = {}): Promise<RunServer> {
  const cwd = mkdtempSync(join(tmpdir(), 'harrier-run-page-'))
  const { PATH = '' } = process.env
  const own = { PATH, HOST: '127.0.0.1', PORT: '0', WEATHER_ENABLED: 'false', ...env }
  const child = Bun.spawn([process.execPath, MAIN], { cwd, env: own, stdout: 'ignore', stderr: 'pipe' })
  let text = ''
  for await (const chunk of child.stderr.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  const address = /http:\/\/[\d.:]+/.exec(text)?.[0]
  if (address === undefined) throw new Error(`The server did not start: ${text}`)
  const json = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CREDENTIALS),
  }
  await fetch(`${address}/auth/register`, json)
  const cookie = (await fetch(`${address}/auth/login`, json)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const call = (path: string, init: RequestInit = {}) => {
    return fetch(address + path, { ...init, headers: { ...init.headers, cookie } })
  }
  const upload = async (path: string, name: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.append('file', new File([bytes.slice()], name))
    const answer = await call(path, { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  return {
    address,
    call,
    importRun: async (file, name = 'run.fit') => (await upload('/workouts/import', name, file)).id,
    addMedia: async (runId, name, bytes) => void (await upload(`/workouts/${runId}/media`, name, bytes)),
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

/** A page that is logged in; what goes wrong in it is added to `faults`, requests to anyone else included. */
export async function loggedInPage(
  browser: Browser,
  { address }: RunServer,
  faults: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const look = { locale: 'en-GB', viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...look, ...options })
  await context.request.post(`${address}/auth/login`, { data: CREDENTIALS })
  await context.addInitScript(() => localStorage.setItem('harrier.session', 'in'))
  const page = await context.newPage()
  page.setDefaultTimeout(8_000)
  page.on('console', (message) => {
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && !READ_BY_TEST.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(address) || request.url().startsWith('blob:')
    if (!isOwn) faults.push(`asked for ${request.url()}`)
  })
  return page
}
