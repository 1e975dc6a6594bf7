import type { Tx } from '../db/open.ts'
import { biggestWeek, greatest, type LocalRun } from '../engine/calendar/insights.ts'
import { isoDate } from '../engine/calendar/weeks.ts'
import { entriesOf, type RunFigures } from './insights-figures.ts'

/** A pace over less says more of the watch than of the runner (CONTRACT 6). */
const LEAST_PACED_M = 3000

/**
 * The longest, fastest, hilliest and hardest run, and the week with most metres.
 * @param runs by start, oldest first, at least one
 */
export function performanceHighlights(tx: Tx, runs: readonly RunFigures[], localRuns: readonly LocalRun[]) {
  const found = {
    longest: greatest(runs, ({ distanceM }) => distanceM),
    fastest: greatest(runs, ({ distanceM, avgPaceS }) =>
      distanceM >= LEAST_PACED_M && avgPaceS > 0 ? -avgPaceS : null,
    ),
    highest: greatest(runs, ({ elevGainM }) => positive(elevGainM)),
    hardest: greatest(runs, ({ relativeEffort }) => positive(relativeEffort)),
  }
  const entry = entriesOf(tx, found)
  const week = biggestWeek(localRuns)!
  return {
    longestRun: entry(found.longest, ({ distanceM }, { durationS }) => ({ distanceM, durationS })),
    fastestAvgPace: entry(found.fastest, ({ avgPaceS, distanceM }) => ({ avgPaceS, distanceM })),
    mostElevation: entry(found.highest, ({ elevGainM }) => ({ elevGainM: elevGainM ?? 0 })),
    highestRelativeEffort: entry(found.hardest, ({ relativeEffort }) => ({ relativeEffort: relativeEffort ?? 0 })),
    biggestWeek: {
      weekStart: isoDate(week.firstDay),
      weekEnd: isoDate(week.firstDay + 6),
      distanceM: week.distanceM,
      runs: week.runs,
    },
  }
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}
