// The page of a run: its map, charts and tables, the same ground again, and all of it on a phone.
import { afterAll, describe, expect } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { fakeTileServer, pictureOf } from '../features/map/tile-server.ts'
import { fitFile } from '../fixtures/fit.ts'
import { png } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { madeSession, type Step } from '../fixtures/sessions.ts'
import { noViolations, OF_COLOURS } from './axe.ts'
import { preferTheme, type Watched } from './browser.ts'
import { inkOfPointer } from './journey-files.ts'
import { startRunServer } from './run-server.ts'
import { act, DAY_MS, inBothThemes, PHONE, pageSuite, reads, saved, soon, tooWide } from './suite.ts'

const SECONDS = 2400
const SPEED_MPS = 3

describe('the page of a run', () => {
  const tiles = fakeTileServer()
  const ids = { main: '', session: '' }
  let watched: Watched
  let page: Page
  const { test, server, open } = pageSuite(
    async ({ server, browser, open }) => {
      // the left half of a tile has a colour that no theme has
      const blank = await browser().newPage({ viewport: { width: 256, height: 256 } })
      await blank.setContent('<body style="background: linear-gradient(90deg, #f0f 50%, #fff 50%)">')
      const tile = await blank.screenshot()
      await blank.close()
      tiles.answer = () => pictureOf(Uint8Array.from(tile))
      ids.main = await server.importRun(roundTrip())
      ids.session = await server.importRun(session(START_MS - 30 * DAY_MS))
      watched = await open(`/runs/${ids.main}`)
      page = watched.page
      await page.locator('.chart-host canvas').first().waitFor()
    },
    () => startRunServer({ MAP_TILES_URL: tiles.template }),
  )
  afterAll(() => tiles[Symbol.dispose]())

  const charted = async (id: string, options = {}) => {
    const opened = await open(`/runs/${id}`, options)
    await opened.page.locator('.chart-host canvas').first().waitFor()
    return opened.page
  }
  const credit = 'OpenStreetMap contributors'

  test('draws the route on plain ground without a request to another server', async () => {
    await act(page, 'Street map')
    await reads(page.getByRole('dialog'), 'The map server sees which area you look at')
    await act(page, 'Not now')
    expect(await page.getByRole('button', { name: 'Street map' }).getAttribute('aria-pressed')).toBe('false')
    expect(await page.getByText(credit).count()).toBe(0)
    expect(isMagenta(await groundAt(page))).toBe(false)
    expect(tiles.asked).toEqual([])
  })

  test('shows a street map when it is wanted, with whose it is, darker in the dark theme, and off again', async () => {
    const range = (dots: Dots) => {
      const colours = dots.filter((_, k) => k % 4 < 3)
      return { darkest: Math.min(...colours), lightest: Math.max(...colours) }
    }
    await act(page, 'Street map', 'Show street map')
    await page.getByRole('link', { name: `© ${credit}` }).waitFor()
    await groundIs(page, isMagenta)
    await watched.settled()
    expect(tiles.mostOpen()).toBeLessThanOrEqual(2)
    await noViolations(page)
    await page.reload()
    await groundIs(page, isMagenta)
    await watched.settled()
    // what was shown before came from the disk of the service, or of the browser
    const asked = tiles.asked.map(({ path }) => path)
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
    expect(range(await groundAt(page)).lightest).toBeGreaterThan(220)
    await preferTheme(page, 'dark')
    // what was white is the darkest part now; without tiles all is the same
    await groundIs(page, (dots) => range(dots).lightest < 125 && range(dots).lightest - range(dots).darkest > 20)
    await noViolations(page, OF_COLOURS)
    await preferTheme(page, 'light')
    await groundIs(page, isMagenta)
    await act(page, 'Street map')
    await groundIs(page, (dots) => !isMagenta(dots))
    await soon(async () => (await page.getByText(credit).count()) === 0)
  })

  test('its map moves, zooms and shows all again by keyboard', async () => {
    const first = await picture(page)
    await page.locator('.map-frame').focus()
    for (const key of ['+', 'ArrowLeft', '-', 'ArrowDown']) await page.keyboard.press(key)
    await page.waitForTimeout(100)
    expect(await picture(page)).not.toBe(first)
    await page.keyboard.press('0')
    await soon(async () => (await picture(page)) === first)
  })

  test('shows the section of a split on map and charts, by mouse and by keyboard', async () => {
    const band = page.locator('.chart-band').first()
    expect(await band.isVisible()).toBe(false)
    const row = page.locator('.splits tbody tr').nth(2)
    await row.hover()
    await band.waitFor()
    const { width } = (await page.locator('.chart-host .u-over').first().boundingBox())!
    const { width: shown } = (await band.boundingBox())!
    // one of 7.2 kilometres
    expect(shown / width).toBeCloseTo(1 / 7.2, 2)
    expect((await inkOfPointer(page)).count).toBeGreaterThan(0)
    await page.mouse.move(5, 5)
    await soon(async () => !(await band.isVisible()) && (await inkOfPointer(page)).count === 0)
    await row.getByRole('button').focus()
    await band.waitFor()
    expect((await inkOfPointer(page)).count).toBeGreaterThan(0)
  })

  test('shows names without characters that reverse the order of letters, and keeps those that are stored', async () => {
    const [name, brand] = ['tem\u202epo\u0007', 'Asics\u2066']
    const shoe = await server.send('POST', '/shoes', { brand, model: 'Novablast' })
    const { id: shoeId } = (await shoe.json()) as { id: string }
    await server.send('PATCH', `/workouts/${ids.main}`, { name, shoeId })
    const { page: other } = await open(`/runs/${ids.main}`)
    await other.getByRole('heading', { name: 'tempo', exact: true }).waitFor()
    await soon(async () => (await other.title()) === 'tempo · Harrier')
    for (const at of [`/runs/${ids.main}`, '/runs', '/shoes', '/']) {
      await other.goto(`${server.address}/app${at}`)
      await reads(other, at === '/shoes' ? 'Asics' : 'tempo')
      expect((await other.content()).match(/\p{Bidi_Control}|(?!\s)\p{Cc}/gu)).toBeNull()
    }
    expect(await server.get(`/workouts/${ids.main}`)).toMatchObject({ name, shoe: { brand } })
    await server.send('PATCH', `/workouts/${ids.main}`, { name: null, shoeId: null })
  })

  test('changes the caption of a photo where it stands', async () => {
    for (const name of ['a.png', 'b.png']) await server.addMedia(ids.main, name, png(name === 'a.png' ? 3 : 4))
    await page.reload()
    await act(page, 'Show a.png', 'Add a caption')
    await page.keyboard.type('Finish lime')
    for (const key of ['ArrowLeft', 'Backspace', 'n', 'Enter']) await page.keyboard.press(key)
    await reads(page.getByRole('dialog'), 'Finish line')
    await noViolations(page)
    await act(page, /^Finish line/)
    await page.keyboard.type('Something else')
    await page.keyboard.press('Escape')
    await reads(page.getByRole('dialog'), 'Finish line')
    await page.keyboard.press('Escape')
    await soon(async () => (await page.getByRole('dialog').count()) === 0)
    expect(await page.locator('.media-caption').allTextContents()).toEqual(['Finish line'])
    const stored = await server.get<{ caption: string | null }[]>(`/workouts/${ids.main}/media`)
    expect(stored.map(({ caption }) => caption)).toEqual(['Finish line', null])
  })

  test('shows where the numbers come from when that is opened, crops among it, and reverts a crop', async () => {
    await page.reload()
    await page.locator('.chart-host canvas').first().waitFor()
    const distance = page.locator('.run-figure dd').first()
    const whole = await distance.textContent()
    expect(whole).toBe('7.20km')
    await act(page, 'More actions', 'Fix…', { 'What to fix': 'Crop start or end' })
    await page.getByRole('slider', { name: 'New start' }).press('PageUp')
    await act(page, 'Crop')
    // a minute at 3 m/s
    await soon(async () => (await distance.textContent()) === '7.02km')

    const card = page.locator('.run-sources')
    await card.locator('summary').focus()
    await page.keyboard.press('Enter')
    await reads(card, /^Cropped on .*: 1:00 from the start$/)
    const line = (name: string) =>
      card
        .locator('.sources-number')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
    const told = ['7.02\u00a0km', 'From the recorded points', 'The whole run: 7.20\u00a0km']
    expect(await line('Distance').allTextContents()).toEqual(told)
    expect(await line('Pace').allTextContents()).toEqual(['5:33/km', 'From distance and time'])
    await inBothThemes(page)
    expect((await saved(page, () => card.getByRole('link', { name: 'run.fit' }).click())).name).toBe('run.fit')

    await act(page, 'More actions', 'Fix…', { 'What to fix': 'Revert all changes' }, ['Restores the recording'])
    await noViolations(page)
    await act(page, 'Revert', ['All changes reverted'])
    await soon(async () => (await distance.textContent()) === whole)
    await reads(card, /^Reverted on /)
    await soon(async () => (await line('Distance').nth(2).textContent()) === 'The recorded points agree')
  })

  test('shows one pace: that of the moving time, of a race that of the elapsed one, the other small beside it', async () => {
    const pausedId = await server.importRun(withStop(), 'stop.fit')
    await page.goto(`${server.address}/app/runs/${pausedId}`)
    const figure = (name: string) =>
      page
        .locator('.run-figure')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
    const begins = (pace: string) => soon(async () => (await figure('Pace').textContent())?.startsWith(pace) === true)
    // 1200 s at 3 m/s, and 300 s at a level crossing, of which one still counts as moving
    await begins('5:34/km6:57 elapsed')
    expect(await figure('Time').textContent()).toBe('20:0125:00 elapsed')
    await page.locator('.charts-readout', { hasText: '20:01  ·  5:34/km' }).waitFor()
    await act(page, { 'Run type': 'Race' })
    await begins('6:57/km5:34 moving')
  })

  test('its menu has eight entries, and addresses in its notes are links', async () => {
    const notes = 'Results: https://race.example/2025?bib=7(b). Not javascript:alert(1), nor <b>'
    await server.send('PATCH', `/workouts/${ids.main}`, { notes })
    const { page } = await open(`/runs/${ids.main}`)
    const link = page.getByRole('link', { name: 'https://race.example' })
    const attributes = ['href', 'rel'].map((name) => link.getAttribute(name))
    expect(await Promise.all(attributes)).toEqual(['https://race.example/2025?bib=7(b)', 'noopener noreferrer'])
    expect(await page.locator('.run-notes a').count()).toBe(1)
    expect(await page.locator('.run-notes').textContent()).toBe(notes)
    // they stand out from the words around them
    await noViolations(page)
    await act(page, 'More actions')
    const entries = await page.getByRole('menu').getByRole('menuitem').allTextContents()
    expect(entries).toEqual([
      ...['Edit…', 'Race it', 'Similar runs…', 'Fix…', 'Share…', 'Download…', 'Exclude…', 'Delete'],
    ])
    await act(page, 'Download…')
    const { name, bytes } = await saved(page, () => act(page, 'Original'))
    expect([name.endsWith('.fit'), bytes[0]]).toEqual([true, 0x0e])
    await noViolations(page)
    await act(page, 'Close', 'More actions', 'Edit…', { Name: 'Round trip', RPE: '4', Notes: '' })
    await inBothThemes(page)
    await act(page, 'Save', ['Run changed'])
    await page.getByRole('heading', { name: 'Round trip' }).waitFor()
    expect(await server.get(`/workouts/${ids.main}`)).toMatchObject({ name: 'Round trip', rpe: 4, notes: null })
    await act(page, 'Undo', ['Undone'])
    expect(await server.get(`/workouts/${ids.main}`)).toMatchObject({ name: null, rpe: null })
  })

  test('map and charts begin within the first screen, and two columns end alike at every width', async () => {
    const { page } = await open(`/runs/${ids.main}`, { viewport: { width: 1280, height: 800 } })
    await page.locator('.chart-host canvas').first().waitFor()
    for (const width of [1024, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(() => scrollTo(0, 0))
      await soon(async () => (await holes(page)).every((px) => px <= 120))
      for (const name of ['.run-map', '.run-charts'])
        expect((await page.locator(name).boundingBox())!.y, name).toBeLessThan(450)
      expect(await page.getByRole('button', { name: 'Select a section' }).count()).toBe(1)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    for (const name of ['.run-map', '.run-charts'])
      expect((await page.locator(name).boundingBox())!.y, name).toBeLessThan(844)
  })

  test('a run is seen side by side with similar ones, the days by their own offsets', async () => {
    // 27 November, 7:30, in Sydney is the evening of the 26th in New York
    const [early, late] = [-10, 0].map((days) => Date.UTC(2024, 10, 26, 20, 30) + days * DAY_MS)
    const first = await server.importRun(inSydney(early!), 'early.fit')
    const second = await server.importRun(inSydney(late!), 'late.fit')
    const { page } = await open(`/runs/${second}`, { timezoneId: 'America/New_York' })
    const { utcOffsetMinutes } = await server.get<{ utcOffsetMinutes: number }>(`/workouts/${first}`)
    expect(utcOffsetMinutes).toBe(660)
    await reads(page.locator('.run-route'), /17 Nov|Nov 17/)
    await reads(page.locator('.run-heading'), /27 November|November 27/)
    await server.send('PATCH', `/workouts/${first}`, { leftOut: true })
    await act(page, 'More actions', 'Similar runs…')
    const dialog = page.getByRole('dialog', { name: 'Similar runs' })
    await dialog.getByRole('columnheader', { name: 'This run' }).waitFor()
    await dialog.getByRole('columnheader', { name: /(17 Nov|Nov 17).* not counted/ }).waitFor()
    expect(
      await dialog
        .getByRole('row', { name: /^Distance/ })
        .getByRole('cell')
        .count(),
    ).toBeGreaterThan(1)
    await inBothThemes(page)
    await act(page, 'Close', 'More actions', 'Fix…', { 'What to fix': 'Correct start time' })
    const fix = page.getByRole('dialog', { name: 'Fix this run' })
    expect(await fix.getByLabel('Start (local time)').inputValue()).toMatch(/^2024-11-27T07:30/)
    await act(page, { 'Start (local time)': '2024-11-27T07:45:30' })
    await fix.getByRole('row', { name: /^Start .*27 Nov.*7:30.*27 Nov.*7:45/ }).waitFor()
  })

  test('a run without a zone has its start corrected by the clock of the reader, as its head shows it', async () => {
    const run = { startedAt: '2025-11-05T12:00:00Z', durationS: 1800, distanceM: 5000 }
    const { id } = (await (await server.send('POST', '/workouts', run)).json()) as { id: string }
    expect((await server.get<{ utcOffsetMinutes: unknown }>(`/workouts/${id}`)).utcOffsetMinutes).toBeNull()
    const { page } = await open(`/runs/${id}`, { timezoneId: 'America/New_York' })
    await reads(page.locator('.run-heading'), /5 November 2025, 7:00/)
    await act(page, 'More actions', 'Fix…', { 'What to fix': 'Correct start time' })
    const fix = page.getByRole('dialog', { name: 'Fix this run' })
    expect(await fix.getByLabel('Start (local time)').inputValue()).toMatch(/^2025-11-05T07:00/)
    await act(page, { 'Start (local time)': '2025-11-05T07:15:30' })
    await fix.getByRole('row', { name: /^Start .*7:00.*7:15/ }).waitFor()
  })

  test('laps and intervals have tabs of their own, by finger and by keyboard, and none where there are none', async () => {
    const page = await charted(ids.session, PHONE)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    const rows = page.locator('.splits tbody tr')
    await tab('Intervals').waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Splits', 'Laps', 'Intervals'])
    await tab('Laps').tap()
    await soon(async () => (await rows.count()) === 7)
    expect(await rows.first().textContent()).toContain('warm-up')
    await noViolations(page)
    await page.keyboard.press('ArrowRight')
    await reads(page, '3 × 4:00')
    expect([await tab('Intervals').getAttribute('aria-selected'), await rows.count()]).toEqual(['true', 3])
    await rows.nth(1).getByRole('button').tap()
    await page.getByRole('button', { name: 'Show all', exact: true }).waitFor()
    await noViolations(page)
    await page.goto(`${server.address}/app/runs/${ids.main}`)
    await page.getByRole('heading', { name: 'Splits' }).waitFor()
    await page.waitForTimeout(300)
    expect(await page.getByRole('tab').count()).toBe(0)
  })

  test('place, values and a small map stay in sight while a finger is on the last chart', async () => {
    const { page, settled } = await open('/runs', PHONE)
    await page.goto(`${server.address}/app/runs/${ids.main}`)
    await page.locator('.chart-host canvas').first().waitFor()
    await settled()
    await toMiddle(page)
    const bar = page.locator('.charts-bar')
    const before = await bar.boundingBox()
    await page.locator('.u-over').last().tap()
    await page.locator('.charts-values', { hasText: 'bpm' }).waitFor()
    const after = (await bar.boundingBox())!
    // nothing moves under the finger
    expect(after).toEqual(before!)
    expect([after.y >= 55, after.y + after.height < 200]).toEqual([true, true])
    const dot = await page.locator('.mini-map circle:not(.ghost)').boundingBox()
    expect(dot !== null && dot.y >= after.y && dot.y < after.y + after.height).toBe(true)
    await noViolations(page)
  })

  test('stays as it is when the map server cannot be reached, and sends it few requests', async () => {
    await server.send('PUT', '/settings/map', { tiles: true })
    tiles[Symbol.dispose]()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/map/tiles/')) asked.push(request.url())
    })
    await page.goto(`${server.address}/app/runs/${ids.main}`)
    await page.getByText('OpenStreetMap contributors').waitFor()
    // tiles of this view are on the disk; these are not
    for (let k = 0; k < 8; k += 1) await page.getByRole('button', { name: 'Zoom in' }).click()
    await soon(async () => asked.some((url) => !url.includes('/map/tiles/14/')))
    await page.getByText('Map server isn’t responding').waitFor()
    await page.waitForTimeout(600)
    const tried = asked.length
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForTimeout(400)
    expect(asked.length).toBe(tried)
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
    watched.forgive()
  })
})

