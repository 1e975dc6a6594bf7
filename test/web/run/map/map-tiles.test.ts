import { describe, expect, test } from 'bun:test'
import { standIns, type TileSpot, tilesInView } from '../../../../src/web/run/map/map-tiles.ts'

// The tile numbers are those of the OpenStreetMap wiki's formula (Slippy map tilenames), worked out by hand:
// 52.52° N, 13.405° E is in 10/550/335 and 14/8802/5373.
const BERLIN = { x: 13.405 / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan((52.52 * Math.PI) / 180)) / (2 * Math.PI) }
const SIZE = { width: 512, height: 300 }
const keysAt = (zoom: number, density = 1, place = BERLIN) =>
  tilesInView({ ...place, scale: 256 * 2 ** zoom }, SIZE, { density }).map(({ key }) => key)

describe('the tiles of a view', () => {
  test('begin with the one in the middle and cover all of it', () => {
    const keys = keysAt(14)
    expect(keys[0]).toBe('14/8802/5373')
    const columns = keys.map((key) => Number(key.split('/')[1]))
    // 512 pixels touch three columns of 256 unless they begin at an edge
    expect([Math.min(...columns), Math.max(...columns)]).toEqual([8801, 8803])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('are shown at 0.66 to 1.32 times their size, and none beyond the closest zoom is asked for', () => {
    for (let zoom = 3; zoom <= 24; zoom += 0.05) {
      const [spot] = tilesInView({ ...BERLIN, scale: 256 * 2 ** zoom }, SIZE, { density: 1 })
      const stretch = (spot!.extent * 256 * 2 ** zoom) / 256
      expect(spot!.z).toBeLessThanOrEqual(19)
      if (zoom > 19.4) expect(spot!.z).toBe(19)
      else expect([stretch > 0.65, stretch < 1.33]).toEqual([true, true])
    }
  })

  test('are finer on a screen of more dots, but never more than that can be read', () => {
    expect(keysAt(14, 2)[0]).toStartWith('15/')
    expect(keysAt(14, 4)).toEqual(keysAt(14, 2))
  })

  test('of a run over the date line are those on the other side, beside each other', () => {
    const spots = tilesInView({ x: 1, y: BERLIN.y, scale: 256 * 2 ** 10 }, SIZE, { density: 1 })
    const row = spots.filter(({ y }) => y === 335).sort((a, b) => a.left - b.left)
    expect(row.map(({ x }) => x)).toEqual([1023, 0])
    expect(row[1]!.left - row[0]!.left).toBeCloseTo(1 / 1024, 12)
  })

  test('end at the poles', () => {
    const rows = tilesInView({ x: 0.5, y: 0, scale: 1024 }, { width: 300, height: 900 }, { density: 1 }).map(
      ({ y }) => y,
    )
    expect(Math.min(...rows)).toBe(0)
  })
})

describe('until a tile is there', () => {
  const spot: TileSpot = { key: '4/5/10', z: 4, x: 5, y: 10, left: 0, top: 0, extent: 1 / 16 }
  const shown = (...there: string[]) => standIns(spot, (key) => there.includes(key))

  test('nothing replaces it where nothing is there', () => {
    expect(shown('3/0/0', '4/5/9', '5/0/0')).toEqual([])
  })

  test('the nearest coarser one does with the area that is in it', () => {
    // 4/5/10 is the upper right quarter of 3/2/5: 5 is odd, 10 is even
    expect(shown('3/2/5', '2/1/2')).toEqual([
      { key: '3/2/5', area: { left: 0.5, top: 0, extent: 0.5 }, place: { left: 0, top: 0, extent: 1 } },
    ])
    expect(shown('2/1/2')[0]?.area).toEqual({ left: 0.25, top: 0.5, extent: 0.25 })
  })

  test('finer ones lie over it, each in its quarter', () => {
    expect(shown('3/2/5', '5/11/20', '5/10/21').map(({ key, place }) => [key, place.left, place.top])).toEqual([
      ['3/2/5', 0, 0],
      ['5/10/21', 0, 0.5],
      ['5/11/20', 0.5, 0],
    ])
  })
})
