import type { Analysis, Zones } from '../engine/analysis.ts'
import { averageEffort } from '../engine/run/effort.ts'
import type { DeviceTotals } from '../engine/totals.ts'
import { roundHalfUp, STEPS_PER_REVOLUTION } from '../engine/units.ts'
import type { Activity } from '../formats/format.ts'
import type { StravaRow } from '../formats/strava/rows.ts'

/**
 * The run of a file as its row of Strava's export knows it (CONTRACT 7.3): what the runner wrote and the weather come from
 * the row, where it says something; all that was measured stays the file's.
 */
export function rowActivity(activity: Activity, row: StravaRow): Activity {
  return {
    ...activity,
    name: row.name ?? activity.name,
    notes: row.notes ?? activity.notes,
    runType: row.runType ?? activity.runType,
    rpe: row.rpe ?? activity.rpe,
    source: 'strava_import',
    // one weather or the other, never keys of both
    weather: row.weather ?? activity.weather,
    gear: row.gear,
    rawStravaData: row.raw,
  }
}

/** What a row's totals add: the filled analysis, and the totals that make a recomputation come to the same. */
export interface Filled {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  readonly totals: DeviceTotals
}

/**
 * Fills what file and samples left unknown with the totals of a row, and nothing else. The result is that of an analysis
 * which had been given `totals` at once, without doing it again: the few numbers that can be missing depend on each other
 * only as far as written here.
 * @param options.indoor a treadmill has no climb, whatever is said
 */
export function filledByRow(
  { analysis, totals }: Filled,
  row: DeviceTotals,
  { zones, indoor }: { readonly zones: Zones; readonly indoor: boolean },
): Filled {
  const used: Record<string, number> = {}
  const fill = (known: number | null, key: keyof DeviceTotals, isUsable: (value: number) => boolean = isPositive) => {
    const value = row[key]
    if (known !== null || value === null || !isUsable(value)) return known
    used[key] = value
    return value
  }
  const whole = (value: number | null) => (value === null ? null : roundHalfUp(value))
  const rounded = (value: number | null, decimals: number) => (value === null ? null : roundHalfUp(value, decimals))
  const isClimb = () => !indoor
  const avgHeartRateBpm = whole(fill(analysis.avgHeartRateBpm, 'avgHeartRateBpm'))
  const effort =
    analysis.relativeEffort === null && avgHeartRateBpm !== null
      ? averageEffort(avgHeartRateBpm, analysis.durationS, zones)
      : null
  const movingS = whole(fill(analysis.movingTimeS, 'movingS'))
  const filled: Filled['analysis'] = {
    ...analysis,
    movingTimeS: movingS === null ? null : Math.min(movingS, analysis.timerTimeS ?? analysis.durationS),
    avgHeartRateBpm,
    maxHeartRateBpm: whole(fill(analysis.maxHeartRateBpm, 'maxHeartRateBpm')),
    relativeEffort: analysis.relativeEffort ?? effort?.relativeEffort ?? null,
    hrZoneSeconds: analysis.hrZoneSeconds ?? effort?.zoneSeconds ?? null,
    avgCadenceRpm: whole(fill(analysis.avgCadenceRpm, 'avgCadenceRpm')),
    maxCadenceRpm: whole(fill(analysis.maxCadenceRpm, 'maxCadenceRpm')),
    avgPowerWatts: whole(fill(analysis.avgPowerWatts, 'avgPowerW')),
    maxPowerWatts: whole(fill(analysis.maxPowerWatts, 'maxPowerW')),
    calories: whole(fill(analysis.calories, 'caloriesKcal')),
    elevGainM: rounded(fill(analysis.elevGainM, 'elevGainM', isClimb), 1),
    elevLossM: rounded(fill(analysis.elevLossM, 'elevLossM', isClimb), 1),
    minElevM: rounded(fill(analysis.minElevM, 'minElevM', isClimb), 1),
    maxElevM: rounded(fill(analysis.maxElevM, 'maxElevM', isClimb), 1),
    maxSpeedMps: rounded(fill(analysis.maxSpeedMps, 'maxSpeedMps'), 3),
  }
  return { analysis: { ...filled, ...steps(filled, analysis) }, totals: { ...totals, ...used } }
}

/** Both feet, of the numbers that were filled. */
function steps(
  filled: Pick<Analysis, 'avgCadenceRpm' | 'maxCadenceRpm'>,
  known: Pick<Analysis, 'avgCadenceSpm' | 'maxCadenceSpm'>,
): Pick<Analysis, 'avgCadenceSpm' | 'maxCadenceSpm'> {
  const both = (rpm: number | null) => (rpm === null ? null : roundHalfUp(STEPS_PER_REVOLUTION * rpm))
  return {
    avgCadenceSpm: known.avgCadenceSpm ?? both(filled.avgCadenceRpm),
    maxCadenceSpm: known.maxCadenceSpm ?? both(filled.maxCadenceRpm),
  }
}

/** None is written as zero, too. */
function isPositive(value: number): boolean {
  return value > 0
}
