// One walk over all addresses of the page and what opens on them: it fits, stays where it is, is large enough for a finger
// and has no finding of axe, at each width and in both themes; and no console error, failed request or foreign address.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { LEADS, TITLES } from '../../src/web/addresses.ts'
import { png } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import type { RunServer } from './run-server.ts'
import { addSeasons } from './season-server.ts'
import { act, DAY_MS, gone, inBothThemes, PHONE, pageSuite, reads } from './suite.ts'

/** The smallest phone, a phone, a tablet, a desk, a wide screen. */
const LOOKS = [
  { viewport: { width: 320, height: 700 } },
  PHONE,
  { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' },
  { viewport: { width: 1024, height: 900 } },
  { viewport: { width: 1600, height: 900 }, colorScheme: 'dark' },
] as const
/** Widths that axe judges, the first in both themes, the others in the one they have; between them only places change. */
const JUDGED: readonly number[] = [390, 1024, 1600]
/** Less than this nobody sees (web.dev calls up to 0.1 good). */
const LEAST_SHIFT = 0.005
/** Apple and Google advise 44 and 48; from 40 on nobody misses. */
const LEAST_TARGET_PX = 40
const LONG = 'A name as long as a marathon in the rain, with everyone who was there and what they wore that day'

/** Addresses below /app, and what is there when all has come. */
const PLACES: readonly (readonly [at: string, sign: string])[] = [
  ['', '.home-bests dd'],
  ['/login', '.home-bests dd'],
  ['/statistics', '.highlights li, .highlights p'],
  ['/runs', '.run-line'],
  ['/runs?q=nothing+like+it', '.empty'],
  ['/runs?min=1&max=2&type=Race', '.chip'],
  ['/runs/{marathon}', '.training-line'],
  ['/runs/{rich}', '.media-thumb'],
  ['/runs/{tiny}', '.chart-host canvas'],
  ['/training', '.tc-key'],
  ['/training?view=fitness', '.races tbody tr'],
  ['/training?view=better', '.card p'],
  ['/training?view=endurance', '.in-key'],
  ['/training?view=goals', '.goal-bar'],
  ['/training?view=races', '.race-range'],
  ['/training?view=calendar', '.month-run'],
  ['/bests', '.best-parts'],
  ['/bests?distance=1609.344', '.best-top tbody tr'],
  ['/map', '.heat-map canvas'],
  ['/map?layer=squares', '.heat-map canvas'],
  ['/places', '.page-head'],
  ['/shoes', '.shoe'],
  ['/settings', '.zones'],
  ['/settings/you', '.profile-fields'],
  ['/settings/runs-in', '.drop-zone, .line-form'],
  ['/settings/data', '#recalculate .row'],
  ['/settings/access', '#keys'],
  ['/settings/about', '#about'],
  ['/history', '.row'],
  ['/receipts/{receipt}', '.row'],
  ['/history?show=trash', '.row'],
]
/** Those that are used in the hand while running or at once after it. */
const HANDY = /^(\/runs(\?.*|\/\{rich\})?|\/bests(\?.*)?|\/shoes|\/settings(\/you)?|\/training(\?.*)?)?$/
/** What is opened on an address by pressing names one after the other. */
const OPENED: readonly (readonly [at: string, names: readonly (string | RegExp)[], said: string | RegExp])[] = [
  ['', ['Customise cards'], 'Latest run'],
  ['', [/^\d+ suggestions?$/], 'Your runs suggest new values'],
  ['/statistics', ['Customise cards'], 'Totals'],
  ['', ['Add a run'], 'Treadmill run'],
  ['/runs', ['Account: runner', 'Keyboard shortcuts'], 'Show this list'],
  ['/runs/{rich}', ['More actions', 'Edit…'], 'Edit run'],
  ['/runs/{rich}', ['More actions', 'Similar runs…'], 'Similar runs'],
  ['/runs/{rich}', ['More actions', 'Fix…'], 'What to fix'],
  ['/runs/{rich}', ['More actions', 'Download…'], 'as it was recorded'],
  ['/runs/{rich}', ['More actions', 'Share…'], 'Link works for'],
  ['/runs/{rich}', ['More actions', 'Exclude…'], 'What this run counts for'],
  ['/runs/{rich}', ['Show a.png'], 'a.png'],
  ['/runs/{rich}', ['Street map'], 'Show a street map?'],
  ['/shoes', ['Add shoes'], 'Brand'],
  ['/settings/data', ['Recalculate'], /^Recalculate .*\?$/],
  ['/training?view=goals', ['Set a goal'], 'Target'],
  ['/training?view=races', ['Add a race'], 'Goal time'],
  ['/training?view=better', ['Mark a sensor'], 'First day'],
]
const ids: Record<string, string> = {}
const filled = (at: string) => at.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '')