describe('the same ground again, and a finger on it', () => {
  let id = ''
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (const [day, speedMps] of [
      [3, 3.2],
      [2, 2.8],
      [0, 3],
    ] as const) {
      id = await server.importRun(fitRun({ startMs: START_MS - day * DAY_MS, speedMps }), `${day}.fit`)
    }
    await server.addMedia(id, 'large.png', png(7))
  })
  const SUMMARY = 'You’ve run this section 3 times; this was your 2nd fastest'
  const opened = async (options = {}) => {
    const { page } = await open(`/runs/${id}`, options)
    await page.locator('.chart-host canvas').first().waitFor()
    return { page, card: page.getByRole('region', { name: 'Your times here' }) }
  }

  test('a section that is selected on a chart or along the route lists every time it was run', async () => {
    const { page, card } = await opened()
    const drag = async (selector: string, from: readonly [number, number], to: readonly [number, number]) => {
      const { x, y, width, height } = (await page.locator(selector).first().boundingBox())!
      await page.mouse.move(x + width * from[0], y + height * from[1])
      await page.mouse.down()
      await page.mouse.move(x + width * to[0], y + height * to[1], { steps: 6 })
      await page.mouse.up()
    }
    await drag('.chart-host .u-over', [0.3, 0.5], [0.7, 0.5])
    await reads(card, SUMMARY)
    expect(await card.locator('tbody tr').count()).toBe(3)
    await card.getByRole('rowheader', { name: 'This run' }).waitFor()
    expect(await card.getByRole('link').count()).toBe(2)
    await noViolations(page)
    await act(page, 'Show all')
    await card.waitFor({ state: 'detached' })
    // the route goes straight up in the middle
    await page.keyboard.down('Shift')
    await drag('.map-frame', [0.5, 0.6], [0.5, 0.4])
    await page.keyboard.up('Shift')
    await reads(card, SUMMARY)
    await act(page, 'Show all')
    await card.waitFor({ state: 'detached' })
  })

  test('a section is selected with a finger: on the handles below the map, by taps on the route, on the charts', async () => {
    const { page: hand, card } = await opened(PHONE)
    const map = hand.getByRole('region', { name: 'Route' })
    await map.getByRole('button', { name: 'Select a section' }).tap()
    const picker = map.getByRole('group', { name: 'Section' })
    // the middle third of ten minutes at 3 m/s
    await reads(picker, 'from 0.60\u00a0km to 1.20\u00a0km', SUMMARY)
    const [start, end] = ['Start', 'End'].map((name) => picker.getByRole('slider', { name: `${name} of section` }))
    const value = async (slider = start, name = 'now') => await slider!.getAttribute(`aria-value${name}`)
    expect(await start!.evaluate((handle) => handle === document.activeElement)).toBe(true)
    await inBothThemes(hand)
    expect(await hand.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await start!.press('PageDown')
    await end!.press('End')
    expect([await value(start, 'text'), await value(end, 'text')]).toEqual(['2:20', '10:00'])
    // the route goes straight up in the middle of the map; taps set the start, then the end, whichever comes first
    const box = (await hand.locator('.map-frame').boundingBox())!
    const tap = (share: number) => hand.touchscreen.tap(box.x + box.width / 2, box.y + box.height * share)
    await tap(0.4)
    const early = await value()
    await tap(0.6)
    expect(await value(end)).toBe(early)
    expect(Number(await value())).toBeLessThan(Number(early) - 60)
    await reads(picker, SUMMARY)
    await picker.getByRole('button', { name: 'See all times' }).tap()
    await card.getByRole('rowheader', { name: 'This run' }).waitFor()
    await picker.getByRole('button', { name: 'Done' }).tap()
    await picker.waitFor({ state: 'detached' })
    // the passes of the last choice may still be under way
    await soon(async () => (await card.locator('tbody tr').count()) === 3)
  })

  test('"Race it" in the menu waits for the earlier runs on the route', async () => {
    const { page } = await open('/runs')
    const asked = Promise.withResolvers<void>()
    await page.route('**/similar-routes*', async (route) => {
      await asked.promise
      await route.continue()
    })
    await page.goto(`${server.address}/app/runs/${id}`)
    await page.locator('.chart-host canvas').first().waitFor()
    await act(page, 'More actions', 'Race it')
    await page.waitForTimeout(300)
    expect(await page.locator('.toast').count()).toBe(0)
    asked.resolve()
    const first = page.getByRole('button', { name: /^Race it: run of/ }).first()
    await soon(async () => await first.evaluate((button) => button === document.activeElement))
  })

  test('"Race it" leads to the gap, with a chip and the ghost on the map, by a finger', async () => {
    const { page: hand } = await opened(PHONE)
    expect((await inkOfPointer(hand)).count).toBe(0)
    const race = hand.getByRole('button', { name: /^Race it/ }).first()
    await race.tap()
    const card = hand.getByRole('region', { name: /^vs\. your run of/ })
    await reads(card, /ahead of your run of/)
    expect(await card.evaluate((element) => element.parentElement === document.activeElement)).toBe(true)
    // neither the map nor the card is under the header
    const header = (await hand.locator('.topbar').boundingBox())!
    for (const place of [hand.locator('.run-map'), card])
      expect((await place.boundingBox())!.y).toBeGreaterThanOrEqual(header.y + header.height)
    // at rest the ghost is where it was at the end of the run, and it moves with the place in the charts
    await soon(async () => (await inkOfPointer(hand)).count > 0)
    const atEnd = await inkOfPointer(hand)
    await hand.getByRole('slider', { name: /^Position in the run/ }).press('Home')
    await soon(async () => (await inkOfPointer(hand)).middle !== atEnd.middle)
    await inBothThemes(hand)
    // the gap has a scale of times and of distances
    const marks = await card.locator('.tick').allTextContents()
    expect([marks.includes('0'), marks.some((mark) => /^[+−]\d+/.test(mark)), marks.at(-1)!.endsWith('km')]).toEqual([
      true,
      true,
      true,
    ])
    await act(hand, [/^Racing \d+ \w+/], 'End race')
    await card.waitFor({ state: 'detached' })
    await race.waitFor()
  })

  test('a run that is excluded says so beside its best efforts, and fits a phone', async () => {
    await server.send('PATCH', `/workouts/${id}`, { leftOut: true })
    const { page } = await opened(PHONE)
    await reads(page.locator('.run-best'), 'This run is excluded from statistics')
    expect(await tooWide(page)).toEqual([])
    await server.send('PATCH', `/workouts/${id}`, { leftOut: false })
  })

  test('charts are zoomed with two fingers and with a double tap, and show all again', async () => {
    const { page } = await opened(PHONE)
    await toMiddle(page)
    const all = page.getByRole('button', { name: 'Show all', exact: true })
    expect(await all.isVisible()).toBe(false)
    const readout = page.locator('.charts-readout')
    const whole = await readout.textContent()
    const session = await page.context().newCDPSession(page)
    const { width } = (await page.locator('.u-over').last().boundingBox())!
    await twoFingers(
      session,
      await middleOf(page),
      Array.from({ length: 11 }, (_, k) => [width * (0.1 + 0.03 * k), 0]),
    )
    await all.waitFor()
    // a quarter of 1.8 km is left
    const shown = async () => Number.parseFloat((await readout.textContent()) ?? '')
    await soon(async () => (await shown()) > 0.4 && (await shown()) < 0.52)
    await all.tap()
    await soon(async () => (await readout.textContent()) === whole)
    await toMiddle(page)
    for (const state of ['visible', 'hidden'] as const) {
      await doubleTap(session, await middleOf(page))
      await all.waitFor({ state })
      await page.waitForTimeout(400)
    }
  })

  test('Back closes a picture where the page was, with the focus', async () => {
    const { page } = await open('/runs', PHONE)
    await page.goto(`${server.address}/app/runs/${id}`)
    await page.locator('.media-thumb img').scrollIntoViewIfNeeded()
    const scrolled = await page.evaluate(() => scrollY)
    const show = page.getByRole('button', { name: 'Show large.png' })
    await show.tap()
    await page.locator('.lightbox img').waitFor()
    await page.goBack()
    const box = page.locator('.lightbox')
    await box.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(`/app/runs/${id}`)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Show large.png')
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(3)
    // closed by its button it leaves no step behind
    await show.tap()
    await page.getByRole('button', { name: 'Close' }).tap()
    await box.waitFor({ state: 'detached' })
    await page.waitForTimeout(100)
    await page.goBack()
    await page.waitForURL(/\/app\/runs$/)
  })
})

