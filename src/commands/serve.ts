import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createApp, createWorks } from '../app.ts'
import { type Config, configFromEnvironment } from '../base/config.ts'
import { STOPPING } from '../base/errors.ts'
import { createEvents } from '../base/events.ts'
import { consoleLog, type Log } from '../base/log.ts'
import { closeFiles, closeFolder } from '../base/private-files.ts'
import { APPLICATION_VERSION } from '../base/versions.ts'
import { damageIn } from '../db/disk-full.ts'
import { lockFolder } from '../db/lock.ts'
import { openDb, putTemporaryFiles } from '../db/open.ts'
import { isRegistrationOpen } from '../features/auth/accounts.ts'
import { openMeteoClient } from '../features/weather/client.ts'
import type { Deps } from '../library/deps.ts'
import { finishCutOff } from '../library/receipts/record.ts'
import { createLoadRefresher } from '../library/training/refresh.ts'
import { workerLine } from '../workers/worker-line.ts'
import { startJobs } from './jobs.ts'

/** How long requests in progress may take after a signal to stop; container engines kill the process after 10 s. */
const FAREWELL_MS = 7_000
/** How long a connection may be silent before its first request is complete, and between two requests. */
const IDLE_S = 60
/** How long a start waits for a mount that does not answer. */
const MOUNT_MS = 2_000

/** @returns null while the server runs */
export async function serve(): Promise<null> {
  try {
    await start(configFromEnvironment())
    return null
  } catch (error) {
    const isDamaged = damageIn(error, { isFound: false }) !== null
    const why = isDamaged ? 'The database is damaged; restore a backup' : messageOf(error)
    process.stderr.write(`Harrier cannot start: ${why}\n`)
    process.exit(1)
  }
}

async function start(config: Config): Promise<void> {
  // applies to every file written from here on
  process.umask(0o077)
  const log = consoleLog(config.logLevel, { format: config.logFormat })
  for (const [sent, meant] of config.misspelled) log.warn(`The variable ${sent} is unknown; is ${meant} meant?`)
  openFolder(config.dataDir)
  await refuseOwnFolders(config)
  const closing = closed(config.dataDir, log)
  const lock = lockFolder(config.dataDir)
  // leftovers of uploads that a crash interrupted
  rmSync(join(config.dataDir, 'tmp'), { recursive: true, force: true })
  mkdirSync(join(config.dataDir, 'tmp'))
  const base: Omit<Deps, 'loads'> = {
    db: openDb(join(config.dataDir, 'harrier.sqlite'), (from, to) =>
      log.info(`Migrating the database from schema ${from} to ${to}`),
    ),
    damage: { isFound: false },
    config,
    now: Date.now,
    after: (ms, ring) => {
      const timer = setTimeout(ring, ms)
      return () => clearTimeout(timer)
    },
    weather: openMeteoClient(config),
    log,
    events: createEvents(),
    worker: workerLine(log),
    jwtSecret: config.jwtSecret ?? storedSecret(config.dataDir),
  }
  const deps: Deps = { ...base, loads: createLoadRefresher(base) }
  finishCutOff(deps.db, deps.now())
  // SQLite must not write outside of DATA_DIR
  putTemporaryFiles(deps.db, join(config.dataDir, 'tmp'))
  const works = createWorks(deps)
  const app = createApp(deps, works)
  listen(app, config)
  logImports(deps)
  const jobs = startJobs(deps)
  works.watch.start()
  works.backups.start()
  works.sync.start()
  announce(deps, app.server?.url.href ?? '')
  closing.rest()

  const stop = async (signal: string) => {
    log.info(`Stopping after ${signal}`)
    const force = setTimeout(() => void app.server?.stop(true), FAREWELL_MS)
    // event streams never end automatically
    deps.events.close()
    const { watch, backups, sync } = works
    await Promise.allSettled([app.server?.stop(), jobs.stop(), watch.stop(), backups.stop(), sync.stop()])
    clearTimeout(force)
    deps.worker.close()
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

/** @throws Error when a watch folder or the folder of backups is inside or above DATA_DIR, whichever links lead there */
async function refuseOwnFolders({ dataDir, watchDirs, backupDir }: Config): Promise<void> {
  const own = `${await realpath(dataDir)}${sep}`
  for (const [name, folder] of [
    ...watchDirs.map((watched) => ['WATCH_DIR', watched] as const),
    ...(backupDir === null ? [] : [['BACKUP_DIR', backupDir] as const]),
  ]) {
    const real = await Promise.race([realPath(folder), pause(MOUNT_MS, folder)])
    const path = real.endsWith(sep) ? real : `${real}${sep}`
    if (!path.startsWith(own) && !own.startsWith(path)) continue
    const shown = [...new Set([folder, real])].map((name) => JSON.stringify(name)).join(', that is ')
    throw new Error(`${name} names ${shown}, accepted are folders neither inside nor above DATA_DIR`)
  }
}

/** With links followed as far as it exists. */
async function realPath(path: string): Promise<string> {
  return await realpath(path).catch(async () => join(await realPath(dirname(path)), basename(path)))
}

/** Closes DATA_DIR to other users; where the file system has no modes, this is logged once. */
function closed(dataDir: string, log: Log): { rest: () => void } {
  const warn = (error: unknown) => {
    log.warn(`Others on this machine may be able to read DATA_DIR: its modes cannot be set (${messageOf(error)})`)
  }
  try {
    closeFolder(dataDir)
    return { rest: () => void closeFiles(dataDir).catch(warn) }
  } catch (error) {
    warn(error)
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

/** Logs the end of every import and restore, without names. */
function logImports({ events, log }: Deps): void {
  const names = { files: 'Import of files', bulk: 'Import of an export', restore: 'Restore of an archive' }
  events.subscribe(({ event, data }) => {
    if (event !== 'import.done') return
    const { kind, ...ended } = data
    // other reasons may have names of files
    if ('error' in ended)
      return log.info(`${names[kind]}: ${ended.error.startsWith(STOPPING) ? ended.error : 'refused'}`)
    const { successful, skipped, updated, errors, stopped } = ended
    const counts = `${successful} imported, ${skipped} duplicates, ${updated} updated, ${errors} errors`
    log.info(`${names[kind]}: ${counts}${stopped === undefined ? '' : `. ${stopped}`}`)
  })
}

/** Logs the single line of a start. */
function announce({ db, log, config }: Deps, address: string): void {
  const line = `Harrier ${config.buildVersion ?? APPLICATION_VERSION} listens on ${address.replace(/\/$/, '')}`
  if (isRegistrationOpen(db)) log.warn(`${line}; registration is open: the first person to register owns it`)
  else log.info(line)
}

const FILE = 'jwt-secret'
const MIN_CHARACTERS = 32

/**
 * The secret that signs sessions when none is configured: created once, readable by the owner only, and used from then
 * on, so that sessions survive a restart.
 * @throws Error when the file exists but is too short
 */
function storedSecret(dataDir: string): string {
  const path = join(dataDir, FILE)
  if (!existsSync(path)) createSecret(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length >= MIN_CHARACTERS) return secret
  throw new Error(
    `The file ${FILE} in the data folder is damaged; without it a new one is created and all sessions end`,
  )
}

/** Written completely under another name before it is renamed, so that a crash leaves no partial secret. */
function createSecret(path: string): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${randomBytes(48).toString('base64url')}\n`)
  fsyncSync(file)
  linkSync(draft, path)
  rmSync(draft)
}
