// The map of all runs, the places that are named and hidden on it, and photos as pins.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { gpxFile } from '../fixtures/gpx.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { joined, photoAt, png } from '../fixtures/media.ts'
import { act, DAY_MS, inBothThemes, PHONE, pageSuite, reads, saved, soon, tooWide } from './suite.ts'

const RUNS = 24
const HOME = { lat: 48.137, lon: 11.575 }
const DESK = { viewport: { width: 1280, height: 900 } }

/** Loops from home, the later ones further; the dates are of this year and the one before. */
function loop(k: number): Uint8Array {
  const random = seededRandom(k + 1)
  const startMs = Date.now() - (1 + k * 17) * DAY_MS
  const [reachY, reachX] = [0.004 + random() * 0.02, 0.006 + random() * 0.03]
  const turn = random() < 0.7 ? 1 : -1
  const points = Array.from({ length: 401 }, (_, t) => {
    const angle = (t / 400) * 2 * Math.PI
    return {
      lat: HOME.lat + reachY * (1 - Math.cos(angle)) * turn + 0.0004 * Math.sin(9 * angle),
      lon: HOME.lon + reachX * Math.sin(angle),
      timeMs: startMs + t * 8000,
    }
  })
  return gpxFile({ points, name: `Loop ${k}` })
}

interface Place {
  readonly id: string
  readonly hideM: number | null
}

const { test, open, server, browser } = pageSuite(async ({ server }) => {
  for (let k = 0; k < RUNS; k += 1) await server.importRun(loop(k), `${k}.gpx`)
})

const place = async () => (await server.get<{ places: Place[] }>('/places')).places[0]!
const runs = async (query = '') => (await server.get<{ items: { id: string }[] }>(`/workouts?${query}`)).items
const map = (page: Page) => page.getByRole('application')
const said = (page: Page, text: string) => page.locator('.page-head').getByText(text, { exact: true }).waitFor()
const middle = async (page: Page) => {
  const { x, y, width, height } = (await map(page).boundingBox())!
  return [x + width / 2, y + height / 2] as const
}
/** Where the address says that the map is: latitude, longitude, zoom. */
const at = async (page: Page) => {
  await page.waitForTimeout(700)
  return (new URL(page.url()).searchParams.get('at') ?? '').split(',').map(Number)
}

/** Pixels that are strongly coloured, as runs are and the ground is not. */
const coloured = (page: Page) =>
  page.locator('.heat-map canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!]
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1
    }
    return count
  })

async function settled(page: Page): Promise<number> {
  let before = -1
  for (let turn = 0; turn < 60; turn += 1) {
    const now = await coloured(page)
    if (now === before && now > 0) return now
    before = now
    await page.waitForTimeout(300)
  }
  return before
}

test('a place is named, and hidden once its circle and the runs that it trims were shown', async () => {
  const { page } = await open('/map', { deviceScaleFactor: 2 })
  await act(
    page,
    'Places',
    /^Name it/,
    'Actions for Munich',
    'Rename…',
    { Name: 'Mill Lane' },
    'Save',
    'Actions for Mill Lane',
    'Hide from others…',
    [`Trims ${RUNS} runs`],
  )
  await inBothThemes(page)
  const circle = page.getByRole('img', { name: /^A circle of 300 m/ })
  const width = (shown: Element) => shown.clientWidth
  expect(await circle.locator('canvas').evaluate(width)).toBe(await circle.evaluate(width))
  const shown = page.waitForResponse(/\/map\/hidden\?.*hideM=500&placeId=/)
  await act(page, { Radius: '500' })
  const { hidden } = await (await shown).json()
  expect((await place()).hideM).toBeNull()
  await act(page, 'Hide', [/Hidden: 0.5\skm around it/])
  expect(await place()).toMatchObject({ hideM: 500, hidden })
  await act(page, { 'Cut from the start and end of every run': '200' })
  await soon(async () => (await server.get<{ trimEndsM: number }>('/settings/privacy')).trimEndsM === 200)
  await act(page, 'Actions for Mill Lane', 'Delete', 'Undo')
  await page.getByRole('heading', { name: 'Mill Lane' }).waitFor()
  await page.goto(`${server.address}/app`)
  await reads(page, / · from Mill Lane$/)
})

