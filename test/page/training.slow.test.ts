// Training from the first run on: what is missing, form, loads, proposals, the profile.
import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { startRunServer } from './run-server.ts'
import { act, DAY_MS, gone, inBothThemes, pageSuite, reads, soon, tooWide } from './suite.ts'

/** One day for all tests, so that one that runs over midnight has the days that it began with. */
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS
const startMs = (daysAgo: number) => TODAY_MS - daysAgo * DAY_MS
const WIDTHS = [390, 1600]
const SOON = 'Warming up: these numbers settle after 42 days of running.'
const MAX = 'Set your max HR to make this more certain.'
const CHECK = 'Too few runs so far to check this against new ones.'
const FORM = 'Fitness, fatigue, form and load by day'

/** The cards of a screen say these sentences, each once. */
async function says(page: Page, at: string, sentences: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await page.goto(at)
  for (const [title, all] of Object.entries(sentences)) {
    const heading = page.getByRole('heading', { name: title, exact: true })
    const card = page.locator('section').filter({ has: heading }).last()
    await reads(card, ...all)
    const text = (await card.textContent()) ?? ''
    for (const sentence of all) expect(text.split(sentence)).toHaveLength(2)
  }
}

/** The page as it is, narrow and wide, in both themes. */
async function fits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // charts follow a window that becomes narrow
    await soon(async () => (await tooWide(page)).length === 0)
    await inBothThemes(page)
  }
}

