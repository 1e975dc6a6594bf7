import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { DAY_S } from '../engine/units.ts'
import { embedded } from './embedded.ts'
import { sourceCommit } from './source-commit.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'
export type LogFormat = 'text' | 'json'

/** Every option of README, validated. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** null: a secret is generated once and stored in dataDir. Never logged. */
  readonly jwtSecret: string | null
  readonly jwtExpirationDays: number
  readonly jwtRememberMeExpirationDays: number
  readonly cookieDomain: string | null
  readonly corsAllowedOrigins: readonly string[]
  readonly trustProxy: boolean
  readonly maxUploadBytes: number
  readonly maxArchiveBytes: number
  readonly mediaMaxFileBytes: number
  /** Days for which a change can be undone; 0: nothing is kept for undoing. */
  readonly undoDays: number
  readonly elevationNoiseThresholdM: number
  readonly elevationMinDistanceM: number
  readonly intervalsBaseUrl: string
  readonly weatherEnabled: boolean
  readonly weatherBaseUrl: string
  readonly weatherArchiveBaseUrl: string
  /** Address template of the tile server, with `{z}`, `{x}` and `{y}`; used only after the runner enabled map tiles. */
  readonly tilesUrl: string
  /** Absolute folders whose files are imported automatically, each once; empty: none. */
  readonly watchDirs: readonly string[]
  /** Seconds between two scans. */
  readonly watchIntervalS: number
  /** Seconds for which a file must be unchanged before it is read. */
  readonly watchSettleS: number
  /** Absolute folder that backups are made in automatically; null: none are. */
  readonly backupDir: string | null
  /** Local time of day for them, minutes since midnight. */
  readonly backupAtMin: number
  readonly backupKeep: BackupKeep
  /** Opens GET /metrics and nothing else; null: sessions and keys only. Never logged. */
  readonly metricsToken: string | null
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  readonly buildVersion: string | null
  readonly buildDate: string | null
  readonly gitCommit: string | null
  /** Variables that are probably misspelled, with the option that each may mean. */
  readonly misspelled: readonly (readonly [sent: string, meant: string])[]
}

