import { describe, expect, test } from 'bun:test'
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

function projectedOf(places: readonly (readonly [lat: number, lon: number])[]) {
  return projected(
    Float64Array.from(places, ([lat]) => lat),
    Float64Array.from(places, ([, lon]) => lon),
  )
}

/** Where a world position is on the screen. */
function pixel(view: { x: number; y: number; scale: number }, x: number, y: number): [number, number] {
  return [(x - view.x) * view.scale + SIZE.width / 2, (y - view.y) * view.scale + SIZE.height / 2]
}

describe('projection', () => {
  test('is Web Mercator: known tile corners of zoom 1 and the null island', () => {
    // EPSG:3857: the world is a square, its edges at 85.0511288 degrees
    const { x, y } = projectedOf(pairs('0,0 85.0511287798,0 -85.0511287798,179.999 66.51326044,90'))
    expect([x[0], y[0]]).toEqual([0.5, 0.5])
    expect(y[1]).toBeCloseTo(0, 9)
    expect(y[2]).toBeCloseTo(1, 9)
    // 66.51326044 degrees is the edge between rows 0 and 1 of zoom 2
    expect(y[3]).toBeCloseTo(0.25, 8)
    const across = (y: number) => metresPerPixel({ x: 0.5, y, scale: 1 })
    expect(across(0.25) / across(0.5)).toBeCloseTo(Math.cos((66.51326044 * Math.PI) / 180), 8)
  })

  test('keeps a run over the date line in one piece, in both directions', () => {
    const east = projectedOf(pairs('-17,179.99 -17,-179.99 -17,-179.97'))
    const box = boxOf(east)!
    expect(box.east - box.west).toBeCloseTo(0.04 / 360, 9)
    const west = projectedOf(pairs('-17,-179.99 -17,179.99 -17,-179.98'))
    const back = boxOf(west)!
    expect(back.east - back.west).toBeCloseTo(0.03 / 360, 9)
  })

  test('leaves gaps as gaps and has no box without positions', () => {
    const { x } = projectedOf(pairs('47,8 NaN,NaN 47,8.1'))
    expect(x[1]).toBeNaN()
    expect(boxOf(projectedOf([[Number.NaN, Number.NaN]]))).toBeNull()
  })

  test('fits every point into the padded frame and uses all of one side', () => {
    const points = projectedOf(pairs('47,8 47.02,8.05 46.99,8.01'))
    const view = fittedView(boxOf(points)!, SIZE, 30)
    const places = [...points.x].map((x, i) => pixel(view, x, points.y[i]!))
    const xs = places.map(([px]) => px)
    const ys = places.map(([, py]) => py)
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(30 - 1e-6)
    expect(Math.max(...ys)).toBeLessThanOrEqual(370 + 1e-6)
    const spare = Math.min(Math.min(...xs) - 30, Math.min(...ys) - 30)
    expect(Math.abs(spare)).toBeLessThan(1e-6)
  })

  test('shows a runner on the spot without dividing by nothing', () => {
    const view = fittedView(boxOf(projectedOf([[47, 8]]))!, SIZE, 30)
    expect(Number.isFinite(view.scale)).toBe(true)
    // 60 m over the 340 px between the paddings
    expect(metresPerPixel(view)).toBeCloseTo(60 / 340, 2)
  })

  test('zooms about the pixel under the pointer and pans by as many pixels as the hand', () => {
    const view = fittedView(boxOf(projectedOf(pairs('47,8 47.1,8.1')))!, SIZE, 30)
    const under = { x: view.x + (450 - 300) / view.scale, y: view.y + (100 - 200) / view.scale }
    const zoomed = zoomedView(view, 2.5, { px: 450, py: 100, size: SIZE })
    const [px, py] = pixel(zoomed, under.x, under.y)
    expect(px).toBeCloseTo(450, 6)
    expect(py).toBeCloseTo(100, 6)
    expect(zoomed.scale / view.scale).toBeCloseTo(2.5, 9)
    const [movedX, movedY] = pixel(pannedView(view, 40, -25), under.x, under.y)
    expect([movedX - 450, movedY - 100].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([40, -25])
  })

  test('stops zooming where nothing more is to be seen', () => {
    let view = fittedView(boxOf(projectedOf(pairs('0,0 0.01,0.01')))!, SIZE, 30)
    for (let i = 0; i < 50; i += 1) view = zoomedView(view, 3, { px: 300, py: 200, size: SIZE })
    expect(metresPerPixel(view)).toBeCloseTo(0.05, 6)
    for (let i = 0; i < 50; i += 1) view = zoomedView(view, 1 / 3, { px: 300, py: 200, size: SIZE })
    expect(metresPerPixel(view)).toBeLessThanOrEqual(40_001)
  })

  test('has a scale bar of a round length that is as long as it says', () => {
    // at the equator one world is 40075016.686 m: 1 m a pixel
    const view = { x: 0.5, y: 0.5, scale: 40_075_016.686 }
    expect(scaleBar(view, 120, 'metric')).toEqual({ px: expect.closeTo(100, 6), metres: 100, label: '100\u00a0m' })
    expect(scaleBar(view, 120, 'imperial').label).toBe('200\u00a0ft')
    expect(scaleBar(view, 120, 'imperial').px).toBeCloseTo(60.96, 6)
    const far = { ...view, scale: view.scale / 100 }
    expect(scaleBar(far, 120, 'metric')).toMatchObject({ metres: 10_000, label: '10\u00a0km' })
    // at 60 degrees a pixel is half as many metres
    expect(metresPerPixel({ ...view, y: projectedOf([[60, 0]]).y[0]! })).toBeCloseTo(0.5, 6)
  })
})