test('files that are trimmed are offered for a run and for chosen ones, which alone ask what is hidden', async () => {
  const { page } = await open(`/runs/${(await runs())[0]!.id}`)
  const asked = page.waitForRequest(/\/export\?format=gpx&trim=true$/)
  expect((await saved(page, () => act(page, 'More actions', 'Download…', 'Trimmed GPX'))).name).toEndWith('.gpx')
  await asked
  await page.goto(`${server.address}/app/runs`)
  const hiding: string[] = []
  page.on('request', (request) => /\/(places|privacy)$/.test(request.url()) && hiding.push(request.url()))
  await act(page, 'Select runs', ['0 runs selected'])
  await page.waitForTimeout(300)
  expect(hiding).toEqual([])
  await act(page, 'Select all on page')
  const sent = page.waitForRequest(/\/workouts\/export\/files$/)
  const { bytes } = await saved(page, () => act(page, { 'Download of the selected runs': 'Trimmed GPX' }))
  expect((await sent).postDataJSON()).toMatchObject({ format: 'gpx', trim: true })
  expect(Buffer.from(bytes).toString('latin1')).toContain('runs.csv')
})

test('the map opens at home with all runs, in its frame, and shows those of some time and type', async () => {
  await server.send('PATCH', `/places/${(await place()).id}`, { isHome: true })
  const { page } = await open('/map', { ...DESK, deviceScaleFactor: 2 })
  await page.getByRole('application', { name: `Heat map: ${RUNS} runs, most around Mill Lane` }).waitFor()
  const all = await settled(page)
  expect(all).toBeGreaterThan(4000)
  expect(await page.locator('.heat-map canvas').boundingBox()).toEqual(await map(page).boundingBox())
  await act(page, { Time: '30' })
  await said(page, '2 runs')
  await page.waitForTimeout(600)
  const few = await settled(page)
  expect(few).toBeLessThan(all)
  expect(new URL(page.url()).searchParams.get('time')).toBe('30')
  await act(page, { 'Run type': 'Race' })
  await said(page, 'No matching runs')
  await act(page, { 'Run type': '' }, { Time: '' })
  await said(page, `${RUNS} runs`)
  await page.waitForTimeout(600)
  expect(await settled(page)).toBeGreaterThan(2 * few)
  // it changes when a run is left out elsewhere
  const [{ id } = { id: '' }] = await runs()
  for (const leftOut of [true, false]) {
    await server.send('PATCH', `/workouts/${id}`, { leftOut })
    await said(page, `${RUNS - Number(leftOut)} runs`)
  }
})

test('is moved by mouse and keys, and comes back where it was', async () => {
  const { page } = await open(`/map?at=${HOME.lat},${HOME.lon},13`, DESK)
  await settled(page)
  const [x, y] = await middle(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 100, y + 50, { steps: 5 })
  await page.mouse.up()
  const [lat, lon, zoom] = await at(page)
  // 100 px at zoom 13 are 0.0172 degrees to the west
  expect(lon).toBeCloseTo(HOME.lon - (100 * 360) / (256 * 2 ** 13), 3)
  expect(lat).toBeGreaterThan(HOME.lat)
  expect(zoom).toBe(13)
  await map(page).focus()
  await page.keyboard.press('ArrowLeft')
  const left = await at(page)
  expect(left[1]).toBeLessThan(lon!)
  await page.reload()
  await settled(page)
  expect(await at(page)).toEqual(left)
})

test('lists the runs under a tap, which lead to their pages', async () => {
  const { page } = await open(`/map?at=${HOME.lat},${HOME.lon},13`, DESK)
  await settled(page)
  await map(page).focus()
  await page.keyboard.press('Enter')
  await reads(page, `${RUNS} runs here`, 'Loop 0')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: `${RUNS} runs here` }).waitFor({ state: 'detached' })
  const [x, y] = await middle(page)
  await page.mouse.move(x, y)
  await page.locator('.heat-count', { hasText: /^\d+ runs$/ }).waitFor()
  await page.mouse.click(x, y)
  await act(page, /^Loop 3\b/)
  await page.getByRole('heading', { name: 'Loop 3' }).waitFor()
  await page.goto(`${server.address}/app/runs/${(await runs('sortOrder=asc&pageSize=1'))[0]!.id}`)
  await act(page, /^\d+ new squares · \d+\.\d km of new ground$/)
  await page.getByRole('heading', { name: 'Map', exact: true }).waitFor()
})

test('shows squares, the largest block, and leads to what it lacks', async () => {
  const { page } = await open('/map', DESK)
  await settled(page)
  await page.getByRole('radio', { name: 'Squares' }).check()
  const answer = await server.get<{ count: number; maxSquare: { size: number }; grow: { missing: unknown[] } }>(
    '/map/squares',
  )
  expect(answer.count).toBeGreaterThan(5)
  await page.getByText(`${answer.count} squares`, { exact: true }).waitFor()
  expect(await settled(page)).toBeGreaterThan(2000)
  expect(new URL(page.url()).searchParams.get('layer')).toBe('squares')
  const { size } = answer.maxSquare
  await act(page, `${answer.grow.missing.length} squares to ${size + 1} × ${size + 1}`)
  // a block of n squares is 420 px wide
  expect((await at(page))[2]).toBeCloseTo(Math.log2(((420 / 256) * 2 ** 14) / (size + 1)), 1)
})

