// Squares of the map, which are new in a run, and how much of its line is, whatever comes and goes.
import { describe, expect, test } from 'bun:test'
import { refreshNewGround } from '../../../src/library/new-ground.ts'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile } from '../../fixtures/gpx.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { setRows } from '../../library/as-stored.ts'
import { NEVER } from '../../library/falsified.ts'
import { done, receiptOf, stored } from '../../library/ledger.ts'
import { each } from '../../rows.ts'

const DAY_MS = 86_400_000
/** A square is 0.02197 degrees wide; the middle of column 8718, row 5685. */
const [LAT, LON, WIDE, HIGH] = [48.1441, 11.5686, 360 / 16_384, 0.01466] as const

interface Route {
  /** Columns and rows from the middle of the first square. */
  readonly via: readonly (readonly [east: number, south: number])[]
  /** Since 1 December 2024. */
  readonly day: number
}

/** Straight lines between places, a point every 20 m or so. */
async function run(app: TestApp, { via, day }: Route): Promise<string> {
  const startMs = Date.UTC(2024, 11, 1, 7) + day * DAY_MS
  const places = via.slice(1).flatMap(([toX, toY], k) => {
    const [fromX, fromY] = via[k]!
    const steps = Math.ceil(80 * Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY)))
    return Array.from(
      { length: steps },
      (_, i) => [fromX + ((toX - fromX) * i) / steps, fromY + ((toY - fromY) * i) / steps] as const,
    )
  })
  const points = [...places, via.at(-1)!].map(([east, south], t) => ({
    ...{ lat: LAT - south * HIGH, lon: LON + east * WIDE, timeMs: startMs + t * 8000 },
  }))
  return await stored(app, `${day}.gpx`, gpxFile({ points }))
}

const current = (app: TestApp) => refreshNewGround(app.deps, NEVER)
const groundOf = (app: TestApp, id: string) => done(app, `GET /workouts/${id}/ground`)
const LINE = pairs('0,0 3,0')
/** A snake through three rows of three. */
const SNAKE = pairs('0,0 2,0 2,1 0,1 0,2 2,2')
/** So many squares wide. */
const wide = (squares: number) => squares * 1632
const expectNear = (metres: number, expected: number, share: number) =>
  expect(Math.abs(metres / expected - 1)).toBeLessThan(share)

test('squares are counted, with the largest block and cluster, and each has its runs, its first local day and flags', async () => {
  await using app = await testApp()
  const nothing = { count: 0, maxSquare: null, maxCluster: null, grow: null, years: [], filling: 0 }
  expect(await done(app, 'GET /map/squares')).toEqual(nothing)
  await run(app, { via: SNAKE, day: 40 })
  await run(app, { via: LINE, day: 2 })
  await current(app)
  const answer = await done(app, 'GET /map/squares')
  expect(answer).toMatchObject({
    ...{ count: 10, maxSquare: { size: 3, x: 8718, y: 5685 }, maxCluster: { size: 1 }, filling: 0 },
    grow: { size: 4, x: 8718, y: 5684 },
  })
  expect(answer.grow.missing).toHaveLength(6)
  const [first, second] = each(answer.years, 'newGroundM')
  expect(answer.years).toEqual([
    { year: 2024, newSquares: 4, count: 4, maxSquare: 1, maxCluster: 0, newGroundM: first },
    { year: 2025, newSquares: 6, count: 10, maxSquare: 3, maxCluster: 1, newGroundM: second },
  ])
  // the second run is on the line of the first for two of its seven squares' widths
  expectNear(first, wide(3), 0.02)
  expectNear(second, wide(8 - 2), 0.03)
  expect(await done(app, 'GET /map/squares?startDate=2025-01-01')).toMatchObject({ count: 9 })
  expect(await done(app, 'GET /map/squares?runType=Race')).toMatchObject({ count: 0, years: [] })

  const squaresIn = async (query: string) => (await done(app, `GET /map/squares/in?${query}`)).squares
  expect((await squaresIn('x0=8719&y0=5685&x1=8721&y1=5686')).toSorted()).toEqual([
    [8719, 5685, 2, '2024-12-03', 4],
    [8719, 5686, 1, '2025-01-10', 7],
    [8720, 5685, 2, '2024-12-03', 4],
    [8720, 5686, 1, '2025-01-10', 4],
    [8721, 5685, 1, '2024-12-03', 0],
  ])
  for (const query of ['x0=16380&y0=0&x1=3&y1=8191', 'x0=16300&y0=0&x1=171&y1=255'])
    expect(await squaresIn(query)).toEqual([])
  for (const query of ['x0=0&y0=0&x1=255&y1=256', 'x0=0&y0=5&x1=1&y1=4'])
    expect([query, (await app.call('GET', `/map/squares/in?${query}`)).status]).toEqual([query, 400])
  const one = await done(app, 'GET /map/squares/8719/5685')
  expect(one).toMatchObject({
    ...{ x: 8719, y: 5685, runs: 2 },
    ...{ first: { startedAt: '2024-12-03T07:00:00Z' }, last: { startedAt: '2025-01-10T07:00:00Z' } },
  })
  expect(one.bounds.west).toBeCloseTo((8719 / 16_384 - 0.5) * 360, 9)
  expect(await done(app, 'GET /map/squares/1/2')).toMatchObject({ runs: 0, first: null, last: null })
  expect((await app.call('GET', '/map/squares/16384/1')).status).toBe(404)
})

