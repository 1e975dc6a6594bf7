// The real service as a child process with a data folder of its own, so that a test can kill it or take its disk away.

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
export const SOURCES: readonly string[] = [process.execPath, MAIN]
/** The single file, which the wrapper of all tests builds since it starts in half the time; else the sources. */
export const PROGRAM: readonly string[] = process.env.BUILT_PROGRAM ? [process.env.BUILT_PROGRAM] : SOURCES
/** How every way of starting the service bounds what Bun keeps (docs/decisions.md, "One Worker, and one collection in it"). */
export const MEMORY = { MIMALLOC_PURGE_DELAY: '20', BUN_JSC_forceRAMSize: '600000000' } as const
export const CREDENTIALS = { username: 'runner', password: 'correct-horse-battery-staple' }

export interface StartOptions {
  /** As the process sees it; empty: the usual one, of the sources, since that of the single file lies beside it. */
  readonly dataDir: string
  /** Another command line, which gets the program as its last arguments. */
  readonly through?: readonly string[]
  /** What is started instead of PROGRAM. */
  readonly command?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Killed at the end of its scope at the latest. */
export interface RealServer extends AsyncDisposable {
  readonly pid: number
  readonly address: string
  /** What it wrote to standard error so far. */
  log(): string
  /** Registers where nobody is yet, and logs in. @returns the session, which survives the process */
  login(): Promise<string>
  /** Calls with the session of `login`, or with one of another process on the same folder. */
  call(path: string, init?: RequestInit, cookie?: string): Promise<Response>
  /** @returns the exit code */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number>
}

/** @throws Error with what the process said when it does not start */
export async function startServer({ dataDir, through = [], env = {}, ...more }: StartOptions): Promise<RealServer> {
  const child = Bun.spawn([...through, ...(more.command ?? (dataDir === '' ? SOURCES : PROGRAM))], {
    ...(more.cwd === undefined ? {} : { cwd: more.cwd }),
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      WEATHER_ENABLED: 'false',
      DATA_DIR: dataDir,
      ...MEMORY,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let log = ''
  const address = await new Promise<string>((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder()
      // read on afterwards as well: a process whose log nobody takes would wait
      for await (const chunk of child.stderr) {
        log += decoder.decode(chunk, { stream: true })
        const found = /listens on (http:\/\/[\d.:]+)/.exec(log)?.[1]
        if (found !== undefined) resolve(found)
      }
      reject(new Error(`The server did not start: ${log}`))
    }
    void read()
  })
  let session = ''
  const end: RealServer['end'] = async (signal) => {
    child.kill(signal)
    return await child.exited
  }
  const post = (path: string) => {
    const headers = { 'content-type': 'application/json' }
    return fetch(address + path, { method: 'POST', body: JSON.stringify(CREDENTIALS), headers })
  }
  return {
    pid: child.pid,
    address,
    log: () => log,
    login: async () => {
      await post('/auth/register')
      session = ((await post('/auth/login')).headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      return session
    },
    call: (path, init = {}, cookie = session) => {
      return fetch(address + path, { ...init, headers: { ...init.headers, cookie } })
    },
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}

/** A command of the program, as package.json runs it. @param typed what it reads from the keyboard */
export async function command(args: readonly string[], env: Readonly<Record<string, string>>, cwd = '', typed = '') {
  const child = Bun.spawn([...('DATA_DIR' in env ? PROGRAM : SOURCES), ...args], {
    ...(cwd === '' ? {} : { cwd }),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: new TextEncoder().encode(typed),
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, out, err }
}

/** A body of JSON. */
export function json(method: string, body: unknown): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** A multipart body with one file. */
export function oneFile(name: string, bytes: Uint8Array): { readonly method: 'POST'; readonly body: FormData } {
  const body = new FormData()
  body.append('file', new File([bytes.slice()], name))
  return { method: 'POST', body }
}
