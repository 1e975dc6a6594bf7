// Home and Statistics of a log that grows: what is daily fits, sums agree by either time, and what leads where.
import { describe, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { addSeasons } from './season-server.ts'
import { act, DAY_MS, inBothThemes, PHONE, pageSuite, reads } from './suite.ts'

/** Where the runs are. */
const ZONE = 'Europe/Zurich'
const DAY_THERE = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE })
const localDay = (ms: number) => DAY_THERE.format(ms)
const localMidnight = (ms: number) => {
  const day = localDay(ms)
  // the clock is an hour or two ahead
  return (
    [2, 1].map((hours) => Date.parse(`${day}T00:00:00Z`) - hours * 3_600_000).find((at) => localDay(at) === day) ?? ms
  )
}
const weekStart = (day: string) => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return new Date(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}
const lastOf = (month: string) => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
/** 20 minutes, in the middle of which nobody moves for five. */
const pausedRun = (startMs: number) => {
  const points = Array.from({ length: 1201 }, (_, t) => {
    const moved = Math.min(t, 450) + Math.max(0, t - 750)
    return { lat: 47 + (moved * 3) / 111_170, lon: 8, timeMs: startMs + t * 1000, hr: 140 }
  })
  return gpxFile({ points, creator: null })
}

interface Sums {
  readonly metres: number
  readonly seconds: number
  readonly load: number
}

/** Kilometres, hours and load as far as a text states them, at least one of them. */
function says(where: string, text: string | null, { metres, seconds, load }: Sums): void {
  const stated = (text ?? '').replaceAll('\u00a0', ' ')
  const [, km] = /([\d,.]+) ?km/.exec(stated) ?? []
  const [time] = /\d+ h \d+ min|\d+ h|\d+ min/.exec(stated) ?? []
  const [, points] = /load (\d+)/.exec(stated) ?? []
  expect([where, stated, km ?? time ?? points]).toEqual([where, stated, expect.any(String)])
  if (km !== undefined) expect([where, km]).toEqual([where, (metres / 1000).toFixed(metres < 100_000 ? 1 : 0)])
  if (time !== undefined) {
    const whole = Math.round(seconds / 60)
    const exact = `${String(whole % 60).padStart(whole < 60 ? 1 : 2, '0')} min`
    expect([where, time]).toEqual([where, whole < 60 ? exact : `${Math.floor(whole / 60)} h ${exact}`])
  }
  if (points !== undefined) expect([where, points]).toEqual([where, String(Math.round(load))])
}

const LIST_OF_DAYS = /\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/

