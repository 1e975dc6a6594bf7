import { describe, expect } from 'bun:test'
import { bothFeetFit } from '../fixtures/both-feet.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { DAY_MS, pageSuite, soon } from './suite.ts'

describe('a run whose file was corrected', () => {
  let [runId, plainId] = ['', '']
  const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
    runId = await server.importRun(bothFeetFit({ seconds: 1200 }))
    plainId = await server.importRun(fitRun({ startMs: START_MS + DAY_MS }))
  })
  const isStated = async () => (await server.get<{ stated: boolean }>(`/workouts/${runId}`)).stated

  test('says so in one line, which leads to the sentence, the choice, and the way back', async () => {
    const { page } = await open(`/runs/${runId}`)
    await page.getByRole('button', { name: '1 value of the file was corrected' }).click()
    const sentence = page.getByRole('list', { name: 'Corrections' })
    await sentence.getByText('The cadence of 172 a minute counts both feet; one foot is 86').waitFor()
    await page.getByRole('button', { name: 'Use the file’s values' }).click()
    await page.getByRole('button', { name: 'Use the corrected values' }).waitFor()
    await page.getByRole('button', { name: 'The file’s values count, without corrections' }).waitFor()
    expect(await isStated()).toBe(true)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await soon(async () => !(await isStated()))
    await page.getByRole('button', { name: 'Use the file’s values' }).waitFor()
  })

  test('is quiet about it where nothing was corrected', async () => {
    const { page } = await open(`/runs/${plainId}`)
    await page.locator('.run-sources > summary').click()
    await page.getByRole('list', { name: 'Recordings' }).waitFor()
    expect(await page.getByText('corrected').count()).toBe(0)
  })

  test('fits every width, in both themes', async () => {
    await everywhere(`/runs/${runId}`, async (page) => {
      await page.getByRole('button', { name: '1 value of the file was corrected' }).click()
      await page.getByRole('list', { name: 'Corrections' }).waitFor()
    })
  })
})
