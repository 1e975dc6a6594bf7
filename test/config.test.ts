import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '../src/base/config.ts'

const TILES = 'an http or https address with {z}, {x} and {y} in it'
const ORIGINS = 'a comma separated list of origins such as https://run.example.org'

describe('the configuration', () => {
  test('needs no variable at all, and a blank one counts as unset', () => {
    const defaults = readConfig({})
    expect(defaults).toEqual({
      ...{ port: 5001, host: '0.0.0.0', dataDir: `${process.cwd()}/data`, logLevel: 'info', logFormat: 'text' },
      trustProxy: false,
      ...{ jwtSecret: null, jwtExpirationDays: 7, jwtRememberMeExpirationDays: 30 },
      ...{ cookieDomain: null, corsAllowedOrigins: [], undoDays: 30 },
      ...{ maxUploadBytes: 524_288_000, maxArchiveBytes: 21_474_836_480, mediaMaxFileBytes: 52_428_800 },
      ...{ elevationNoiseThresholdM: 2, elevationMinDistanceM: 10, weatherEnabled: true },
      ...{ weatherBaseUrl: 'https://api.open-meteo.com', weatherArchiveBaseUrl: 'https://archive-api.open-meteo.com' },
      intervalsBaseUrl: 'https://intervals.icu/api/v1',
      ...{ tilesUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', watchDirs: [], watchIntervalS: 60 },
      ...{ backupDir: null, backupAtMin: 180, backupKeep: { days: 7, weeks: 4, months: 12 }, metricsToken: null },
      ...{ watchSettleS: 10, buildVersion: null, buildDate: null, gitCommit: null },
      misspelled: [],
    })
    expect(readConfig({ PORT: '', JWT_SECRET: ' ', TRUST_PROXY: '', CORS_ALLOWED_ORIGINS: ' , ' })).toEqual(defaults)
  })

  test('reads every kind of value', () => {
    const origins = 'https://Run.example.org:443, http://localhost:3000/, https://läufer.example'
    const config = readConfig({
      ...{ PORT: '8080', DATA_DIR: '/srv/runs', TRUST_PROXY: 'TRUE', CORS_ALLOWED_ORIGINS: origins },
      ...{ ELEVATION_NOISE_THRESHOLD_M: '2.5', WEATHER_BASE_URL: 'http://weather.lan:8080/om/', LOG_LEVEL: 'DEBUG' },
      ...{ COOKIE_DOMAIN: '.example.org', WATCH_DIR: '/import:/mnt/watch folder/:/import', WATCH_INTERVAL_S: '5' },
      ...{ WATCH_SETTLE_S: '0', BACKUP_DIR: '/mnt/nas/harrier/', BACKUP_AT: '4:30', BACKUP_KEEP: '1, 0, 24' },
    })
    expect(config).toMatchObject({
      ...{ port: 8080, dataDir: '/srv/runs', trustProxy: true, elevationNoiseThresholdM: 2.5, logLevel: 'debug' },
      corsAllowedOrigins: ['https://run.example.org', 'http://localhost:3000', 'https://xn--lufer-gra.example'],
      ...{ weatherBaseUrl: 'http://weather.lan:8080/om', cookieDomain: '.example.org', watchIntervalS: 5 },
      ...{ watchDirs: ['/import', '/mnt/watch folder'], watchSettleS: 0 },
      ...{ backupDir: '/mnt/nas/harrier', backupAtMin: 270, backupKeep: { days: 1, weeks: 0, months: 24 } },
    })
  })

  const refusals: readonly (readonly [name: string, accepted: string, ...values: string[]])[] = [
    ['PORT', 'an integer from 0 to 65535', 'http', '70000', '5001.5'],
    ['JWT_EXPIRATION_DAYS', 'an integer from 1 to 3650', '0'],
    ['MAX_UPLOAD_BYTES', 'an integer from 1 to 1125899906842624', '500MB'],
    ['TRUST_PROXY', 'true or false', 'yes'],
    ['WEATHER_ENABLED', 'true or false', '1'],
    ['ELEVATION_MIN_DISTANCE_M', 'a number of metres from 0 to 1000', '-3'],
    ['WATCH_DIR', 'absolute folders, with : between', 'runs', '/import:../runs'],
    ['WATCH_INTERVAL_S', 'an integer from 5 to 86400', '4'],
    ['BACKUP_DIR', 'an absolute folder', 'backups'],
    ['BACKUP_AT', 'a time from 00:00 to 23:59', '24:00', '3'],
    ['BACKUP_KEEP', 'days (at least 1), weeks and months such as 7,4,12', '7,4', '0,4,12'],
    ['LOG_LEVEL', 'error, warn, info or debug', 'verbose'],
    ['LOG_FORMAT', 'text or json', 'xml'],
    ['CORS_ALLOWED_ORIGINS', ORIGINS, '*', 'https://a.example/path', 'https://*.example.org', 'ftp://a.example'],
    ['WEATHER_BASE_URL', 'an http or https address', 'open-meteo'],
    ['COOKIE_DOMAIN', 'a domain name such as example.org', 'a b; Secure', `${'a'.repeat(64)}.example`],
  ]
  test.each(refusals)('%s takes %s, and refuses anything else in one line', (name, accepted, ...values) => {
    for (const value of values.filter((one) => typeof one === 'string')) {
      const line = `${name} is ${JSON.stringify(value)}, accepted is ${accepted}`
      expect(() => readConfig({ [name]: value })).toThrow(new Error(line))
    }
  })

  test('names variables that are one edit from an option, or one with HARRIER_ before it', () => {
    const env = {
      ...{ LOG_LEVL: 'debug', DATADIR: '/srv', JWT_SECERT: 'hush', TRUST_PROXIES: 'true', PROT: '1', hOST: 'x' },
      ...{ BACKUP_DRI: '/mnt', BACKUP_KEP: '1,1,1', BACKUPS: '/mnt' },
      ...{ PORTS: '80', HOSTNAME: 'pi', HOSTS: 'a', UNDO_DAYS: '3', PATH: '/bin', HOME: '/root', LANG: 'C' },
      ...{ HARRIER_BACKUP_DIR: '/mnt', HARRIER_UNDODAYS: '1', HARRIER_HOME: '/opt' },
    }
    const named = Object.entries({
      ...{ LOG_LEVL: 'LOG_LEVEL', DATADIR: 'DATA_DIR', JWT_SECERT: 'JWT_SECRET', PROT: 'PORT', hOST: 'HOST' },
      ...{ BACKUP_DRI: 'BACKUP_DIR', BACKUP_KEP: 'BACKUP_KEEP', PORTS: 'PORT', HOSTS: 'HOST' },
      ...{ HARRIER_BACKUP_DIR: 'BACKUP_DIR', HARRIER_UNDODAYS: 'UNDO_DAYS' },
    })
    expect(readConfig(env).misspelled).toEqual(named as never)
  })

  test.each([
    ['JWT_SECRET', 'hunter2-hunter2', 'has 15 characters, accepted is a text of at least 32'],
    ['METRICS_TOKEN', 'hunter2-hunter2', 'has 15 characters, accepted is a text of at least 16'],
    ...[
      ['https://runner:hunter2@weather.lan/?x', 'https://***@weather.lan/?x'],
      ['https://weather.lan/?apikey=SECRET&x=SECRET#SECRET', 'https://weather.lan/?apikey=***&x=***#***'],
    ].map(([value, shown]) => ['WEATHER_BASE_URL', value!, `is "${shown}", accepted is an http or https address`]),
    ...[
      ['https://tile.example/{z}/{x}.png?key=SECRET', 'https://tile.example/…'],
      ['https://me:SECRET@tile.example/{z}', 'https://***@tile.example/…'],
      ['https://me:SEC@RET@tile.example/{z}', 'https://***@tile.example/…'],
      ['SECRET', '…'],
    ].map(([value, shown]) => ['MAP_TILES_URL', value!, `is "${shown}", accepted is ${TILES}`]),
  ])('a secret is not shown: %s=%s', (name, value, line) => {
    expect(() => readConfig({ [name!]: value })).toThrow(new Error(`${name} ${line}`))
  })
})

test('every option is in the table of the README and in compose.yaml', async () => {
  const [source, readme, compose] = await Promise.all(
    ['src/base/config.ts', 'README.md', 'compose.yaml'].map((path) =>
      Bun.file(join(import.meta.dir, '..', path)).text(),
    ),
  )
  const options = [...new Set([...source!.matchAll(/'([A-Z][A-Z_]*[A-Z])'/g)].map(([, name]) => name ?? ''))]
  expect(options).toHaveLength(32)
  const table = readme!.split('\n').filter((line) => line.startsWith('| `'))
  expect(options.filter((name) => !table.some((line) => line.includes(`\`${name}\``)))).toEqual([])
  expect(options.filter((name) => !new RegExp(`^ +${name}: `, 'm').test(compose!))).toEqual([])
})