describe('a log that grows', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (const days of [400, 403, 500]) {
      await server.importRun(fitRun({ startMs: Date.now() - days * DAY_MS, seconds: 1000, hr: 150 }))
    }
  })
  /** Sums of the days from one to another, added up here, each run on the day that it had where it was run. */
  const allSums = async (clock: 'moving' | 'elapsed') => {
    type Run = Record<'distanceM' | 'durationS' | 'utcOffsetMinutes', number> &
      Record<'movingTimeS' | 'load', number | null>
    const { items } = await server.get<{ items: (Run & { startedAt: string })[] }>('/workouts?pageSize=100')
    const dayOf = ({ startedAt, utcOffsetMinutes }: (typeof items)[number]) =>
      new Date(Date.parse(startedAt) + utcOffsetMinutes * 60_000).toISOString().slice(0, 10)
    return (from: string, to: string): Sums => {
      const within = items.filter((run) => dayOf(run) >= from && dayOf(run) <= to)
      const sum = (of: (run: Run) => number) => within.reduce((total, run) => total + of(run), 0)
      const timeS = (run: Run) => (clock === 'moving' ? (run.movingTimeS ?? run.durationS) : run.durationS)
      return { metres: sum((run) => run.distanceM), seconds: sum(timeS), load: sum(({ load }) => load ?? 0) }
    }
  }
  const statistics = async () => {
    const { page } = await open('/statistics', { timezoneId: ZONE })
    await page.locator('.totals:not(.blank)').waitFor()
    return page
  }

  test('shows a runner who paused the last run, not zeros', async () => {
    const page = await statistics()
    const totals = page.locator('.totals.paused')
    await reads(totals, 'Last run', /your last active year$/)
    // 3 runs of 3 km
    expect(await totals.locator('div').last().textContent()).toBe('All time9.0km3 runs · 50 min · load 51')
    expect(await page.locator('.effort').count()).toBe(0)
    await noViolations(page)
    await act(page, 'Home')
    await reads(page.locator('.year-row'), /your last active year$/)
    expect(await page.locator('.week').count()).toBe(0)
    await noViolations(page)
  })

  test('hours, kilometres and load of a week, month, year and all time agree on every screen, by either time', async () => {
    const startMs = Math.max(Date.now() - 60_000, localMidnight(Date.now()))
    await server.importRun(fitRun({ startMs, seconds: 600, hr: 150 }))
    await server.importRun(pausedRun(startMs - DAY_MS), 'run.gpx')
    // 0:02 on a Monday, which is Sunday in UTC, the Sunday before at 23:35, and the first of the month at 0:10
    await server.importRun(fitRun({ startMs: Date.parse('2025-11-17T00:02:00+01:00'), seconds: 900, hr: 160 }))
    await server.importRun(pausedRun(Date.parse('2025-11-16T23:35:00+01:00')), 'sunday.gpx')
    await server.importRun(fitRun({ startMs: Date.parse('2025-11-01T00:10:00+01:00'), seconds: 700, hr: 140 }))
    for (const now of [null, '2025-11-17T00:20:00+01:00']) {
      const { page } = await open('', { timezoneId: ZONE })
      // no page asks for anything while its clock is put back
      await page.goto(`${server.address}/health`)
      if (now !== null) await page.clock.setFixedTime(now)
      const today = localDay(now === null ? Date.now() : Date.parse(now))
      const monday = weekStart(today)
      const month = today.slice(0, 7)
      for (const clock of ['moving', 'elapsed'] as const) {
        await page.evaluate((one) => localStorage.setItem('harrier.pace', one), clock)
        const sums = await allSums(clock)
        const [week, ofMonth, year, all] = [
          sums(monday, today),
          sums(`${month}-01`, `${month}-31`),
          sums(`${month.slice(0, 4)}-01-01`, `${month.slice(0, 4)}-12-31`),
          sums('', '9'),
        ]
        await page.goto(`${server.address}/app`)
        await page.locator('.week-body:not(.blank)').waitFor()
        const figures = await page.locator('.week-metrics dd').allTextContents()
        says(
          `home, week, ${clock}`,
          `${await page.locator('.hero').textContent()} ${figures[1]} load ${figures[3]}`,
          week,
        )
        await page.locator('.months-row .flow:not(.blank)').waitFor()
        says('home, month', await page.locator('.months-row li').last().getAttribute('title'), ofMonth)
        says('home, year', await page.locator('.year-row .big').textContent(), year)
        await page.goto(`${server.address}/app/statistics`)
        await page.locator('.totals:not(.blank)').waitFor()
        const totals = await page.locator('.totals > div').allInnerTexts()
        for (const [place, of] of [week, ofMonth, year, all].entries())
          says(`totals ${place}, ${clock}`, totals[place] ?? '', of)
        says('weekly load', `load ${await page.locator('.effort .big').textContent()}`, week)
        says('year so far', await page.locator('.year-sum .big').textContent(), year)
        await page.getByText('All months as a table').click()
        const name = new Date(`${month}-01`).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })
        const row = page.locator('.table-view tbody tr', { hasText: name })
        await row.waitFor()
        const cells = await row.locator('th, td').allTextContents()
        says(`table, ${clock}`, `${cells[2]} ${cells[3]} load ${cells[5]}`, ofMonth)
        const bars = page.locator('.year-bars')
        for (const [measure, stated] of [
          ['Distance', ''],
          ['Time', ''],
          ['Load', 'load '],
        ] as const) {
          // the last of them is this month, unless the clock was put back
          if (now !== null) continue
          await page.getByLabel('Bars by').selectOption(measure)
          await page.getByRole('radio', { name: 'Months', exact: true }).check()
          await bars.locator('.bars').focus()
          await page.keyboard.press('End')
          await page.keyboard.press('ArrowLeft')
          await page.keyboard.press('End')
          says(`bars, ${clock}`, `${stated}${await bars.locator('figcaption strong').textContent()}`, ofMonth)
        }
        for (const [query, of] of [
          [`from=${monday}&to=${today}&`, week],
          [`from=${month}-01&to=${lastOf(month)}&`, ofMonth],
          [`from=${month.slice(0, 4)}-01-01&to=${month.slice(0, 4)}-12-31&`, year],
          ['', all],
        ] as const) {
          await page.goto(`${server.address}/app/runs?${query}counted=yes`)
          await reads(page.locator('.page-head'), /found/)
          says(`list ${query} ${clock}`, await page.locator('.page-head [role=status]').textContent(), of)
        }
        await page.goto(`${server.address}/app/training?view=calendar`)
        const sum = page
          .locator('main')
          .getByText(/km · .* · load \d+/)
          .first()
        await sum.waitFor()
        const [km = '', load = ''] =
          /([\d.]+\skm) · .*? · (load \d+)/.exec((await sum.textContent()) ?? '')?.slice(1) ?? []
        says('calendar', `${km} ${load}`, ofMonth)
      }
    }
  })

  test('every total, day and bar leads to the runs that it counts', async () => {
    const page = await statistics()
    for (const index of [0, 1, 2, 3]) {
      const cell = page.locator('.totals > div').nth(index)
      const [, runs = ''] = /(\d+) runs?/.exec((await cell.textContent()) ?? '') ?? []
      await cell.getByRole('link').click()
      await reads(page.locator('.page-head'), `${runs} ${runs === '1' ? 'run' : 'runs'} found`)
      await page.goBack()
      await page.locator('.totals:not(.blank)').waitFor()
    }
    for (const name of [/Enter shows the runs until then$/, /Enter shows the runs until one$/]) {
      await page.getByRole('slider', { name }).focus()
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      await page.waitForURL(LIST_OF_DAYS)
      await page.goBack()
    }
    await page.locator('.year-bars .bars').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(LIST_OF_DAYS)
    await page.goto(`${server.address}/app`)
    for (const row of ['.hero', '.week-bars >> nth=0', '.months-row', '.year-row .flow']) {
      await page.locator(row).getByRole('link').last().click()
      await page.waitForURL(LIST_OF_DAYS)
      await page.goBack()
    }
  })

  test('its charts are walked with the arrow keys, which announce each place', async () => {
    const page = await statistics()
    await page.locator('.year .pointable svg').waitFor()
    await page.locator('.strip-days [style*=strip4]').first().waitFor()
    await page.locator('.year-bars .bar').last().waitFor()
    const stated = (chart: Locator) => chart.getAttribute('aria-valuetext')
    for (const chart of ['.strip-days', '.year .pointable', '.year-bars .bars']) {
      const place = page.locator(chart)
      await place.focus()
      const texts = [await stated(place)]
      for (const key of ['ArrowLeft', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key)
        texts.push(await stated(place))
      }
      expect([chart, new Set(texts).size]).toEqual([chart, texts.length])
      await page.keyboard.press('Escape')
      expect([chart, await stated(place)]).toEqual([chart, texts[0] ?? ''])
    }
  })

  test('cards are hidden and ordered, each view its own, also after a reload', async () => {
    const { page } = await open('')
    const dialog = page.getByRole('dialog')
    const latest = page.locator('.latest-card')
    await latest.waitFor()
    await act(page, 'Customise cards')
    await dialog.getByRole('checkbox').last().waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(7)
    // load is the one effort, so there is nothing to choose
    expect(await dialog.getByRole('radio').count()).toBe(0)
    const shownThere = async () => {
      const other = await page.context().newPage()
      await other.goto(`${server.address}/app/statistics`)
      await other.locator('.totals').waitFor()
      const order = await other.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))
      await other.close()
      return order
    }
    const there = await shownThere()
    await dialog.getByLabel('Latest run', { exact: true }).uncheck()
    // shared with Statistics, which has an order of its own
    await act(page, 'Move Bests and highlights up', 'Move Bests and highlights up')
    await act(page, 'Move This week up', 'Move This week up', 'Save')
    await latest.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.week').waitFor()
    const order = await page.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))
    expect(order[0]).toContain('week')
    expect(await shownThere()).toEqual(there)
    await page.goto(`${server.address}/app/statistics`)
    await act(page, 'Customise cards')
    await dialog.getByLabel('Totals', { exact: true }).uncheck()
    await act(page, 'Save')
    await page.locator('.totals').waitFor({ state: 'detached' })
    await act(page, 'Customise cards', 'Move Highlights up', 'Save')
    await page.goto(`${server.address}/app`)
    await page.locator('.week').waitFor()
    expect(await page.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))).toEqual(
      order,
    )
    const { cards } = await server.get<{ cards: { id: string; shown: boolean }[] }>('/settings/page')
    expect(cards.filter(({ shown }) => !shown).map(({ id }) => id)).toEqual(['latest', 'totals'])
    expect(cards).toHaveLength(13)
  })

  test('addresses that one would guess lead where they mean', async () => {
    const { page } = await open('/goals')
    for (const [at, to] of [
      ['/goals', '/app/training?view=goals'],
      ['/races', '/app/training?view=races'],
      ['/calendar', '/app/training?view=calendar'],
      ['/heatmap', '/app/map'],
      ['/statistics', '/app/statistics'],
    ] as const) {
      expect([at, (await page.goto(`${server.address}/app${at}`))?.status()]).toEqual([at, 200])
      await page.waitForURL(`${server.address}${to}`)
    }
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  })
})

