import { SHORTEST_RUN_S } from '../../../engine/limits.ts'
import type { RunSeries } from '../charts/series.ts'
import type { Section } from '../types.ts'

export type End = 'start' | 'end'

/** The initial stretch: the middle third, where both handles are easy to reach. */
export function startingSection({ elapsedS }: Pick<RunSeries, 'elapsedS'>): Section {
  const lastS = elapsedS.at(-1)!
  return { fromS: Math.round(lastS / 3), toS: Math.round((2 * lastS) / 3) }
}

/**
 * The stretch after one end was set by a tap. A start behind the end moves the end to the end of the run; an end before
 * the start becomes the new start, and the former start the end.
 */
export function tappedSection({ fromS, toS }: Section, end: End, atS: number, lastS: number): Section {
  if (end === 'start') {
    const startS = Math.min(atS, lastS - SHORTEST_RUN_S)
    return { fromS: startS, toS: toS - startS >= SHORTEST_RUN_S ? toS : lastS }
  }
  const [startS, endS] = atS < fromS ? [atS, fromS] : [fromS, atS]
  return { fromS: startS, toS: Math.min(lastS, Math.max(endS, startS + SHORTEST_RUN_S)) }
}