const { test, server, open } = pageSuite()

test('without runs every address fits, in both themes, and says what to do', async () => {
  const { page } = await open('', PHONE)
  for (const [at, words] of [
    ['', 'No runs yet'],
    ['/runs', 'Drop files anywhere on this page'],
    ['/bests', 'No personal bests yet'],
    ['/shoes', 'No shoes yet'],
    ['/training', 'Fitness is based on the load of your runs.'],
    ['/training?view=goals', 'No goals yet.'],
    ['/training?view=races', 'No upcoming races.'],
    ['/trash', 'Trash is empty'],
    ['/settings/runs-in', 'WATCH_DIR: /import'],
  ] as const) {
    await page.goto(`${server.address}/app${at}`)
    await reads(page, words)
    expect([at, await unfitting(page)]).toEqual([at, []])
    await inBothThemes(page)
  }
})

test.each(LOOKS)('nothing moves while a screen of a few runs loads at %o', async (look) => {
  const now = Date.now()
  if ((await server.get<{ totalCount: number }>('/workouts')).totalCount === 0) {
    for (const [index, days] of [1, 2, 6, 9, 30, 200, 370, 400, 500, 620, 700, 701].entries()) {
      const made = { startMs: now - days * DAY_MS, seconds: 900 + 300 * index, hr: 130 + index * 3 }
      await server.importRun(index === 1 ? gpxRun({ ...made, name: LONG }) : fitRun(made), `${index}.fit`)
    }
  }
  const { page } = await open('/settings', look)
  await page.addInitScript(countShifts)
  // as on a busy server: the numbers come later than what says which cards there are, and each at its own time
  await page.route(/\/stats\//, async (route) => {
    await Bun.sleep(200 + ((route.request().url().length * 97) % 300))
    await route.continue()
  })
  for (const [at, sign] of PLACES.filter(([at]) => /^(\/runs(\?.*)?|\/bests|\/statistics|\/settings)?$/.test(at))) {
    await page.goto(`${server.address}/app${at}`)
    await page.locator(sign).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(200)
    expect([at, await shiftOf(page)]).toEqual([at, []])
  }
})

test('the walk knows all addresses', async () => {
  await fillLog(server)
  const known = PLACES.map(([at]) => `/app${at.replace(/\?.*/, '').replace(/\{\w+\}/, '{id}')}`)
  expect([...new Set(known)].toSorted()).toEqual(Object.keys(TITLES).toSorted())
})

test('an address that one would guess leads to the view it means', async () => {
  const { page } = await open('/shoes')
  const guessed = ['/app/calendar', '/app/goals', '/app/heatmap', '/app/races', '/app/trash']
  expect([...LEADS.keys()].toSorted()).toEqual(guessed)
  for (const [guess, leads] of LEADS) {
    await page.goto(server.address + guess)
    await page.waitForURL(server.address + leads)
    await page
      .locator(PLACES.find(([at]) => `/app${at}` === leads)?.[1] ?? '')
      .first()
      .waitFor()
  }
})

test.each(LOOKS)(
  'every address is whole and readable at %o',
  async (look) => {
    const { width } = look.viewport
    const { page } = await open('/shoes', look)
    const found: string[] = []
    for (const [place, sign] of PLACES) {
      const at = filled(place)
      await page.goto(`${server.address}/app${at}`)
      await page.locator(sign).first().waitFor()
      // where its numbers come from
      if (place === '/runs/{rich}') await page.locator('.run-sources summary').click()
      await page.waitForTimeout(200)
      const small = width === 390 && HANDY.test(place) ? await smallTargets(page, LEAST_TARGET_PX) : []
      found.push(...[...(await unfitting(page)), ...small].map((fault) => `${place}: ${fault}`))
      if (width === 390) await inBothThemes(page)
      else if (JUDGED.includes(width)) await noViolations(page)
    }
    expect(found).toEqual([])
  },
  300_000,
)

