import { readdirSync, readFileSync } from 'node:fs'
import { type RealServer, startServer } from '../process/real-server.ts'
import { Defect } from './attack.ts'

/** Thrown by calls that are under way when the service is stopped. */
export class Stopped extends Error {}

export interface Answer {
  readonly status: number
  readonly bytes: Uint8Array
  // biome-ignore lint/suspicious/noExplicitAny: callers read members of answers and compare them
  readonly json: any
}

/** A line of the log that reports a defect. */
const ERROR_LINE = /^\S+ error .*/m
/** No answer takes longer; on a machine that is busy with other things, PATIENCE_S seconds. */
const LONGEST_MS = 1000 * Number(process.env.PATIENCE_S ?? 60)
const LATE_MS = 500

/** The real service on one folder, through starts and stops. */
export class Service {
  requests = 0
  starts = 0
  private server: RealServer | null = null
  /**
   * Refuse the calls under way once the process was stopped, since not every pending request fails by itself. One for
   * each call: a promise for all of them would keep every answer as long as the process lives.
   */
  private readonly underWay = new Set<(stopped: Stopped) => void>()
  private cookie = ''

  constructor(private readonly dataDir: string) {}

  get pid(): number {
    return this.server?.pid ?? 0
  }

  async start(): Promise<void> {
    const server = await startServer({ dataDir: this.dataDir })
    if (this.cookie === '') this.cookie = await server.login()
    this.server = server
    this.starts += 1
  }

  /** @throws Defect when it logged an error, or does not end after the signal */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const server = this.server
    if (server === null) return
    this.server = null
    const code = await server.end(signal)
    const left = [...this.underWay]
    // answers that were sent before are still read
    setTimeout(() => {
      for (const refuse of left) refuse(new Stopped())
    }, LATE_MS)
    const [complaint] = ERROR_LINE.exec(server.log()) ?? []
    if (complaint !== undefined)
      throw new Defect(`Logged: ${server.log().slice(server.log().indexOf(complaint), 2000)}`)
    if (signal === 'SIGTERM' && code !== 0) throw new Defect(`It ended with ${code} when it was asked to stop`)
  }

  /**
   * A call and its whole answer.
   * @throws Stopped when the service was stopped before it had answered; Defect for 5xx, and when it broke off by itself
   */
  async call(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const server = this.server
    if (server === null) throw new Stopped()
    this.requests += 1
    const { promise: unanswered, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`no answer in ${LONGEST_MS} ms`)), LONGEST_MS)
    this.underWay.add(reject)
    try {
      const answer = await Promise.race([answered(server.call(path, { ...init, method }, this.cookie)), unanswered])
      if (answer.status >= 500) throw new Defect(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`)
      return answer
    } catch (error) {
      if (this.server !== server) throw new Stopped()
      if (error instanceof Defect) throw error
      throw new Defect(`${method} ${path} broke off: ${error}\n${server.log().slice(-4000)}`, { cause: error })
    } finally {
      clearTimeout(timer)
      this.underWay.delete(reject)
    }
  }

  async json(method: string, path: string, body: unknown): Promise<Answer> {
    return await this.call(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }

  async upload(path: string, files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<Answer> {
    const form = new FormData()
    for (const { name, bytes } of files) form.append('file', new File([bytes.slice()], name))
    return await this.call('POST', path, { body: form })
  }
}

async function answered(sent: Promise<Response>): Promise<Answer> {
  const response = await sent
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json') === true && bytes.length > 0
  return { status: response.status, bytes, json: isJson ? JSON.parse(Buffer.from(bytes).toString()) : null }
}

/** Memory, open files and threads of a process; null when the system does not give them. */
export function takenBy(pid: number): { rssMiB: number; anonMiB: number; files: number; threads: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const of = (text: string, key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1])
    return {
      rssMiB: Math.round(of(status, 'VmRSS') / 1024),
      anonMiB: Math.round(of(rollup, 'Pss_Anon') / 1024),
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: of(status, 'Threads'),
    }
  } catch {
    return null
  }
}