test('is fitted to the runs at every width, and a layer of photos without any says so', async () => {
  const { page } = await open('/map?layer=photos', DESK)
  await reads(page, 'No photos here')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.waitForTimeout(300)
    await settled(page)
    // the outermost coloured pixels are near the edges in one direction
    const share = await page.locator('.heat-map canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      let [left, top, right, bottom] = [width, height, 0, 0]
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!]
        if (Math.max(red, green, blue) - Math.min(red, green, blue) <= 60) continue
        const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)]
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
      return [
        Math.max((right - left) / width, (bottom - top) / height),
        Math.min(left, top),
        width - right,
        height - bottom,
      ]
    })
    expect(share[0]).toBeGreaterThan(0.7)
    for (const margin of share.slice(1)) expect(margin).toBeGreaterThan(5)
  }
})

test('the street map is one of two pictures, and nothing is asked of its server before it is chosen', async () => {
  const { page } = await open(`/map?at=${HOME.lat},${HOME.lon},13`, DESK)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/map/tiles/') && asked.push(request.url()))
  await page.route('**/map/tiles/**', (route) => route.fulfill({ body: Buffer.from(png()), contentType: 'image/png' }))
  await settled(page)
  await act(page, 'Street map', [/It only sees which area you look at/])
  const pictures = page.getByRole('radio')
  expect(await page.locator('dialog svg').count()).toBeGreaterThanOrEqual(2)
  await inBothThemes(page)
  expect(asked).toEqual([])
  await pictures.last().check({ force: true })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await soon(async () => asked.length > 0)
  await reads(page, '© OpenStreetMap contributors')
  await act(page, 'Street map')
  await page.getByRole('dialog').getByRole('radio').first().check({ force: true })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await server.get<{ tiles: boolean }>('/settings/map')).tiles).toBe(false)
})

test('one finger moves it, and a tap lists the runs', async () => {
  const { page } = await open(`/map?at=${HOME.lat},${HOME.lon},13`, PHONE)
  await settled(page)
  await page.touchscreen.tap(...(await middle(page)))
  await act(page, [`${RUNS} runs here`], 'Close')
  const session = await page.context().newCDPSession(page)
  const box = (await map(page).boundingBox())!
  for (const x of [200, 150, 100, null]) {
    const type = x === 200 ? 'touchStart' : x === null ? 'touchEnd' : 'touchMove'
    const touchPoints = x === null ? [] : [{ x: box.x + x, y: box.y + 150 }]
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  expect((await at(page))[1]).toBeGreaterThan(HOME.lon)
})

test('photos are pins on the map of their run, near ones in one, and a layer of the map of all runs', async () => {
  const [lat, startMs] = [48.1375, Date.UTC(2025, 9, 20, 7)]
  const points = Array.from({ length: 900 }, (_, t) => ({ lat, lon: 11.575 + t * 0.00004, timeMs: startMs + t * 1000 }))
  const id = await server.importRun(gpxFile({ points }), 'run.gpx')
  const blank = await browser().newPage()
  await blank.setContent('<body style="background:linear-gradient(teal, gold)">')
  const picture = await blank.screenshot({ type: 'jpeg' })
  await blank.close()
  /** With the EXIF of another. */
  const withExif = (other: Uint8Array) => joined('\xff\xd8', other.subarray(2, -2), picture.subarray(2))
  for (const [name, lon] of [
    ['first.jpg', 11.585],
    ['second.jpg', 11.5851],
    ['third.jpg', 11.6],
  ] as const)
    await server.addMedia(id, name, withExif(photoAt(lat, lon)))
  const { page } = await open(`/runs/${id}`)
  const [one, two] = ['Photo on the map', '2 photos on the map'].map((name) => page.getByRole('button', { name }))
  await one!.waitFor()
  expect([await one!.count(), await two!.count()]).toEqual([1, 1])
  await one!.click()
  await reads(page.getByRole('dialog'), 'third.jpg')
  await page.goto(`${server.address}/app/map?layer=photos`)
  const pin = page.locator('.photo-pins button').first()
  for (const width of [390, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    await pin.waitFor()
    await inBothThemes(page)
    expect(await tooWide(page)).toEqual([])
  }
  await pin.click()
  await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}/)
})
