// bun run pictures: the pictures of README and docs, of the present page over the seeded seasons.
import { join } from 'node:path'
import { chromiumPath, launch } from './browser.ts'
import { NOTED, wordsOfPictures } from './picture-words.ts'
import { loggedInPage, startRunServer } from './run-server.ts'
import { addSeasons } from './season-server.ts'
import { DAY_MS } from './suite.ts'

const FOLDER = join(import.meta.dir, '../../docs/images')
/** By name: what is shown, and how much of its height, pixels; absent: all of it. */
const PICTURES = [
  ['home', '/app'],
  ['run', '/app/runs/{id}'],
  ['runs', '/app/runs', 900],
  ['training', '/app/training'],
] as const

const path = chromiumPath()
if (path === null) throw new Error('There is no Chromium')
const server = await startRunServer()
const browser = await launch(path)
try {
  await addSeasons(server)
  const race = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10)
  await server.send('POST', '/races', { date: race, name: 'City Half', distanceM: 21_097.5, goalTimeS: 5400 })
  const { items } = await server.get<{ items: { id: string }[] }>('/workouts?runType=Workout&pageSize=1')
  const { page } = await loggedInPage(browser, server.address, { viewport: { width: 1280, height: 800 } })
  for (const [name, address, height] of PICTURES) {
    await page.goto(`${server.address}${address.replace('{id}', items[0]?.id ?? '')}`)
    await page.waitForLoadState('networkidle')
    // fonts, charts and the map's lines are drawn after the last answer
    await page.waitForTimeout(1500)
    const clip = height === undefined ? { fullPage: true } : { clip: { x: 0, y: 0, width: 1280, height } }
    await page.screenshot({ path: join(FOLDER, `${name}.png`), ...clip })
  }
  await Bun.write(NOTED, `${await wordsOfPictures()}\n`)
} finally {
  await browser.close()
  await server.stop()
}
