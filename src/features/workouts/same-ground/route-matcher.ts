import type { RoutePath } from '../../../engine/route/path.ts'
import { type Similarity, similarTo } from '../../../engine/route/similarity.ts'
import { scoreBound } from '../../../engine/route/sketch.ts'
import type { Deps } from '../../../library/deps.ts'
import { pathOf, type StoredPath, type StoredSketch } from '../../../workers/route-index.ts'

/** Compares routes with one route. */
export interface RouteMatcher {
  /** Upper bound of the score of each, by its sketch. */
  bounds(others: readonly StoredSketch[]): Promise<readonly number[]>
  score(other: StoredPath): Promise<Similarity>
}

/**
 * Longest route compared on this thread, metres. In the worst case a route crosses itself everywhere: then the cost is
 * the product of the numbers of samples, one every 20 m, which takes 15 ms at this length and 1.3 s at 200 km.
 */
const LONGEST_HERE_M = 30_000

/** Long routes are compared by the Worker one at a time, so that imports have their turn in between. */
export function matcherOf(
  worker: Deps['worker'],
  { stored, path }: { readonly stored: StoredPath; readonly path: RoutePath },
): RouteMatcher {
  if (stored.lengthM > LONGEST_HERE_M) {
    const { path: bytes, lengthM } = stored
    const route = { path: bytes, lengthM }
    return {
      bounds: async (others) => {
        const sketches = others.map(({ sketch, lengthM }) => ({ sketch, lengthM }))
        return (await worker.ask('routeBounds', { route, others: sketches })).bounds
      },
      score: async (other) => (await worker.ask('similarity', { route, other })).similarity,
    }
  }
  const boundOf = scoreBound(path)
  const score = similarTo(path)
  return {
    bounds: (others) => Promise.resolve(others.map(({ sketch, lengthM }) => boundOf(sketch, lengthM))),
    score: (other) => Promise.resolve(score(pathOf(other))),
  }
}
