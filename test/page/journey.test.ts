import { afterAll, describe, expect } from 'bun:test'
import { unzipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { png } from '../fixtures/media.ts'
import { openMeteoServer } from '../fixtures/open-meteo.ts'
import { noViolations, OF_COLOURS } from './axe.ts'
import { drop, PASSWORD, preferTheme, type Server, startServer, type Watched, watchedPage, welcome } from './browser.ts'
import { inkOfPointer, journeyFiles, recordedVideo } from './journey-files.ts'
import { act, pageSuite, reads, saved } from './suite.ts'

const NAME = 'Through the fog & back'
const NOTES = 'Wind from the west <b>all day</b>'
const library = journeyFiles()
const km = (metres: number) => (metres / 1000).toFixed(2)

/** The whole way of a runner, in one session on the real server; each step begins where the last one ended. */
describe('a runner in a browser', () => {
  const weatherService = openMeteoServer()
  const { baseUrl } = weatherService
  const weather = { WEATHER_ENABLED: 'true', WEATHER_BASE_URL: baseUrl, WEATHER_ARCHIVE_BASE_URL: baseUrl }
  let other: Server | undefined
  let address = ''
  let watched: Watched
  let page: Page
  let mainRun = ''
  let archive: Uint8Array
  const { test, browser } = pageSuite(
    async ({ server, browser }) => {
      address = server.address
      watched = await watchedPage(browser(), address)
      page = watched.page
    },
    () => startServer(weather),
  )
  afterAll(async () => {
    await other?.stop()
    weatherService.stop()
  })
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
  const heads = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const focused = (text: string) => page.locator('h1:focus', { hasText: text }).waitFor()
  const titleIs = (title: string) => page.waitForFunction((wanted) => document.title === wanted, title)

  test('creates the account, sees the rules of passwords while typing, and picks units and zones', async () => {
    await page.goto(address)
    await act(page, { Username: 'runner', Password: 'correct' }, ['At least 16 characters, 9 more'])
    await judge(page)
    await act(page, { Password: PASSWORD }, 'Create account')
    // each step is announced to a screen reader, and continues after a reload
    await focused('Units and zones')
    await page.reload()
    await page.getByRole('radio', { name: 'Kilometres' }).check()
    // the age is asked, not assumed
    expect(await page.getByLabel('Age').inputValue()).toBe('')
    await page.getByRole('radio', { name: 'Street map' }).waitFor()
    await act(page, { Age: '35' })
    // docs/api.md 4: age 35 gives 93-111-130-148-167-185
    expect(await page.getByRole('list', { name: 'Zones' }).textContent()).toContain('167–185')
    await judge(page)
    await act(page, 'Continue', ['Drop files anywhere'])
    await focused('Import your runs')
  })

  test('drops files on the page, one of them broken, and sees the outcome of each', async () => {
    const { files, broken, runs, today } = library
    await watched.expecting(/\/workouts\/import(\?|$)/, async () => {
      await drop(page, files)
      await reads(page, `${runs} imported, 1 failed`)
    })
    expect(await page.locator('.tray-line.created').count()).toBe(runs)
    const failed = page.locator('.tray-line.failed .tray-text')
    expect(await failed.allTextContents()).toEqual([`${broken.file}${broken.reason}`])
    // what Harrier cannot read is not offered again
    expect(await page.getByRole('button', { name: 'Retry failed files' }).count()).toBe(0)
    await judge(page)
    await drop(page, [{ ...today, name: 'again.fit' }])
    await reads(page, 'You already have this run')
    mainRun = address + (await page.getByRole('link', { name: library.main.file }).getAttribute('href'))
    // a report opens by its link, and the set-up is over
    await page.locator('a[href*="/receipts/"]').first().click()
    await page.waitForURL(/\/app\/receipts\//)
    await page.locator('.row').first().waitFor()
    await page.goBack()
    await heads('Home')
    await page.locator('.tray').waitFor({ state: 'detached' })
    await page.reload()
  })

  test('sees the week and the year at home and in the statistics', async () => {
    // 600 s at 3 m/s, today
    await page.locator('.hero', { hasText: '1.8km' }).waitFor()
    await page.locator('.home-bests', { hasText: '1K' }).waitFor()
    await judge(page)
    await go('Statistics')
    await page.getByRole('rowheader', { name: /^1K/ }).waitFor()
    // the strip has today and the day of the moor
    expect(await page.locator('.strip-days [style*=strip]:not([style*=strip0])').count()).toBeGreaterThanOrEqual(2)
    await judge(page)
    await preferTheme(page, 'dark')
    await judge(page, OF_COLOURS)
    await preferTheme(page, 'light')
  })

  test('finds a run in the list by its name, opens it with the keyboard and comes back', async () => {
    await go('Runs')
    await page.getByText(`${library.runs} runs`, { exact: true }).waitFor()
    await act(page, 'Sort by distance')
    await page.waitForURL(/sort=distance$/)
    await page.waitForFunction(() => {
      const distances = [...document.querySelectorAll('.run-distance')].map((of) => Number.parseFloat(of.textContent))
      return distances.length > 1 && distances.every((value, index) => index === 0 || value <= distances[index - 1]!)
    })
    await judge(page)
    await page.keyboard.press('/')
    await page.keyboard.type('MOOR')
    await reads(page, '1 run found')
    expect(await page.locator('.run-line').count()).toBe(1)
    await page.getByRole('heading', { level: 1 }).focus()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}\?q=MOOR&sort=distance$/)
    await heads('Over the moor')
    await page.goBack()
    await reads(page, '1 run found')
  })

  test('points into a chart, and all charts, the map and the splits show the same place', async () => {
    await openMainRun()
    expect(await textOf(figure('Distance'))).toStartWith(km(library.main.distanceM))
    expect(await page.locator('.splits tbody tr').count()).toBe(library.main.splits)
    const chart = page.locator('.run-chart').first()
    await chart.waitFor()
    const box = (await chart.boundingBox())!
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
    const [near, far] = [await at(0.4), await at(0.8)]
    expect(near.place).toBeGreaterThan((library.main.distanceM / 1000) * 0.3)
    expect(far.place).toBeGreaterThan(near.place)
    // the split of 3.4 km is the fourth
    expect([near.split, far.split]).toEqual([Math.floor(near.place), Math.floor(far.place)])
    expect(new Set([means, near.readings, far.readings]).size).toBe(3)
    expect([empty.count > 0, near.ink.count > 0]).toEqual([false, true])
    expect(far.ink.middle).not.toBe(near.ink.middle)
    await page.mouse.move(2, 2)
    await page.locator('.splits tbody tr').nth(1).hover()
    await page.locator('.charts-readout', { hasText: '1.00' }).waitFor()
    await judge(page)
  })

  test('names the run, gives it a kind, an effort and notes, which are there after a reload', async () => {
    await page.getByTitle('Rename').click()
    await act(page, { 'Run name': NAME })
    await page.keyboard.press('Enter')
    const [type, rpe] = ['Run type', 'RPE (perceived effort), 1–10'] as const
    await act(page, { [type]: 'Long Run', [rpe]: '7' }, 'Add notes', { Notes: NOTES }, 'Save notes', [NOTES])
    await page.reload()
    await heads(NAME)
    expect([await page.getByLabel(type).inputValue(), await page.getByLabel(rpe).inputValue()]).toEqual([
      'Long Run',
      '7',
    ])
    // also when the page was left before they were stored
    await reads(page, NOTES)
  })

  test('keeps the notes that were typed when the login ends, and stores them after a new one', async () => {
    await act(page, 'Edit notes', { Notes: `${NOTES}, then sun` })
    // whatever is asked without a session brings the login, not only what is saved
    await watched.settled()
    await page.context().clearCookies()
    await watched.expecting(/\/workouts\//, async () => {
      await act(page, 'Save notes', ['Your login has expired'])
      await judge(page)
      await act(page, { Password: PASSWORD }, 'Log in')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
    await page.reload()
    await reads(page, `${NOTES}, then sun`)
  })

  test('adds a photo and a film, sees the one and seeks in the other', async () => {
    const film = await recordedVideo(page)
    await drop(page, [{ name: 'finish.png', bytes: png(3) }, film], '.media-drop')
    // it is sent as soon as it is chosen
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
    await act(page, 'Add shoes', { Brand: 'Hoka', Model: 'Clifton 9', 'Starting distance': '120' }, 'Add')
    await act(page, 'Actions for Hoka Clifton 9', 'Make default')
    await page.locator('.badge', { hasText: 'Default' }).waitFor()
    expect(await textOf(page.locator('.shoe-sum'))).toBe('120 of about 700 km')
    await judge(page)
    await openMainRun()
    const distanceKm = Number.parseFloat(await textOf(figure('Distance')))
    await page.locator('.run-tags select').nth(2).selectOption({ label: 'Hoka Clifton 9' })
    await go('Shoes')
    await page.locator('.shoe-sum', { hasText: `${Math.round(120 + distanceKm)} of about 700 km` }).waitFor()
  })

  test('changes the zones, and the effort of the run is another one', async () => {
    await openMainRun()
    const relative = page.locator('.run-training dt', { hasText: 'Relative effort' }).locator('+ dd')
    await page.locator('.run-training summary').click()
    const before = Number.parseInt(await textOf(relative), 10)
    await go('Settings')
    await act(page, { Age: '70' }, ['Recalculate the relative effort'], 'Save zones')
    await reads(page, /^Zones saved, \d+ runs recalculated$/)
    await judge(page)
    await openMainRun()
    // a lower maximum puts the same heart into higher zones
    await page.locator('.run-training summary').click()
    expect(Number.parseInt(await textOf(relative), 10)).toBeGreaterThan(before)
  })

  test('switches to miles and meets no kilometre any more', async () => {
    await go('Settings')
    await page.getByRole('radio', { name: 'Miles' }).check()
    await act(page, 'Your data', ['Every mi, for'])
    for (const place of ['Home', 'Runs', 'Shoes']) {
      await go(place)
      await reads(page.locator('main'), /\bmi\b/)
      expect([place, await textOf(page.locator('main'))]).toEqual([place, expect.not.stringMatching(/km\b/)])
    }
    await openMainRun()
    expect(await textOf(page.locator('.run-figures'))).not.toMatch(/km\b/)
    expect(await textOf(figure('Distance'))).toEndWith('mi')
    // the splits are cut again automatically
    await page.locator('.splits thead').getByRole('columnheader', { name: 'mi', exact: true }).waitFor()
    expect(await textOf(page.locator('main'))).not.toMatch(/\bkm\b/)
  })

  test('turns the weather off and the street map on, by mouse and by keyboard, and both stay so', async () => {
    await go('Settings')
    await act(page, 'Access and privacy')
    const weather = page.getByRole('switch', { name: 'Weather for runs' })
    const map = page.getByRole('switch', { name: 'Street map behind routes' })
    const states = async () => {
      const stored = await page.evaluate(async () => {
        const ask = async (path: string) => await (await fetch(path)).json()
        return [(await ask('/settings/weather')).lookups, (await ask('/settings/map')).tiles]
      })
      return [await weather.isChecked(), await map.isChecked(), ...stored]
    }
    await weather.and(page.locator(':checked')).waitFor()
    expect(await states()).toEqual([true, false, true, false])
    await map.click()
    await weather.focus()
    await page.keyboard.press('Space')
    await map.and(page.locator(':checked')).waitFor()
    await weather.and(page.locator(':not(:checked)')).waitFor()
    await judge(page)
    await page.reload()
    await map.and(page.locator(':checked')).waitFor()
    expect(await states()).toEqual([false, true, false, true])
    await map.click()
    await map.and(page.locator(':not(:checked)')).waitFor()
  })

  test('makes an API key that is shown once, works, and is refused once it is revoked', async () => {
    await go('Settings')
    await act(page, 'Access and privacy', { 'Key label': 'sync' }, 'Create key')
    const apiKey = await textOf(page.locator('#new-key'))
    expect(apiKey).toMatch(/^tmp_[\w-]{43}$/)
    await judge(page)
    await act(page, 'Done')
    await page.getByText('sync', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(apiKey)
    const ask = () => fetch(`${address}/workouts`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(await (await ask()).json()).toMatchObject({ totalCount: library.runs })
    await act(page, 'Revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await reads(page, /, revoked/)
    expect((await ask()).status).toBe(401)
    // one that may upload reads nothing
    await act(page, { 'Key label': 'Watch', Access: 'Upload only' }, 'Create key')
    const upload = await textOf(page.locator('#new-key'))
    await act(page, 'Done', ['· upload only'])
    const refused = await fetch(`${address}/workouts`, { headers: { authorization: `Bearer ${upload}` } })
    expect(refused.status).toBe(403)
  })

  test('downloads everything as a ZIP that opens and holds it all', async () => {
    await act(page, 'Your data')
    const { name, bytes } = await saved(page, () => act(page, 'Download archive'))
    expect(name).toMatch(/^harrier-export-.*\.zip$/)
    archive = bytes
    const manifest = new TextDecoder().decode(unzipSync(archive)['manifest.json'])
    expect(JSON.parse(manifest).statistics).toMatchObject({ workouts: library.runs, shoes: 1, mediaFiles: 2 })
    const originals = await saved(page, () => act(page, 'Download originals'))
    expect(Object.keys(unzipSync(originals.bytes))).toContain('runs.csv')
  })

  test('restores it on another server, where run, photo and shoes are as they were', async () => {
    other = await startServer(weather)
    const { page: there, close } = await watchedPage(browser(), other.address)
    await welcome(there, other.address)
    const file = { name: 'archive.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) }
    await there.getByLabel('Files to import').setInputFiles(file)
    await act(there, [`${library.runs} runs restored`], 'Go to Home')
    await there.locator('.latest-card h2 a').waitFor()
    await there.goto(mainRun.replace(address, other.address))
    await there.getByRole('heading', { level: 1, name: NAME }).waitFor()
    // settings came along: the unit of the archive
    await there.locator('.run-figure', { hasText: /mi$/ }).first().waitFor()
    await there.locator('.media-thumb').nth(1).waitFor()
    await there.goto(`${other.address}/app/shoes`)
    await reads(there, 'Hoka Clifton 9')
    await close()
  })

  test('logs out, sees nothing of it any more, and logs in again where it was left', async () => {
    await act(page, 'Account: runner', 'Log out')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await titleIs('Log in · Harrier')
    await page.goto(mainRun)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await page.content()).not.toContain('through the fog')
    await judge(page)
    await watched.expecting(/\/auth\/login$/, async () => {
      const wrong = { Username: 'runner', Password: 'not the password' }
      await act(page, wrong, 'Log in', ['Invalid username or password'])
    })
    await act(page, { Password: PASSWORD }, 'Log in')
    await heads(NAME)
    await titleIs(`${NAME} · Harrier`)
    for (const [at, title] of [
      ['/nowhere', 'Page not found'],
      ['/app/runs/0198a000-0000-7000-8000-000000000001', 'Run not found'],
    ] as const) {
      await watched.expecting(/nowhere$|\/workouts\//, async () => {
        await page.goto(address + at)
        await page.getByRole('heading', { name: title }).waitFor()
      })
      await titleIs(`${title} · Harrier`)
    }
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