describe('a log that begins', () => {
  const { test, server, open } = pageSuite()
  const add = (daysAgo: number, run = {}) =>
    server.importRun(fitRun({ startMs: startMs(daysAgo), seconds: 2400, hr: 139 + daysAgo, ...run }))
  /** The profile since ever. */
  const setProfile = (entry: Readonly<Record<string, number>>) =>
    server.send('PUT', '/settings/training', { entries: [{ from: null, ...entry }] })

  /** Waits until all loads are those of the present profile: until then some numbers are those of the one before. */
  const computed = () => soon(async () => !(await server.get<{ recomputing: boolean }>('/training/today')).recomputing)

  test('says on every screen in one sentence what is missing, of none, one, three and four runs', async () => {
    const { page } = await open('')
    const at = (view: string) => `${server.address}/app/training${view}`
    const needed = 'Four steady runs of 25 minutes, or races, are needed'
    const look = async (missing: string, used: number) => {
      await computed()
      const estimates = ['Race predictions', 'VO2max', 'Pace zones'].map((title) => [title, [missing]] as const)
      await says(page, at('?view=fitness'), Object.fromEntries(estimates))
      // this server looks up no weather, which is said, and asked of no run
      const lacking = `Not yet: ${used} of 60 steady runs with heart rate.`
      const off = 'Weather is off on this server'
      await says(page, at('?view=better'), {
        'Better?': [lacking, off, CHECK],
        Heat: ['The heat curve needs 60 runs with weather.'],
      })
    }
    await says(page, at(''), { Today: ['Fitness, fatigue and form start with your first run.'] })
    await page.goto(`${server.address}/app`)
    await reads(page, 'Import your runs to see your week, your year')
    await look(`${needed}.`, 0)
    await add(1)
    await look(`${needed}; 1 so far.`, 1)
    const low = `Fitness, fatigue and form: low confidence: less than 42 days of running. ${MAX}`
    await says(page, at(''), { Today: [low, SOON] })
    await fits(page)
    await add(3)
    await add(5)
    await add(7)
    await computed()
    const noRace = `Low confidence, from 4 runs; no race result. One race or hard 5K would halve the range. ${MAX}`
    await says(page, at('?view=fitness'), {
      ...{ VO2max: [noRace, 'From 4 runs.'], 'Pace zones': [noRace] },
      'Race predictions': ['Races and hard efforts that count: 0'],
    })
    await fits(page)
  })

  test('a profile refuses what cannot be, and keeps what was set', async () => {
    const { page } = await open('/settings#training')
    const section = page.locator('#training')
    await act(page, { 'Max HR': '300' })
    await reads(section, 'Enter 100–240 bpm')
    expect(await section.getByRole('button', { name: 'Save profile' }).isDisabled()).toBe(true)
    await act(page, { 'Max HR': '188' }, 'Save profile')
    type Profile = { readonly entries: readonly { readonly maxHeartRateBpm: number | null }[] }
    const stored = async () => (await server.get<Profile>('/settings/training')).entries[0]?.maxHeartRateBpm
    await soon(async () => (await stored()) === 188)
  })

  test('the load of a run is set by hand, and the run is taken out of estimates', async () => {
    const run = await add(9, { seconds: 1500 })
    const { page } = await open(`/runs/${run}`)
    const card = page.locator('.run-training')
    const line = card.locator('.training-line')
    // one line and one bar; the rest is asked for
    await line.filter({ hasText: /^Load \d+ from heart rate · intensity \d+%/ }).waitFor()
    expect(await card.locator('.zones-bar').filter({ visible: true }).count()).toBe(1)
    await card.locator('summary').click()
    await reads(card, 'Relative effort', /Load: (low|medium|high) confidence/, 'run too short')
    await noViolations(page)
    await act(page, { 'Load source': 'pace' })
    await line.filter({ hasText: 'from pace' }).waitFor()
    await act(page, { 'Load source': 'auto' })
    await line.filter({ hasText: 'from heart rate' }).waitFor()
    await act(page, 'More actions', 'Fix…', { 'What to fix': 'Set the load' }, { 'Load source': 'Enter a value' })
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Set load' }).isDisabled()).toBe(true)
    await page.getByRole('dialog').getByRole('textbox', { name: 'Load' }).fill('77')
    await noViolations(page)
    await act(page, 'Set load')
    await line.filter({ hasText: 'Load 77 from you' }).waitFor()
    await act(page, 'More actions', 'Exclude…')
    await page.getByRole('checkbox', { name: /^Predictions/ }).uncheck()
    await noViolations(page)
    await act(page, 'Save')
    await reads(card, 'You excluded this run from predictions')
    const set = { chosen: 'manual', excludeFromEstimates: true }
    expect(await server.get(`/workouts/${run}/training`)).toMatchObject(set)
    await act(page, 'More actions', 'Exclude…')
    await page.getByRole('checkbox', { name: /^Predictions/ }).check()
    await act(page, 'Save')
    await gone(card, 'You excluded this run from predictions')
  })

  let lastRun = ''
  let weekAgoRun = ''

  test('form of today and its course; a day of the chart opens its runs, a rest day nothing, the day after is ahead', async () => {
    await setProfile({ maxHeartRateBpm: 185, restingHeartRateBpm: 50 })
    const { items } = await server.get<{ items: { id: string }[] }>('/workouts')
    for (const { id } of items) await server.send('DELETE', `/workouts/${id}`)
    // every second day of twelve weeks, each fourth run faster; without scatter a load by pace would have no range
    for (let daysAgo = 84; daysAgo >= 0; daysAgo -= 2) {
      const scatter = 2 * (daysAgo % 5) - 4
      const fast = { speedMps: 3.8, hr: 168 + scatter, seconds: 1500 }
      lastRun = await add(daysAgo, daysAgo % 8 === 0 ? fast : { speedMps: 2.8, hr: 138 + scatter, seconds: 2700 })
      if (daysAgo === 8) weekAgoRun = lastRun
    }
    await computed()
    const { page } = await open('')
    const today = page.locator('.today-card')
    await reads(today, /keeps you (in the )?building/)
    expect(await today.locator('.today-form').textContent()).toMatch(/^[+−±]\d+ (heavy|building|steady|fresh|rested)\b/)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Training' }).click()
    const chart = page.getByRole('slider', { name: FORM })
    const says = () => chart.getAttribute('aria-valuetext')
    await chart.focus()
    expect(await says()).toContain('fitness')
    await page.keyboard.press('ArrowRight')
    expect(await says()).toContain('if you rest')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).pathname).toBe('/app/training')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    const runs = page.getByRole('region', { name: /^Runs of / })
    await runs.locator(`a[href*="${lastRun}"]`).waitFor()
    await reads(runs, /load \d+/)
    await fits(page)
    await page.getByText('As a table').first().click()
    const rows = page.locator('.table-view tbody tr')
    await rows.first().waitFor()
    expect([await rows.count(), await rows.first().locator('td').count()]).toEqual([85, 4])
    await act(page, 'Show in list')
    await page.waitForURL(/\/app\/runs\?from=/)
    await page.locator(`a[href*="${lastRun}"]`).first().waitFor()
  })

  test('race times with their bands, VDOT by week, pace zones', async () => {
    await computed()
    const { page } = await open('/training?view=fitness')
    const races = page.locator('.races tbody tr')
    await races.first().waitFor()
    expect(await races.locator('th').allTextContents()).toEqual(['5K', '10K', 'Half marathon', 'Marathon'])
    expect(await races.first().textContent()).toMatch(/\d:\d\d–\d\d:\d\d/)
    const chart = page.getByRole('slider', { name: 'VDOT by week' })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^Week of .*: \d+ \(\d+–\d+\), \d+ runs$/)
    await page.getByText('As a table').click()
    await page.locator('.table-view tbody tr').first().waitFor()
    await page.getByText(/^Races and hard efforts that count: \d+$/).click()
    await page.getByRole('rowheader', { name: 'Repetition' }).waitFor()
  })

  test('a proposal changes nothing until it is accepted', async () => {
    const slow = 400
    // only a race proposes a threshold pace
    await server.send('PATCH', `/workouts/${weekAgoRun}`, { runType: 'Race' })
    await setProfile({ maxHeartRateBpm: 185, restingHeartRateBpm: 50, thresholdPaceS: slow })
    const entries = async () =>
      (await server.get<{ entries: { from: string | null; thresholdPaceS: number }[] }>('/settings/training')).entries
    await computed()
    const { page } = await open('/training')
    await reads(page, 'Nothing changes unless you accept.')
    await page.getByRole('button', { name: 'Accept: Threshold pace' }).waitFor()
    await fits(page)
    expect(await entries()).toMatchObject([{ from: null, thresholdPaceS: slow }])
    const day = page.getByLabel('Effective from')
    const days = await day.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
    await day.selectOption(days[1] ?? '')
    await act(page, 'Accept: Threshold pace')
    await gone(page, 'Nothing changes unless you accept.')
    const [before, now] = await entries()
    expect([before, now?.from]).toMatchObject([{ from: null, thresholdPaceS: slow }, days[1]])
    expect(now!.thresholdPaceS).toBeLessThan(slow)
  })
})

