import { afterAll, describe, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { noViolations } from './axe.ts'
import { type Server, startServer, watchedPage, welcome } from './browser.ts'
import { pageSuite } from './suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-watch-page-'))
const runOf = (day: number) => fitRun({ startMs: START_MS - day * 864e5 })

describe('the watch folder', () => {
  let server: Server
  let plain: Server
  const { test, browser } = pageSuite(async () => {
    mkdirSync(join(folder, '2025'))
    for (let day = 0; day < 12; day += 1) writeFileSync(join(folder, `2025/${day}.fit`), runOf(day))
    writeFileSync(join(folder, 'broken.fit'), 'no run')
    const env = { WATCH_DIR: `${folder}:${folder}-missing`, WATCH_SETTLE_S: '0', WATCH_INTERVAL_S: '86400' }
    server = await startServer(env)
    plain = await startServer()
  })
  afterAll(async () => {
    await server?.stop()
    await plain?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a dot says that a file could not be read; the settings say which, and what to do', async () => {
    const { page, close, expecting } = await watchedPage(browser(), server.address)
    await welcome(page, server.address)
    await page.goto(`${server.address}/app/runs`)
    const settings = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Settings/ })
    await settings.and(page.getByRole('link', { name: /couldn’t be read/ })).waitFor()
    await settings.click()
    const section = page.getByRole('region', { name: 'Watch folder' })
    await section.getByText('12 added, 1 failed').waitFor()
    await section.getByText('Watching', { exact: true }).waitFor()
    await section.getByText(`Can’t reach ${folder}-missing`, { exact: false }).waitFor()
    expect(await settings.textContent()).toBe('Settings')
    const files = section.getByRole('list', { name: 'Files in the watch folder' }).getByRole('listitem')
    await files.getByText('broken.fit').waitFor()
    await noViolations(page)

    await expecting(/\/import$/, async () => {
      await section.getByRole('button', { name: 'Import broken.fit again' }).click()
      await page.getByText(`This file is not a ${FORMAT_NAMES} workout`).nth(1).waitFor()
    })
    writeFileSync(join(folder, 'broken.fit'), runOf(20))
    await section.getByRole('button', { name: 'Check now' }).click()
    await section.getByText('13 added').waitFor()
    expect(await section.getByText('1 failed').count()).toBe(0)

    await files.nth(9).waitFor()
    expect(await files.count()).toBe(10)
    await section.getByRole('button', { name: 'Show more' }).click()
    await files.nth(12).waitFor()
    await page.reload()
    expect(await settings.textContent()).toBe('Settings')
    await close()
  })

  test('a run that was deleted is imported again from its row', async () => {
    const { page, close } = await watchedPage(browser(), server.address)
    await page.goto(`${server.address}/app/settings#watch`)
    await page.getByLabel('Username').fill('runner')
    await page.getByLabel('Password').fill('correct-horse-battery-staple')
    await page.getByRole('button', { name: 'Log in' }).click()
    const section = page.getByRole('region', { name: 'Watch folder' })
    await section.getByRole('radio', { name: 'All' }).check()
    await section.getByRole('button', { name: 'Show more' }).click()
    const run = section.getByRole('link', { name: '2025/3.fit' })
    const id = (await run.getAttribute('href'))?.split('/').at(-1)
    await page.evaluate((id) => fetch(`/workouts/${id}`, { method: 'DELETE' }), id)
    await page.reload()
    await section.getByRole('radio', { name: 'All' }).check()
    await section.getByRole('button', { name: 'Show more' }).click()
    await section.getByRole('button', { name: 'Import 2025/3.fit again' }).click()
    await run.waitFor()
    expect((await run.getAttribute('href'))?.split('/').at(-1)).not.toBe(id)
    await close()
  })

  test('where none is watched, the lines to write down are shown', async () => {
    const { page, close } = await watchedPage(browser(), plain.address, { viewport: { width: 390, height: 844 } })
    await welcome(page, plain.address)
    await page.goto(`${plain.address}/app/settings`)
    const section = page.getByRole('region', { name: 'Watch folder' })
    await section.getByText('WATCH_DIR: /import').waitFor()
    await noViolations(page)
    await close()
  })
})
