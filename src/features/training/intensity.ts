import { isoDate, mondayOf } from '../../engine/calendar/weeks.ts'
import {
  type BandSeconds,
  bandBounds,
  bandsOf,
  distribution,
  LEAST_KNOWN_S,
  PACE_ZONES,
  paceZones,
  sessionBand,
} from '../../engine/training/intensity.ts'
import { DAY_MS, METRES_PER_KM, rounded, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import type { RunnerVdot } from './evidence.ts'
import { factsBetween } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

const LEAST_WEEKS = 4

/** Lower bounds of the pace zones, m/s: those that the runner set, else by VDOT; null without either. */
export function zoneBounds(library: TrainingLibrary, vdot: number | null): readonly number[] | null {
  const { paceZoneBorders } = library.settings()
  if (paceZoneBorders !== null) return paceZoneBorders.map((paceS) => METRES_PER_KM / paceS)
  return vdot === null ? null : paceZones(vdot).boundsMps
}

export function intensityAnswer(
  deps: Deps,
  library: TrainingLibrary,
  { viewer, vdot, weeks }: { readonly viewer: Viewer; readonly vdot: number | null; readonly weeks: number },
) {
  const bounds = zoneBounds(library, vdot)
  const shown = Math.max(weeks, 12)
  const first = mondayOf(viewer.today) - 7 * (shown - 1)
  const rows = Array.from({ length: shown }, (_, i) => ({
    weekStart: isoDate(first + 7 * i),
    lowS: 0,
    moderateS: 0,
    highS: 0,
    unknownS: 0,
    sessions: { low: 0, moderate: 0, high: 0 },
  }))
  for (const run of factsBetween(deps, 'histograms', [(first - 1) * DAY_MS, (viewer.today + 2) * DAY_MS])) {
    const day = library.dayOf(run, viewer)
    const row = rows[Math.floor((day - first) / 7)]
    if (day < first || row === undefined) continue
    const bands = bandsOf(run, { lthrBpm: library.profile(day).lthrBpm.value, bounds })
    if (bands === null) {
      row.unknownS += run.movingS
      continue
    }
    row.lowS += bands[0]
    row.moderateS += bands[1]
    row.highS += bands[2]
    const session = sessionBand(bands)
    if (session !== null) row.sessions[session] += 1
  }
  const over = (count: number) => {
    const last = rows.slice(-count)
    const sum = (key: 'lowS' | 'moderateS' | 'highS') => last.reduce((total, row) => total + row[key], 0)
    const bands: BandSeconds = [sum('lowS'), sum('moderateS'), sum('highS')]
    const known = bands[0] + bands[1] + bands[2]
    const isEnough = count >= LEAST_WEEKS && known >= LEAST_KNOWN_S
    const { lowShare, polarizationIndex, kind } = distribution(bands)
    return {
      lowShare: lowShare === null ? null : roundHalfUp(lowShare, 3),
      eightyTwenty: lowShare === null ? null : roundHalfUp(100 * lowShare),
      polarizationIndex: isEnough && polarizationIndex !== null ? roundHalfUp(polarizationIndex, 2) : null,
      kind: isEnough ? kind : null,
    }
  }
  const whole = ({ weekStart, sessions, ...seconds }: (typeof rows)[number]) => {
    return { weekStart, ...rounded(seconds), sessions }
  }
  return {
    bounds: bandBounds(library.profile(viewer.today).lthrBpm.value),
    weeks: rows.slice(-weeks).map(whole),
    last4Weeks: over(4),
    last12Weeks: over(12),
  }
}

export function zonesAnswer(library: TrainingLibrary, vdot: RunnerVdot) {
  const bounds = zoneBounds(library, vdot.value)
  const zones = vdot.value === null ? null : paceZones(vdot.value)
  const pace = (mps: number | undefined) => (mps === undefined ? null : roundHalfUp(METRES_PER_KM / mps, 1))
  const target = (paceS: number | undefined) => (paceS === undefined ? null : roundHalfUp(paceS, 1))
  return {
    vdot: vdot.estimate,
    zones: PACE_ZONES.map((name, i) => ({
      name,
      // the slow end of easy is that of its range, and repetition has no fast end
      fromPaceS: bounds === null ? null : i === 0 ? target(zones?.easyS[0]) : pace(bounds[i - 1]),
      toPaceS: bounds === null ? null : pace(bounds[i]),
    })),
    targets: {
      marathonPaceS: target(zones?.marathonS),
      thresholdPaceS: target(zones?.thresholdS),
      intervalPaceS: target(zones?.intervalS),
      repetitionPaceS: target(zones?.repetitionS),
    },
    bordersSetByRunner: library.settings().paceZoneBorders !== null,
  }
}