describe('two years', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    await addSeasons(server)
    const date = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10)
    const shoe = await server.send('POST', '/shoes', { brand: 'Hoka', model: 'Clifton 9' })
    await server.send('PUT', '/settings/default-shoe', { defaultShoeId: ((await shoe.json()) as { id: string }).id })
    await server.send('POST', '/races', { date, name: 'City Half', distanceM: 21_097.5, goalTimeS: 5400 })
  })
  const shown = async (page: Page) => {
    for (const there of ['.today-chart svg', '.ahead-card h3', '.latest-edit select', '.home-bests dd'])
      await page.locator(there).first().waitFor()
  }
  const bottom = (of: Locator) => of.evaluate((card) => card.getBoundingClientRect().bottom + window.scrollY)

  test('what is daily is one screen of a desk and all of it two of a phone', async () => {
    const { page } = await open('', { viewport: { width: 1280, height: 800 } })
    await shown(page)
    for (const card of ['.today-card', '.latest-card', '.week', '.ahead-card'])
      expect(await bottom(page.locator(card))).toBeWithin(100, 801)
    const { page: phone } = await open('', PHONE)
    await shown(phone)
    expect(await phone.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2 * 844)
    // nothing of the week is cut at the width of a phone
    for (const value of await phone.locator('.week-bars .value, .hero').all()) {
      const box = (await value.boundingBox())!
      expect(box.x >= 0 && box.x + box.width <= 390).toBe(true)
    }
    await inBothThemes(phone)
  })

  test('today, the goal with what it needs a week, and the race with its prediction', async () => {
    const { page } = await open('')
    await shown(page)
    // the last 7 days of this runner are more than usual on some weekdays
    const { weekToUsual } = await server.get<{ weekToUsual: number | null }>('/training/today')
    const room = weekToUsual! < 1.3 ? /min easy keeps you building/ : /well above your usual load: rest or run easy/
    await reads(page.locator('.today-card'), /fitness \d+/, room)
    await reads(page.locator('.ahead-card'), /you need .* per week/, '40 days to City Half', /^predicted, 1:\d\d:\d0–/)
    const chart = page.getByRole('slider', { name: /^Form by day/ })
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: form [+−±]\d+ · load \d+$/)
    // last week, the average and this week have one scale
    const widths = await page.locator('.week .track span').evaluateAll((bars) => bars.map((bar) => bar.clientWidth))
    const texts = await page.locator('.hero, .comparison > :nth-child(2)').allTextContents()
    const km = texts.map((text) => Number.parseFloat(text))
    for (const [k, width] of widths.entries())
      expect(width / Math.max(...widths)).toBeCloseTo(km[k]! / Math.max(...km), 1)
  })

  test('suggestions are one line that opens their list', async () => {
    const { proposals } = await server.get<{ proposals: number }>('/training/today')
    const { page } = await open('')
    await act(page, `${proposals} suggestion${proposals === 1 ? '' : 's'}`, ['Your runs suggest new values'])
    // with the styles of the screen that it shares
    const padding = (of: Element) => getComputedStyle(of).paddingTop
    expect(await page.locator('dialog .training-list li').first().evaluate(padding)).toBe('12px')
    await inBothThemes(page)
  })

  test('a phone has five tabs, and the rest under More', async () => {
    const { page } = await open('/places', PHONE)
    const tabs = page.locator('.topbar nav :is(a, button)').filter({ visible: true })
    await tabs.first().waitFor()
    expect((await tabs.allTextContents()).map((text) => text.trim())).toEqual([
      'Home',
      'Runs',
      'Training',
      'Map',
      'More',
    ])
    for (const place of ['Bests', 'Statistics', 'Shoes', 'Places', 'History', 'Settings']) {
      await act(page, 'More')
      await inBothThemes(page)
      await act(page, place)
      await page.getByRole('heading', { level: 1, name: place }).waitFor()
    }
    expect(await page.getByRole('button', { name: 'More' }).getAttribute('class')).toContain('here')
  })

  test('a tablet has under More what has no room in its bar', async () => {
    const { page } = await open('/places', { viewport: { width: 768, height: 1024 } })
    await act(page, 'More')
    await inBothThemes(page)
    await act(page, 'Bests')
    await page.getByRole('heading', { level: 1, name: 'Bests' }).waitFor()
  })

  test('the focus is never under the header', async () => {
    const { page } = await open('/statistics', { viewport: { width: 1280, height: 500 } })
    await page.locator('.highlights li').first().waitFor()
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await page.getByText('All months as a table').focus()
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Shift+Tab')
      const top = await page.evaluate(() => {
        const one = document.activeElement
        return one?.closest('main') ? one.getBoundingClientRect().top : 100
      })
      expect(top).toBeGreaterThanOrEqual(64)
    }
  })

  test('days and weekdays are English in a browser of another language', async () => {
    const { page } = await open('', { locale: 'de-DE' })
    await page.locator('.week-body:not(.blank)').waitFor()
    const names = await page.locator('.week-bars').first().locator('.name').allTextContents()
    expect(names.map((name) => name.slice(0, 3)).join(' ')).toBe('Mon Tue Wed Thu Fri Sat Sun')
    await reads(page.locator('.home-head'), /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/)
  })
})
