import { afterEach, beforeEach, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { garminTakeout } from '../fixtures/garmin-takeout.ts'
import { gpxRun } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { drop, type Watched } from './browser.ts'
import { loggedInPage, type RunServer, startRunServer } from './run-server.ts'
import { inBothThemes, pageSuite, tooWide } from './suite.ts'

const TAKEOUT = garminTakeout({ runs: 30, seconds: 120 })
const GARMIN = { name: 'garmin.zip', bytes: new Uint8Array(buildZip(TAKEOUT.entries)) }

const tray = (page: Page) => page.getByRole('region', { name: 'Imports' })

describe('exports of services in the page', () => {
  let server: RunServer
  const opened: Watched[] = []
  const { test, browser } = pageSuite()
  beforeEach(async () => {
    server = await startRunServer()
  })
  afterEach(async () => {
    for (const { faults, close } of opened.splice(0)) {
      expect(faults).toEqual([])
      await close()
    }
    await server.stop()
  })

  const open = async (at: string, width = 1024) => {
    const watched = await loggedInPage(browser(), server.address, {
      timezoneId: 'UTC',
      viewport: { width, height: 900 },
    })
    opened.push(watched)
    await watched.page.goto(`${server.address}/app${at}`)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
    return watched.page
  }
  const stored = async () => ((await server.get('/workouts')) as { totalCount: number }).totalCount
  const look = async (page: Page) => {
    expect(await tooWide(page)).toEqual([])
    await inBothThemes(page)
  }

  test('are described before anything is imported, then imported without being sent again', async () => {
    const page = await open('/settings')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/import/archive')) sent.push(request.headers()['content-length'] ?? '')
    })
    await drop(page, [GARMIN])
    await tray(page)
      .getByText(/^Garmin export: 30 runs from May 2014 to July 2014, 11\.\d\skm, 3 pairs of shoes\.$/)
      .waitFor()
    expect(await stored()).toBe(0)
    await look(page)
    await tray(page).getByRole('button', { name: 'Import', exact: true }).click()
    const rides = `${TAKEOUT.rides} rides, ${TAKEOUT.swims} swims skipped`
    await tray(page).getByText(`30 imported, 1 failed, 3 pairs of shoes, ${rides}`).waitFor()
    expect([await stored(), sent.length]).toEqual([30, 2])
    await look(page)
    await tray(page).getByRole('link', { name: 'See import report' }).click()
    await page.getByText(`${rides} (not runs)`).waitFor()
    await drop(page, [GARMIN])
    await tray(page)
      .getByText(/^30 duplicates, 1 failed/)
      .waitFor()
  })

  test('are imported without new shoes where the runner wants none', async () => {
    const page = await open('/shoes', 390)
    await drop(page, [GARMIN])
    await tray(page)
      .getByText(/^Garmin export: 30 runs/)
      .waitFor()
    await look(page)
    await tray(page).getByRole('button', { name: 'Import without new shoes' }).click()
    await tray(page)
      .getByText(/^30 imported, 1 failed, \d+ rides/)
      .waitFor()
    expect(await server.get('/shoes')).toEqual([])
  })

  test('a ZIP of a few workout files is imported at once', async () => {
    const page = await open('/settings', 1600)
    await drop(page, [{ name: 'few.zip', bytes: new Uint8Array(buildZip([{ name: 'a/b.gpx', data: gpxRun() }])) }])
    await tray(page).getByText('1 imported').waitFor()
    expect(await stored()).toBe(1)
  })

  test('one line each says how to get them', async () => {
    const page = await open('/settings')
    await page.getByText('Bring your history').click()
    await page.getByText(/Export Your Data/).waitFor()
    for (const width of [390, 1024, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByText('Bring your history').scrollIntoViewIfNeeded()
      await look(page)
    }
  })
})