/** A circle of 7.2 km from its eastern end over the north, with heart rate, climb and cadence. */
function roundTrip(): Uint8Array {
  const radiusM = (SECONDS * SPEED_MPS) / (2 * Math.PI)
  const samples = Array.from({ length: SECONDS + 1 }, (_, t) => {
    const angle = (t / SECONDS) * 2 * Math.PI
    const cosine = Math.cos((47 * Math.PI) / 180)
    return {
      t,
      lat: 47 + (Math.sin(angle) * radiusM) / 111_195,
      lon: 8 + (Math.cos(angle) * radiusM) / (111_195 * cosine),
      distanceM: t * SPEED_MPS,
      elevM: 400 + 15 * Math.sin(angle * 3),
      speedMps: SPEED_MPS,
      hr: 140 + Math.round(10 * Math.sin(t / 200)),
      cadence: 85,
    }
  })
  return fitFile({ startMs: Date.UTC(2025, 10, 1, 7), samples, manufacturer: 1, product: 1967 })
}

/** Ten minutes at 3 m/s, five at a level crossing, and ten more. */
function withStop(): Uint8Array {
  const samples = Array.from({ length: 1501 }, (_, t) => {
    const distanceM = (t - Math.min(300, Math.max(0, t - 600))) * SPEED_MPS
    const isStanding = t > 600 && t < 900
    return { t, lat: 47 + distanceM / 111_195, lon: 8, distanceM, speedMps: isStanding ? 0 : SPEED_MPS, hr: 140 }
  })
  return fitFile({ startMs: Date.UTC(2025, 10, 3, 7), samples, manufacturer: 1, product: 1967 })
}

