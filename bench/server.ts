import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real server process on its own data folder, with a logged-in caller. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswerMs: number
  /** Registers where nobody is yet, and logs in; before it the server is as idle as after a start. */
  login(): Promise<void>
  /** The session of the runner, for requests that are sent by hand. */
  cookie(): string
  /** Sends with the session of the runner. */
  call(path: string, init?: RequestInit): Promise<Response>
  memory(): Promise<Memory>
  /** Ends the process; the data folder stays for another start until `remove`. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Of the process, MiB. */
interface Memory {
  /** Its share of all pages now, those of the program included. */
  readonly pssMiB: number
  /** Pages of its own now, which no file holds. */
  readonly anonMiB: number
  /** Largest resident size so far. */
  readonly peakRssMiB: number
}

/** An emulated start takes long. */
const START_MS = 120_000
const CREDENTIALS = { username: 'bench', password: 'correct-horse-battery-staple' }

/**
 * What `bun run start` of a checkout starts once the packages are there.
 * @param checkout its folder
 */
export async function startCommand(checkout = join(import.meta.dir, '..')): Promise<readonly string[]> {
  const { scripts } = await Bun.file(join(checkout, 'package.json')).json()
  return ['sh', '-c', `cd "$0" && ${scripts.start.split('&&').at(-1)}`, checkout]
}

/**
 * Starts the service as README does.
 * @param dataDir an existing folder to start on; absent: a new, empty one
 * @param command what is started instead
 */
export async function startServer(
  dataDir?: string,
  command?: readonly string[],
): Promise<BenchServer & { readonly dataDir: string }> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'harrier-bench-')))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const url = `http://127.0.0.1:${port}`
  const started = command ?? (await startCommand())
  const fromMs = performance.now()
  const process_ = Bun.spawn([...started], {
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      WEATHER_ENABLED: 'false',
      LOG_LEVEL: 'error',
    },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  await answered(`${url}/health`)
  const firstAnswerMs = performance.now() - fromMs
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  let cookie = ''
  return {
    url,
    dataDir: folder,
    pid: process_.pid,
    firstAnswerMs,
    login: async () => {
      await fetch(`${url}/auth/register`, json(CREDENTIALS))
      const answer = await fetch(`${url}/auth/login`, json(CREDENTIALS))
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    },
    cookie: () => cookie,
    call: (path, init = {}) => fetch(url + path, { ...init, headers: { ...init.headers, cookie } }),
    memory: () => memoryOf(process_.pid),
    stop: async () => {
      process_.kill('SIGTERM')
      await process_.exited
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function answered(url: string): Promise<void> {
  for (const endMs = Date.now() + START_MS; Date.now() < endMs; ) {
    try {
      if ((await fetch(url)).ok) return
    } catch {
      await Bun.sleep(2)
    }
  }
  throw new Error('The server did not answer')
}

async function memoryOf(pid: number): Promise<Memory> {
  const kib = (text: string, key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return {
    pssMiB: kib(rollup, 'Pss') / 1024,
    anonMiB: kib(rollup, 'Pss_Anon') / 1024,
    peakRssMiB: kib(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmHWM') / 1024,
  }
}

/** A request with the file in a form; by hand, since a form object is read whole, in the process that measures. */
export function multipartOf(path: string): RequestInit {
  const pieces = multipartPieces(path)
  const body = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
  return { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=bench' }, body }
}

async function* multipartPieces(path: string): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  yield encoder.encode('--bench\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n')
  yield* Bun.file(path).stream()
  yield encoder.encode('\r\n--bench--\r\n')
}

/** `35.0 MiB of its own (budget 34), 84.1 MiB PSS`: pages of the program are counted in PSS only, shared with every other Bun. */
export function memoryText({ anonMiB, pssMiB }: Pick<Memory, 'anonMiB' | 'pssMiB'>, budgetMiB: number): string {
  return `${anonMiB.toFixed(1)} MiB of its own (budget ${budgetMiB}), ${pssMiB.toFixed(1)} MiB PSS`
}
