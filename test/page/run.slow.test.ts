import { afterAll, describe, expect } from 'bun:test'
import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { png } from '../fixtures/media.ts'
import { fakeTileServer, pictureOf } from '../map/tile-server.ts'
import { noViolations, OF_COLOURS } from './axe.ts'
import { preferTheme, type Watched } from './browser.ts'
import { startRunServer } from './run-server.ts'
import { fromMenu, inBothThemes, PHONE, pageSuite, soon } from './suite.ts'

const SECONDS = 2400
const SPEED_MPS = 3

describe('the page of a run', () => {
  const tiles = fakeTileServer()
  let watched: Watched
  let page: Page
  let runId: string
  const { test, server, open } = pageSuite(
    async ({ server, open }) => {
      tiles.answer = () => pictureOf(magenta())
      runId = await server.importRun(roundTrip())
      watched = await open(`/runs/${runId}`)
      page = watched.page
      await page.locator('.chart-host canvas').first().waitFor()
    },
    () => startRunServer({ MAP_TILES_URL: tiles.template }),
  )
  afterAll(() => tiles[Symbol.dispose]())

  test('draws the route on plain ground without a request to another server', async () => {
    await page.getByRole('button', { name: 'Street map' }).click()
    const question = page.getByRole('dialog', { name: 'Show a street map?' })
    await question.getByText('The map server sees which area you look at').waitFor()
    await question.getByRole('button', { name: 'Not now' }).click()
    expect(await page.getByRole('button', { name: 'Street map' }).getAttribute('aria-pressed')).toBe('false')
    expect(await page.getByText('OpenStreetMap contributors').count()).toBe(0)
    expect(isMagenta(await groundAt(page))).toBe(false)
    expect(tiles.asked).toEqual([])
  })

  test('shows a street map when it is wanted, with whose it is, after a reload as well', async () => {
    await page.getByRole('button', { name: 'Street map' }).click()
    await page.getByRole('button', { name: 'Show street map' }).click()
    await page.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor()
    await groundIs(page, isMagenta)
    expect(tiles.mostOpen()).toBeLessThanOrEqual(2)
    const asked = tiles.asked.length
    await noViolations(page)
    await page.reload()
    await groundIs(page, isMagenta)
    // all of it came from the disk of the service, or of the browser
    expect(tiles.asked.length).toBe(asked)
  })

  test('paints the street map darker in the dark theme', async () => {
    const range = (dots: Dots) => {
      const colours = dots.filter((_, k) => k % 4 < 3)
      return { darkest: Math.min(...colours), lightest: Math.max(...colours) }
    }
    expect(range(await groundAt(page)).lightest).toBeGreaterThan(220)
    await preferTheme(page, 'dark')
    // what was white is the darkest part now; without tiles all is the same
    await groundIs(page, (dots) => range(dots).lightest < 125 && range(dots).lightest - range(dots).darkest > 20)
    await noViolations(page, OF_COLOURS)
    await preferTheme(page, 'light')
    await groundIs(page, isMagenta)
  })

  test('moves, zooms and shows all again by keyboard', async () => {
    const first = await picture(page)
    await page.locator('.map-frame').focus()
    for (const key of ['+', 'ArrowLeft', '-', 'ArrowDown']) await page.keyboard.press(key)
    await page.waitForTimeout(100)
    expect(await picture(page)).not.toBe(first)
    await page.keyboard.press('0')
    await soon(async () => (await picture(page)) === first)
  })

  test('turns the street map off again', async () => {
    await page.getByRole('button', { name: 'Street map' }).click()
    await groundIs(page, (dots) => !isMagenta(dots))
    await soon(async () => (await page.getByText('OpenStreetMap contributors').count()) === 0)
  })

  test('marks the split under the cursor of a chart and under that of the map', async () => {
    const over = page.locator('.chart-host .u-over').first()
    const box = (await over.boundingBox())!
    // 45 % of 7.2 km is in the fourth kilometre
    await page.mouse.move(box.x + box.width * 0.45, box.y + 20)
    const marked = page.locator('.splits tbody tr.under-cursor')
    await marked.waitFor()
    expect(await marked.getByRole('rowheader').textContent()).toBe('4')
    await page.mouse.move(box.x + box.width * 0.99, box.y + 20)
    await soon(async () => (await page.locator('.splits tbody tr').last().getAttribute('class')) === 'under-cursor')
    await page.mouse.move(5, 5)
    await soon(async () => (await marked.count()) === 0)

    await soon(async () => {
      const map = (await page.locator('.map-frame').boundingBox())!
      await page.mouse.move(5, 5)
      // the round trip begins in the east and goes north
      await page.mouse.move(map.x + map.width / 2, map.y + 32)
      await page.waitForTimeout(200)
      return (await marked.getByRole('rowheader').allTextContents()).join() === '2'
    })
    await page.mouse.move(5, 5)
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
    expect(await hasPointer(page)).toBe(true)
    await page.mouse.move(5, 5)
    await soon(async () => !(await band.isVisible()) && !(await hasPointer(page)))
    await row.getByRole('button').focus()
    await band.waitFor()
    expect(await hasPointer(page)).toBe(true)
    await page.keyboard.press('Tab')
    await page.locator('.run-best tbody tr').first().hover()
    await soon(async () => await band.isVisible())
    await page.mouse.move(5, 5)
  })

  test('shows names without characters that reverse the order of letters, and keeps those that are stored', async () => {
    const [name, brand] = ['tem\u202epo\u0007', 'Asics\u2066']
    const shoe = await server.send('POST', '/shoes', { brand, model: 'Novablast' })
    const { id: shoeId } = (await shoe.json()) as { id: string }
    await server.send('PATCH', `/workouts/${runId}`, { name, shoeId })
    const { page: other } = await open(`/runs/${runId}`)
    await other.getByRole('heading', { name: 'tempo', exact: true }).waitFor()
    await soon(async () => (await other.title()) === 'tempo · Harrier')
    for (const at of [`/runs/${runId}`, '/runs', '/shoes', '/']) {
      await other.goto(`${server.address}/app${at}`)
      await other
        .getByText(at === '/shoes' ? 'Asics' : 'tempo')
        .first()
        .waitFor()
      expect((await other.content()).match(/\p{Bidi_Control}|(?!\s)\p{Cc}/gu)).toBeNull()
    }
    expect(await server.get(`/workouts/${runId}`)).toMatchObject({ name, shoe: { brand } })
    await server.send('PATCH', `/workouts/${runId}`, { name: null, shoeId: null })
  })

  test('changes the caption of a photo where it stands', async () => {
    for (const [name, width] of [
      ['a.png', 3],
      ['b.png', 4],
    ] as const)
      await server.addMedia(runId, name, png(width))
    await page.reload()
    await page.getByRole('button', { name: 'Show a.png' }).click()
    const box = page.getByRole('dialog')
    await box.getByRole('button', { name: 'Add a caption' }).click()
    await page.keyboard.type('Finish lime')
    for (const key of ['ArrowLeft', 'Backspace']) await page.keyboard.press(key)
    await page.keyboard.type('n')
    await page.keyboard.press('Enter')
    await box.getByRole('button', { name: 'Finish line' }).waitFor()
    await noViolations(page)

    await box.getByRole('button', { name: 'Finish line' }).click()
    await page.keyboard.type('Something else')
    await page.keyboard.press('Escape')
    await box.getByRole('button', { name: 'Finish line' }).waitFor()
    await page.keyboard.press('Escape')
    await soon(async () => (await box.count()) === 0)
    expect(await page.locator('.media-caption').allTextContents()).toEqual(['Finish line'])
    const stored = await server.get<{ caption: string | null }[]>(`/workouts/${runId}/media`)
    expect(stored.map(({ caption }) => caption)).toEqual(['Finish line', null])
  })

  test('shows where the numbers come from when that is opened, crops among it, and reverts a crop', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/sources')) asked.push(request.url())
    })
    await page.reload()
    await page.locator('.chart-host canvas').first().waitFor()
    const distance = page.locator('.run-figure dd').first()
    const menu = page.getByRole('button', { name: 'More actions' })
    const undo = page.getByRole('menuitem', { name: 'Undo crop…' })
    const whole = await distance.textContent()
    expect([whole, asked]).toEqual(['7.20km', []])

    const stated = page.waitForResponse((answer) => answer.url().endsWith('/sources'))
    await menu.click()
    await (await stated).finished()
    await page.getByRole('menuitem', { name: 'Crop…' }).waitFor()
    expect(await undo.count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Crop…' }).click()
    const crop = page.getByRole('dialog', { name: 'Crop run' })
    await crop.getByRole('slider', { name: 'New start' }).press('PageUp')
    await crop.getByRole('button', { name: 'Crop…' }).click()
    await crop.getByRole('button', { name: 'Crop now' }).click()
    // a minute at 3 m/s
    await soon(async () => (await distance.textContent()) === '7.02km')

    const card = page.locator('.run-sources')
    await card.locator('summary').focus()
    await page.keyboard.press('Enter')
    await card.getByText(/^Cropped on .*: 1:00 from the start$/).waitFor()
    const line = (name: string) =>
      card.locator('.sources-number').filter({ has: page.getByText(name, { exact: true }) })
    expect(await line('Distance').locator('dd').allTextContents()).toEqual([
      '7.02\u00a0km',
      'From the recorded points',
      'The whole run: 7.20\u00a0km',
    ])
    expect(await line('Pace').locator('dd').allTextContents()).toEqual(['5:33/km', 'From distance and time'])
    await inBothThemes(page)
    const saving = page.waitForEvent('download')
    await card.getByRole('link', { name: 'run.fit' }).click()
    expect((await saving).suggestedFilename()).toBe('run.fit')

    await menu.click()
    await undo.click()
    const question = page.getByRole('dialog', { name: 'Undo the crop?' })
    await question.getByText('This restores the removed part').waitFor()
    await noViolations(page)
    await question.getByRole('button', { name: 'Undo crop' }).click()
    await page.getByText('Crop undone').waitFor()
    await soon(async () => (await distance.textContent()) === whole)
    await card.getByText(/^Reverted on /).waitFor()
    await soon(async () => (await line('Distance').locator('dd').nth(2).textContent()) === 'The recorded points agree')
    await menu.click()
    await soon(async () => (await undo.count()) === 0)
    await page.keyboard.press('Escape')
  })

  test('shows one pace: that of the moving time, of a race that of the elapsed one, the other small beside it', async () => {
    const pausedId = await server.importRun(withStop(), 'stop.fit')
    await page.goto(`${server.address}/app/runs/${pausedId}`)
    const figure = (name: string) =>
      page
        .locator('.run-figure')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
    // 1200 s at 3 m/s, and 300 s at a level crossing, of which one still counts as moving
    await soon(async () => (await figure('Pace').textContent())?.startsWith('5:34/km6:57 elapsed') === true)
    expect(await figure('Time').textContent()).toBe('20:0125:00 elapsed')
    await page.locator('.charts-readout', { hasText: '20:01  ·  5:34/km' }).waitFor()
    await page.getByLabel('Run type').selectOption('Race')
    await soon(async () => (await figure('Pace').textContent())?.startsWith('6:57/km5:34 moving') === true)
    await page.getByLabel('Run type').selectOption('')
    await page.locator('.charts-readout', { hasText: '20:01  ·  5:34/km' }).waitFor()
    await page.goto(`${server.address}/app/settings`)
    const setting = page.getByRole('radiogroup', { name: 'Time and pace of runs' })
    await setting.getByRole('radio', { name: 'Elapsed' }).check()
    await page.goto(`${server.address}/app/runs/${pausedId}`)
    await soon(async () => (await figure('Pace').textContent())?.startsWith('6:57/km5:34 moving') === true)
    await page.locator('.splits tbody tr').first().waitFor()
    expect(await page.locator('.split-total').last().textContent()).toBe('25:00')
  })

  test('recalculates a run from its menu', async () => {
    await page.goto(`${server.address}/app/runs/${runId}`)
    const splits = page.waitForResponse((answer) => answer.url().endsWith('/recalculate-splits'))
    const effort = page.waitForResponse((answer) => answer.url().endsWith('/recalculate-effort'))
    await server.send('PUT', '/settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 35 })
    await fromMenu(page, 'Recalculate')
    expect([(await splits).status(), (await effort).status()]).toEqual([200, 200])
    await page.getByText('Recalculated').waitFor()
  })

  test('is light on paper, and dark again on the screen, without what can only be pressed', async () => {
    await preferTheme(page, 'dark')
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    expect(await theme()).toBe('light')
    for (const place of ['.topbar', '.run-actions', '.charts-tools', '.map-buttons', '.run-back']) {
      expect([place, await page.locator(place).isVisible()]).toEqual([place, false])
    }
    for (const place of ['h1', '.run-numbers', '.map-frame', '.chart-host >> nth=0', '.splits']) {
      expect([place, await page.locator(place).isVisible()]).toEqual([place, true])
    }
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await theme()).toBe('dark')
    await preferTheme(page, 'light')
  })

  test('pinches and moves the map with two fingers, which does not scroll the page', async () => {
    const { page: touched } = await open(`/runs/${runId}`, PHONE)
    const frame = touched.locator('.map-frame')
    await touched.locator('.chart-host canvas').first().waitFor()
    await frame.scrollIntoViewIfNeeded()
    const before = await picture(touched)
    const { x, y, width, height } = (await frame.boundingBox())!
    const session = await touched.context().newCDPSession(touched)
    const fingers = (apart: number, down = 0) =>
      [-apart, apart].map((by) => ({ x: x + width / 2 + by, y: y + height / 2 + down }))
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) })
    const scrolled = await touched.evaluate(() => scrollY)
    for (let apart = 24; apart <= 60; apart += 6) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) })
    }
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await soon(async () => (await picture(touched)) !== before)
    const pinched = await picture(touched)
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) })
    for (let down = 0; down >= -90; down -= 10) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(40, down) })
    }
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await soon(async () => (await picture(touched)) !== pinched)
    expect(await touched.evaluate(() => scrollY)).toBe(scrolled)
  })

  test('stays as it is when the map server cannot be reached, and sends it few requests', async () => {
    await server.send('PUT', '/settings/map', { tiles: true })
    tiles[Symbol.dispose]()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/map/tiles/')) asked.push(request.url())
    })
    await page.goto(`${server.address}/app/runs/${runId}`)
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

/** A tile whose left half has a colour that no theme has; the other one is white. */
function magenta(): Uint8Array<ArrayBuffer> {
  const grey = png()
  const rows = Buffer.alloc(256 * 769)
  for (let at = 0; at < rows.length; at += 1)
    if (at % 769 > 0) rows[at] = at % 769 > 384 ? 255 : ([255, 255, 0][(at % 769) % 3] ?? 0)
  return pngOf(grey, 256, deflateSync(rows))
}

/** Builds on the head of a small PNG: signature and chunks as RFC 2083 has them. */
function pngOf(small: Uint8Array, width: number, pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(width, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(Bun.hash.crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const parts = [small.subarray(0, 8), chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', new Uint8Array(0))]
  return Uint8Array.from(Buffer.concat(parts))
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

/** Whether anything is drawn over the route. */
async function hasPointer(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const canvas = document.querySelectorAll<HTMLCanvasElement>('.map-frame canvas')[1]
    const dots = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return dots?.some((value) => value !== 0) === true
  })
}
