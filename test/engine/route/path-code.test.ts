import { expect, test } from 'bun:test'
import { quantise } from '../../../src/engine/codec.ts'
import { decodePath, encodePath } from '../../../src/engine/route/path.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { routePath } from '../../fixtures/routes.ts'
import { madeRoutes } from '../../library/route-library.ts'

test('a path comes back as it was stored, and damaged ones are refused or other paths', () => {
  const random = seededRandom(4)
  for (const { latDeg, lonDeg } of madeRoutes(40, 3)) {
    const path = routePath(latDeg, lonDeg)!
    const stored = encodePath(path)
    const again = decodePath(stored, path.lengthM)
    expect(encodePath(again)).toEqual(stored)
    expect([...again.latDeg]).toEqual([...quantise(path.latDeg, 1e6)])
    expect([...again.lonDeg]).toEqual([...quantise(path.lonDeg, 1e6)])
    expect(() => decodePath(stored.subarray(0, Math.floor(random() * stored.length)), path.lengthM)).toThrow(RangeError)
    const damaged = stored.with(Math.floor(random() * stored.length), Math.floor(random() * 256))
    try {
      expect(decodePath(damaged, path.lengthM).n).toBeLessThanOrEqual(1_000_000)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
})