/** Pixels by which one column ends before the other, and that lie between two cards of one. */
async function holes(page: Page): Promise<number[]> {
  return await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.run-cell')].map((cell) => cell.getBoundingClientRect())
    const shown = boxes.filter(({ height }) => height > 0)
    const lefts = [...new Set(shown.map(({ left }) => Math.round(left)))]
    const columns = lefts.map((left) =>
      shown.filter((box) => Math.round(box.left) === left).toSorted((a, b) => a.top - b.top),
    )
    const gaps = columns.flatMap((column) => column.slice(1).map(({ top }, k) => top - column[k]!.bottom))
    const ends = columns.map((column) => column.at(-1)?.bottom ?? 0)
    return [...gaps, Math.max(...ends) - Math.min(...ends)]
  })
}

/** Straight ahead for twenty minutes. */
function inSydney(startMs: number): Uint8Array {
  const samples = Array.from({ length: 1201 }, (_, t) => {
    return { t, lat: -33.87 + (t * SPEED_MPS) / 111_195, lon: 151.21, distanceM: t * SPEED_MPS, speedMps: SPEED_MPS }
  })
  return fitFile({ startMs, samples })
}

type Dots = readonly number[]

/** Red, green, blue and alpha of the dots near the upper edge of the map, where no route is. */
async function groundAt(page: Page): Promise<Dots> {
  return await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.map-frame canvas')
    return [...(canvas?.getContext('2d')?.getImageData(0, 6, canvas.width, 1).data ?? [])]
  })
}

