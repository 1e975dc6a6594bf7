// The pages of the settings, their addresses, and the one list of what was changed and deleted.
import { describe, expect } from 'bun:test'
import { gpxFile } from '../fixtures/gpx.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { watchedPage } from './browser.ts'
import { act, inBothThemes, PHONE, pageSuite, reads, saved, tooWide } from './suite.ts'

const PAGES = ['you', 'runs-in', 'data', 'access', 'about']
/** Two screens at 1280 × 800. */
const MOST_PX = 1600
const DESK = { viewport: { width: 1280, height: 800 } }

describe('the settings', () => {
  const { test, server, open } = pageSuite(async ({ server }) => {
    await server.importRun(fitRun())
  })

  test('are five pages, each of at most two screens', async () => {
    const { page } = await open('/settings', DESK)
    const names = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await names.first().waitFor()
    expect(await names.allTextContents()).toEqual([
      'You',
      'Getting runs in',
      'Your data',
      'Access and privacy',
      'About',
    ])
    for (const name of PAGES) {
      await page.goto(`${server.address}/app/settings/${name}`)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(MOST_PX)
    }
  })

  test('have an address for each section of the page that they were', async () => {
    const { page } = await open('/shoes', DESK)
    const places = {
      you: ['units', 'zones', 'training'],
      'runs-in': ['import', 'phone', 'watch', 'sync'],
      data: ['archive', 'backups', 'history', 'recalculate'],
      access: ['password', 'privacy', 'weather', 'calendar', 'shared', 'keys'],
      about: ['about'],
    }
    const all = Object.entries(places).flatMap(([name, anchors]) => anchors.map((anchor) => [anchor, name]))
    for (const [anchor, name] of all) {
      const at = name === 'you' ? `/settings#${anchor}` : `/settings/${name}#${anchor}`
      await page.goto(`${server.address}/app/settings#${anchor}`)
      await page.waitForURL(`${server.address}/app${at}`)
      await page.locator(`#${anchor}`).waitFor()
      await page.goto(`${server.address}/app/shoes`)
    }
  })

  test('create and withdraw the address of the calendar feed, and a key with a last day', async () => {
    const { page } = await open('/settings/access', DESK)
    await act(page, 'Create address')
    const address = (await page.locator('#feed-address').textContent()) ?? ''
    expect(address).toStartWith(`${server.address}/calendar/`)
    expect(await (await fetch(address)).text()).toContain('BEGIN:VEVENT')
    await page.reload()
    await reads(page.locator('#calendar'), 'Address created')
    expect(await page.locator('#feed-address').count()).toBe(0)
    await act(page, 'Withdraw')
    await act(page, 'Withdraw')
    await page.getByRole('button', { name: 'Create address' }).waitFor()
    expect((await fetch(address)).status).toBe(404)
    await act(page, { 'Key label': 'For a while', 'Last day (optional)': '2099-12-31' }, 'Create key')
    await act(page, 'Done')
    await reads(page.locator('#keys'), 'Expires 31 Dec 2099 · never used')
  })

  test('keep older values of the profile when newer ones begin later', async () => {
    const { page } = await open('/settings/you', DESK)
    // as while loads are computed; what is typed meanwhile stays
    await page.route(/settings\/training\?/, async (route) => {
      await Bun.sleep(700)
      await route.continue()
    })
    await act(page, { 'Max HR': '188' }, 'Save profile')
    await reads(page, 'Profile saved')
    await act(page, { 'Max HR': '186', 'Valid from': '2025-06-01' }, 'Save profile')
    await reads(page, 'From the start', 'From 1 Jun 2025')
    await act(page, 'Remove values: From the start')
    type Profile = { readonly entries: readonly { readonly maxHeartRateBpm: number | null }[] }
    // with one value left there is no list of them
    await page
      .getByRole('button', { name: /^Remove values/ })
      .first()
      .waitFor({ state: 'detached' })
    expect(await page.getByLabel('Max HR').first().inputValue()).toBe('186')
    const { entries } = await server.get<Profile>('/settings/training')
    expect(entries.map((entry) => entry.maxHeartRateBpm).at(-1)).toBe(186)
  })
})

