import { expect, test } from 'bun:test'
import {
  boxOf,
  fittedView,
  metresPerPixel,
  pannedView,
  projected,
  scaleBar,
  zoomedView,
} from '../../../../src/web/run/map/projection.ts'
import { pairs } from '../../../fixtures/pairs.ts'

const SIZE = { width: 600, height: 400 }
const EQUATOR_M = 40_075_016.686

/** Of places as latitude and longitude. */
function projectedOf(places: string) {
  const [lats, lons] = [0, 1].map((of) => Float64Array.from(pairs(places), (place) => place[of]!))
  return projected(lats!, lons!)
}
const fitted = (places: string) => fittedView(boxOf(projectedOf(places))!, SIZE, 30)

/** Where a world position is on the screen. */
function pixel(view: { x: number; y: number; scale: number }, x: number, y: number): [number, number] {
  return [(x - view.x) * view.scale + SIZE.width / 2, (y - view.y) * view.scale + SIZE.height / 2]
}

test('is Web Mercator: known tile corners of zoom 1 and the null island', () => {
  // EPSG:3857: the world is a square, its edges at 85.0511288 degrees
  const { x, y } = projectedOf('0,0 85.0511287798,0 -85.0511287798,179.999 66.51326044,90')
  expect([x[0], y[0]]).toEqual([0.5, 0.5])
  expect(y[1]).toBeCloseTo(0, 9)
  expect(y[2]).toBeCloseTo(1, 9)
  // 66.51326044 degrees is the edge between rows 0 and 1 of zoom 2
  expect(y[3]).toBeCloseTo(0.25, 8)
  const across = (y: number) => metresPerPixel({ x: 0.5, y, scale: 1 })
  expect(across(0.25) / across(0.5)).toBeCloseTo(Math.cos((66.51326044 * Math.PI) / 180), 8)
})

test('keeps a run over the date line in one piece, in both directions, and gaps as gaps', () => {
  for (const [places, degrees] of [
    ['-17,179.99 -17,-179.99 -17,-179.97', 0.04],
    ['-17,-179.99 -17,179.99 -17,-179.98', 0.03],
  ] as const) {
    const { east, west } = boxOf(projectedOf(places))!
    expect(east - west).toBeCloseTo(degrees / 360, 9)
  }
  expect(projectedOf('47,8 NaN,NaN 47,8.1').x[1]).toBeNaN()
  // without positions there is no box
  expect(boxOf(projectedOf('NaN,NaN'))).toBeNull()
})

test('fits every point into the padded frame and uses all of one side; a runner on the spot has a scale, too', () => {
  const places = '47,8 47.02,8.05 46.99,8.01'
  const points = projectedOf(places)
  const shown = [...points.x].map((x, i) => pixel(fitted(places), x, points.y[i]!))
  const [xs, ys] = [shown.map(([px]) => px), shown.map(([, py]) => py)]
  const spare = [Math.min(...xs) - 30, Math.min(...ys) - 30]
  expect([Math.min(...xs) >= 30 - 1e-6, Math.max(...ys) <= 370 + 1e-6]).toEqual([true, true])
  expect(Math.abs(Math.min(...spare))).toBeLessThan(1e-6)
  // 60 m over the 340 px between the paddings
  expect(metresPerPixel(fitted('47,8'))).toBeCloseTo(60 / 340, 2)
})

test('zooms about the pixel under the pointer and pans by as many pixels as the hand, as far as something is to be seen', () => {
  const view = fitted('47,8 47.1,8.1')
  const under = { x: view.x + (450 - 300) / view.scale, y: view.y + (100 - 200) / view.scale }
  const zoomed = zoomedView(view, 2.5, { px: 450, py: 100, size: SIZE })
  const shown = [...pixel(zoomed, under.x, under.y), ...pixel(pannedView(view, 40, -25), under.x, under.y)]
  expect(shown.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([450, 100, 490, 75])
  expect(zoomed.scale / view.scale).toBeCloseTo(2.5, 9)
  let far = fitted('0,0 0.01,0.01')
  const zoom = (by: number) => {
    for (let i = 0; i < 50; i += 1) far = zoomedView(far, by, { px: 300, py: 200, size: SIZE })
    return metresPerPixel(far)
  }
  expect(zoom(3)).toBeCloseTo(0.05, 6)
  expect(zoom(1 / 3)).toBeLessThanOrEqual(40_001)
})

test('has a scale bar of a round length that is as long as it says', () => {
  // at the equator 1 m a pixel
  const view = { x: 0.5, y: 0.5, scale: EQUATOR_M }
  expect(scaleBar(view, 120, 'metric')).toEqual({ px: expect.closeTo(100, 6), metres: 100, label: '100\u00a0m' })
  expect(scaleBar(view, 120, 'imperial')).toMatchObject({ px: expect.closeTo(60.96, 6), label: '200\u00a0ft' })
  const far = { ...view, scale: view.scale / 100 }
  expect(scaleBar(far, 120, 'metric')).toMatchObject({ metres: 10_000, label: '10\u00a0km' })
  // at 60 degrees a pixel is half as many metres
  expect(metresPerPixel({ ...view, y: projectedOf('60,0').y[0]! })).toBeCloseTo(0.5, 6)
})