/** Also when it was muted. */
function isMagenta(dots: Dots): boolean {
  return dots.some((red, k) => k % 4 === 0 && red - dots[k + 1]! > 25 && dots[k + 2]! - dots[k + 1]! > 25)
}

async function groundIs(page: Page, test: (dots: Dots) => boolean): Promise<void> {
  await soon(async () => test(await groundAt(page)))
}

async function picture(page: Page): Promise<string> {
  return await page.evaluate(() => document.querySelector<HTMLCanvasElement>('.map-frame canvas')?.toDataURL() ?? '')
}

/** Three times four minutes with a lap at each step, as a watch writes it. */
function session(startMs: number): Uint8Array {
  const work: Step = { s: 240, mps: 4.3, work: true, intensity: 'active' }
  const rest: Step = { s: 120, mps: 2.4, intensity: 'rest' }
  const easy = (intensity: 'warmup' | 'cooldown'): Step => ({ s: 400, mps: 2.9, intensity })
  const { track, laps } = madeSession([easy('warmup'), work, rest, work, rest, work, easy('cooldown')])
  const samples = Array.from(track.tS, (t, i) => {
    const distanceM = track.distanceM[i]!
    return { t, lat: 47 + distanceM / 111_170, lon: 8, distanceM, hr: track.heartRateBpm[i]! }
  }).filter(({ t }) => Number.isInteger(t))
  const codes: readonly unknown[] = ['active', 'rest', 'warmup', 'cooldown']
  const stated = laps.map(({ startS, endS, intensity }) => {
    return { startS, elapsedS: endS - startS, intensity: codes.indexOf(intensity), trigger: 1 }
  })
  return fitFile({ startMs, samples, laps: stated })
}

