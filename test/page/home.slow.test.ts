// Home and Statistics of a log that grows: what is daily fits, sums agree by either time, and what leads where.
import { describe, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { addSeasons } from './season-server.ts'
import { act, DAY_MS, inBothThemes, PHONE, pageSuite, reads, soon } from './suite.ts'

const LIST_OF_DAYS = /\/app\/runs\?from=.{10}&to=.{10}&counted=yes$/

describe('a log that grows', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (const days of [400, 403, 500]) {
      await server.importRun(fitRun({ startMs: Date.now() - days * DAY_MS, seconds: 1000, hr: 150 }))
    }
  })
  const statistics = async () => {
    const { page } = await open('/statistics')
    await page.locator('.totals:not(.blank)').waitFor()
    return page
  }

  test('shows a runner who paused the last run, not zeros', async () => {
    const page = await statistics()
    const totals = page.locator('.totals.paused')
    await reads(totals, 'Last run', /your last active year$/)
    // 3 runs of 3 km
    expect(await totals.locator('div').last().textContent()).toBe('All time9.0km3 runs · 50 min')
    expect(await page.locator('.effort').count()).toBe(0)
    await noViolations(page)
    await act(page, 'Home')
    await reads(page.locator('.year-row'), /your last active year$/)
    expect(await page.locator('.week').count()).toBe(0)
    await noViolations(page)
  })

  test('hours, kilometres and load of a week, month, year and all time agree on every screen, by either time', async () => {
    // 20 minutes, in the middle of which nobody moves for five
    const startMs = Date.now() - 1_500_000
    const points = Array.from({ length: 1201 }, (_, t) => {
      const moved = Math.min(t, 450) + Math.max(0, t - 750)
      return { lat: 47 + (moved * 3) / 111_170, lon: 8, timeMs: startMs + t * 1000 }
    })
    await server.importRun(gpxFile({ points, creator: null }), 'run.gpx')
    await server.importRun(fitRun({ startMs: Date.now() - 60_000, seconds: 600, hr: 150 }))
    const { days } = await server.get<{ days: { load: number; durationS: number; movingTimeS: number }[] }>(
      '/stats/daily',
    )
    const [today] = days.slice(-1)
    expect(today!.durationS - today!.movingTimeS).toBeGreaterThan(200)
    const { page } = await open('')
    const minutes = (text: string | null) => {
      const [, hours = '0', rest = ''] = /(?:(\d+) h )?(\d+) min/.exec(text ?? '') ?? []
      return 60 * Number(hours) + Number(rest)
    }
    for (const [clock, seconds] of [
      ['moving', today!.movingTimeS],
      ['elapsed', today!.durationS],
    ] as const) {
      await page.evaluate((one) => localStorage.setItem('harrier.pace', one), clock)
      await page.goto(`${server.address}/app`)
      const figures = page.locator('.week-metrics dd')
      await page.locator('.week-body:not(.blank)').waitFor()
      const [km = ''] = await page.locator('.hero .quantity').allTextContents()
      const week = Math.round(seconds / 60)
      expect([clock, minutes(await figures.nth(1).textContent())]).toEqual([clock, week])
      const load = Number.parseInt((await figures.nth(3).textContent()) ?? '', 10)
      expect(load).toBe(Math.round(today!.load))
      await page.goto(`${server.address}/app/statistics`)
      await page.locator('.totals:not(.blank)').waitFor()
      const totals = (await page.locator('.totals dd').allTextContents()).map(minutes)
      // three runs of 1,000 s more in all
      expect([clock, ...totals]).toEqual([clock, week, week, week, Math.round((seconds + 3000) / 60)])
      for (const cell of (await page.locator('.totals dd').allTextContents()).slice(0, 3)) expect(cell).toStartWith(km)
      expect(await page.locator('.effort .big').textContent()).toBe(String(load))
      const bars = page.locator('.year-bars')
      await page.getByLabel('Bars by').selectOption('Time')
      for (const name of ['Weeks', 'Months']) {
        await page.getByRole('radio', { name, exact: true }).check()
        await bars.locator('.bars').focus()
        await page.keyboard.press('End')
        await soon(async () => minutes(await bars.locator('figcaption strong').textContent()) === week)
      }
      await page.getByLabel('Bars by').selectOption('Distance')
      await page.getByText('All months as a table').click()
      const cells = page.locator('.table-view tbody tr').first().locator('th, td')
      await soon(async () => minutes((await cells.allTextContents())[3] ?? '') === week)
    }
    await noViolations(page)
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
    await page.locator('.strip-days .shade-4').first().waitFor()
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
    await dialog.getByLabel('Latest run', { exact: true }).uncheck()
    await act(page, 'Move This week up', 'Move This week up', 'Save')
    await latest.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.week').waitFor()
    const order = await page.locator('.dashboard > *').evaluateAll((cards) => cards.map((card) => card.className))
    expect(order[0]).toContain('week')
    await page.goto(`${server.address}/app/statistics`)
    await act(page, 'Customise cards')
    await dialog.getByLabel('Totals', { exact: true }).uncheck()
    await act(page, 'Save')
    await page.locator('.totals').waitFor({ state: 'detached' })
    const { cards } = await server.get<{ cards: { id: string; shown: boolean }[] }>('/settings/page')
    expect(cards.filter(({ shown }) => !shown).map(({ id }) => id)).toEqual(['totals', 'latest'])
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
    for (const there of ['.today-chart svg', '.ahead-card h3', '.latest-edit select', '.bests dd'])
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
    await reads(page.locator('.today-card'), /fitness \d+/, /min easy keeps you building/)
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
    await inBothThemes(page)
  })

  test('a phone has five tabs, and the rest under More', async () => {
    const { page } = await open('/places', PHONE)
    const tabs = page.locator('.topbar nav :is(a, button)').filter({ visible: true })
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
