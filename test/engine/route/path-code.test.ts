import { expect, test } from 'bun:test'
import { quantise } from '../../../src/engine/codec.ts'
import { exactCosine } from '../../../src/engine/exact-cosine.ts'
import { decodePath, encodePath, type RoutePath } from '../../../src/engine/route/path.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { encodeOldColumns } from '../../fixtures/old-columns.ts'
import { routePath } from '../../fixtures/routes.ts'
import { madeRoutes } from '../../library/route-library.ts'

const plain = (path: RoutePath) =>
  Object.entries(path).map(([key, value]) => [key, typeof value === 'number' ? value : [...value]])

/** A path of random samples, as none is made: every heading, leaps, anywhere on the globe. */
function wildPath(n: number, seed: number): RoutePath {
  const random = seededRandom(seed)
  const some = (value: (k: number) => number) => Float64Array.from({ length: n }, (_, k) => value(k))
  const degrees = (reach: number) =>
    quantise(
      some(() => (random() - 0.5) * reach),
      1e6,
    )
  const [latDeg, lonDeg, heading] = [degrees(180), degrees(800), some((k) => (seed + k) % 256)]
  const self = some(() => 1 + Math.floor(random() * 9))
  const columns = [
    { id: 1, scale: 1e6, values: latDeg, order: 2 as const },
    { id: 2, scale: 1e6, values: lonDeg, order: 1 as const },
    { id: 3, scale: 1, values: heading, order: 0 as const },
    ...[4, 5].map((id) => ({ id, scale: 1, values: self, order: 1 as const })),
  ]
  return decodePath(encodeOldColumns(n, columns), n * 20)
}

test('a path of an older library is stored again without loss', () => {
  for (const n of [1, 2, 255, 1200]) {
    const path = wildPath(n, n)
    expect(plain(decodePath(encodePath(path), path.lengthM))).toEqual(plain(path))
  }
})

test('a path that was made takes about two bytes a sample', () => {
  let [bytes, samples] = [0, 0]
  for (const { latDeg, lonDeg } of madeRoutes(40, 3)) {
    const path = routePath(latDeg, lonDeg)!
    const stored = encodePath(path)
    const again = decodePath(stored, path.lengthM)
    expect(encodePath(again)).toEqual(stored)
    expect([...again.latDeg]).toEqual([...quantise(path.latDeg, 1e6)])
    expect([...again.lonDeg]).toEqual([...quantise(path.lonDeg, 1e6)])
    bytes += stored.length
    samples += path.n
  }
  expect(bytes / samples).toBeLessThan(3)
})

test('damaged paths are refused with a RangeError, or are other paths', () => {
  const good = encodePath(wildPath(60, 5))
  for (let length = 0; length < good.length; length += 1) {
    expect(() => decodePath(good.subarray(0, length), 1200)).toThrow(RangeError)
  }
  const random = seededRandom(4)
  for (let round = 0; round < 2000; round += 1) {
    const damaged = good.slice()
    damaged[Math.floor(random() * good.length)] = Math.floor(random() * 256)
    try {
      expect(decodePath(damaged, 1200).n).toBeLessThanOrEqual(1_000_000)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
  const far = wildPath(2, 1)
  expect(() => encodePath({ ...far, lonDeg: Float64Array.of(0, 3000) })).toThrow(RangeError)
})

test('the exact cosine is the cosine', () => {
  for (let angle = -Math.PI / 2; angle <= Math.PI / 2; angle += 0.001) {
    expect(Math.abs(exactCosine(angle) - Math.cos(angle))).toBeLessThan(1e-11)
  }
})
