import { accessSync, constants, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createApp, createWorks } from './app.ts'
import { isRegistrationOpen } from './auth/accounts.ts'
import { type Config, configFromEnvironment } from './config.ts'
import { lockFolder } from './db/lock.ts'
import { openDb, putTemporaryFiles } from './db/open.ts'
import type { Deps } from './deps.ts'
import { createEvents } from './events/emitter.ts'
import { startJobs } from './jobs.ts'
import { finishCutOff } from './library/receipts/record.ts'
import { takeBackUnfinished } from './library/score-change.ts'
import { createLoadRefresher } from './library/training/refresh.ts'
import { consoleLog, type Log } from './log.ts'
import { closeFiles, closeFolder } from './private-files.ts'
import { storedSecret } from './secret.ts'
import { openMeteoClient } from './weather/client.ts'
import { workerAnalyzer } from './workers/analyzer.ts'

/** How long requests in progress may take after a signal to stop; container engines kill the process after 10 s. */
const FAREWELL_MS = 7_000
/** How long a connection may be silent before its first request is complete, and between two requests. */
const IDLE_S = 60

/** @returns null while the server runs, 1 when it cannot start */
export function serve(): 1 | null {
  try {
    start(configFromEnvironment())
    return null
  } catch (error) {
    process.stderr.write(`Harrier cannot start: ${messageOf(error)}\n`)
    process.exit(1)
  }
}

function start(config: Config): void {
  // applies to every file written from here on
  process.umask(0o077)
  const log = consoleLog(config.logLevel)
  openFolder(config.dataDir)
  const closing = closed(config.dataDir, log)
  const lock = lockFolder(config.dataDir)
  // leftovers of uploads that a crash interrupted
  rmSync(join(config.dataDir, 'tmp'), { recursive: true, force: true })
  mkdirSync(join(config.dataDir, 'tmp'))
  const base: Omit<Deps, 'loads'> = {
    db: openDb(join(config.dataDir, 'harrier.sqlite')),
    config,
    now: Date.now,
    after: (ms, ring) => {
      const timer = setTimeout(ring, ms)
      return () => clearTimeout(timer)
    },
    weather: openMeteoClient(config),
    log,
    events: createEvents(),
    analyzer: workerAnalyzer(log),
    jwtSecret: config.jwtSecret ?? storedSecret(config.dataDir),
  }
  const deps: Deps = { ...base, loads: createLoadRefresher(base) }
  takeBackUnfinished(deps.db)
  finishCutOff(deps.db, deps.now())
  // SQLite must not write outside of DATA_DIR
  putTemporaryFiles(deps.db, join(config.dataDir, 'tmp'))
  const works = createWorks(deps)
  const app = createApp(deps, works)
  listen(app, config)
  const jobs = startJobs(deps)
  works.watch.start()
  announce(deps, app.server?.url.href ?? '')
  closing.rest()

  const stop = async (signal: string) => {
    log.info(`Stopping after ${signal}`)
    const force = setTimeout(() => void app.server?.stop(true), FAREWELL_MS)
    // event streams never end by themselves
    deps.events.close()
    await Promise.allSettled([app.server?.stop(), jobs.stop(), works.watch.stop()])
    clearTimeout(force)
    deps.analyzer.close()
    deps.db.$client.close()
    lock.release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))
}

/** @throws Error that names the variable, which the system's message does not */
function openFolder(dataDir: string): void {
  try {
    // password hash and routes must not be readable by other users
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const refusal = `DATA_DIR is ${JSON.stringify(dataDir)}, accepted is a folder that this process may write to`
    throw new Error(`${refusal} (${messageOf(cause)})`, { cause })
  }
}

/** Closes DATA_DIR to other users; where the file system has no modes, this is logged once. */
function closed(dataDir: string, log: Log): { rest: () => void } {
  const tell = (error: unknown) => {
    log.warn(`Others on this machine may be able to read DATA_DIR: its modes cannot be set (${messageOf(error)})`)
  }
  try {
    closeFolder(dataDir)
    return { rest: () => void closeFiles(dataDir).catch(tell) }
  } catch (error) {
    tell(error)
    return { rest: () => {} }
  }
}

/** @throws Error that names the variables, which the system's message does not */
function listen(app: ReturnType<typeof createApp>, config: Config): void {
  const { host, port } = config
  try {
    app.listen({
      port,
      hostname: host,
      // every route has its own limit; the server's refusal would have no JSON body
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: IDLE_S,
      reusePort: false,
      development: false,
    })
  } catch (cause) {
    const refusal = `HOST is ${JSON.stringify(host)} and PORT is ${port}, accepted are an address of this machine and a free port`
    throw new Error(`${refusal} (${messageOf(cause)})`, { cause })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Logs the single line of a start. */
function announce({ db, log }: Deps, address: string): void {
  const line = `Harrier listens on ${address.replace(/\/$/, '')}`
  if (isRegistrationOpen(db)) log.warn(`${line}; registration is open: whoever comes first creates the only user`)
  else log.info(line)
}
