// Libraries that have too little for an estimate: every screen says in one sentence what is missing.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun } from '../fixtures/runs.ts'
import { loggedInPage, startRunServer } from './run-server.ts'
import { atAllWidths, DAY_MS, pageSuite } from './suite.ts'

const { test, server, browser } = pageSuite()
const startMs = (daysAgo: number) => Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS

/** Without heart rate and altitude. */
const bareRun = (daysAgo: number) => {
  const samples = Array.from({ length: 2401 }, (_, t) => ({ t, distanceM: 3 * t, lat: 47 + (3 * t) / 111_170, lon: 8 }))
  return fitFile({ startMs: startMs(daysAgo), samples })
}

type Sentences = Readonly<Record<string, readonly string[]>>

/** Opens a screen, whose cards say these sentences, each once. */
async function says(page: Page, at: string, sentences: Sentences): Promise<void> {
  await page.goto(at)
  for (const [title, all] of Object.entries(sentences)) {
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .last()
    for (const sentence of all) await card.getByText(sentence).waitFor()
    const text = (await card.textContent()) ?? ''
    for (const sentence of all) expect(text.split(sentence)).toHaveLength(2)
  }
}

/** The same, of a screen that is judged too. */
async function shows(page: Page, at: string, sentences: Sentences): Promise<void> {
  await says(page, at, sentences)
  await atAllWidths(page)
}

const NEEDED = 'Four steady runs of 25 minutes, or races, are needed'
const SOON = 'Warming up: these numbers settle after 42 days of running.'
const CHECK = 'Too few runs so far to check this against new ones.'
const ESTIMATES = ['Race predictions', 'VO2max', 'Pace zones']

test('logs of none, one, three and four runs', async () => {
  const { address } = server
  const noForm = 'Fitness, fatigue and form start with your first run.'
  const { page, close } = await loggedInPage(browser(), address)
  /** What the training screens say of a log whose estimates and comparison lack these. */
  const look = async (missing: string, compared: string, check = shows) => {
    const estimates = Object.fromEntries(ESTIMATES.map((title) => [title, [missing]]))
    await check(page, `${address}/app/training?view=fitness`, estimates)
    const lacking = `0 of 60 steady runs with heart rate and weather${compared}`
    await check(page, `${address}/app/training?view=better`, { 'Better?': [`Not yet: ${lacking}.`, CHECK] })
  }
  await shows(page, `${address}/app/training`, { Today: [noForm] })
  await page.goto(`${address}/app`)
  await page.getByText('Import your runs to see your week, your year', { exact: false }).waitFor()
  await look(`${NEEDED}.`, '')
  const add = async (daysAgo: number) => {
    await server.importRun(fitRun({ startMs: startMs(daysAgo), seconds: 2400, hr: 139 + daysAgo }))
  }
  await add(1)
  // of three runs it is judged: only the number is another one
  await look(`${NEEDED}; 1 so far.`, '; 1 other has no weather', says)
  const low = 'Fitness, fatigue and form: low confidence: less than 42 days of running; max HR is a default.'
  await shows(page, `${address}/app/training`, { Today: [low, SOON] })
  await shows(page, `${address}/app`, { 'Form today': [SOON] })
  await add(3)
  await add(5)
  await look(`${NEEDED}; 3 so far.`, '; 3 others have no weather')
  await add(7)
  const noRace =
    'Low confidence (based on 4); no race result; max HR is a default. One race or hard 5K would halve the range.'
  await shows(page, `${address}/app/training?view=fitness`, {
    VO2max: [noRace, 'From 4 runs.'],
    'Pace zones': [noRace],
    'Race predictions': ['Races and hard efforts that count: 0'],
  })
  await close()
})

test('a log without heart rate, altitude, weather and races', async () => {
  const bare = await startRunServer()
  try {
    for (const daysAgo of [1, 3, 5, 7]) await bare.importRun(bareRun(daysAgo))
    const { page, close } = await loggedInPage(browser(), bare.address)
    const noRace = 'Low confidence (based on 4); no race result. One race or hard 5K would halve the range.'
    await shows(page, `${bare.address}/app/training?view=fitness`, { VO2max: [noRace, 'From 4 runs.'] })
    await page.getByRole('slider', { name: 'VDOT by week' }).waitFor()
    const lacking = '0 of 60 steady runs with heart rate and weather; 4 others have no heart rate'
    await shows(page, `${bare.address}/app/training?view=better`, {
      'Better?': [`Not yet: ${lacking}.`, CHECK],
      Heat: ['Your heat curve appears once there is enough for the card above.'],
    })
    await shows(page, `${bare.address}/app/training?view=endurance`, {
      Efficiency: [
        'Efficiency needs runs of 30 minutes or more with heart rate and distance. Choose a longer period, or wear a heart-rate sensor.',
      ],
    })
    await says(page, `${bare.address}/app`, { 'Form today': [SOON] })
    await close()
  } finally {
    await bare.stop()
  }
})
