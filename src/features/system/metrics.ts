import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastBackup } from '../../base/last-backup.ts'
import { APPLICATION_VERSION } from '../../base/versions.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import type { Deps } from '../../library/deps.ts'

export type Requests = ReturnType<typeof createRequests>

/** What the parts of the running service know; counts and Unix milliseconds. */
export interface Running {
  readonly importsWaiting: number
  readonly watch: { readonly folders: readonly { readonly state: string }[]; readonly lastLookAt: number | null }
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Counts answers by the pattern of their route, so that no id or name is among them. */
export function createRequests() {
  const counts = new Map<string, number>()
  return {
    note: (method: string, route: string, status: number) => {
      const labels = labelsOf({ method: METHODS.includes(method) ? method : 'other', route, status: String(status) })
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
    },
    counts: (): ReadonlyMap<string, number> => counts,
  }
}

type Value = number | null | ReadonlyMap<string, number>

/** Prometheus text 0.0.4. What is not known is left out, and so is the database when it cannot be read. */
export function metricsText(deps: Deps, requests: Requests, running: Running): string {
  const { config, damage, now } = deps
  const { made, failed } = lastBackup(config.dataDir)
  const { bavail, blocks, bsize } = statfsSync(config.dataDir)
  const library = libraryNumbers(deps)
  const { watch } = running
  const lines: string[] = []
  const add = (name: string, type: 'gauge' | 'counter', help: string, value: Value) => {
    const values = typeof value === 'number' ? [['', value] as const] : [...(value ?? [])]
    if (values.length === 0) return
    lines.push(`# HELP harrier_${name} ${help}`, `# TYPE harrier_${name} ${type}`)
    for (const [labels, number] of values) lines.push(`harrier_${name}${labels} ${number}`)
  }
  const seconds = (ms: number | null | undefined) => (ms == null ? null : ms / 1000)

  add(
    'info',
    'gauge',
    'The running version.',
    new Map([
      [labelsOf({ version: config.buildVersion ?? APPLICATION_VERSION, commit: config.gitCommit ?? 'unknown' }), 1],
    ]),
  )
  add('runs', 'gauge', 'Runs of the library, without the trash.', library?.runs ?? null)
  add('runs_outdated', 'gauge', 'Runs whose numbers an older version derived.', library?.outdated ?? null)
  add('loads_outdated', 'gauge', '1 while loads wait to be computed again.', library?.loadsOutdated ?? null)
  const queues = new Map([[labelsOf({ queue: 'imports' }), running.importsWaiting]])
  if (library !== null) {
    queues.set(labelsOf({ queue: 'weather' }), library.weather)
    queues.set(labelsOf({ queue: 'watch_folder' }), library.watchWaiting)
  }
  add('queue_length', 'gauge', 'Works that wait.', queues)
  add('last_import_timestamp_seconds', 'gauge', 'When the last import ended.', seconds(library?.importedAt))
  add('last_upload_timestamp_seconds', 'gauge', 'When a phone or script last sent a file.', seconds(library?.uploadAt))
  add('watch_folders', 'gauge', 'Watched folders.', watch.folders.length)
  const away = watch.folders.filter(({ state }) => state !== 'watching').length
  add('watch_folders_away', 'gauge', 'Watched folders that cannot be reached or read.', away)
  add(
    'watch_look_timestamp_seconds',
    'gauge',
    'When the watched folders were last looked at.',
    seconds(watch.lastLookAt),
  )
  add('last_backup_timestamp_seconds', 'gauge', 'When the last backup was made.', seconds(made?.at))
  add('last_backup_bytes', 'gauge', 'What the last backup takes.', made?.bytes ?? null)
  add(
    'last_backup_verified',
    'gauge',
    '1 when the last backup was read again.',
    made === null ? null : Number(made.isVerified),
  )
  add('backup_failed', 'gauge', '1 when a backup failed since the last one.', Number(failed !== null))
  add('last_sync_timestamp_seconds', 'gauge', 'When intervals.icu was last asked.', seconds(library?.syncedAt))
  add('sync_failed', 'gauge', '1 when the last round of intervals.icu failed.', library?.syncFailed ?? null)
  add('database_damaged', 'gauge', '1 when the database is damaged.', Number(damage.isFound))
  add('database_bytes', 'gauge', 'Database with its log.', databaseBytes(config.dataDir))
  add('disk_free_bytes', 'gauge', 'Free space of the disk of DATA_DIR.', bavail * bsize)
  add('disk_bytes', 'gauge', 'Size of that disk.', blocks * bsize)
  add('memory_resident_bytes', 'gauge', 'Resident memory of the process.', process.memoryUsage.rss())
  add('start_timestamp_seconds', 'gauge', 'When the process was started.', Math.round(now() / 1000 - process.uptime()))
  add('http_requests_total', 'counter', 'Answers since the start.', requests.counts())
  return `${lines.join('\n')}\n`
}

interface LibraryNumbers {
  readonly runs: number
  readonly outdated: number
  readonly loadsOutdated: number
  readonly weather: number
  readonly watchWaiting: number
  readonly importedAt: number | null
  readonly uploadAt: number | null
  /** As `syncFailed`: null when nothing is connected. */
  readonly syncedAt: number | null
  readonly syncFailed: number | null
}

/** null: the database cannot be read. */
function libraryNumbers({ db, log }: Deps): LibraryNumbers | null {
  try {
    return db.$client.query<LibraryNumbers, [number]>(NUMBERS).get(ENGINE_VERSION)
  } catch (error) {
    log.error('The database does not respond', error)
    return null
  }
}

const NUMBERS = `SELECT
  (SELECT count(*) FROM workout) AS runs,
  (SELECT count(*) FROM workout WHERE engine_version < ?) AS outdated,
  (SELECT coalesce(max(revision > computed), 0) FROM training_state) AS loadsOutdated,
  (SELECT count(*) FROM weather_job) AS weather,
  (SELECT count(*) FROM watch_file WHERE outcome = 'waiting') AS watchWaiting,
  (SELECT finished_at FROM receipt WHERE kind = 'import' AND finished_at IS NOT NULL ORDER BY made_at DESC LIMIT 1) AS importedAt,
  (SELECT max(last_upload_at) FROM api_key) AS uploadAt,
  (SELECT last_run_at FROM sync_account) AS syncedAt,
  (SELECT state <> 'ok' FROM sync_account) AS syncFailed`

function databaseBytes(dataDir: string): number | null {
  const sizes = ['', '-wal'].map(
    (end) => statSync(join(dataDir, `harrier.sqlite${end}`), { throwIfNoEntry: false })?.size,
  )
  return sizes[0] === undefined ? null : sizes[0] + (sizes[1] ?? 0)
}

/** Values are escaped as the format asks. */
function labelsOf(labels: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`
}
