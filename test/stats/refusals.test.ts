import { expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, featureApp } from '../library/feature-app.ts'
import { runId } from './library.ts'

const WITH_OFFSET = [
  ...['daily', 'monthly', 'weekly', 'relative-effort', 'weekly-recap', 'yearly', 'yearly-weekly'],
  ...['available-periods', 'available-years', 'insights'],
]

const app = featureApp(statsRoutes)
for (let n = 0; n < 12; n += 1) addWorkout(app.deps, { id: runId(n), startedAt: Date.UTC(2024, n, 28) })

test.each(WITH_OFFSET)(
  '/stats/%s takes offsets of the earth and no others, and has an answer of no runs',
  async (path) => {
    const empty = featureApp(statsRoutes)
    expect((await empty.ask('GET', `/stats/${path}`)).status).toBe(200)
    const asked = (offset: string) => app.ask('GET', `/stats/${path}?timezoneOffsetMinutes=${offset}`)
    for (const offset of ['-840', '840', '%2B60', '0&unknown=1'])
      expect([offset, (await asked(offset)).status]).toEqual([offset, 200])
    for (const offset of ['841', '-841', '99999999999999999999', '0x10', '%00', '60&timezoneOffsetMinutes=60']) {
      const error = expect.stringMatching(/^timezoneOffsetMinutes must /)
      expect([offset, await asked(offset)]).toEqual([offset, { status: 400, body: { error } }])
    }
  },
)

test.each([
  ['weekly-recap', 'referenceDate'],
  ['yearly-weekly', 'periodEndDate'],
  ['daily', 'from'],
  ['daily', 'to'],
])('/stats/%s?%s is a real date of four digits', async (path, field) => {
  for (const date of ['2025-02-29', '2025-1-1', '20250101', '2025-11-20T00:00:00Z', '0000-01-01', '', '٢٠٢٥-٠١-٠١']) {
    const answer = await app.ask('GET', `/stats/${path}?${field}=${encodeURIComponent(date)}`)
    const error = `${field} must be a real date of the form yyyy-MM-dd`
    expect([date, answer]).toEqual([date, { status: 400, body: { error } }])
  }
})

test.each(['0001-01-01', '9999-12-31', '2024-02-29'])('the ends of the calendar are dates: %s', async (date) => {
  for (const offset of [-840, 840]) {
    const query = `timezoneOffsetMinutes=${offset}`
    const recap = await app.ask('GET', `/stats/weekly-recap?referenceDate=${date}&${query}`)
    // the week of the last day ends in the year 10000
    expect(recap.status).toBe(date === '9999-12-31' ? 400 : 200)
    const { body } = await app.ask('GET', `/stats/yearly-weekly?periodEndDate=${date}&${query}`)
    expect((body as { weeks: unknown[] }).weeks).toHaveLength(52)
    expect((await app.ask('GET', `/stats/daily?to=${date}&${query}`)).status).toBe(200)
  }
})
