import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { embedded } from './embedded.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** Every option of docs/api.md 2, checked. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
  /** null: generated once into dataDir. Never logged. */
  readonly jwtSecret: string | null
  readonly jwtExpirationDays: number
  readonly jwtRememberMeExpirationDays: number
  readonly cookieDomain: string | null
  readonly corsAllowedOrigins: readonly string[]
  readonly trustProxy: boolean
  readonly maxUploadBytes: number
  readonly maxArchiveBytes: number
  readonly mediaMaxFileBytes: number
  /** How long what was changed can be undone; 0: nothing is kept for it. */
  readonly undoDays: number
  /** Of what is kept to undo deletions and the like; the oldest goes first. */
  readonly undoMaxBytes: number
  readonly elevationNoiseThresholdM: number
  readonly elevationMinDistanceM: number
  readonly weatherEnabled: boolean
  readonly weatherBaseUrl: string
  readonly weatherArchiveBaseUrl: string
  /** Where the ground of maps comes from, with `{z}`, `{x}` and `{y}` in it; asked only when the runner wants it. */
  readonly tilesUrl: string
  /** Absolute folders whose files are imported by themselves, each once; empty: none. */
  readonly watchDirs: readonly string[]
  /** Between two looks. */
  readonly watchIntervalS: number
  /** How long a file must have stood still. */
  readonly watchSettleS: number
  readonly logLevel: LogLevel
  readonly buildVersion: string | null
  readonly buildDate: string | null
  readonly gitCommit: string | null
}

export type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
const MIN_SECRET_CHARACTERS = 32
const MAX_DAYS = 3650
/** 1 PiB: more than any disk, and still exact as a number. */
const MAX_BYTES = 2 ** 50

/** The only reader of the environment. @throws Error with one line about the first bad value */
export function configFromEnvironment(): Config {
  return readConfig(Bun.env)
}

/**
 * Every option with its default; a blank variable counts as unset.
 * @throws Error whose message is one line: variable, value (never a secret's) and what is accepted
 */
export function readConfig(env: Environment): Config {
  const text = (name: string) => env[name]?.trim() || null
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

  const dataDir = resolve(text('DATA_DIR') ?? standardDataDir())
  return {
    port: integer('PORT', 5001, { from: 0, to: 65_535 }),
    host: text('HOST') ?? '0.0.0.0',
    dataDir,
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
    undoMaxBytes: bytes('UNDO_MAX_BYTES', 1_073_741_824),
    elevationNoiseThresholdM: metres('ELEVATION_NOISE_THRESHOLD_M', 2),
    elevationMinDistanceM: metres('ELEVATION_MIN_DISTANCE_M', 10),
    weatherEnabled: boolean('WEATHER_ENABLED', true),
    weatherBaseUrl: address('WEATHER_BASE_URL', text('WEATHER_BASE_URL') ?? 'https://api.open-meteo.com'),
    weatherArchiveBaseUrl: address(
      'WEATHER_ARCHIVE_BASE_URL',
      text('WEATHER_ARCHIVE_BASE_URL') ?? 'https://archive-api.open-meteo.com',
    ),
    tilesUrl: tileAddress('MAP_TILES_URL', text('MAP_TILES_URL') ?? 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
    watchDirs: watchDirs('WATCH_DIR', text('WATCH_DIR'), dataDir),
    watchIntervalS: integer('WATCH_INTERVAL_S', 60, { from: 5, to: 86_400 }),
    watchSettleS: integer('WATCH_SETTLE_S', 10, { from: 0, to: 3600 }),
    logLevel: logLevel('LOG_LEVEL', text('LOG_LEVEL') ?? 'info'),
    buildVersion: text('BUILD_VERSION'),
    buildDate: text('BUILD_DATE') ?? embedded?.date ?? null,
    gitCommit: text('GIT_COMMIT') ?? embedded?.commit ?? null,
  }
}

/** Beside the single file, from wherever it is called: a service and its backup find the same library. */
function standardDataDir(): string {
  return embedded === null ? './data' : join(dirname(process.execPath), 'data')
}

/** Passwords, and values of a query, which may be keys, are not shown. */
function refusal(name: string, value: string, accepted: string): Error {
  const harmless = value
    .replace(/\/\/[^/]*@/g, '//***@')
    .replace(/([?&][^=&#]*=)[^&#]*/g, '$1***')
    .replace(/#.*/s, '#***')
  const shown = JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless)
  return new Error(`${name} is ${shown}, accepted is ${accepted}`)
}

function secret(name: string, value: string | undefined): string | null {
  if (value === undefined || value.trim() === '') return null
  if (value.length >= MIN_SECRET_CHARACTERS) return value
  throw new Error(`${name} has ${value.length} characters, accepted is a text of at least ${MIN_SECRET_CHARACTERS}`)
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

/** Without the slash at the end, so that a path can be appended. */
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

/** An address up to its path: the key of a tile server may stand anywhere behind, and in what is no address. */
function serverOf(value: string): string {
  return `${/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+\//i.exec(value)?.[0] ?? ''}…`
}

function httpUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null
}

/** Separated as the folders of PATH are; what this process writes itself is none of them. */
function watchDirs(name: string, value: string | null, dataDir: string): readonly string[] {
  const folders = (value ?? '').split(delimiter).map((folder) => folder.trim())
  const absolute = folders.filter((folder) => folder !== '').map((folder) => resolve(folder))
  const isOurs = (folder: string) =>
    !relative(dataDir, folder).startsWith('..') && !isAbsolute(relative(dataDir, folder))
  if (folders.some((folder) => folder !== '' && !isAbsolute(folder)) || absolute.some(isOurs)) {
    throw refusal(name, value ?? '', `absolute folders outside of DATA_DIR, with ${delimiter} between`)
  }
  return [...new Set(absolute)]
}

function logLevel(name: string, value: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value.toLowerCase())
  if (level === undefined) throw refusal(name, value, 'error, warn, info or debug')
  return level
}
