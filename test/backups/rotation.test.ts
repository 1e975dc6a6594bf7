import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { NONE } from '../../src/backups/last.ts'
import { stampOf } from '../../src/backups/manifest.ts'
import { keptStamps } from '../../src/backups/rotate.ts'
import { createBackups, dueAt, lowerPriority } from '../../src/backups/scheduled.ts'
import { createTurns } from '../../src/turns.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (year: number, month: number, day: number, hour: number) => new Date(year, month, day, hour).getTime()

describe('rotation', () => {
  test('after a year of nights 7 days, 4 weeks and 12 months are there, and the latest always', () => {
    let stamps: string[] = []
    for (let day = 1; day <= 400; day += 1) {
      stamps.push(stampOf(at(2025, 0, day, 3)))
      const kept = keptStamps(
        stamps.map((stamp) => ({ stamp })),
        { days: 7, weeks: 4, months: 12 },
      )
      stamps = stamps.filter((stamp) => kept.has(stamp))
      expect(stamps).toContain(stampOf(at(2025, 0, day, 3)))
    }
    // the latest is of all three; of weeks 3 more that are older than 7 days, of months 11 more or 10
    const local = stamps.map((stamp) => new Date(stamp.replace(/(\d\d)(\d\d)(\d\d)Z$/, '$1:$2:$3Z')).toDateString())
    expect(local).toEqual([
      ...['Mon Mar 31 2025', 'Wed Apr 30 2025', 'Sat May 31 2025', 'Mon Jun 30 2025'],
      ...['Thu Jul 31 2025', 'Sun Aug 31 2025', 'Tue Sep 30 2025', 'Fri Oct 31 2025', 'Sun Nov 30 2025'],
      ...['Wed Dec 31 2025', 'Sun Jan 18 2026', 'Sun Jan 25 2026', 'Thu Jan 29 2026', 'Fri Jan 30 2026'],
      ...['Sat Jan 31 2026', 'Sun Feb 01 2026', 'Mon Feb 02 2026', 'Tue Feb 03 2026', 'Wed Feb 04 2026'],
    ])
  })
})

describe('when a backup is made', () => {
  const atMin = 180
  const made = (ms: number) => ({ ...NONE, made: { stamp: '', at: ms, bytes: 1, isVerified: true } })
  const now = at(2025, 10, 20, 14)
  const today = at(2025, 10, 20, 3)
  test.each([
    ['the first ten minutes after the start', { startedMs: now, last: NONE }, now + 600_000],
    ['one of today is followed by that of tomorrow', { startedMs: now - DAY, last: made(today) }, at(2025, 10, 21, 3)],
    ['one that was missed while off', { startedMs: now, last: made(today - DAY) }, now + 600_000],
    ['one of this night while on', { startedMs: now - DAY, last: made(today - DAY) }, today],
    [
      'after a failure an hour later',
      { startedMs: now - DAY, last: { ...made(today - DAY), failed: { at: now - 100, error: '' } } },
      now - 100 + HOUR,
    ],
    ['one that a wrong clock made counts for nothing', { startedMs: now - DAY, last: made(now + 9 * DAY) }, today],
  ])('%s', (_, asked, expected) => {
    expect(dueAt({ nowMs: now, atMin, ...asked })).toBe(expected)
  })
})

describe('the service', () => {
  const pausing = () => new Promise((resolve) => setTimeout(resolve, 20))
  const started = async (app: TestApp, make: (signal: AbortSignal) => Promise<string | null>) => {
    const turns = createTurns({ atOnce: 1 })
    const backups = createBackups(app.deps, { turns: [turns], make: (_, signal) => make(signal) })
    backups.start()
    return { turns, backups }
  }
  const minutes = async (app: TestApp, count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      app.pass(60_000)
      await pausing()
    }
  }
  const env = { BACKUP_DIR: tmpdir() }

  test('tries a failed backup again every hour, with one warning each', async () => {
    await using app = await testApp({ env })
    const tries: number[] = []
    await started(app, async () => {
      tries.push((app.clock.nowMs - NOW_MS) / 60_000)
      return 'EROFS'
    })
    await minutes(app, 75)
    expect(tries).toEqual([10, 70])
    const warning = 'warn The backup ended early; the log says why. Next attempt in an hour (EROFS)'
    expect(app.logged).toEqual([warning, warning])
    expect(await app.ok('GET', '/settings/backup')).toMatchObject({
      enabled: true,
      at: '03:00',
      last: null,
      failed: { error: 'The backup ended early; the log says why' },
    })
  })

  test('waits for an import, gives way to one, and begins again after it', async () => {
    await using app = await testApp({ env })
    const events: string[] = []
    const { turns, backups } = await started(app, async (signal) => {
      events.push('began')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      events.push('ended')
      return ''
    })
    const importing = Promise.withResolvers<void>()
    void turns.take(() => importing.promise)
    await minutes(app, 12)
    expect(events).toEqual([])
    importing.resolve()
    await pausing()
    expect(events).toEqual(['began'])
    const begun = performance.now()
    await turns.take(async () => void events.push('import'))
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(events).toEqual(['began', 'ended', 'import'])
    await minutes(app, 2)
    expect(events.slice(3)).toEqual(['began'])
    await backups.stop()
    expect(events.slice(3)).toEqual(['began', 'ended'])
    expect(app.logged).toEqual([])
  })

  test.each([
    ['/nowhere/backups', 'ENOENT'],
    [import.meta.path, 'ENOTDIR'],
  ])('says at the start that %s is no folder', async (BACKUP_DIR, code) => {
    await using app = await testApp({ env: { BACKUP_DIR } })
    await started(app, async () => null)
    await pausing()
    expect(app.logged).toEqual([
      `warn BACKUP_DIR is "${BACKUP_DIR}", which is not a folder that can be written (${code}); no backup is made until it is`,
    ])
  })

  test('says that a backup could not get the lowest priority, but not of one that has ended', () => {
    const logged: string[] = []
    const log = { warn: (text: string) => void logged.push(text) }
    // the pid is of no process
    lowerPriority(2 ** 30, log)
    lowerPriority(1, log, () => {
      throw new Error('EPERM')
    })
    lowerPriority(1, log, (pid, priority) => void logged.push(`${pid} ${priority}`))
    expect(logged).toEqual(['The backup runs at normal priority (Error: EPERM)', '1 19'])
  })

  test('makes none without a folder or an account', async () => {
    await using off = await testApp()
    await using fresh = await testApp({ env, fresh: true })
    let count = 0
    for (const app of [off, fresh]) {
      await started(app, async () => {
        count += 1
        return null
      })
      await minutes(app, 15)
    }
    expect(count).toBe(0)
  })
})
