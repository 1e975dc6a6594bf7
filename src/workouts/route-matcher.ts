import type { Deps } from '../deps.ts'
import type { RoutePath } from '../engine/route/path.ts'
import { type Similarity, similarTo } from '../engine/route/similarity.ts'
import { scoreBound, unpackSketch } from '../engine/route/sketch.ts'
import { computed, pathOf, type StoredPath, type StoredSketch } from '../workers/compute.ts'

/** Compares routes with one. */
export interface RouteMatcher {
  /** What each can score at most, by its sketch. */
  bounds(others: readonly StoredSketch[]): Promise<readonly number[]>
  score(other: StoredPath): Promise<Similarity>
}

/**
 * Metres. A route crosses itself at worst everywhere: comparing two on one spot costs the product of their samples, of
 * which there is one every 20 m, 15 ms at this length and 1.3 s at 200 km.
 */
const LONGEST_HERE_M = 30_000

/** Long routes are compared by the Worker, one after the other: an import has its turn in between. */
export function matcherOf(
  analyzer: Deps['analyzer'],
  { stored, path }: { readonly stored: StoredPath; readonly path: RoutePath },
): RouteMatcher {
  if (stored.lengthM > LONGEST_HERE_M) {
    const { path: bytes, lengthM } = stored
    const route = { path: bytes, lengthM }
    return {
      bounds: async (others) => {
        const sketches = others.map(({ sketch, lengthM }) => ({ sketch, lengthM }))
        return (await computed(analyzer, { what: 'routeBounds', route, others: sketches })).bounds
      },
      score: async (other) => (await computed(analyzer, { what: 'similarity', route, other })).similarity,
    }
  }
  const boundOf = scoreBound(path)
  const score = similarTo(path)
  return {
    bounds: (others) => Promise.resolve(others.map(({ sketch, lengthM }) => boundOf(unpackSketch(sketch), lengthM))),
    score: (other) => Promise.resolve(score(pathOf(other))),
  }
}