test.each([390, 1100])(
  'what opens fits at %d px, is readable in both themes, and closes with Escape',
  async (width) => {
    const { page } = await open('/shoes', { viewport: { width, height: 844 } })
    const dialog = page.locator('dialog[open]')
    for (const [place, names, said] of OPENED) {
      await page.goto(`${server.address}/app${filled(place)}`)
      if (place === '/settings/data') await page.getByRole('button', { name: names[0]! }).first().click()
      else await act(page, ...names)
      await reads(dialog, said)
      const box = (await dialog.boundingBox())!
      const isWithin = [box.x >= 0, box.x + box.width <= width, box.y >= 0, box.y + box.height <= 845]
      expect([names, isWithin]).toEqual([names, Array(4).fill(true)])
      await inBothThemes(page)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      // a picture that is closed takes back its step of the history, which would end the next way
      await page.waitForTimeout(150)
    }
  },
  300_000,
)

test('an unknown address is the page that says so, with a way out', async () => {
  const { page, expecting } = await open('', PHONE)
  await expecting(/nowhere$/, async () => {
    expect((await page.goto(`${server.address}/nowhere`))?.status()).toBe(404)
  })
  await reads(page, 'Page not found')
  await page.waitForFunction(() => document.title === 'Page not found · Harrier')
  expect(await unfitting(page)).toEqual([])
  await inBothThemes(page)
  await act(page, 'Go to Home')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
})

test('the page is reached and used with the keyboard alone', async () => {
  const { page } = await open('/shoes')
  await page.locator('.shoe').first().waitFor()
  const steps: readonly (readonly [key: string, focus: string | RegExp])[] = [
    ...[
      ...[
        'Skip to content',
        'Harrier, home',
        'Home',
        'Runs',
        'Training',
        'Map',
        'Bests',
        'Statistics',
        'Shoes',
        'Settings',
      ],
      ...['Add a run', 'Import', 'Account: runner'],
    ].map((name) => ['Tab', name] as const),
    ['Enter', / theme$/],
    ['Escape', 'Account: runner'],
    ['Tab', 'Add shoes'],
    ['Enter', 'Brand'],
    ['Escape', 'Add shoes'],
  ]
  for (const [key, focus] of steps) {
    await page.keyboard.press(key)
    await page.waitForTimeout(150)
    expect(await focused(page)).toMatch(typeof focus === 'string' ? new RegExp(`^${focus}$`) : focus)
  }
  // a menu closes when Tab leaves it
  await act(page, /^Actions for Saucony/)
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.locator('[role=menu]').waitFor({ state: 'detached' })
})

test('? lists the shortcuts on every screen, but not while one types', async () => {
  const { page } = await open('/runs')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.locator('.run-line').first().waitFor()
  await page.keyboard.press('?')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await page.getByRole('searchbox').fill('is it?')
  await page.keyboard.press('?')
  expect(await list.count()).toBe(0)
})

test('a screen says in a sentence what is wrong when the service cannot answer, and tries again', async () => {
  const { page, forgive } = await open('/settings')
  await page.route(/\/shoes$/, (route) => {
    if (route.request().resourceType() === 'document') return route.continue()
    return route.fulfill({ status: 500, json: { error: 'Internal server error' } })
  })
  await page.goto(`${server.address}/app/shoes`)
  await page.getByRole('alert').waitFor()
  await noViolations(page)
  await page.unrouteAll()
  await act(page, 'Try again')
  await page.locator('.shoe').first().waitFor()
  // a stream of events that opens would try again before the button is pressed
  for (const broken of [/\/events/, /\/workouts\?/]) await page.route(broken, (route) => route.abort())
  await page.goto(`${server.address}/app/runs`)
  await reads(page, 'Can’t reach Harrier')
  await page.unroute(/\/workouts\?/)
  await act(page, 'Try again')
  await page.locator('.run-line').first().waitFor()
  await gone(page, 'Can’t reach Harrier')
  forgive()
})

test.each([
  ['reduce', 0],
  ['no-preference', 1],
] as const)('moves nothing for who wants no motion: %s', async (reducedMotion, least) => {
  const { page } = await open('/shoes', { reducedMotion })
  await act(page, 'Add shoes')
  await page.getByRole('dialog').waitFor()
  // told by the styles: the animations themselves may be over when they are looked for
  const seconds = await page.evaluate(() =>
    [...document.querySelectorAll('*')].map((element) => {
      const { animationDuration, animationName, transitionDuration } = getComputedStyle(element)
      const animationS = animationName === 'none' ? 0 : Number.parseFloat(animationDuration)
      return animationS + Math.max(...transitionDuration.split(',').map(Number.parseFloat))
    }),
  )
  expect(Math.min(1, Math.ceil(Math.max(...seconds)))).toBe(least)
})