describe('a log without weather', () => {
  // lookups are turned off before anything is imported, so that no server is asked
  const { test, server, open } = pageSuite(
    async ({ server }) => void (await server.send('PUT', '/settings/weather', { lookups: false })),
    () => startRunServer({ WEATHER_ENABLED: 'true' }),
  )

  test('says so in Better?, which leads to the switch', async () => {
    const { page } = await open('/training?view=better')
    await act(page, ['Weather is off'], 'Turn on weather')
    await page.waitForURL(/\/settings\/access#weather$/)
    const turn = page.locator('#weather').getByRole('switch', { name: 'Weather for runs' })
    await soon(async () => {
      const box = await turn.boundingBox()
      return box !== null && box.y > 64 && box.y < 800
    })
  })

  test('zones that are kept are not proposed again, which the service remembers', async () => {
    const zones = async () =>
      (await server.get<{ kind: string }[]>('/training/proposals')).filter(({ kind }) => kind === 'zones').length
    await server.send('PUT', '/settings/training', { entries: [{ from: null, lthrBpm: 160, maxHeartRateBpm: 190 }] })
    expect(await zones()).toBe(1)
    const { page } = await open('/training')
    await act(page, 'Keep: Heart-rate zones')
    await gone(page, 'Heart-rate zones, now and from your runs')
    expect(await zones()).toBe(0)
    // in another browser too
    const { page: other } = await open('/training')
    await reads(other, 'Fitness, fatigue and form start with your first run.')
    expect(await other.getByRole('button', { name: 'Keep: Heart-rate zones' }).count()).toBe(0)
  })
})
