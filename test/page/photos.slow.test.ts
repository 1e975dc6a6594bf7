import { describe, expect } from 'bun:test'
import { gpxFile } from '../fixtures/gpx.ts'
import { joined, photo, photoAt, png } from '../fixtures/media.ts'
import { pageSuite } from './suite.ts'

const START = { lat: 48.1375, lon: 11.575 }
const START_MS = Date.UTC(2025, 9, 20, 7)

describe('photos on the map', () => {
  const { test, open, everywhere } = pageSuite(async ({ server, browser }) => {
    const points = Array.from({ length: 900 }, (_, t) => {
      return { ...START, lon: START.lon + t * 0.00004, timeMs: START_MS + t * 1000 }
    })
    const id = await server.importRun(gpxFile({ points }), 'run.gpx')
    const page = await browser().newPage()
    await page.setContent('<body style="background:linear-gradient(teal, gold)">')
    const picture = await page.screenshot({ type: 'jpeg' })
    await page.close()
    /** With the EXIF of another. */
    const withExif = (other: Uint8Array) => joined('\xff\xd8', other.subarray(2, -2), picture.subarray(2))
    await server.addMedia(id, 'first.jpg', withExif(photoAt(START.lat, START.lon + 0.01)))
    await server.addMedia(id, 'second.jpg', withExif(photoAt(START.lat, START.lon + 0.0101)))
    await server.addMedia(id, 'third.jpg', withExif(photo('2025:10:20 09:14:00')))
    await server.addMedia(id, 'nowhere.png', png(2))
  })

  test('are pins on the map of their run, near ones in one, and open enlarged', async () => {
    const { page } = await open('/runs')
    await page.locator('.run-list a, main a[href*="/runs/"]').first().click()
    const one = page.getByRole('button', { name: 'Photo on the map' })
    const two = page.getByRole('button', { name: '2 photos on the map' })
    await one.waitFor()
    expect([await one.count(), await two.count()]).toEqual([1, 1])
    await one.click()
    await page.getByRole('dialog').getByText('third.jpg').first().waitFor()
  })

  test('are a layer of the map of all runs, and lead to their run', async () => {
    const { page } = await open('/map?layer=photos')
    await page.getByRole('radio', { name: 'Photos' }).waitFor({ state: 'attached' })
    const pins = page.locator('.photo-pins button')
    await pins.first().waitFor()
    await pins.first().click()
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}/)
  })

  test('are readable at all widths', async () => {
    await everywhere('/map?layer=photos', async (page) => {
      await page.locator('.photo-pins button').first().waitFor()
    })
  })
})
