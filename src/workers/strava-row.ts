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
