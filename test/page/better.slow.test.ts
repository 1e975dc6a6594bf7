// Whether somebody is getting better: the sentence, the sum of a run, heat, and marks of sensors.
import { afterAll, expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { madeRuns, storeRuns } from '../library/made-library.ts'
import { noViolations } from './axe.ts'
import { startRunServer } from './run-server.ts'
import { atAllWidths, pageSuite, soon } from './suite.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'harrier-better-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Two years of a runner who has become faster. */
function startFasterServer() {
  const db = openDb(join(dataDir, 'harrier.sqlite'))
  storeRuns({ deps: { db }, clock: { nowMs: Date.now() } }, madeRuns({ change: 0.06, heat: [0.006, 0.004, 0.004] }))
  db.$client.close()
  return startRunServer({ DATA_DIR: dataDir })
}

const { test, server, open } = pageSuite(undefined, startFasterServer)

test('one sentence says how much faster, and the self-check is always shown', async () => {
  const { page } = await open('/training?view=better')
  await page.getByText(/^\d\.\d% faster at the same heart rate than in \w+( \d+)? \(\d\.\d–\d\.\d%\)\./).waitFor()
  await page.getByText(/^\d+ of the last \d+ runs were within what was expected\.$/).waitFor()
  await page.getByText(/^(Heat cost|No clear cost of heat) /).waitFor()
  await page.getByText(/^At WBGT 2\d heat costs you (at least )?\d/).waitFor()
  await atAllWidths(page)
  await page.getByRole('radio', { name: '5 years' }).check()
  await noViolations(page)
  await page.getByText('Other conditions').click()
  await page.getByRole('rowheader', { name: 'Each hour of running' }).waitFor()
})

test('a run is shown as a sum, by key and by mouse', async () => {
  const { page } = await open('/training?view=better')
  const chart = page.getByRole('slider', { name: /^Fitness at one heart rate/ })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const rows = page.getByRole('region', { name: /^Run of / })
  await rows.getByRole('rowheader', { name: 'Heart rate' }).waitFor()
  await rows.getByRole('rowheader', { name: 'As run, on the flat' }).waitFor()
  await atAllWidths(page)
  await rows.getByRole('button', { name: 'Close' }).click()
  await rows.waitFor({ state: 'hidden' })
})

test('a sensor is marked, removed, and comes back', async () => {
  const { page } = await open('/training?view=better')
  await page.getByRole('button', { name: 'Mark a sensor' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Chest strap')
  await dialog.getByLabel('First day').fill(new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10))
  await noViolations(page)
  await dialog.getByRole('button', { name: 'Mark', exact: true }).click()
  await page.getByText(/: Chest strap$/).waitFor()
  await page.getByRole('button', { name: 'Remove Chest strap' }).click()
  await page.getByText('Chest strap removed').waitFor()
  await page.getByText(/: Chest strap$/).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText(/: Chest strap$/).waitFor()
  await soon(async () => (await server.get<{ marks: unknown[] }>('/truth/fitness')).marks.length === 1)
  expect((await server.get<{ marks: { name: string }[] }>('/truth/fitness')).marks[0]!.name).toBe('Chest strap')
  await atAllWidths(page)
})
