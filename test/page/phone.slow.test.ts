// Ways in from a phone, and shoes.
import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { fitRun } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { KEPT } from './browser.ts'
import { act, DAY_MS, inBothThemes, pageSuite, reads } from './suite.ts'

type Shared = readonly (readonly [name: string, bytes: Uint8Array])[]

/** Shares files as the browser does: it opens /share itself, with a form. */
async function share(page: Page, files: Shared): Promise<void> {
  await page.evaluate(
    (sent) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/share', enctype: 'multipart/form-data', hidden: true })
      const input = document.createElement('input')
      Object.assign(input, { type: 'file', name: 'file', multiple: true })
      const data = new DataTransfer()
      for (const [name, text] of sent) {
        data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name))
      }
      input.files = data.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')] as const),
  )
}

describe('a phone', () => {
  const { test, server, open } = pageSuite()

  test('is set up by an address that is drawn as a code, and the settings see the first file arrive', async () => {
    const { page } = await open('/settings#phone', KEPT)
    await page.waitForURL(/\/settings\/runs-in#phone$/)
    const card = page.getByRole('region', { name: 'Phone' })
    const status = card.getByRole('status')
    await act(page, { App: 'iPhone Shortcut' }, 'Create address')
    await card.getByRole('img', { name: 'Address for iPhone Shortcut as a QR code' }).locator('path').waitFor()
    const address = (await card.locator('.new-key').textContent()) ?? ''
    expect(address).toMatch(new RegExp(`^${server.address}/in/tmp_[\\w-]{43}$`))
    await reads(status, 'Waiting for the first file')
    await inBothThemes(page)
    const put = async (at: string, body: BodyInit) => (await fetch(at, { method: 'PUT', body })).status
    expect(await put(address, 'no run')).toBe(400)
    await reads(status, `not imported: This file is not a ${FORMAT_NAMES} workout`)
    expect(await put(`${address}/a.fit`, fitRun().slice())).toBe(201)
    await reads(status, 'File received')
  })

  test('shares a run with the installed page, past its service worker, and sees the result of it', async () => {
    const { page } = await open('/shoes', KEPT)
    await reads(page, 'No shoes yet')
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const run = (seconds: number) => [`${seconds}.fit`, fitRun({ seconds })] as const
    for (const [files, said] of [
      [[run(640)], '1 added'],
      [[run(640), run(650)], '1 added, 1 duplicate'],
      [[['notes.bin', Buffer.from('no run')]], `This file is not a ${FORMAT_NAMES} workout`],
    ] as const) {
      await share(page, files)
      await page.waitForURL(/\/app\/receipts\/[0-9a-f-]{36}$/)
      await reads(page, said)
    }
    await share(page, [])
    await reads(page.getByRole('region', { name: 'Imports' }), 'You shared something that is not a file')
    expect(new URL(page.url()).search).toBe('')
    await noViolations(page)
  })

  test('that is not logged in is led to the login, and then to Home', async () => {
    const { page, settled } = await open('/login?then=share', KEPT)
    await page.waitForURL(/\/app$/)
    // an answer without a session is not a fault of the page
    await settled()
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.setItem('harrier.session', 'out'))
    await page.addInitScript(() => localStorage.setItem('harrier.session', 'out'))
    await page.goto(`${server.address}/app/login?then=share`)
    await reads(page, 'Log in, then share again.')
    await noViolations(page)
    await act(page, { Username: 'runner', Password: 'correct-horse-battery-staple' }, 'Log in')
    await page.waitForURL(/\/app$/)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
})

describe('the shoes', () => {
  const ids: Record<string, string> = {}
  const { test, server, open } = pageSuite(async ({ server }) => {
    for (const [model, more] of [
      ['Mach', { initialMileageM: 400_000, retireAtM: 700_000 }],
      ['Rincon', { initialMileageM: 640_000 }],
      ['Speedgoat', { initialMileageM: 610_000, retireAtM: 600_000 }],
      ['Bondi', { initialMileageM: 800_000, retiredAt: '2025-03-02T08:00:00Z' }],
    ] as const) {
      const answer = await server.send('POST', '/shoes', { brand: 'Hoka', model, ...more })
      ids[model] = ((await answer.json()) as { id: string }).id
    }
    for (const [place, model] of ['Mach', 'Mach', 'Rincon'].entries()) {
      const bytes = fitRun({ startMs: Date.UTC(2025, 9, 20, 7) - place * DAY_MS, seconds: 2000, speedMps: 3 })
      await server.send('PATCH', `/workouts/${await server.importRun(bytes)}`, { shoeId: ids[model] })
    }
    await server.send('PUT', '/settings/default-shoe', { defaultShoeId: ids.Mach })
  })
  const retired = async () =>
    (await server.get<{ model: string; retiredAt: string | null }[]>('/shoes'))
      .filter(({ retiredAt }) => retiredAt !== null)
      .map(({ model }) => model)

  test('say how worn they are', async () => {
    const { page } = await open('/shoes')
    await act(page, [
      '288 km left · 400 km starting distance',
      'Retired 2 Mar 2025',
      '54 km left · 640 km starting distance',
      '10 km over its limit · 610 km starting distance',
    ])
    const names = ['Hoka Mach', 'Hoka Rincon', 'Hoka Speedgoat', 'Hoka Bondi']
    expect(await page.locator('.shoe h3').allTextContents()).toEqual(names)
    const mach = page.locator('.shoe', { hasText: 'Mach' })
    expect(await mach.locator('dd').allTextContents()).toEqual(['2 runs', '5:33/km', '19 Oct 2025', '20 Oct 2025'])
  })

  test('are retired and brought back; the default moves on', async () => {
    const { page } = await open('/shoes')
    const shoe = (model: string, state = '') => page.locator(`.shoe${state}`, { hasText: model })
    const names = () => page.locator('.shoe.retired h3').allTextContents()
    await act(page, 'Actions for Hoka Mach', 'Retire')
    await shoe('Mach', '.retired').waitFor()
    await reads(shoe('Rincon'), 'Default')
    await act(page, 'Undo')
    await reads(shoe('Mach'), 'Default')
    expect(await names()).toEqual(['Hoka Bondi'])
    await act(page, 'Actions for Hoka Bondi', 'Use again')
    await shoe('Bondi', ':not(.retired)').waitFor()
    expect(await retired()).toEqual([])
  })

  test('take a limit in the dialog; near its end they are proposed to be retired, beside the other proposals', async () => {
    const { page } = await open('/shoes')
    await act(
      page,
      'Actions for Hoka Rincon',
      'Edit',
      { 'Retire at': '0.5' },
      ['At least 1.0 km'],
      { 'Retire at': '720' },
      'Save',
    )
    await reads(page.locator('.shoe', { hasText: 'Rincon' }), 'of 720 km')
    await page.goto(`${server.address}/app/training`)
    await reads(page, 'Retire Hoka Bondi', '800 km of 700 km')
    await inBothThemes(page)
    await act(page, 'Retire: Hoka Bondi')
    await page.getByRole('heading', { name: 'Retire Hoka Bondi' }).waitFor({ state: 'detached' })
    expect(await retired()).toContain('Bondi')
  })
})
