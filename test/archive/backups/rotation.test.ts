import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { keptStamps, stampOf } from '../../../src/archive/backups/folder.ts'
import { createBackups, dueAt } from '../../../src/archive/backups/scheduled.ts'
import { NONE } from '../../../src/base/last-backup.ts'
import { createTurns } from '../../../src/base/turns.ts'
import { NOW_MS, type TestApp, testApp } from '../../app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (year: number, month: number, day: number, hour: number) => new Date(year, month, day, hour).getTime()

test('after a year of nights 7 days, 4 weeks and 12 months are there, and the latest always', () => {
  const keep = { days: 7, weeks: 4, months: 12 }
  let stamps: string[] = []
  for (let day = 1; day <= 400; day += 1) {
    const latest = stampOf(at(2025, 0, day, 3))
    stamps.push(latest)
    stamps = [...keptStamps(stamps, keep)].toSorted()
    expect(stamps).toContain(latest)
  }
  // the latest is of all three; of weeks 3 more that are older than 7 days, of months 11 more or 10
  const local = stamps.map((stamp) => new Date(stamp.replace(/(\d\d)(\d\d)(\d\d)Z$/, '$1:$2:$3Z')).toDateString())
  expect(local.map((day) => day.slice(4)).join(', ')).toBe(
    [
      'Mar 31 2025, Apr 30 2025, May 31 2025, Jun 30 2025, Jul 31 2025, Aug 31 2025, Sep 30 2025, Oct 31 2025',
      'Nov 30 2025, Dec 31 2025, Jan 18 2026, Jan 25 2026, Jan 29 2026, Jan 30 2026, Jan 31 2026, Feb 01 2026',
      'Feb 02 2026, Feb 03 2026, Feb 04 2026',
    ].join(', '),
  )
})

const now = at(2025, 10, 20, 14)
const today = at(2025, 10, 20, 3)
const made = (ms: number) => ({ ...NONE, made: { stamp: '', at: ms, bytes: 1, isVerified: true } })
const failed = { ...made(today - DAY), failed: { at: now - 100, error: '' } }
test.each([
  ['the first is made ten minutes after the start', now, NONE, now + 600_000],
  ['one of today is followed by that of tomorrow', now - DAY, made(today), at(2025, 10, 21, 3)],
  ['one that was missed while off is made up', now, made(today - DAY), now + 600_000],
  ['one of this night is made while on', now - DAY, made(today - DAY), today],
  ['after a failure it is tried an hour later', now - DAY, failed, now - 100 + HOUR],
])('%s', (_, startedMs, last, expected) => {
  expect(dueAt({ nowMs: now, atMin: 180, startedMs, last })).toBe(expected)
})

const pausing = () => new Promise((resolve) => setTimeout(resolve, 20))
function started(app: TestApp, make: (signal: AbortSignal) => Promise<string | null>) {
  const turns = createTurns({ atOnce: 1 })
  const backups = createBackups(app.deps, { turns: [turns], make: (_, signal) => make(signal) })
  backups.start()
  return { turns, backups }
}
async function minutes(app: TestApp, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    app.pass(60_000)
    await pausing()
  }
}
const env = { BACKUP_DIR: tmpdir() }

test('the service tries a failed backup again every hour, with one warning each', async () => {
  await using app = await testApp({ env })
  const tries: number[] = []
  started(app, async () => {
    tries.push((app.clock.nowMs - NOW_MS) / 60_000)
    return 'EROFS'
  })
  await minutes(app, 75)
  expect(tries).toEqual([10, 70])
  const error = 'The backup ended early; the log says why'
  const warning = `warn ${error}. Next attempt in an hour (EROFS)`
  expect(app.logged).toEqual([warning, warning])
  const said = { enabled: true, at: '03:00', last: null, failed: { error } }
  expect(await app.ok('GET', '/settings/backup')).toMatchObject(said)
})

test('the service waits for an import, gives way to one, and begins again after it', async () => {
  await using app = await testApp({ env })
  const events: string[] = []
  const { turns, backups } = started(app, async (signal) => {
    events.push('began')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    events.push('ended')
    return ''
  })
  const importing = Promise.withResolvers<void>()
  void turns.take(() => importing.promise.then(() => void events.push('imported')))
  await minutes(app, 12)
  importing.resolve()
  await pausing()
  await turns.take(async () => void events.push('import'))
  await minutes(app, 2)
  expect(events).toEqual(['imported', 'began', 'ended', 'import', 'began'])
  await backups.stop()
  expect([events.at(-1), app.logged]).toEqual(['ended', []])
})

test('the service makes no backup without a folder or an account, and says at the start that a folder is none', async () => {
  const file = { BACKUP_DIR: import.meta.path }
  for (const options of [{}, { env, fresh: true }, { env: file, fresh: true }]) {
    await using app = await testApp(options)
    const make = async () => {
      throw new Error('a backup was made')
    }
    started(app, make)
    await minutes(app, 15)
    const why = 'which is not a folder that can be written (ENOTDIR); no backup is made until it is'
    expect(app.logged).toEqual(options.env === file ? [`warn BACKUP_DIR is "${file.BACKUP_DIR}", ${why}`] : [])
  }
})
