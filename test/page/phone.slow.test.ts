import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { KEPT } from './browser.ts'
import { inBothThemes, pageSuite } from './suite.ts'

/** Shares files as the browser does: it opens /share itself, with a form. */
async function share(page: Page, files: readonly { name: string; text: string }[]): Promise<void> {
  await page.evaluate((sent) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '/share', enctype: 'multipart/form-data', hidden: true })
    const input = document.createElement('input')
    Object.assign(input, { type: 'file', name: 'file', multiple: true })
    const data = new DataTransfer()
    for (const { name, text } of sent) {
      data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name))
    }
    input.files = data.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }, files)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('a phone', () => {
  const { test, server, open } = pageSuite()

  test('is set up by an address that is drawn as a code, and the settings see the first file arrive', async () => {
    const { page } = await open('/settings#phone', KEPT)
    const card = page.locator('.way').filter({ hasText: 'iPhone Shortcut' })
    await card.locator('summary').click()
    await card.getByRole('button', { name: 'Create address' }).click()
    await card.getByRole('img', { name: 'Address for iPhone Shortcut as a QR code' }).locator('path').waitFor()
    const address = (await card.locator('.new-key').textContent()) ?? ''
    expect(address).toMatch(new RegExp(`^${server.address}/in/tmp_[\\w-]{43}$`))
    await card.getByRole('status').getByText('Waiting for the first file').waitFor()
    await inBothThemes(page)
    const broken = await fetch(address, { method: 'PUT', body: 'no run' })
    expect(broken.status).toBe(400)
    await card.getByRole('status').getByText(`not imported: This file is not a ${FORMAT_NAMES} workout`).waitFor()
    const sent = await fetch(`${address}/a.fit`, { method: 'PUT', body: fitRun().slice() })
    expect(sent.status).toBe(201)
    await card.getByRole('status').getByText('File received').waitFor()
    // the key is reported among the others, and the address is not shown a second time
    await page.getByText('· upload only').waitFor()
    await page.reload()
    await card.locator('summary').getByText('File received').click()
    expect(await card.locator('.new-key').count()).toBe(0)
    await card.getByRole('button', { name: 'Create new address' }).waitFor()
  })

  test('shares a run with the installed page, past its service worker, and sees the result of it', async () => {
    const { page } = await open('/shoes', KEPT)
    await page.getByText('No shoes yet').waitFor()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)

    await share(page, [{ name: 'run.fit', text: base64(fitRun({ seconds: 640 })) }])
    await page.waitForURL(/\/app\/receipts\/[0-9a-f-]{36}$/)
    await page.getByText('1 added').waitFor()

    await share(page, [
      { name: 'run.fit', text: base64(fitRun({ seconds: 640 })) },
      { name: 'other.fit', text: base64(fitRun({ seconds: 650 })) },
    ])
    await page.getByText('1 added, 1 duplicate').waitFor()

    await share(page, [{ name: 'notes.bin', text: base64(Buffer.from('no run')) }])
    await page.getByText(`This file is not a ${FORMAT_NAMES} workout`).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/receipts\//)

    await share(page, [])
    const tray = page.getByRole('region', { name: 'Imports' })
    await tray.getByText('You shared something that is not a file').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await noViolations(page)

    await page.goto(`${server.address}/app/settings#phone`)
    await page.locator('.way').filter({ hasText: 'Android' }).getByText('not imported').first().waitFor()
  })

  test('that is not logged in is led to the login, and then to the dashboard', async () => {
    const { page, settled } = await open('/login?then=share', KEPT)
    await page.waitForURL(/\/app$/)
    // an answer without a session is not a fault of the page
    await settled()
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.setItem('harrier.session', 'out'))
    await page.addInitScript(() => localStorage.setItem('harrier.session', 'out'))
    await page.goto(`${server.address}/app/login?then=share`)
    await page.getByText('Log in, then share again.').waitFor()
    await noViolations(page)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').fill('correct-horse-battery-staple')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(/\/app$/)
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  })
})

describe('runs as files', () => {
  const { test, server, open } = pageSuite()

  test('come from a run, from chosen runs and from the settings', async () => {
    const id = await server.importRun(fitRun())
    await server.importRun(fitRun({ seconds: 700 }))
    const { page } = await open(`/runs/${id}`, KEPT)
    const saved = async (press: () => Promise<unknown>) => {
      const [download] = await Promise.all([page.waitForEvent('download'), press()])
      return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() }
    }
    for (const [text, extension, start] of [
      ['Download original', '.fit', '\x0e'],
      ['Download as FIT', '.fit', '\x0e'],
      ['Download as GPX', '.gpx', '<'],
      ['Download as TCX', '.tcx', '<'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).click()
      const { name, bytes } = await saved(() => page.getByRole('menuitem', { name: text }).click())
      expect([text, name.endsWith(extension), String.fromCharCode(bytes[0] ?? 0)]).toEqual([text, true, start])
    }

    await page.goto(`${server.address}/app/runs`)
    await page.getByRole('button', { name: 'Select runs' }).click()
    await page.getByRole('button', { name: 'Select all on page' }).click()
    const chosen = await saved(() => page.getByLabel('Download of the selected runs').selectOption('GPX'))
    expect(chosen.name).toMatch(/^harrier-files-\d{8}-\d{6}\.zip$/)
    const names = Buffer.from(chosen.bytes).toString('latin1')
    expect(names.match(/2025\/2025-11-01-[\w-]+\.gpx/g)?.length).toBeGreaterThan(3)

    await page.goto(`${server.address}/app/settings#archive`)
    const all = await saved(() => page.getByRole('button', { name: 'Download originals' }).click())
    expect(Buffer.from(all.bytes).toString('latin1')).toContain('runs.csv')
  })
})
