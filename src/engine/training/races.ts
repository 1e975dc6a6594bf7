import { STANDARD_DISTANCES } from '../run/best-efforts.ts'

/** Share of the distance of a race by which the recorded one may differ. */
const MOST_DIFFERENCE = 0.06
/** The same where the distance of a race is not given. */
const MOST_DIFFERENCE_OF_STANDARD = 0.02

/** A race without a run, or a run that is not a race's result yet. */
interface Unmatched {
  readonly id: string
  readonly day: number
  readonly distanceM: number
}

/**
 * The run of each race: of the same local day, and within 6 % of its distance. Where several are, the closest distances
 * belong together.
 * @returns ids of runs by ids of races
 */
export function raceResults(races: readonly Unmatched[], runs: readonly Unmatched[]): ReadonlyMap<string, string> {
  const byDay = Map.groupBy(runs, ({ day }) => day)
  const fits = races.flatMap((race) =>
    (byDay.get(race.day) ?? []).flatMap((run) => {
      const difference = Math.abs(run.distanceM - race.distanceM) / race.distanceM
      return isMeasured(run.distanceM, race.distanceM) ? [{ race, run, difference }] : []
    }),
  )
  const results = new Map<string, string>()
  const taken = new Set<string>()
  for (const { race, run } of fits.toSorted((a, b) => a.difference - b.difference)) {
    if (results.has(race.id) || taken.has(run.id)) continue
    results.set(race.id, run.id)
    taken.add(run.id)
  }
  return results
}

/** Whether a recorded distance may be that of a course of so many metres. */
export function isMeasured(recordedM: number, officialM: number): boolean {
  return Math.abs(recordedM - officialM) / officialM <= MOST_DIFFERENCE
}

/** The standard distance that a race of this length was over, else its length; metres. */
export function raceDistance(distanceM: number): number {
  return standardNear(distanceM, 0)?.distanceM ?? distanceM
}

/** The standard distance from so many metres on that a run has, within 2%; null: none. */
export function standardNear(distanceM: number, leastM: number): (typeof STANDARD_DISTANCES)[number] | null {
  const isNear = (standardM: number) => Math.abs(distanceM - standardM) <= MOST_DIFFERENCE_OF_STANDARD * standardM
  return STANDARD_DISTANCES.find((one) => one.distanceM >= leastM && isNear(one.distanceM)) ?? null
}
