import { expect, test } from 'bun:test'
import { tilesInView } from '../../../../src/web/run/map/tile-layer.ts'

// The tile numbers are those of the OpenStreetMap wiki's formula (Slippy map tilenames), worked out by hand:
// 52.52° N, 13.405° E is in 10/550/335 and 14/8802/5373.
const BERLIN = { x: 13.405 / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan((52.52 * Math.PI) / 180)) / (2 * Math.PI) }
const SIZE = { width: 512, height: 300 }
const tilesAt = (zoom: number, density = 1, place = BERLIN) =>
  tilesInView({ ...place, scale: 256 * 2 ** zoom }, SIZE, density)

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
  const atPole = tilesInView({ x: 0.5, y: 0, scale: 1024 }, { width: 300, height: 900 }, 1)
  expect(Math.min(...atPole.map(({ y }) => y))).toBe(0)
})