test('theme and unit are the same in another window at once, and the system’s theme is followed until one is chosen', async () => {
  const { page } = await open('/runs')
  await page.locator('.run-line').first().waitFor()
  const other = await page.context().newPage()
  await other.goto(`${server.address}/app/settings`)
  const choose = (name: string) => other.getByRole('radio', { name, exact: true }).check()
  await choose('Dark')
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
  for (const [name, unit] of [
    ['Miles', 'mi'],
    ['Kilometres', 'km'],
  ] as const) {
    await choose(name)
    await page.locator('.run-distance', { hasText: unit }).first().waitFor()
  }
  const theme = () => other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await other.reload()
  expect(await theme()).toBe('dark')
  await choose('System')
  for (const colorScheme of ['light', 'dark'] as const) {
    await other.emulateMedia({ colorScheme })
    await other.waitForFunction((is) => getComputedStyle(document.documentElement).colorScheme === is, colorScheme)
  }
})

/** Two years of runs, and of everything else that the page shows one: the longest names, a photo, trash. */
async function fillLog(server: RunServer): Promise<void> {
  await addSeasons(server)
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const found = await server.get<{ items: { id: string }[] }>('/workouts?keyword=Marathon&runType=Race')
  ids.marathon = found.items[0]!.id
  await server.importRun(fitRun({ startMs: now - 940 * DAY_MS, seconds: 1500 }))
  ids.rich = await server.importRun(fitRun({ startMs: Date.now() - 3_600_000, seconds: 1500 }))
  await server.addMedia(ids.rich, 'a.png', png(3))
  ids.tiny = await server.importRun(gpxRun({ startMs: now - 900 * DAY_MS, seconds: 40, name: LONG }), 'tiny.gpx')
  const shoe = { brand: 'Hoka', model: LONG.slice(0, 90), initialMileageM: 640_000 }
  for (const one of [shoe, { brand: 'Saucony', model: 'Endorphin', retireAtM: 700_000 }]) {
    await server.send('POST', '/shoes', one)
  }
  await server.send('POST', '/places', { name: LONG.slice(0, 60), lat: 47, lon: 8, isHome: true })
  await server.send('DELETE', `/workouts/${await server.importRun(fitRun({ startMs: now - 950 * DAY_MS }))}`)
  const { items } = await server.get<{ items: { id: string }[] }>('/receipts')
  ids.receipt = items[0]!.id
}

/** Elements beyond the sides of the window, and texts cut off without dots. */
function unfitting(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found: string[] = []
    if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways')
    for (const element of document.querySelectorAll<HTMLElement>('#app *')) {
      // the kinds of runs and some tables scroll automatically on a phone; maps and charts are cut at their frame
      if (
        element.closest(
          '.hidden-text, .chips, .skip, svg, option, .merge-compared, .table-frame, .map-frame, .heat-map',
        ) !== null
      )
        continue
      const { left, right, width: own } = element.getBoundingClientRect()
      const name = `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`
      if (own > 1 && (left < -1 || right > width + 1)) found.push(`outside: ${name}`)
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = element.children.length === 0 && element.scrollWidth > element.clientWidth + 1
      if (isCut && overflowX === 'hidden' && textOverflow !== 'ellipsis') found.push(`cut off: ${name}`)
    }
    return found
  })
}

/** What can be pressed and is smaller than that; links within sentences and drawn handles are as large as their line. */
function smallTargets(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('a, button, input, select, summary, textarea')) {
      if (element.closest('.hidden-text, .skip, [hidden], tr, .highlight-list') !== null) continue
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      if (width > 1 && (width < least || height < least)) {
        found.push(`${element.tagName} ${element.className} ${element.textContent} ${width} x ${height}`)
      }
    }
    // a line of a table is pressed as a whole
    for (const row of document.querySelectorAll<HTMLElement>('tr:has(a, button), .highlight-list li')) {
      if (row.getBoundingClientRect().height < least) found.push(`row ${row.textContent}`)
    }
    return found
  }, leastPx)
}

interface Shifts {
  sum: number
  readonly moved: string[]
}

/** What moved while nobody touched anything, when all of it together can be seen. */
async function shiftOf(page: Page): Promise<string[]> {
  const { sum, moved } = await page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)
  return sum < LEAST_SHIFT ? [] : [`${sum}`, ...moved]
}

/** Adds up in the window by how much things moved. */
function countShifts(): void {
  const shifts: Shifts = { sum: 0, moved: [] }
  Object.assign(window, { shifts })
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Element | null }[] }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue
      shifts.sum += value
      shifts.moved.push(...sources.map(({ node }) => `${node?.nodeName} ${node?.className}`))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What a reader of the screen calls the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return (label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
  })
}
