import { describe, expect, test } from 'bun:test'
import { readConfig } from '../src/config.ts'

const ORIGINS = 'a comma separated list of origins such as https://run.example.org'

describe('the configuration', () => {
  test('needs no variable at all, and a blank one counts as unset', () => {
    const defaults = readConfig({})
    expect(defaults).toEqual({
      ...{ port: 5001, host: '0.0.0.0', dataDir: `${process.cwd()}/data`, logLevel: 'info', logFormat: 'text' },
      trustProxy: false,
      ...{ jwtSecret: null, jwtExpirationDays: 7, jwtRememberMeExpirationDays: 30 },
      ...{ cookieDomain: null, corsAllowedOrigins: [], undoDays: 30, undoMaxBytes: 1_073_741_824 },
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

  test.each([
    ['PORT', 'http', 'an integer from 0 to 65535'],
    ['PORT', '70000', 'an integer from 0 to 65535'],
    ['PORT', '5001.5', 'an integer from 0 to 65535'],
    ['JWT_EXPIRATION_DAYS', '0', 'an integer from 1 to 3650'],
    ['MAX_UPLOAD_BYTES', '500MB', 'an integer from 1 to 1125899906842624'],
    ['MAX_ARCHIVE_BYTES', '-1', 'an integer from 1 to 1125899906842624'],
    ['TRUST_PROXY', 'yes', 'true or false'],
    ['WEATHER_ENABLED', '1', 'true or false'],
    ['ELEVATION_MIN_DISTANCE_M', '-3', 'a number of metres from 0 to 1000'],
    ['ELEVATION_NOISE_THRESHOLD_M', 'Infinity', 'a number of metres from 0 to 1000'],
    ['WATCH_DIR', 'runs', 'absolute folders, with : between'],
    ['WATCH_DIR', '/import:../runs', 'absolute folders, with : between'],
    ['WATCH_INTERVAL_S', '4', 'an integer from 5 to 86400'],
    ['WATCH_SETTLE_S', '3601', 'an integer from 0 to 3600'],
    ['BACKUP_DIR', 'backups', 'an absolute folder'],
    ['BACKUP_AT', '24:00', 'a time from 00:00 to 23:59'],
    ['BACKUP_AT', '3', 'a time from 00:00 to 23:59'],
    ['BACKUP_KEEP', '7,4', 'days (at least 1), weeks and months such as 7,4,12'],
    ['BACKUP_KEEP', '0,4,12', 'days (at least 1), weeks and months such as 7,4,12'],
    ['LOG_LEVEL', 'verbose', 'error, warn, info or debug'],
    ['LOG_FORMAT', 'xml', 'text or json'],
    ['CORS_ALLOWED_ORIGINS', '*', ORIGINS],
    ['CORS_ALLOWED_ORIGINS', 'https://a.example/path', ORIGINS],
    ['CORS_ALLOWED_ORIGINS', 'https://*.example.org', ORIGINS],
    ['CORS_ALLOWED_ORIGINS', 'ftp://a.example', ORIGINS],
    ['WEATHER_BASE_URL', 'open-meteo', 'an http or https address'],
    ['COOKIE_DOMAIN', 'a b; Secure', 'a domain name such as example.org'],
    ['COOKIE_DOMAIN', `${'a'.repeat(64)}.example`, 'a domain name such as example.org'],
  ])('%s=%s is refused in one line', (name, value, accepted) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      new Error(`${name} is ${JSON.stringify(value)}, accepted is ${accepted}`),
    )
  })

  test('names variables that are one edit from an option, or one with HARRIER_ before it', () => {
    const env = {
      ...{ LOG_LEVL: 'debug', DATADIR: '/srv', JWT_SECERT: 'hush', TRUST_PROXIES: 'true', PROT: '1', hOST: 'x' },
      ...{ BACKUP_DRI: '/mnt', BACKUP_KEP: '1,1,1', BACKUPS: '/mnt' },
      ...{ PORTS: '80', HOSTNAME: 'pi', HOSTS: 'a', UNDO_DAYS: '3', PATH: '/bin', HOME: '/root', LANG: 'C' },
      ...{ HARRIER_BACKUP_DIR: '/mnt', HARRIER_UNDODAYS: '1', HARRIER_HOME: '/opt' },
    }
    expect(readConfig(env).misspelled).toEqual([
      ...([
        ['LOG_LEVL', 'LOG_LEVEL'],
        ['DATADIR', 'DATA_DIR'],
        ['JWT_SECERT', 'JWT_SECRET'],
        ['PROT', 'PORT'],
        ['hOST', 'HOST'],
        ['BACKUP_DRI', 'BACKUP_DIR'],
        ['BACKUP_KEP', 'BACKUP_KEEP'],
        ['PORTS', 'PORT'],
        ['HOSTS', 'HOST'],
        ['HARRIER_BACKUP_DIR', 'BACKUP_DIR'],
        ['HARRIER_UNDODAYS', 'UNDO_DAYS'],
      ] as const),
    ])
  })

  test('a short secret is refused without being shown', () => {
    expect(() => readConfig({ JWT_SECRET: 'hunter2-hunter2' })).toThrow(
      new Error('JWT_SECRET has 15 characters, accepted is a text of at least 32'),
    )
    expect(() => readConfig({ METRICS_TOKEN: 'hunter2-hunter2' })).toThrow(
      new Error('METRICS_TOKEN has 15 characters, accepted is a text of at least 16'),
    )
  })

  test('an address that is refused is shown without its password', () => {
    expect(() => readConfig({ WEATHER_BASE_URL: 'https://runner:hunter2@weather.lan/?x' })).toThrow(
      new Error('WEATHER_BASE_URL is "https://***@weather.lan/?x", accepted is an http or https address'),
    )
  })
})

describe('an address that may carry a key', () => {
  test.each([
    ['https://tile.example/{z}/{x}.png?key=SECRET', 'https://tile.example/…'],
    ['https://tile.example/SECRET/{z}/{x}.png', 'https://tile.example/…'],
    ['https://me:SECRET@tile.example/{z}', 'https://***@tile.example/…'],
    ['https://me:SEC@RET@tile.example/{z}', 'https://***@tile.example/…'],
    ['htps://tile.example/{z}/{x}/{y}.png?key=SECRET', 'htps://tile.example/…'],
    ['tile.example/{z}/{x}/{y}.png?key=SECRET', '…'],
    ['https//tile.example/{z}/{x}/{y}.png?key=SECRET', '…'],
    ['https:tile.example/{z}/{x}?SECRET', '…'],
    ['SECRET', '…'],
  ])('of tiles, %s, is refused without it', (value, shown) => {
    expect(() => readConfig({ MAP_TILES_URL: value })).toThrow(
      new Error(
        `MAP_TILES_URL is ${JSON.stringify(shown)}, accepted is an http or https address with {z}, {x} and {y} in it`,
      ),
    )
  })

  test('of weather is refused without the values of its query', () => {
    expect(() => readConfig({ WEATHER_BASE_URL: 'https://weather.lan/?apikey=SECRET&x=SECRET#SECRET' })).toThrow(
      new Error(
        'WEATHER_BASE_URL is "https://weather.lan/?apikey=***&x=***#***", accepted is an http or https address',
      ),
    )
  })
})

describe('every option', () => {
  const root = new URL('../', import.meta.url).pathname

  test('is in the table of the README and in compose.yaml', async () => {
    const source = await Bun.file(`${root}src/config.ts`).text()
    const options = [...new Set([...source.matchAll(/'([A-Z][A-Z_]*[A-Z])'/g)].map(([, name]) => name ?? ''))]
    expect(options).toHaveLength(33)
    const readme = await Bun.file(`${root}README.md`).text()
    const compose = await Bun.file(`${root}compose.yaml`).text()
    const table = readme.split('\n').filter((line) => line.startsWith('| `'))
    expect(options.filter((name) => !table.some((line) => line.includes(`\`${name}\``)))).toEqual([])
    expect(options.filter((name) => !new RegExp(`^ +${name}: `, 'm').test(compose))).toEqual([])
  })
})