describe('a run', () => {
  test('has its squares, those that are new, and the new metres of its line', async () => {
    await using app = await testApp()
    await done(app, 'POST /places', { name: 'Home', lat: LAT, lon: LON })
    const first = await run(app, { via: LINE, day: 2 })
    const again = await run(app, { via: pairs('0,0 3,0 3,1'), day: 9 })
    expect(await groundOf(app, first)).toMatchObject({ newM: null, newShare: null, filling: true })
    await current(app)
    expect(await groundOf(app, first)).toMatchObject({
      ...{ squares: 4, newSquares: [8718, 8719, 8720, 8721].map((x) => [x, 5685]) },
      ...{ start: { name: 'Home', runs: 2 }, route: null, segments: [], filling: false },
    })
    const { newM, lengthM, newShare, newSquares, squares } = await groundOf(app, again)
    expect([squares, newSquares]).toEqual([5, [[8721, 5686]]])
    expectNear(newM, wide(1), 0.05)
    expectNear(lengthM, wide(4), 0.02)
    expect(newShare).toBeCloseTo(newM / lengthM, 2)
    const byHand = { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 }
    const entered = (await done(app, 'POST /workouts', byHand)).id
    const noGround = { squares: 0, newSquares: [], lengthM: 0, newM: null, start: null, filling: false }
    expect(await groundOf(app, entered)).toMatchObject(noGround)
    // of an older engine: what it had is shown until it is derived again, and others are complete
    setRows(app.deps, 'workout', { engine_version: 5 }, { id: again })
    const filling = async (id: string) => (await groundOf(app, id)).filling
    expect([await filling(first), await filling(again), await filling(entered)]).toEqual([false, true, false])
  })

  test('loses new ground to an older run that comes later, and gets it back when that goes', async () => {
    await using app = await testApp()
    const later = await run(app, { via: LINE, day: 9 })
    await current(app)
    const before = await groundOf(app, later)
    expect(before.newSquares).toHaveLength(4)
    const older = await run(app, { via: pairs('1,0 2,0'), day: 2 })
    await current(app)
    const since = await groundOf(app, later)
    expect(since.newSquares).toEqual([8718, 8721].map((x) => [x, 5685]))
    expectNear(before.newM - since.newM, wide(1), 0.05)
    let receipt = ''
    for (const [change, ground] of [
      [() => done(app, `PATCH /workouts/${older}`, { leftOut: true }), before],
      [() => done(app, `PATCH /workouts/${older}`, { leftOut: false }), since],
      [async () => (receipt = await receiptOf(app, `DELETE /workouts/${older}`)), before],
      [() => done(app, `POST /receipts/${receipt}/undo`, {}), since],
      // the other one is the first now
      [() => done(app, `POST /workouts/${older}/shift`, { offsetSeconds: 14 * 86_400 }), before],
    ] as const) {
      app.pass(60_000)
      await change()
      await current(app)
      expect(await groundOf(app, later)).toEqual(ground)
    }
    expect((await groundOf(app, older)).newSquares).toEqual([])
    await done(app, `PATCH /workouts/${older}`, { leftOut: true })
    await current(app)
    expect(await groundOf(app, older)).toMatchObject({ newM: null })
  })
})

test('new squares of all runs add up to the count, and years to both', async () => {
  await using app = await testApp()
  const random = seededRandom(8)
  const days = Array.from({ length: 12 }, (_, k) => k * 25).toSorted(() => random() - 0.5)
  const ids: string[] = []
  for (const day of days) {
    const via = Array.from({ length: 4 }, () => [random() * 5, random() * 5] as const)
    ids.push(await run(app, { via, day }))
    if (random() < 0.5) await current(app)
  }
  await current(app)
  const grounds = await Promise.all(ids.map((id) => groundOf(app, id)))
  const { count, years } = await done(app, 'GET /map/squares')
  const sum = (values: readonly number[]) => values.reduce((so, value) => so + value, 0)
  const news = each(grounds, 'newSquares').map(({ length }) => length)
  expect([sum(news), sum(each(years, 'newSquares')), years.at(-1).count]).toEqual([count, count, count])
  const off = Math.abs(sum(each(years, 'newGroundM')) - sum(each(grounds, 'newM')))
  expect(off).toBeLessThan(years.length + ids.length * 0.05)
}, 60_000)

test('what was new in the runs of some days, and in those of an import, is what they were the first in', async () => {
  await using app = await testApp()
  await run(app, { via: LINE, day: 0 })
  await run(app, { via: pairs('2,0 5,0'), day: 8 })
  await current(app)
  const news = async (query = '') => await done(app, `GET /map/new-ground${query}`)
  expect((await news()).newSquares).toBe(6)
  const week = await news('?startDate=2024-12-09&endDate=2024-12-15')
  expect(week.newSquares).toBe(2)
  // two squares of three are new, and a line of 3 squares of 1,631 m each
  expect(week.newM / 1631).toBeWithin(1.9, 2.2)
  expect(await news('?startDate=2024-12-16')).toEqual({ newSquares: 0, newM: 0 })
  const [receipt] = (await done(app, 'GET /receipts')).items
  expect(await done(app, `GET /receipts/${receipt.id}/ground`)).toEqual(week)
})
