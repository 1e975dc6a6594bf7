import { describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, featureApp } from '../fixtures/feature-app.ts'
import { runId } from './library.ts'

const WITH_OFFSET = [
  ...['daily', 'monthly', 'weekly', 'relative-effort', 'weekly-recap', 'yearly', 'yearly-weekly'],
  ...['available-periods', 'available-years', 'insights'],
]

const app = featureApp(statsRoutes)
for (let n = 0; n < 12; n += 1) addWorkout(app.deps, { id: runId(n), startedAt: Date.UTC(2024, n, 28) })

describe('huge or malformed offsets and dates are 400, never 500', () => {
  const numbers = ['841', '-841', '99999999999999999999', '-1e3', '1.5', 'NaN', 'abc', '', '0x10', '%00']
  const offsets = [...numbers, '60&timezoneOffsetMinutes=60']
  test.each(WITH_OFFSET.flatMap((path) => offsets.map((offset): [string, string] => [path, offset])))(
    '/stats/%s?timezoneOffsetMinutes=%s',
    async (path, offset) => {
      const { status, body } = await app.ask('GET', `/stats/${path}?timezoneOffsetMinutes=${offset}`)
      expect(status).toBe(400)
      expect((body as { error: string }).error).toStartWith('timezoneOffsetMinutes must ')
    },
  )

  const dates = [
    ...['2025-02-29', '2025-13-01', '2025-1-1', '25-01-01', '20250101', '2025-11-20T00:00:00Z', '0000-01-01', ''],
    ...['today', '2025-11-31', '+02025-01-01', ' 2025-01-01', '٢٠٢٥-٠١-٠١'],
  ]
  test.each(
    [
      ['weekly-recap', 'referenceDate'],
      ['yearly-weekly', 'periodEndDate'],
      ['daily', 'from'],
      ['daily', 'to'],
    ].flatMap(([path, field]) => dates.map((date): [string, string, string] => [path!, field!, date])),
  )('/stats/%s?%s=%s', async (path, field, date) => {
    const { status, body } = await app.ask('GET', `/stats/${path}?${field}=${encodeURIComponent(date)}`)
    expect(status).toBe(400)
    expect((body as { error: string }).error).toBe(`${field} must be a real date of the form yyyy-MM-dd`)
  })

  test.each(
    WITH_OFFSET.flatMap((path) => ['-840', '840', '+60', '0'].map((offset): [string, string] => [path, offset])),
  )('/stats/%s takes the offset %s', async (path, offset) => {
    const { status } = await app.ask(
      'GET',
      `/stats/${path}?timezoneOffsetMinutes=${encodeURIComponent(offset)}&unknown=1`,
    )
    expect(status).toBe(200)
  })

  test.each(['0001-01-01', '9999-12-31', '2024-02-29'])('the ends of the calendar are dates: %s', async (date) => {
    for (const offset of [-840, 840]) {
      const query = `timezoneOffsetMinutes=${offset}`
      const recap = await app.ask('GET', `/stats/weekly-recap?referenceDate=${date}&${query}`)
      // the week of the last day ends in the year 10000
      expect(recap.status).toBe(date === '9999-12-31' ? 400 : 200)
      const { status, body } = await app.ask('GET', `/stats/yearly-weekly?periodEndDate=${date}&${query}`)
      expect(status).toBe(200)
      expect((body as { weeks: unknown[] }).weeks).toHaveLength(52)
    }
  })
})

test('an empty library has an answer to everything', async () => {
  const empty = featureApp(statsRoutes)
  for (const path of [...WITH_OFFSET, 'best-efforts'])
    expect((await empty.ask('GET', `/stats/${path}`)).status).toBe(200)
})
