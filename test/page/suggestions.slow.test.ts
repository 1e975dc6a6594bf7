// What the page asks the runner once: whether efforts count, which type a run has, and whether very short recordings count.
import { expect } from 'bun:test'
import type { Static } from '@sinclair/typebox'
import type { ReceiptDetail } from '../../src/receipts/schemas.ts'
import { fitRun } from '../fixtures/runs.ts'
import { atAllWidths, DAY_MS, inBothThemes, pageSuite } from './suite.ts'

let fast = ''
let short = ''
const { test, server, open } = pageSuite(async ({ server }) => {
  const nowMs = Date.now()
  const add = async (daysAgo: number, run: object) =>
    await server.importRun(fitRun({ startMs: nowMs - daysAgo * DAY_MS, seconds: 1500, hr: 120, ...run }))
  for (let daysAgo = 2; daysAgo < 11; daysAgo += 1) await add(daysAgo, {})
  short = await add(5.5, { seconds: 40 })
  fast = await add(1, { speedMps: 4, hr: 180 })
})

test('a run asks once whether its unusually fast efforts count', async () => {
  const { page, settled } = await open(`/runs/${fast}`)
  const question = page.locator('.notice', {
    hasText: '400 m in 1:40, 33 s better than ever; 1/2 mile in 3:21, 1:07 better',
  })
  await question.waitFor()
  await atAllWidths(page)
  await page.getByRole('button', { name: 'Count them' }).click()
  await question.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await question.waitFor()
  await page.getByRole('button', { name: 'Don’t count' }).click()
  await question.waitFor({ state: 'detached' })
  await settled()
})

test('a suggested type is taken with one tap in the list, refused on the page of the run, and taken for many', async () => {
  const { page, settled } = await open('/runs')
  const chips = page.getByRole('button', { name: /^Set to Easy Run/ })
  await chips.first().waitFor()
  const all = await chips.count()
  await atAllWidths(page)
  await chips.first().click()
  await page.locator('.run-title .tag', { hasText: 'Easy Run' }).first().waitFor()
  await settled()
  expect(await chips.count()).toBe(all - 1)

  await page.goto(`${server.address}/app/runs/${short}`)
  const suggestion = page.locator('.suggested-type')
  await suggestion.getByText('100% easy').waitFor()
  await suggestion.getByRole('button', { name: 'No type' }).click()
  await suggestion.waitFor({ state: 'detached' })

  await page.goto(`${server.address}/app/runs`)
  await page.getByRole('button', { name: 'Select runs' }).click()
  await page.getByRole('button', { name: 'Select all on page' }).click()
  await page.locator('select[aria-label^="Type of"]').selectOption('suggested')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText(`${all - 2} runs changed`).waitFor()
})

test('the import report offers to exclude very short recordings, with one undo', async () => {
  const { items } = await server.get<{ items: { id: string }[] }>(`/receipts?workoutId=${short}&kind=import`)
  const details = items.map(({ id }) => server.get<Static<typeof ReceiptDetail>>(`/receipts/${id}`))
  const receipt = (await Promise.all(details)).find(({ shortRuns }) => shortRuns.includes(short))
  const { page } = await open(`/receipts/${receipt?.id}`)
  const offer = page.getByText(/^1 recording under 100 m or a minute/)
  await offer.waitFor()
  await inBothThemes(page)
  await page.getByRole('button', { name: 'Exclude from statistics' }).click()
  await offer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await offer.waitFor()
})
