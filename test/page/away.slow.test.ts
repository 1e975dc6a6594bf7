// The page without its server, without its session, and kept on the device.
import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { KEPT_KEY } from '../../src/web/kept.ts'
import { fitRun } from '../fixtures/runs.ts'
import { KEPT, startServer } from './browser.ts'
import { loggedInPage, startRunServer } from './run-server.ts'
import { act, inBothThemes, pageSuite, reads, soon } from './suite.ts'

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

describe('the page without its server', () => {
  const { test, browser } = pageSuite()

  test('opens a view that it never showed, says so instead of the browser, and continues when the server is back', async () => {
    const server = await startRunServer()
    const { page, faults } = await loggedInPage(browser(), server.address, KEPT)
    await page.goto(`${server.address}/app/shoes`)
    await reads(page, 'No shoes yet')
    await kept(page)
    const paths = await keptPaths(page)
    expect(paths.filter((name) => name !== '/app' && !/^\/assets\/[\w-]+\.(js|css)$/.test(name))).toEqual([])
    expect(paths).toContain('/app')
    await page.waitForTimeout(200)
    expect(faults).toEqual([])

    await server.stop()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    // it takes the focus when it comes
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
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
    const again = await startServer({ PORT: new URL(server.address).port })
    try {
      expect(again.address).toBe(server.address)
      await page.getByRole('heading', { name: 'Welcome to Harrier' }).waitFor()
    } finally {
      await page.context().close()
      await again.stop()
    }
  })

  test('is kept again when the build changes: the older one goes, and a page of it says so', async () => {
    const server = await startRunServer()
    let isUpgraded = false
    // the next build, as far as a browser can see: another name, and another script
    const upgraded = (script: string) => {
      return script.replace(/BUILD = "\w+"/, 'BUILD = "0123456789abcdef"').replace(/"\/assets\/main-\w+\.js",?/, '')
    }
    const front = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 0 },
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
    try {
      const { page } = await loggedInPage(browser(), server.address, KEPT)
      const names = () => page.evaluate(() => caches.keys())
      await page.goto(`http://127.0.0.1:${front.port}/app/shoes`)
      await reads(page, 'No shoes yet')
      await kept(page)
      await page.evaluate(() => caches.open('of something else'))
      const [current = ''] = await names()
      expect(current).toMatch(/^harrier-page-[0-9a-f]{16}$/)

      isUpgraded = true
      await page.reload()
      await reads(page, 'Harrier was updated')
      expect((await names()).toSorted()).toEqual(['harrier-page-0123456789abcdef', 'of something else'])
      isUpgraded = false
      await act(page, 'Reload')
      await page.waitForFunction((name) => caches.has(name), current)
      await reads(page, 'No shoes yet')
      await page.context().close()
    } finally {
      await front.stop(true)
      await server.stop()
    }
  })

  test('shows what was opened before, once the runner wants it, writes nothing, and keeps nothing any longer than wanted', async () => {
    const server = await startRunServer()
    const id = await server.importRun(fitRun({ startMs: Date.UTC(2025, 9, 20, 7), seconds: 3600 }))
    const { page } = await loggedInPage(browser(), server.address, KEPT)
    const go = (at: string) => page.goto(`${server.address}/app${at}`)
    const isKept = async () => (await everythingStored(page)).includes(id)
    const want = page.getByRole('switch', { name: 'Keep on this device' })
    const openRun = async () => {
      await go(`/runs/${id}`)
      await reads(page, '10.80')
      await soon(isKept)
    }
    const turnOn = async () => {
      await go('/settings/access')
      await want.check()
      await page.waitForFunction(() => localStorage.getItem('harrier.kept')?.includes('/auth/me') === true)
    }
    await go('/settings/access')
    await kept(page)
    await turnOn()
    await openRun()
    await go('/settings/access')
    await reads(page, /Now: 1 run, \d/)
    await want.uncheck()
    await soon(async () => !(await isKept()))
    // all goes when the session has ended for the server
    await turnOn()
    await openRun()
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await soon(async () => !(await isKept()))

    await act(page, { Username: 'runner', Password: 'correct-horse-battery-staple' }, 'Log in', ['10.80'])
    await turnOn()
    await go('')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    // what Home needs is written after it is shown
    const noted = () => page.evaluate((key) => localStorage.getItem(key) ?? '', KEPT_KEY)
    await soon(async () => (await noted()).includes('/workouts?pageSize=1'))
    await go('/runs')
    await act(page, /Morning run/, ['10.80'])
    await page.locator('.run-charts canvas').first().waitFor()
    const forbidden = /\/(media|file|export|api-keys|settings|sources\/)|^\/(in|share)/
    await soon(async () => (await keptPaths(page)).some((path) => path.endsWith('/samples')))
    expect((await keptPaths(page)).filter((path) => forbidden.test(path))).toEqual([])

    await server.stop()
    await page.reload()
    await reads(page, /^Offline · as of \d/, '10.80')
    await page.locator('.run-charts canvas').first().waitFor()
    await inBothThemes(page)
    await act(page, 'Add notes', { Notes: 'Offline' }, 'Save notes', ['You’re offline'], 'Home')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await act(page, 'Runs')
    await page.getByRole('link', { name: /Morning run/ }).waitFor()
    // logging out works as well, and leaves nothing of a run
    await act(page, /^Account/, 'Log out')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await isKept()).toBe(false)
    await page.context().close()
  })
})

describe('a session that ends', () => {
  const { test, open } = pageSuite(async ({ server }) => {
    await server.send('POST', '/shoes', { brand: 'Hoka', model: 'Clifton 9' })
  })
  const login = (page: Page) => page.getByRole('dialog', { name: 'Your login has expired' })

  test('holds on to the question for a new login, however often Escape is pressed', async () => {
    const { page, forgive } = await open('/shoes')
    await page.locator('.shoe').waitFor()
    await page.context().clearCookies()
    await act(page, 'Runs')
    await login(page).waitFor()
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('Escape')
    await page.waitForTimeout(100)
    // the browser closes it at every second one, and it opens again
    await login(page).waitFor()
    forgive()
  })

  // the last ones, since they also end the session by which the tests import
  test('other devices are logged out, this one stays; what was sent before and is refused after it is repeated', async () => {
    const other = await open('/shoes')
    await other.page.locator('.shoe').waitFor()
    const { page, forgive } = await open('/settings#password')
    await act(page, 'Log out other devices', ['Other devices logged out'])
    // the login may be over it already, since the events end with the session
    await other.page.getByRole('link', { name: 'Runs', exact: true }).dispatchEvent('click')
    await login(other.page).waitFor()
    other.forgive()

    const [answer, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let calls = 0
    await page.route(
      (url) => url.pathname === '/shoes',
      async (route) => {
        calls += 1
        if (calls > 1) return await route.continue()
        asked.resolve()
        await answer.promise
        await route.fulfill({ status: 401, json: { error: 'Authentication required' } })
      },
    )
    await act(page, 'Shoes')
    await asked.promise
    await page.goBack()
    const renewed = page.waitForResponse((response) => response.url().endsWith('/auth/logout-others'))
    await act(page, 'Log out other devices')
    expect((await renewed).status()).toBe(204)
    answer.resolve()
    await soon(async () => calls === 2)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await act(page, 'Shoes')
    await page.locator('.shoe').waitFor()
    // calls that were under way are refused, and sent again
    forgive()
  })
})
