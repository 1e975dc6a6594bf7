import { describe, expect } from 'bun:test'
import { gpxFile } from '../fixtures/gpx.ts'
import { DAY_MS, pageSuite } from './suite.ts'

const HOME = { lat: 48.1375, lon: 11.575 }
interface Places {
  readonly places: readonly { readonly hideM: number | null }[]
}
interface Runs {
  readonly items: readonly { readonly id: string }[]
}

const START_MS = Date.UTC(2025, 9, 20, 7)

describe('places', () => {
  const { test, server, open, everywhere } = pageSuite(async ({ server }) => {
    for (let day = 0; day < 4; day += 1) {
      const points = Array.from({ length: 900 }, (_, t) => ({
        lat: HOME.lat + 0.004 * Math.sin((day + 1) * t * 0.007),
        lon: HOME.lon + t * 0.00004,
        timeMs: START_MS + day * DAY_MS + t * 1000,
      }))
      await server.importRun(gpxFile({ points }), `${day}.gpx`)
    }
  })

  test('a place is named, and hidden once its circle and the runs that it trims were shown', async () => {
    const { page } = await open('/map', { deviceScaleFactor: 2 })
    await page.getByRole('link', { name: 'Places' }).click()
    await page.getByRole('button', { name: /^Name it/ }).click()
    await page.getByRole('button', { name: 'Actions for Munich' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mill Lane')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mill Lane' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Mill Lane' }).click()
    await page.getByRole('menuitem', { name: 'Hide from others…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hide Mill Lane from others' })
    await dialog.getByText('Trims 4 runs').waitFor()
    const circle = dialog.getByRole('img', { name: /^A circle of 300 m/ })
    const width = (shown: Element) => shown.clientWidth
    expect(await circle.locator('canvas').evaluate(width)).toBe(await circle.evaluate(width))
    const shown = page.waitForResponse(/\/map\/hidden\?.*hideM=500&placeId=/)
    await dialog.getByLabel('Radius').selectOption('500')
    const { hidden } = await (await shown).json()
    expect((await server.get<Places>('/places')).places[0]!.hideM).toBeNull()
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
    await page.getByText(/Hidden: 0.5\skm around it/).waitFor()
    expect((await server.get<Places>('/places')).places[0]).toMatchObject({ hideM: 500, hidden })
    await page.getByLabel('Cut from the start and end of every run').selectOption('200')
    await page.waitForFunction(async () => (await (await fetch('/settings/privacy')).json()).trimEndsM === 200)
    await page.goto(`${server.address}/app`)
    await page.getByText(/ · from Mill Lane$/).waitFor()
    await page.goto(`${server.address}/app/history`)
    await page.locator('.row a').last().click()
    await page.getByRole('link', { name: /new squares? · [\d.]+.km of new ground/ }).waitFor()
    const run = (await server.get<Runs>('/workouts')).items[0]!
    await page.goto(`${server.address}/app/runs/${run.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    const asked = page.waitForRequest(/\/export\?format=gpx&trim=true$/)
    const saving = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Download trimmed GPX' }).click()
    await asked
    expect((await saving).suggestedFilename()).toEndWith('.gpx')
    await page.goto(`${server.address}/app/runs`)
    const hiding: string[] = []
    page.on('request', (request) => /\/(places|privacy)$/.test(request.url()) && hiding.push(request.url()))
    await page.getByRole('button', { name: 'Select runs' }).click()
    await page.getByText('0 runs selected').waitFor()
    await page.waitForTimeout(300)
    expect(hiding).toEqual([])
    await page.getByRole('button', { name: 'Select all on page' }).click()
    const sent = page.waitForRequest(/\/workouts\/export\/files$/)
    const zip = page.waitForEvent('download')
    await page.getByLabel('Download of the selected runs').selectOption('Trimmed GPX')
    expect((await sent).postDataJSON()).toMatchObject({ format: 'gpx', trim: true })
    const bytes = await Bun.file(await (await zip).path()).bytes()
    expect(Buffer.from(bytes).toString('latin1')).toContain('runs.csv')
  })

  test('are readable at all widths, in both themes', async () => {
    await everywhere('/places', async (page) => {
      await page.getByRole('button', { name: 'Actions for Mill Lane' }).waitFor()
    })
  })

  test('deleting a name can be undone', async () => {
    const { page } = await open('/places')
    await page.getByRole('button', { name: 'Actions for Mill Lane' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Mill Lane' }).waitFor()
  })
})
