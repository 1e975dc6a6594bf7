import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { isRegistrationOpen } from './auth/accounts.ts'
import { type Config, configFromEnvironment } from './config.ts'
import { lockFolder } from './db/lock.ts'
import { openDb } from './db/open.ts'
import type { Deps } from './deps.ts'
import { createEvents } from './events/emitter.ts'
import { serverLimitBytes } from './http/body-limits.ts'
import { startJobs } from './jobs.ts'
import { consoleLog } from './log.ts'
import { storedSecret } from './secret.ts'
import { openMeteoClient } from './weather/client.ts'
import { workerAnalyzer } from './workers/analyzer.ts'

/** How long requests at work may take to end after the process was told to stop; container engines kill after 10 s. */
const FAREWELL_MS = 7_000
/** How long a connection may stay silent before its first request is complete, and between two. */
const IDLE_S = 60

try {
  start(configFromEnvironment())
} catch (error) {
  process.stderr.write(`Harrier cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function start(config: Config): void {
  mkdirSync(config.dataDir, { recursive: true })
  const lock = lockFolder(config.dataDir)
  // leftovers of uploads that a crash cut off
  rmSync(join(config.dataDir, 'tmp'), { recursive: true, force: true })
  mkdirSync(join(config.dataDir, 'tmp'))
  const log = consoleLog(config.logLevel)
  const deps: Deps = {
    db: openDb(join(config.dataDir, 'harrier.sqlite')),
    config,
    now: Date.now,
    weather: openMeteoClient(config),
    log,
    events: createEvents(),
    analyzer: workerAnalyzer(log),
    jwtSecret: config.jwtSecret ?? storedSecret(config.dataDir),
  }
  const app = createApp(deps)
  app.listen({
    port: config.port,
    hostname: config.host,
    maxRequestBodySize: serverLimitBytes(config),
    idleTimeout: IDLE_S,
    reusePort: false,
    development: false,
  })
  const jobs = startJobs(deps)
  announce(deps, app.server?.url.href ?? '')

  const stop = async (signal: string) => {
    log.info(`Stopping after ${signal}`)
    const force = setTimeout(() => void app.server?.stop(true), FAREWELL_MS)
    // streams never end by themselves
    deps.events.close()
    await Promise.allSettled([app.server?.stop(), jobs.stop()])
    clearTimeout(force)
    deps.analyzer.close()
    deps.db.$client.close()
    lock.release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))
}

/** The one line of a start. */
function announce({ db, log }: Deps, address: string): void {
  const line = `Harrier listens on ${address.replace(/\/$/, '')}`
  if (isRegistrationOpen(db)) log.warn(`${line}; registration is open: whoever comes first creates the only user`)
  else log.info(line)
}
