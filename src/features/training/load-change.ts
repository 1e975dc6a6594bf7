import type { StoredProfileEntry } from '../../db/schema-training.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { limitMpsOn } from '../../engine/training/latent/fitness-readings.ts'
import { median } from '../../engine/training/numbers.ts'
import { profileOn } from '../../engine/training/profile.ts'
import { averageHistogram, averageSpeedHistogram } from '../../engine/training/run/histograms.ts'
import { heartRateLoads, paceLoad } from '../../engine/training/training-load.ts'
import { METRES_PER_KM } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { profileEntries, zonesProfile } from '../../library/training/profile.ts'
import type { Asked } from './evidence.ts'
import type { TrainingLibrary } from './library.ts'
import { NO_ENTRY } from './settings.ts'

const HOUR_S = 3600
/** Days up to today whose middle run stands for the others. */
const TYPICAL_DAYS = 90

/**
 * By how many per cent the load of the runner's middle hour changes with another value of the profile.
 * @returns null: no load follows from it
 */
export function loadChangePct(
  { db }: Pick<Deps, 'db'>,
  library: TrainingLibrary,
  { asked: { viewer, vdot, facts }, change }: { readonly asked: Asked; readonly change: Partial<StoredProfileEntry> },
): number | null {
  const { sex, entries } = library.settings()
  const { today } = viewer
  const recent = facts.filter((run) => today - library.dayOf(run, viewer) < TYPICAL_DAYS && run.movingS > 0)
  const before = library.profile(today)
  const changed = [
    ...profileEntries({ entries: [{ ...NO_ENTRY, from: isoDate(today), ...change }] }),
    ...profileEntries({ entries }),
  ]
  const after = profileOn(today, changed, zonesProfile(db))
  if (change.thresholdPaceS === undefined) {
    const pulses = recent.flatMap(({ source, steadyBpm }) => (source === 'heartRate' ? (steadyBpm ?? []) : []))
    const load = (profile: typeof before) =>
      heartRateLoads(profile, sex)(averageHistogram(median(pulses), HOUR_S), HOUR_S).load
    return pulses.length === 0 ? null : ratioPct(load(before), load(after))
  }
  const scale = paceScale(db, recent.findLast(({ source }) => source === 'pace')?.id)
  const beforeMps = limitMpsOn(before, vdot.fitness?.fit ?? null, today)
  if (scale === null || beforeMps === null) return null
  const middleMps = median(recent.map(({ distanceM, movingS }) => distanceM / movingS))
  const load = (thresholdMps: number) =>
    paceLoad(averageSpeedHistogram(HOUR_S * middleMps, HOUR_S), { thresholdMps, sex })
  return ratioPct(scale * load(beforeMps), load(METRES_PER_KM / after.thresholdPaceS!))
}

function ratioPct(before: number | null, after: number | null): number | null {
  return before === null || after === null || !(before > 0) ? null : 100 * (after / before - 1)
}

/** What the load by pace of a run was multiplied by; null: heart rate calibrates it, so a threshold is no scale. */
function paceScale(db: Deps['db'], id: string | undefined): number | null {
  if (id === undefined) return null
  const asked = 'SELECT factor, factor_n AS n FROM workout_load WHERE workout_id = ?'
  const row = db.$client.query<{ factor: number | null; n: number | null }, [string]>(asked).get(id)
  return row === null || (row.n ?? 0) > 0 ? null : (row.factor ?? 1)
}
