// What the page asks the service for: each answer once, small, and again when something has changed.
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { startSeasonServer } from './season-server.ts'
import { DAY_MS, pageSuite, soon } from './suite.ts'

const RUNS_A_YEAR = 260
const NIGHT_MS = 23 * 3_600_000
let lastId = ''
const { test, server, open } = pageSuite(async ({ server }) => {
  // the season has 180 runs a year
  const { totalCount } = await server.get<{ totalCount: number }>('/workouts?pageSize=1')
  for (let index = totalCount; index < 2 * RUNS_A_YEAR; index += 1) {
    // at night, when the season has no run that it could be another recording of
    const dayMs = Math.floor(Date.now() / DAY_MS - 4.5 * (index - totalCount + 1)) * DAY_MS
    const startedAt = new Date(dayMs + NIGHT_MS).toISOString()
    const answer = await server.send('POST', '/workouts', {
      startedAt,
      distanceM: 6000 + index,
      durationS: 2100 + index,
    })
    lastId = ((await answer.json()) as { id: string }).id
  }
}, startSeasonServer)

/** Paths that the page asks the service for from now on; those of its own files and the event stream aside. */
function asked(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!/^\/(app|assets|icons|events$)/.test(pathname)) paths.push(`${request.method()} ${pathname}${search}`)
  })
  return paths
}

const twice = (paths: readonly string[]) => paths.filter((path, index) => paths.indexOf(path) < index)

test('a dashboard asks for nothing twice and receives at most 20 KB, 95 KB unpacked', async () => {
  const { page, settled } = await open('/runs')
  await settled()
  // without the document of the list, whose last answers would count too
  await page.goto(`${server.address}/health`)
  const paths = asked(page)
  const sizes = new Map<string, { path: string; wire: number; unpacked: number }>()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'application/json') sizes.set(requestId, { path: response.url, wire: 0, unpacked: 0 })
  })
  devtools.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
    const size = sizes.get(requestId)
    if (size === undefined) return
    size.unpacked += dataLength
    size.wire += encodedDataLength
  })
  await page.goto(`${server.address}/app`)
  await page.getByRole('slider', { name: /^Fitness, fatigue, form and load/ }).waitFor()
  await settled()
  expect(twice(paths)).toEqual([])
  const sum = (part: 'wire' | 'unpacked') => [...sizes.values()].reduce((total, size) => total + size[part], 0)
  expect(sizes.size).toBe(paths.length)
  expect(sum('wire')).toBeGreaterThan(5_000)
  expect(sum('wire')).toBeLessThanOrEqual(20_000)
  expect(sum('unpacked')).toBeLessThanOrEqual(95_000)
})

test('an edit loads what it affects once, although its event arrives too', async () => {
  const { page, settled } = await open(`/runs/${lastId}`)
  await settled()
  const paths = asked(page)
  await page.getByLabel('Run type').selectOption('Long Run')
  await soon(async () => paths.some((path) => path.startsWith('GET')))
  await settled()
  expect(paths).toContain(`GET /workouts/${lastId}/training`)
  // the loads are computed later, which has an event of its own
  const ofLoad = /\/training$|\?includeRaw=/
  expect(twice(paths).filter((path) => !ofLoad.test(path))).toEqual([])
})

test('a run that another window has edited loads again', async () => {
  const { page, settled } = await open(`/runs/${lastId}`)
  await settled()
  await server.send('PATCH', `/workouts/${lastId}`, { name: 'Out and back' })
  await page.getByRole('heading', { name: 'Out and back' }).waitFor()
})

test('open screens load again when the network returns', async () => {
  const { page, settled } = await open('/runs')
  await page.locator('.run-list li').first().waitFor()
  await settled()
  const paths = asked(page)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await soon(async () => paths.some((path) => path.startsWith('GET /workouts?')))
})