type Spot = Readonly<Record<'x' | 'y', number>>

/** Scrolls the last chart into the lower half of the window. */
async function toMiddle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const chart = [...document.querySelectorAll('.u-over')].at(-1)
    window.scrollBy(0, (chart?.getBoundingClientRect().top ?? 0) - 460)
  })
  await page.waitForTimeout(100)
}

/** Of the last chart. */
async function middleOf(page: Page): Promise<Spot> {
  const { x, y, width, height } = (await page.locator('.u-over').last().boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Two fingers beside a place, each time so many pixels from it and so many below it. */
async function twoFingers(session: CDPSession, { x, y }: Spot, moves: readonly (readonly number[])[]): Promise<void> {
  for (const [step, [apart = 0, down = 0]] of moves.entries()) {
    const touchPoints = [-apart, apart].map((by, id) => ({ x: x + by, y: y + down, id }))
    await session.send('Input.dispatchTouchEvent', { type: step === 0 ? 'touchStart' : 'touchMove', touchPoints })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** As one message after the other, so that a slow machine does not make two taps of it. */
async function doubleTap(session: CDPSession, place: Spot): Promise<void> {
  const events = [[place], [], [place], []].map((touchPoints) =>
    session.send('Input.dispatchTouchEvent', { type: touchPoints.length > 0 ? 'touchStart' : 'touchEnd', touchPoints }),
  )
  await Promise.all(events)
}
