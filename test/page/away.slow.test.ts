import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { KEPT_KEY } from '../../src/web/kept/names.ts'
import { fitRun } from '../fixtures/runs.ts'
import { KEPT, startServer } from './browser.ts'
import { loggedInPage, startRunServer } from './run-server.ts'
import { inBothThemes, pageSuite, soon } from './suite.ts'

/** The page is controlled by its service worker, which has kept everything. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state !== 'activated') {
      await new Promise((resolve) => active?.addEventListener('statechange', () => resolve(null), { once: true }))
    }
  })
}

/** The addresses that the browser keeps. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
}

describe('the page without its server', () => {
  const { test, browser } = pageSuite()

  test('says so instead of the browser, in both themes, and continues automatically when the server is back', async () => {
    const server = await startRunServer()
    const port = new URL(server.address).port
    const { page, faults } = await loggedInPage(browser(), server.address, KEPT)
    await page.goto(`${server.address}/app/shoes`)
    await page.getByText('No shoes yet').waitFor()
    await kept(page)
    const paths = await keptPaths(page)
    expect(paths.filter((name) => name !== '/app' && !/^\/assets\/[\w-]+\.(js|css)$/.test(name))).toEqual([])
    expect(paths).toContain('/app')
    expect(faults).toEqual([])

    await server.stop()
    await page.reload()
    await page.getByRole('heading', { name: 'Can’t reach Harrier' }).waitFor()
    await inBothThemes(page)
    // the kept document is as strict as the one it was made of
    const isInlineRefused = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "inline"'
      document.body.append(script)
      return document.title !== 'inline'
    })
    expect(isInlineRefused).toBe(true)

    // another library of nobody yet, so it asks who is there
    const again = await startServer({ PORT: port })
    try {
      expect(again.address).toBe(server.address)
      await page.getByRole('heading', { name: 'Welcome to Harrier' }).waitFor()
    } finally {
      await page.context().close()
      await again.stop()
    }
  })

  test('opens a view that it never showed before, which takes the focus when it comes', async () => {
    const server = await startRunServer()
    const { page, faults } = await loggedInPage(browser(), server.address, KEPT)
    await page.goto(`${server.address}/app/shoes`)
    await page.getByText('No shoes yet').waitFor()
    await kept(page)
    await page.waitForTimeout(200)
    expect(faults).toEqual([])
    await server.stop()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    await page.context().close()
  })

  test('is kept again when the build changes: the older one goes, and a page of it says so', async () => {
    const server = await startRunServer()
    let isUpgraded = false
    // the next build, as far as a browser can see: another name, and another script
    const upgraded = (script: string) => {
      return script.replace(/BUILD = "\w+"/, 'BUILD = "0123456789abcdef"').replace(/"\/assets\/main-\w+\.js",?/, '')
    }
    const front = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        request.headers.delete('if-none-match')
        const answer = await fetch(server.address + pathname + search, { headers: request.headers })
        const headers = new Headers(answer.headers)
        headers.delete('content-encoding')
        if (!isUpgraded || pathname !== '/service-worker.js') return new Response(answer.body, { headers })
        return new Response(upgraded(await answer.text()), { headers })
      },
    })
    const address = `http://127.0.0.1:${front.port}`
    try {
      const { page } = await loggedInPage(browser(), server.address, KEPT)
      const names = () => page.evaluate(() => caches.keys())
      await page.goto(`${address}/app/shoes`)
      await page.getByText('No shoes yet').waitFor()
      await kept(page)
      await page.evaluate(() => caches.open('of something else'))
      const [current = ''] = await names()
      expect(current).toMatch(/^harrier-page-[0-9a-f]{16}$/)

      isUpgraded = true
      await page.reload()
      await page.getByText('Harrier was updated').waitFor()
      expect((await names()).toSorted()).toEqual(['harrier-page-0123456789abcdef', 'of something else'])
      isUpgraded = false
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.waitForFunction((name) => caches.has(name), current)
      await page.getByText('No shoes yet').waitFor()
      await page.context().close()
    } finally {
      await front.stop(true)
      await server.stop()
    }
  })

  test('shows what was opened before while the server is away, once the runner wants it, and writes nothing', async () => {
    const { page, id, server, stop } = await keeping()
    await page.goto(`${server.address}/app`)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    // what the dashboard needs is written after it is shown
    const noted = () => page.evaluate((key) => localStorage.getItem(key) ?? '', KEPT_KEY)
    await soon(async () => (await noted()).includes('/workouts?pageSize=5'))
    await page.goto(`${server.address}/app/runs`)
    await page.getByRole('link', { name: /Morning run/ }).click()
    await page.getByText('10.80').first().waitFor()
    await page.locator('.run-charts canvas').first().waitFor()
    const forbidden = /\/(media|file|export|api-keys|settings|sources\/)|^\/(in|share)/
    await soon(async () => (await keptPaths(page)).some((path) => path.endsWith('/samples')))
    expect((await keptPaths(page)).filter((path) => forbidden.test(path))).toEqual([])

    await server.stop()
    await page.reload()
    await page.getByText(/^Offline · as of \d/).waitFor()
    await page.getByText('10.80').first().waitFor()
    await page.locator('.run-charts canvas').first().waitFor()
    await inBothThemes(page)
    await page.getByRole('button', { name: 'Add notes' }).click()
    await page.getByLabel('Notes').fill('Offline')
    await page.getByRole('button', { name: 'Save notes' }).click()
    await page.getByText('You’re offline').first().waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByRole('link', { name: 'Runs' }).first().click()
    await page.getByRole('link', { name: /Morning run/ }).waitFor()

    // logging out works as well, and leaves nothing of a run
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await everythingStored(page)).not.toContain(id)
    await stop()
  })

  test('what is kept goes when the session has ended for the server, and when the setting is turned off', async () => {
    const { page, id, server, stop } = await keeping()
    await page.goto(`${server.address}/app/runs/${id}`)
    await page.getByText('10.80').first().waitFor()
    await soon(async () => (await everythingStored(page)).includes(id))
    await page.goto(`${server.address}/app/settings#about`)
    await page.getByText(/Now: 1 run, \d/).waitFor()
    await page.getByRole('switch', { name: 'Keep on this device' }).uncheck()
    await soon(async () => !(await everythingStored(page)).includes(id))

    await turnOn(page)
    await page.goto(`${server.address}/app/runs/${id}`)
    await soon(async () => (await everythingStored(page)).includes(id))
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await soon(async () => !(await everythingStored(page)).includes(id))
    await stop()
  })

  /** A page that keeps answers, and a server with one run. */
  async function keeping() {
    const server = await startRunServer()
    const id = await server.importRun(fitRun({ startMs: Date.UTC(2025, 9, 20, 7), seconds: 3600 }))
    const { page } = await loggedInPage(browser(), server.address, KEPT)
    await page.goto(`${server.address}/app/settings`)
    await kept(page)
    await turnOn(page)
    const stop = async () => {
      await page.context().close()
      await server.stop()
    }
    return { page, id, server, stop }
  }
})

async function turnOn(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Keep on this device' }).check()
  await page.waitForFunction(() => localStorage.getItem('harrier.kept')?.includes('/auth/me') === true)
}

/** Everything that the browser keeps for the page, as one text. */
function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        if (!request.url.includes('/assets/')) texts.push(request.url, (await answer?.text()) ?? '')
      }
    }
    texts.push(JSON.stringify(await indexedDB.databases()))
    return texts.join('\n')
  })
}
