import { expect, test } from 'bun:test'
import { standIns, type TileSpot, tilesInView } from '../../../../src/web/run/map/map-tiles.ts'

// The tile numbers are those of the OpenStreetMap wiki's formula (Slippy map tilenames), worked out by hand:
// 52.52° N, 13.405° E is in 10/550/335 and 14/8802/5373.
const BERLIN = { x: 13.405 / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan((52.52 * Math.PI) / 180)) / (2 * Math.PI) }
const SIZE = { width: 512, height: 300 }
const tilesAt = (zoom: number, density = 1, place = BERLIN) =>
  tilesInView({ ...place, scale: 256 * 2 ** zoom }, SIZE, { density })

test('the tiles of a view begin with the one in the middle and cover all of it; finer ones on a screen of more dots', () => {
  const keys = tilesAt(14).map(({ key }) => key)
  expect(keys[0]).toBe('14/8802/5373')
  const columns = keys.map((key) => Number(key.split('/')[1]))
  // 512 pixels touch three columns of 256 unless they begin at an edge
  expect([Math.min(...columns), Math.max(...columns)]).toEqual([8801, 8803])
  expect(new Set(keys).size).toBe(keys.length)
  expect(tilesAt(14, 2)[0]!.key).toStartWith('15/')
  // but never more than can be read
  expect(tilesAt(14, 4)).toEqual(tilesAt(14, 2))
})

test('they are shown at 0.66 to 1.32 times their size, and none beyond the closest zoom is asked for', () => {
  for (let zoom = 3; zoom <= 24; zoom += 0.05) {
    const [spot] = tilesAt(zoom)
    const stretch = spot!.extent * 2 ** zoom
    expect(spot!.z).toBeLessThanOrEqual(19)
    if (zoom > 19.4) expect(spot!.z).toBe(19)
    else expect([stretch > 0.65, stretch < 1.33]).toEqual([true, true])
  }
})

test('those of a run over the date line are on the other side, beside each other, and they end at the poles', () => {
  const row = tilesAt(10, 1, { x: 1, y: BERLIN.y })
    .filter(({ y }) => y === 335)
    .sort((a, b) => a.left - b.left)
  expect(row.map(({ x }) => x)).toEqual([1023, 0])
  expect(row[1]!.left - row[0]!.left).toBeCloseTo(1 / 1024, 12)
  const atPole = tilesInView({ x: 0.5, y: 0, scale: 1024 }, { width: 300, height: 900 }, { density: 1 })
  expect(Math.min(...atPole.map(({ y }) => y))).toBe(0)
})

test('until a tile is there the nearest coarser one stands in with its area, and finer ones over it in their quarters', () => {
  const spot: TileSpot = { key: '4/5/10', z: 4, x: 5, y: 10, left: 0, top: 0, extent: 1 / 16 }
  const shown = (...there: string[]) => standIns(spot, (key) => there.includes(key))
  expect(shown('3/0/0', '4/5/9', '5/0/0')).toEqual([])
  // 4/5/10 is the upper right quarter of 3/2/5: 5 is odd, 10 is even
  const quarter = { left: 0.5, top: 0, extent: 0.5 }
  expect(shown('3/2/5', '2/1/2')).toEqual([{ key: '3/2/5', area: quarter, place: { left: 0, top: 0, extent: 1 } }])
  expect(shown('2/1/2')[0]?.area).toEqual({ left: 0.25, top: 0.5, extent: 0.25 })
  const over = shown('3/2/5', '5/11/20', '5/10/21').map(({ key, place }) => `${key} ${place.left} ${place.top}`)
  expect(over).toEqual(['3/2/5 0 0', '5/10/21 0 0.5', '5/11/20 0.5 0'])
})
