import type { StatedSplit } from '../../db/stored.ts'
import { METRES_PER_KM, METRES_PER_MILE } from '../../engine/units.ts'
import { MOST_SPLITS, readSplit } from '../format/split-rows.ts'
import type { RestoreWork } from './work.ts'

/** The splits of one workout by index; one that cannot be read, or occurs twice, is reported alone. */
export function splitsOf({ parts, report }: RestoreWork, workoutId: string): StatedSplit[] {
  const byIndex = new Map<number, StatedSplit>()
  const ids = new Set<string>()
  for (const row of parts.rows('splits', workoutId)) {
    const split = readSplit(row)
    if (split === null) report.failed('splits', 'Splits without index, distance or duration', { which: workoutId })
    else if (byIndex.has(split.idx)) continue
    else if (byIndex.size >= MOST_SPLITS) report.failed('splits', `Splits beyond ${MOST_SPLITS}`, { which: workoutId })
    else {
      byIndex.set(split.idx, ids.has(split.id) ? { ...split, id: Bun.randomUUIDv7() } : split)
      ids.add(split.id)
    }
  }
  return [...byIndex.values()].sort((a, b) => a.idx - b.idx)
}

/** Metres within which a full split counts as a mile or a kilometre, since older programs cut at the next sample. */
const UNIT_SLACK_M = 100

/** Length of the splits of a run; null when none of them is full. */
export function unitOfSplits(splits: readonly StatedSplit[]): number | null {
  const first = splits.length < 2 ? undefined : splits[0]
  if (first === undefined) return null
  return [METRES_PER_KM, METRES_PER_MILE].find((unitM) => Math.abs(first.distanceM - unitM) <= UNIT_SLACK_M) ?? null
}
