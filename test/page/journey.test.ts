import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { unzipSync } from 'fflate'
import type { Browser, Locator, Page } from 'playwright-core'
import { png } from '../fixtures/media.ts'
import { openMeteoServer } from '../fixtures/open-meteo.ts'
import { noViolations, OF_COLOURS } from './axe.ts'
import {
  chromiumPath,
  drop,
  launch,
  PASSWORD,
  preferTheme,
  type Server,
  startServer,
  type Watched,
  watchedPage,
  welcome,
} from './browser.ts'
import { inkOfPointer, journeyFiles, recordedVideo } from './journey-files.ts'

const NAME = 'Through the fog & back'
const NOTES = 'Wind from the west <b>all day</b>'

const path = chromiumPath()
const library = journeyFiles()
const km = (metres: number) => (metres / 1000).toFixed(2)

setDefaultTimeout(90_000)

/** The whole way of a runner, in one session on the real server; each step begins where the last one ended. */
describe.skipIf(path === null)('a runner in a browser', () => {
  const started: Server[] = []
  const weatherService = openMeteoServer()
  let browser: Browser
  let address = ''
  let watched: Watched
  let page: Page
  let mainRun = ''
  let apiKey = ''
  let archive = ''
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  const openMainRun = async () => {
    await page.goto(mainRun)
    await page.locator('.run-figure').first().waitFor()
  }
  const figure = (name: string): Locator =>
    page
      .locator('.run-figure')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
  const server = async () => {
    const { baseUrl } = weatherService
    const one = await startServer({
      WEATHER_ENABLED: 'true',
      WEATHER_BASE_URL: baseUrl,
      WEATHER_ARCHIVE_BASE_URL: baseUrl,
    })
    started.push(one)
    return one.address
  }

  beforeAll(async () => {
    address = await server()
    browser = await launch(path ?? '')
    watched = await watchedPage(browser, address)
    page = watched.page
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await Promise.all(started.map(({ stop }) => stop()))
    weatherService.stop()
  })

  test('creates the account, sees the rules of passwords while typing, and picks units and zones', async () => {
    await page.goto(address)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').first().fill('correct')
    expect(await page.getByText('At least 16 characters, 9 more').isVisible()).toBe(true)
    await judge(page)
    await page.getByLabel('Password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('radio', { name: 'Kilometres' }).check()
    await page.getByLabel('Age').fill('35')
    // docs/api.md 4: age 35 gives 93-111-130-148-167-185
    expect(await page.getByRole('list', { name: 'Zones' }).textContent()).toContain('167–185')
    await judge(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Drop files anywhere').waitFor()
  })

  test('drops files on the page, one of them broken, and sees the outcome of each', async () => {
    const { files, broken, runs, today } = library
    await watched.expecting(/\/workouts\/import(\?|$)/, async () => {
      await drop(page, files)
      await page.getByText(`${runs} imported, 1 failed`).waitFor()
    })
    expect(await page.locator('.tray-line.created').count()).toBe(runs)
    const failed = page.locator('.tray-line.failed')
    expect([await failed.count(), await textOf(failed.locator('.tray-text'))]).toEqual([
      1,
      `${broken.file}${broken.reason}`,
    ])
    await judge(page)
    await drop(page, [{ ...today, name: 'again.fit' }])
    await page.getByText('You already have this run').waitFor()
    mainRun = address + (await page.getByRole('link', { name: library.main.file }).getAttribute('href'))
    await page.getByRole('button', { name: 'Dismiss imports' }).click()
  })

  test('sees the week and the year on the dashboard', async () => {
    await page.getByRole('button', { name: 'Go to dashboard' }).click()
    // 600 s at 3 m/s, today
    await page.locator('.hero', { hasText: '1.8km' }).waitFor()
    await page.getByRole('link', { name: 'Over the moor' }).first().waitFor()
    await page.getByRole('rowheader', { name: /^1K/ }).waitFor()
    // the strip has today and the day of the moor
    expect(await page.locator('.strip-days [class*=shade-]:not(.shade-0)').count()).toBeGreaterThanOrEqual(2)
    await judge(page)
    await preferTheme(page, 'dark')
    await judge(page, OF_COLOURS)
    await preferTheme(page, 'light')
  })

  test('finds a run in the list by its name, opens it with the keyboard and comes back', async () => {
    await go('Runs')
    await page.getByText(`${library.runs} runs`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sort by distance' }).click()
    await page.waitForURL(/sort=distance$/)
    await page.waitForFunction(() => {
      const distances = [...document.querySelectorAll('.run-distance')].map((of) => Number.parseFloat(of.textContent))
      return (
        distances.length > 1 && distances.every((value, index) => index === 0 || value <= (distances[index - 1] ?? 0))
      )
    })
    await judge(page)
    await page.keyboard.press('/')
    await page.keyboard.type('MOOR')
    await page.getByText('1 run found').waitFor()
    expect(await page.locator('.run-line').count()).toBe(1)
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}\?q=MOOR&sort=distance$/)
    await page.getByRole('heading', { level: 1, name: 'Over the moor' }).waitFor()
    await page.goBack()
    await page.getByText('1 run found').waitFor()
  })

  test('points into a chart, and all charts, the map and the splits show the same place', async () => {
    await openMainRun()
    expect(await textOf(figure('Distance'))).toStartWith(km(library.main.distanceM))
    expect(await page.locator('.splits tbody tr').count()).toBe(library.main.splits)
    const chart = page.locator('.run-chart').first()
    await chart.waitFor()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('The chart has no place')
    const readings = async () => (await page.locator('.chart-value').allTextContents()).join(' ')
    const [means, empty] = [await readings(), await inkOfPointer(page)]
    const at = async (share: number) => {
      await page.mouse.move(box.x + box.width * share, box.y + box.height * 0.6)
      await page.locator('.under-cursor').waitFor()
      await page.waitForTimeout(60)
      const place = Number.parseFloat(await textOf(page.locator('.charts-readout')))
      const split = await page
        .locator('.splits tbody tr')
        .evaluateAll((rows) => rows.findIndex((row) => row.classList.contains('under-cursor')))
      return { place, split, readings: await readings(), ink: await inkOfPointer(page) }
    }
    const near = await at(0.4)
    const far = await at(0.8)
    expect(near.place).toBeGreaterThan((library.main.distanceM / 1000) * 0.3)
    expect(far.place).toBeGreaterThan(near.place)
    // the split of 3.4 km is the fourth
    expect([near.split, far.split]).toEqual([Math.floor(near.place), Math.floor(far.place)])
    expect(new Set([means, near.readings, far.readings]).size).toBe(3)
    expect(empty.count).toBe(0)
    expect(near.ink.count).toBeGreaterThan(0)
    expect(far.ink.middle).not.toBe(near.ink.middle)
    await page.mouse.move(2, 2)
    await page.locator('.splits tbody tr').nth(1).hover()
    await page.locator('.charts-readout', { hasText: '1.00' }).waitFor()
    await judge(page)
  })

  test('names the run, gives it a kind, an effort and notes, which are there after a reload', async () => {
    await page.getByTitle('Rename').click()
    await page.getByLabel('Run name').fill(NAME)
    await page.keyboard.press('Enter')
    await page.getByLabel('Run type').selectOption('Long Run')
    await page.getByLabel('RPE (perceived effort), 1–10').selectOption('7')
    await page.getByRole('button', { name: 'Add notes' }).click()
    await page.getByLabel('Notes').fill(NOTES)
    await page.getByRole('button', { name: 'Save notes' }).click()
    await page.getByText(NOTES).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    expect(await page.getByLabel('Run type').inputValue()).toBe('Long Run')
    expect(await page.getByLabel('RPE (perceived effort), 1–10').inputValue()).toBe('7')
    // also when the page was left before they were stored
    await page.getByText(NOTES).waitFor()
  })

  test('keeps the notes that were typed when the login ends, and stores them after a new one', async () => {
    await page.getByRole('button', { name: 'Edit notes' }).click()
    await page.getByLabel('Notes').fill(`${NOTES}, then sun`)
    // whatever is asked without a session brings the login, not only what is saved
    await watched.settled()
    await page.context().clearCookies()
    await watched.expecting(/\/workouts\//, async () => {
      await page.getByRole('button', { name: 'Save notes' }).click()
      const login = page.getByRole('dialog', { name: 'Your login has expired' })
      await login.waitFor()
      await judge(page)
      await login.getByLabel('Password').fill(PASSWORD)
      await login.getByRole('button', { name: 'Log in' }).click()
      await login.waitFor({ state: 'detached' })
    })
    await page.reload()
    await page.getByText(`${NOTES}, then sun`).waitFor()
  })

  test('adds a photo and a film, sees the one and seeks in the other', async () => {
    const film = await recordedVideo(page)
    await drop(page, [{ name: 'finish.png', bytes: png(3) }, film], '.media-drop')
    await page.getByLabel('Caption').fill('At the finish')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('.media-thumb').nth(1).waitFor()
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.media-thumb img')?.naturalWidth === 3)
    await judge(page)
    const ranged = page.waitForResponse((answer) => answer.status() === 206 && /\/media\//.test(answer.url()))
    await page.locator('.media-thumb:has(video)').click()
    expect((await ranged).headers()['content-range']).toMatch(/^bytes \d+-\d+\/\d+$/)
    const at = await page.locator('.lightbox video').evaluate(async (video: HTMLVideoElement) => {
      video.pause()
      if (video.readyState < 1) await new Promise((go) => video.addEventListener('loadedmetadata', go, { once: true }))
      const isThere = new Promise((go) => video.addEventListener('seeked', go, { once: true }))
      video.currentTime = 0.7
      await isThere
      return [video.currentTime, video.videoWidth]
    })
    expect(at).toEqual([0.7, 300])
    await page.keyboard.press('Escape')
  })

  test('adds shoes, makes them the default, wears them on a run and sees their distance grow', async () => {
    await go('Shoes')
    await page.getByRole('button', { name: 'Add shoes' }).click()
    await page.getByLabel('Brand').fill('Hoka')
    await page.getByLabel('Model').fill('Clifton 9')
    await page.getByLabel('Starting distance').fill('120')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Hoka Clifton 9' }).click()
    await page.getByRole('menuitem', { name: 'Make default' }).click()
    await page.locator('.badge', { hasText: 'Default' }).waitFor()
    expect(await textOf(page.locator('.shoe-sum'))).toBe('120 km')
    await judge(page)
    await openMainRun()
    const distanceKm = Number.parseFloat(await textOf(figure('Distance')))
    await page.locator('.run-tags select').nth(2).selectOption({ label: 'Hoka Clifton 9' })
    await go('Shoes')
    await page.locator('.shoe-sum', { hasText: `${Math.round(120 + distanceKm)} km` }).waitFor()
  })

  test('changes the zones, and the effort of the run is another one', async () => {
    await openMainRun()
    const before = Number(await textOf(figure('Relative effort')))
    await go('Settings')
    await page.getByLabel('Age', { exact: true }).fill('70')
    await page.getByText('Recalculate the relative effort').waitFor()
    await page.getByRole('button', { name: 'Save zones' }).click()
    await page.getByText(/^Zones saved, \d+ runs recalculated$/).waitFor()
    await judge(page)
    await openMainRun()
    // a lower maximum puts the same heart into higher zones
    expect(Number(await textOf(figure('Relative effort')))).toBeGreaterThan(before)
  })

  test('switches to miles and meets no kilometre any more', async () => {
    await go('Settings')
    await page.getByRole('radio', { name: 'Miles' }).check()
    await page.getByText('Every mi, for').waitFor()
    for (const place of ['Dashboard', 'Runs', 'Shoes']) {
      await go(place)
      await page
        .locator('main')
        .getByText(/\bmi\b/)
        .first()
        .waitFor()
      expect([place, await textOf(page.locator('main'))]).toEqual([place, expect.not.stringMatching(/km\b/)])
    }
    await openMainRun()
    expect(await textOf(page.locator('.run-numbers'))).not.toMatch(/km\b/)
    expect(await textOf(figure('Distance'))).toEndWith('mi')
    // the splits are cut again automatically
    await page.locator('.splits thead').getByRole('columnheader', { name: 'mi', exact: true }).waitFor()
    expect(await textOf(page.locator('main'))).not.toMatch(/\bkm\b/)
  })

  test('turns the weather off and the street map on, by mouse and by keyboard, and both stay so', async () => {
    await go('Settings')
    const weather = page.getByRole('switch', { name: 'Weather for runs' })
    const map = page.getByRole('switch', { name: 'Street map behind routes' })
    const stored = () =>
      page.evaluate(async () => {
        const [weatherNow, mapNow] = await Promise.all(
          ['/settings/weather', '/settings/map'].map(async (path) => await (await fetch(path)).json()),
        )
        return { lookups: weatherNow.lookups, tiles: mapNow.tiles }
      })
    await weather.and(page.locator(':checked')).waitFor()
    expect([await map.isChecked(), await stored()]).toEqual([false, { lookups: true, tiles: false }])
    await map.click()
    await weather.focus()
    await page.keyboard.press('Space')
    await map.and(page.locator(':checked')).waitFor()
    await weather.and(page.locator(':not(:checked)')).waitFor()
    await judge(page)
    await page.reload()
    await map.and(page.locator(':checked')).waitFor()
    expect([await weather.isChecked(), await stored()]).toEqual([false, { lookups: false, tiles: true }])
    await map.click()
    await map.and(page.locator(':not(:checked)')).waitFor()
  })

  test('makes an API key that is shown once, works, and is refused once it is revoked', async () => {
    await go('Settings')
    await page.getByLabel('Key label').fill('sync')
    await page.getByRole('button', { name: 'Create key' }).click()
    apiKey = await textOf(page.locator('#new-key'))
    expect(apiKey).toMatch(/^tmp_[\w-]{43}$/)
    await judge(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('sync', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(apiKey)
    const ask = () => fetch(`${address}/workouts`, { headers: { authorization: `Bearer ${apiKey}` } })
    const answer = (await (await ask()).json()) as { totalCount: number }
    expect(answer.totalCount).toBe(library.runs)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/, revoked/).waitFor()
    expect((await ask()).status).toBe(401)
  })

  test('downloads everything as a ZIP that opens and holds it all', async () => {
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download archive' }).click()
    const download = await saving
    expect(download.suggestedFilename()).toMatch(/^harrier-export-.*\.zip$/)
    archive = await download.path()
    const entries = unzipSync(new Uint8Array(await Bun.file(archive).arrayBuffer()))
    const manifest = JSON.parse(new TextDecoder().decode(entries['manifest.json'])) as { statistics: object }
    expect(manifest.statistics).toMatchObject({ workouts: library.runs, shoes: 1, mediaFiles: 2 })
  })

  test('restores it on another server, where run, photo and shoes are as they were', async () => {
    const other = await server()
    const there = await watchedPage(browser, other)
    await welcome(there.page, other)
    await there.page.getByLabel('Files to import').setInputFiles({
      name: 'archive.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(await Bun.file(archive).arrayBuffer()),
    })
    await there.page.getByText(`${library.runs} runs restored`).waitFor()
    await there.page.getByRole('button', { name: 'Go to dashboard' }).click()
    await there.page.getByRole('link', { name: 'Over the moor' }).first().waitFor()
    await there.page.goto(mainRun.replace(address, other))
    await there.page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    // settings came along: the unit of the archive
    await there.page.locator('.run-figure', { hasText: /mi$/ }).first().waitFor()
    await there.page.locator('.media-thumb').nth(1).waitFor()
    await there.page.goto(`${other}/app/shoes`)
    await there.page.getByRole('heading', { name: 'Hoka Clifton 9' }).waitFor()
    expect(there.faults).toEqual([])
    await there.page.context().close()
  })

  const titleIs = (title: string) => page.waitForFunction((wanted) => document.title === wanted, title)

  test('logs out, sees nothing of it any more, and logs in again where it was left', async () => {
    await page.getByRole('button', { name: 'Account: runner' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await titleIs('Log in · Harrier')
    await page.goto(mainRun)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await page.content()).not.toContain('through the fog')
    await judge(page)
    await watched.expecting(/\/auth\/login$/, async () => {
      await page.getByLabel('Username').fill('runner')
      await page.getByLabel('Password').fill('not the password')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Invalid username or password').waitFor()
    })
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    await titleIs(`${NAME} · Harrier`)
    await watched.expecting(/nowhere$/, async () => {
      await page.goto(`${address}/nowhere`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    })
    await titleIs('Page not found · Harrier')
    await watched.expecting(/\/workouts\//, async () => {
      await page.goto(`${address}/app/runs/0198a000-0000-7000-8000-000000000001`)
      await page.getByRole('heading', { name: 'Run not found' }).waitFor()
    })
    await titleIs('Run not found · Harrier')
  })

  test('saw no error, no failed request and no request to anyone else', () => {
    expect(watched.faults).toEqual([])
  })
})

/** At the width of a phone and of a desk, which stays: readable, and nothing beyond the right edge. */
async function judge(page: Page, rules?: readonly string[]): Promise<void> {
  const { width, height } = page.viewportSize()!
  for (const one of [390, width]) {
    await page.setViewportSize({ width: one, height })
    await page.waitForFunction((most) => document.documentElement.scrollWidth <= most, one)
    await noViolations(page, rules)
  }
}

async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? ''
}