/** The last days, weeks and months that have a backup keep their latest one. */
export interface BackupKeep {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

export type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
const LOG_FORMATS: readonly LogFormat[] = ['text', 'json']
const MIN_SECRET_CHARACTERS = 32
const MIN_TOKEN_CHARACTERS = 16
const MAX_DAYS = 3650
/** 1 PiB: larger than any disk, and exact as a number. */
const MAX_BYTES = 2 ** 50

/** Folder of the clone, when the program is started from its sources. */
const SOURCES = join(import.meta.dir, '../..')

/** The only place that reads the environment. @throws Error with one line about the first invalid value */
export function configFromEnvironment(): Config {
  const config = readConfig(Bun.env)
  return embedded === null ? { ...config, gitCommit: config.gitCommit ?? sourceCommit(SOURCES) } : config
}

/**
 * All options with their defaults; a blank variable counts as unset.
 * @throws Error whose message is one line: variable, value (never a secret's) and what is accepted
 */
export function readConfig(env: Environment): Config {
  const known = new Set(['JWT_SECRET', 'METRICS_TOKEN'])
  const text = (name: string) => {
    known.add(name)
    return env[name]?.trim() || null
  }
  const integer = (name: string, standard: number, { from, to }: { from: number; to: number }) => {
    const sent = text(name)
    if (sent === null) return standard
    const value = /^\d{1,16}$/.test(sent) ? Number(sent) : Number.NaN
    if (!(value >= from && value <= to)) throw refusal(name, sent, `an integer from ${from} to ${to}`)
    return value
  }
  const metres = (name: string, standard: number) => {
    const sent = text(name)
    if (sent === null) return standard
    const value = /^\d+(\.\d+)?$/.test(sent) ? Number(sent) : Number.NaN
    if (!(value <= 1000)) throw refusal(name, sent, 'a number of metres from 0 to 1000')
    return value
  }
  const boolean = (name: string, standard: boolean) => {
    const sent = text(name)?.toLowerCase() ?? String(standard)
    if (sent !== 'true' && sent !== 'false') throw refusal(name, sent, 'true or false')
    return sent === 'true'
  }
  const bytes = (name: string, standard: number) => integer(name, standard, { from: 1, to: MAX_BYTES })
  const days = (name: string, standard: number) => integer(name, standard, { from: 1, to: MAX_DAYS })

  return {
    port: integer('PORT', 5001, { from: 0, to: 65_535 }),
    host: text('HOST') ?? '0.0.0.0',
    dataDir: resolve(text('DATA_DIR') ?? standardDataDir()),
    jwtSecret: secret('JWT_SECRET', env.JWT_SECRET),
    jwtExpirationDays: days('JWT_EXPIRATION_DAYS', 7),
    jwtRememberMeExpirationDays: days('JWT_REMEMBER_ME_EXPIRATION_DAYS', 30),
    cookieDomain: cookieDomain('COOKIE_DOMAIN', text('COOKIE_DOMAIN')),
    corsAllowedOrigins: origins('CORS_ALLOWED_ORIGINS', text('CORS_ALLOWED_ORIGINS')),
    trustProxy: boolean('TRUST_PROXY', false),
    maxUploadBytes: bytes('MAX_UPLOAD_BYTES', 524_288_000),
    maxArchiveBytes: bytes('MAX_ARCHIVE_BYTES', 21_474_836_480),
    mediaMaxFileBytes: bytes('MEDIA_MAX_FILE_BYTES', 52_428_800),
    undoDays: integer('UNDO_DAYS', 30, { from: 0, to: MAX_DAYS }),
    elevationNoiseThresholdM: metres('ELEVATION_NOISE_THRESHOLD_M', 2),
    elevationMinDistanceM: metres('ELEVATION_MIN_DISTANCE_M', 10),
    intervalsBaseUrl: address('INTERVALS_BASE_URL', text('INTERVALS_BASE_URL') ?? 'https://intervals.icu/api/v1'),
    weatherEnabled: boolean('WEATHER_ENABLED', true),
    weatherBaseUrl: address('WEATHER_BASE_URL', text('WEATHER_BASE_URL') ?? 'https://api.open-meteo.com'),
    weatherArchiveBaseUrl: address(
      'WEATHER_ARCHIVE_BASE_URL',
      text('WEATHER_ARCHIVE_BASE_URL') ?? 'https://archive-api.open-meteo.com',
    ),
    tilesUrl: tileAddress('MAP_TILES_URL', text('MAP_TILES_URL') ?? 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
    watchDirs: watchDirs('WATCH_DIR', text('WATCH_DIR')),
    watchIntervalS: integer('WATCH_INTERVAL_S', 60, { from: 5, to: DAY_S }),
    watchSettleS: integer('WATCH_SETTLE_S', 10, { from: 0, to: 3600 }),
    backupDir: backupDir('BACKUP_DIR', text('BACKUP_DIR')),
    backupAtMin: timeOfDay('BACKUP_AT', text('BACKUP_AT') ?? '03:00'),
    backupKeep: backupKeep('BACKUP_KEEP', text('BACKUP_KEEP') ?? '7,4,12'),
    metricsToken: secret('METRICS_TOKEN', env.METRICS_TOKEN, MIN_TOKEN_CHARACTERS),
    logLevel: word('LOG_LEVEL', text('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    logFormat: word('LOG_FORMAT', text('LOG_FORMAT') ?? 'text', LOG_FORMATS),
    buildVersion: text('BUILD_VERSION'),
    buildDate: text('BUILD_DATE') ?? embedded?.date ?? null,
    gitCommit: text('GIT_COMMIT') ?? embedded?.commit ?? null,
    misspelled: misspellings(Object.keys(env), [...known]),
  }
}

/** Variables that are not an option, but at most one edit away from one, perhaps with the name of the program before it. */
function misspellings(sent: readonly string[], known: readonly string[]): Config['misspelled'] {
  const others = sent.filter((name) => !known.includes(name))
  return others.flatMap((name) => {
    const bare = name.replace(/^HARRIER_/, '')
    return known.filter((option) => isOneEdit(bare, option)).map((option) => [name, option] as const)
  })
}

/** Whether two texts differ in one letter that is missing, added, another, or swapped with the next. */
function isOneEdit(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [a = '', b = ''] = [one, other].map((text) => text.slice(start, text.length - end))
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && b === `${a[1]}${a[0]}`)
}

/** Next to the executable, wherever it is started from, so that a service and its backup use the same library. */
function standardDataDir(): string {
  return embedded === null ? './data' : join(dirname(process.execPath), 'data')
}

/** Hides passwords and query values, which may be keys. */
function refusal(name: string, value: string, accepted: string): Error {
  const harmless = value
    .replace(/\/\/[^/]*@/g, '//***@')
    .replace(/([?&][^=&#]*=)[^&#]*/g, '$1***')
    .replace(/#.*/s, '#***')
  const shown = JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless)
  return new Error(`${name} is ${shown}, accepted is ${accepted}`)
}

function secret(name: string, value: string | undefined, least = MIN_SECRET_CHARACTERS): string | null {
  if (value === undefined || value.trim() === '') return null
  if (value.length >= least) return value
  throw new Error(`${name} has ${value.length} characters, accepted is a text of at least ${least}`)
}

function cookieDomain(name: string, value: string | null): string | null {
  const isDomain =
    value === null || /^\.?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(value)
  if (!isDomain) throw refusal(name, value, 'a domain name such as example.org')
  return value
}

function origins(name: string, value: string | null): readonly string[] {
  const list = (value ?? '').split(',').map((origin) => origin.trim())
  return list.filter((origin) => origin !== '').map((origin) => originOf(name, origin))
}

function originOf(name: string, value: string): string {
  const url = httpUrl(value)
  if (url === null || url.href !== `${url.origin}/` || url.host.includes('*')) {
    throw refusal(name, value, 'a comma separated list of origins such as https://run.example.org')
  }
  return url.origin
}

/** Without a final slash, so that a path can be appended. */
function address(name: string, value: string): string {
  const url = httpUrl(value)
  if (url === null || url.search !== '' || url.hash !== '') throw refusal(name, value, 'an http or https address')
  return value.replace(/\/+$/, '')
}

function tileAddress(name: string, value: string): string {
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => value.includes(place))
  if (!hasPlaces || httpUrl(value.replace(/\{[xyz]\}/g, '0')) === null) {
    throw refusal(name, serverOf(value), 'an http or https address with {z}, {x} and {y} in it')
  }
  return value
}

/**
 * An address up to its path, since the key of a tile server may follow anywhere after it; also of an invalid address.
 */
function serverOf(value: string): string {
  return `${/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+\//i.exec(value)?.[0] ?? ''}…`
}

function httpUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null
}

/** Separated like the folders of PATH. */
function watchDirs(name: string, value: string | null): readonly string[] {
  const folders = (value ?? '').split(delimiter).map((folder) => folder.trim())
  const named = folders.filter((folder) => folder !== '')
  if (!named.every(isAbsolute)) throw refusal(name, value ?? '', `absolute folders, with ${delimiter} between`)
  return [...new Set(named.map((folder) => resolve(folder)))]
}

function backupDir(name: string, value: string | null): string | null {
  if (value !== null && !isAbsolute(value)) throw refusal(name, value, 'an absolute folder')
  return value === null ? null : resolve(value)
}

function timeOfDay(name: string, value: string): number {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(value) ?? []
  if (hours === undefined) throw refusal(name, value, 'a time from 00:00 to 23:59')
  return Number(hours) * 60 + Number(minutes)
}

function backupKeep(name: string, value: string): BackupKeep {
  const [days = 0, weeks = 0, months = 0] = value.split(',').map(Number)
  if (!/^\d{1,4} *, *\d{1,4} *, *\d{1,4}$/.test(value) || days === 0) {
    throw refusal(name, value, 'days (at least 1), weeks and months such as 7,4,12')
  }
  return { days, weeks, months }
}

function word<T extends string>(name: string, value: string, accepted: readonly T[]): T {
  const found = accepted.find((one) => one === value.toLowerCase())
  if (found === undefined) throw refusal(name, value, `${accepted.slice(0, -1).join(', ')} or ${accepted.at(-1)}`)
  return found
}
