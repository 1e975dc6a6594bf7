import { fitRun } from './fixtures/runs.ts'
import { chromiumPath, launch, preferTheme } from './page/browser.ts'
import { loggedInPage, startRunServer } from './page/run-server.ts'

const browser = await launch(chromiumPath() ?? '')
const server = await startRunServer()
await server.importRun(fitRun())
for (const [w, h] of [
  [390, 844],
  [1024, 900],
  [1600, 1000],
] as const) {
  const { page, faults } = await loggedInPage(browser, server.address, { viewport: { width: w, height: h } })
  for (const theme of ['light', 'dark'] as const) {
    await page.goto(`${server.address}/app/settings`)
    await preferTheme(page, theme)
    await page.locator('.way').first().waitFor()
    await page.locator('#phone').screenshot({ path: `/tmp/phone-q/shots/${w}-${theme}-closed.png` })
    if (theme === 'light' || w === 390) {
      const card = page.locator('.way').first()
      await card.locator('summary').click()
      await card.getByRole('button', { name: /Make a/ }).click()
      await card.locator('.qr path').waitFor()
      await page.locator('.way').nth(1).locator('summary').click()
      await page.locator('#phone').screenshot({ path: `/tmp/phone-q/shots/${w}-${theme}-open.png` })
      if (w === 390 && theme === 'light')
        await card.locator('.qr').screenshot({ path: '/tmp/phone-q/shots/qr.png', scale: 'css' })
      console.log(await card.locator('.new-key').textContent())
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      console.log(w, theme, 'overflow', overflow)
    }
    await page.locator('#keys').screenshot({ path: `/tmp/phone-q/shots/${w}-${theme}-keys.png` })
    await page.locator('#archive').screenshot({ path: `/tmp/phone-q/shots/${w}-${theme}-archive.png` })
  }
  await page.goto(`${server.address}/app/runs`)
  await page.getByRole('button', { name: 'Choose' }).click()
  await page.getByRole('button', { name: 'All on this page' }).click()
  await page.screenshot({ path: `/tmp/phone-q/shots/${w}-list.png` })
  await page
    .locator('.run-line')
    .first()
    .click({ modifiers: [] })
    .catch(() => {})
  const id = (await (await server.call('/workouts')).json()).items[0].id
  await page.goto(`${server.address}/app/runs/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.screenshot({ path: `/tmp/phone-q/shots/${w}-menu.png` })
  console.log(faults)
  await page.context().close()
}
await browser.close()
await server.stop()
