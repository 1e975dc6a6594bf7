import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { chromiumPath, launch } from './browser.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const AXE = Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)
const PASSWORD = 'correct-horse-battery-staple'
const DAY_MS = 86_400_000
/** A stream that the page closes itself is told as a failed request. */
const CLOSED_BY_PAGE = /\/events net::ERR_ABORTED$/

const path = chromiumPath()
if (path === null) console.warn('No Chromium at CHROMIUM_PATH or /usr/bin/chromium: the tests of the page are skipped')

describe.skipIf(path === null)('a runner in a browser', () => {
  let browser: Browser
  let server: { address: string; stop: () => Promise<void> }
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    server = await startServer()
    browser = await launch(path ?? '')
    // contrast is not judged in the middle of a transition
    const context = { locale: 'en-GB', viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' } as const
    page = await (await browser.newContext(context)).newPage()
    page.setDefaultTimeout(8_000)
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('requestfailed', (request) => {
      const fault = `${request.url()} ${request.failure()?.errorText}`
      if (!CLOSED_BY_PAGE.test(fault)) faults.push(fault)
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(server.address)) faults.push(`asked for ${request.url()}`)
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('creates the account, is told the rules of passwords while typing, and picks units and zones', async () => {
    await page.goto(server.address)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').first().fill('correct')
    expect(await page.getByText('At least 16 characters, 9 more').isVisible()).toBe(true)
    await page.getByLabel('Password').first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('radio', { name: 'Kilometres' }).check()
    await page.getByLabel('Age').fill('35')
    // CONTRACT 4: age 35 gives 93-111-130-148-167-185
    expect(await page.getByRole('list', { name: 'Zones' }).textContent()).toContain('167–185')
    await noViolations(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Drop files anywhere').waitFor()
  }, 30_000)

  test('drops two runs on the page, one of them twice, and is told what became of each', async () => {
    const now = Date.now()
    await drop(page, [
      { name: 'today.fit', bytes: fitRun({ startMs: now - 2 * 3_600_000 }) },
      { name: 'before.gpx', bytes: gpxRun({ startMs: now - 9 * DAY_MS, name: 'Over the moor' }) },
    ])
    await page.getByText('2 files done').waitFor()
    await drop(page, [{ name: 'again.fit', bytes: fitRun({ startMs: now - 2 * 3_600_000 }) }])
    await page.getByText('You have this run already').waitFor()
    await page.getByRole('button', { name: 'Dismiss the imports' }).click()
  }, 30_000)

  test('sees the week and the year on the dashboard', async () => {
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await page.getByRole('heading', { name: /^This week/ }).waitFor()
    // 600 s at 3 m/s, today
    await page.locator('.hero', { hasText: '1.8km' }).waitFor()
    await page.getByRole('link', { name: 'Over the moor' }).first().waitFor()
    await page.getByRole('rowheader', { name: '1K' }).waitFor()
    await noViolations(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await noViolations(page)
    await page.emulateMedia({ colorScheme: 'light' })
  }, 30_000)

  test('finds a run in the list by its name, opens it with the keyboard and comes back', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
    await page.getByText('2 runs').waitFor()
    await noViolations(page)
    await page.keyboard.press('/')
    await page.keyboard.type('MOOR')
    await page.getByText('1 run found').waitFor()
    expect(await page.locator('.run-line').count()).toBe(1)
    await page.locator('.run-line').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('1 run found').waitFor()
  }, 30_000)

  test('adds shoes, makes them the default and sees their distance', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shoes' }).click()
    await page.getByRole('button', { name: 'Add shoes' }).click()
    await page.getByLabel('Brand').fill('Hoka')
    await page.getByLabel('Model').fill('Clifton 9')
    await page.getByLabel('Distance before Harrier').fill('120')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Hoka Clifton 9' }).click()
    await page.getByRole('menuitem', { name: 'Make default' }).click()
    await page.locator('.default').waitFor()
    expect(await page.locator('.shoe-sum').textContent()).toBe('120 km')
    await noViolations(page)
  }, 30_000)

  test('switches to miles, makes an API key that is shown once, and revokes it', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('radio', { name: 'Miles' }).check()
    await page.getByText('Every mi, for').waitFor()
    await page.getByLabel('Label of a new key').fill('sync')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await page.locator('#new-key').textContent()).toMatch(/^tmp_[\w-]{43}$/)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/, revoked/).waitFor()
    await noViolations(page)
  }, 30_000)

  test('logs out and in again', async () => {
    await page.getByRole('button', { name: 'Account of runner' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  }, 30_000)

  test('saw no error, no failed request and no request to anyone else', () => {
    expect(faults).toEqual([])
  })

  test('keeps what was typed when the login expires, and goes on with it after a new one', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shoes' }).click()
    await page.getByRole('button', { name: 'Add shoes' }).click()
    await page.getByLabel('Brand').fill('Saucony')
    await page.getByLabel('Model').fill('Endorphin')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const login = page.getByRole('dialog', { name: 'Your login has expired' })
    await login.waitFor()
    await login.getByLabel('Password').fill(PASSWORD)
    await login.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Saucony Endorphin' }).waitFor()
  }, 30_000)
})

async function startServer() {
  const cwd = mkdtempSync(join(tmpdir(), 'harrier-browser-'))
  const { PATH = '' } = process.env
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', WEATHER_ENABLED: 'false' }
  const child = Bun.spawn([process.execPath, MAIN], { cwd, env, stdout: 'ignore', stderr: 'pipe' })
  let text = ''
  for await (const chunk of child.stderr.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  const address = /http:\/\/[\d.:]+/.exec(text)?.[0]
  if (address === undefined) throw new Error(`The server did not start: ${text}`)
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(cwd, { recursive: true, force: true })
  }
  return { address, stop }
}

/** Drops files as a hand does: by events with a DataTransfer, which only the page can make. */
async function drop(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  const transfer = await page.evaluateHandle((parts) => {
    const data = new DataTransfer()
    for (const { name, base64 } of parts) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name))
    }
    return data
  }, sent)
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('body', type, { dataTransfer: transfer })
}

/** axe-core's rules of WCAG 2 A and AA. The policy of the page refuses inline scripts, so it is evaluated instead. */
async function noViolations(page: Page): Promise<void> {
  await page.evaluate(await Bun.file(AXE).text())
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } }
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
  expect(found).toEqual([])
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}