describe('a shared run', () => {
  let id = ''
  const { test, server, open, browser } = pageSuite(async ({ server }) => {
    id = await server.importRun(fitRun({ seconds: 1800 }))
    await server.send('PATCH', `/workouts/${id}`, { name: 'Round the lake', notes: 'Windy' })
  })
  const hide = (trimEndsM: number) => server.send('PUT', '/settings/privacy', { trimEndsM })
  /** A browser that knows nothing of the runner. */
  const asFriend = () => watchedPage(browser(), server.address)

  test('has a page for whoever has the link, which is withdrawn in Settings', async () => {
    const { page } = await open(`/runs/${id}`, DESK)
    await act(page, 'More actions', 'Share…', ['Others see where this run starts and finishes.'])
    await page.getByRole('checkbox', { name: 'Notes' }).check()
    await act(page, { 'Link works for': '7 days' }, 'Create link', ['Shows map, pace, notes'])
    await page.locator('button:focus', { hasText: 'Copy' }).waitFor()
    const first = (await page.locator('#share-address').textContent()) ?? ''
    expect(first).toMatch(new RegExp(`^${server.address}/s/[\\w-]{22}$`))
    await inBothThemes(page)

    const friend = await asFriend()
    await friend.page.goto(first)
    await reads(friend.page, 'Round the lake', '5.40 km', '30:00', 'Windy')
    expect(await friend.page.locator('script').count()).toBe(0)
    expect(await friend.page.context().cookies()).toEqual([])
    for (const width of [320, 390, 1280]) {
      await friend.page.setViewportSize({ width, height: 800 })
      expect(await tooWide(friend.page)).toEqual([])
      await noViolations(friend.page)
    }

    // another link, with which the first one ends
    await page.getByRole('checkbox', { name: 'Notes' }).uncheck()
    await act(page, { 'Link works for': 'Until withdrawn' }, 'Replace link', [
      'Shared until withdrawn · Shows map, pace',
    ])
    const second = (await page.locator('#share-address').textContent()) ?? ''
    await friend.expecting(/\/s\//, async () => {
      expect((await friend.page.goto(first))?.status()).toBe(404)
    })
    await friend.page.goto(second)
    await reads(friend.page, '5.40 km')
    expect(await friend.page.getByText('Windy').count()).toBe(0)
    await act(page, 'Close')
    await reads(page.locator('main'), 'Shared until withdrawn')

    await page.goto(`${server.address}/app/settings/access`)
    const listed = page.locator('#shared')
    await reads(listed, /^Round the lake, /, 'Shared until withdrawn', 'Shows map, pace')
    await inBothThemes(page)
    await listed.getByRole('button', { name: 'Withdraw' }).click()
    await act(page, 'Withdraw')
    await reads(listed, 'None. To share a run, choose Share from its menu.')
    await friend.expecting(/\/s\//, async () => {
      expect((await friend.page.reload())?.status()).toBe(404)
    })
    await reads(friend.page, 'This link doesn’t work')
    await friend.close()
  })

  test('says what is hidden of it, and is saved as a picture of the rest alone', async () => {
    await hide(400)
    await server.send('PATCH', `/workouts/${id}`, { name: 'Tempo 3 x 10' })
    const { page } = await open(`/runs/${id}`, PHONE)
    await act(page, 'More actions', 'Share…')
    await reads(
      page,
      /^Parts of this run are hidden\./,
      /Others don’t see its name, which could give hidden places away/,
    )
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const { name, bytes } = await saved(page, () => act(page, 'Save as picture'))
    expect(name).toBe('2025-11-01-run.png')
    const header = new DataView(bytes.buffer, 16)
    expect([header.getUint32(0), header.getUint32(4)]).toEqual([1200, 630])
    const answers = asked.map((url) => new URL(url).pathname).filter((path) => !path.startsWith('/assets/'))
    expect(answers).toEqual([`/workouts/${id}/shared-view`])
    await hide(0)
  })
})

describe('a run of Sydney in a browser of New York', () => {
  let id = ''
  const { test, server, open } = pageSuite(async ({ server }) => {
    // 9:00 on 27 November in Sydney is 17:00 on the 26th in New York
    for (const days of [0, 1, 2, 3, 4]) {
      const points = Array.from({ length: 600 }, (_, t) => ({
        ...{ lat: -33.87 + t * 0.00003, lon: 151.21 },
        timeMs: Date.UTC(2025, 10, 26 - 7 * days, 22) + t * 1000,
      }))
      const made = await server.importRun(gpxFile({ points }), `${days}.gpx`)
      if (days === 0) id = made
    }
    await server.send('DELETE', `/workouts/${id}`)
    await server.send('POST', `/trash/${id}/restore`)
  })
  const options = { timezoneId: 'America/New_York', locale: 'en-GB', ...DESK }

  test('has its own day and name on every screen', async () => {
    const { items } = await server.get<{ items: { id: string; kind: string }[] }>('/receipts')
    const receipt = items.find(({ kind }) => kind === 'import')?.id
    const { page } = await open('/runs', options)
    for (const [at, sign] of [
      ['', 'main h1'],
      ['/runs', '.run-line'],
      ['/places', '.place'],
      [`/receipts/${receipt}`, '.row'],
      ['/shoes', 'main h1'],
      ['/bests', '.best-top'],
      ['/statistics', '.highlights li'],
    ] as const) {
      await page.goto(`${server.address}/app${at}`)
      await page.locator(sign).first().waitFor()
      await page.waitForLoadState('networkidle')
      const text = ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ')
      expect([
        at,
        text.match(/(Sun|Mon|Tue|Wed|Thu|Fri|Sat)? ?26 Nov\w*( 2025)?|(Evening|Afternoon|Night) run/g),
      ]).toEqual([at, null])
    }
    await page.goto(`${server.address}/app/training?view=calendar&month=2025-11`)
    const day = page.locator('.month td', { hasText: '27 Nov 2025' })
    await reads(day, 'Morning run')
    await page.goto(`${server.address}/app/map?at=-33.865,151.21,15`)
    await page.locator('.heat-map canvas').waitFor()
    await page.waitForTimeout(1500)
    await page.getByRole('application').focus()
    await page.keyboard.press('Enter')
    await reads(page.getByRole('region', { name: 'Runs here' }), '27 Nov', 'Morning run')
    await server.send('DELETE', `/workouts/${id}`)
    await page.goto(`${server.address}/app/trash`)
    await reads(page.locator('.row').first(), 'Morning run', '27 Nov')
  })
})
