import { isoDate, mondayOf } from '../../engine/calendar/weeks.ts'
import { estimate, isTooWide, noEstimate } from '../../engine/training/confidence.ts'
import { isUsed, vdotOfRow, vdotOfSpeed, vdotOn } from '../../engine/training/latent/fitness-readings.ts'
import { marathonShape, SHAPE_DAYS } from '../../engine/training/marathon-shape.ts'
import { Z80 } from '../../engine/training/numbers.ts'
import { rounded, roundHalfUp } from '../../engine/units.ts'
import type { Asked, RunnerVdot } from './evidence.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

const NO_BAND = { value: null, low: null, high: null }

export function vo2maxAnswer(library: TrainingLibrary, { viewer, vdot, weeks }: Asked & { readonly weeks: number }) {
  const lastWeek = mondayOf(viewer.today)
  const firstWeek = lastWeek - 7 * (weeks - 1)
  const { fitness } = vdot
  const rows = fitness?.rows.filter(({ day }) => day >= firstWeek && day <= viewer.today) ?? []
  const used = rows.filter(isUsed)
  const byWeek = Map.groupBy(used, ({ day }) => mondayOf(day))
  const firstDay = fitness?.rows[0]?.day ?? Number.POSITIVE_INFINITY
  return {
    vdot: vdot.estimate,
    effective: vdot.estimate,
    ...levelOf(vdot),
    factorRaces: vdot.rows.filter((row) => row.kind === 'R' && isUsed(row)).map(({ id }) => id),
    marathonShapePct: marathonShapePct(library, viewer, vdot.value),
    weeks: Array.from({ length: weeks }, (_, i) => {
      const monday = firstWeek + 7 * i
      const on = Math.min(viewer.today, monday + 6)
      const { value, low, high } = fitness === null || on < firstDay ? NO_BAND : vdotOn(fitness.fit, on)
      const isKnown = value !== null && !isTooWide(value, low, high)
      return {
        weekStart: isoDate(monday),
        ...rounded(isKnown ? { value, low, high } : NO_BAND, 1),
        n: byWeek.get(monday)?.length ?? 0,
      }
    }),
    points: rows.flatMap((row) => {
      if (fitness === null || (row.kind !== 'H' && row.kind !== 'R')) return []
      const isCounted = isUsed(row)
      return [
        {
          workoutId: row.id,
          date: isoDate(row.day),
          value: roundHalfUp(vdotOfRow(fitness.fit, row), 1),
          source: row.kind === 'R' ? ('race' as const) : ('heartRate' as const),
          used: isCounted,
          weight: roundHalfUp(row.weight, 3),
          reason: isCounted ? null : ('uncertain' as const),
        },
      ]
    }),
  }
}

/** How far the runner is from the table of Daniels, and what the fit of the year rests on. */
function levelOf({ fitness, rows, day, shared }: RunnerVdot) {
  if (fitness === null) return { factor: 1, fitness: null }
  const { fit, profile } = fitness
  const f = fit.mean(day, null)
  const level = fit.level(day)
  const count = (kind: string) => rows.filter((row) => row.kind === kind && isUsed(row)).length
  const counts = { H: count('H'), P: count('P'), R: count('R'), E: count('E') }
  const half = Z80 * fit.levelSd(day)
  const band = { value: Math.exp(level), low: Math.exp(level - half), high: Math.exp(level + half) }
  const none = 'Steady runs with heart rate are needed'
  return {
    factor: roundHalfUp(vdotOfSpeed(f) / vdotOfSpeed(f - level), 3),
    fitness: {
      rows: counts,
      sigma: roundHalfUp(fit.sigma, 4),
      fast: fit.isFast,
      level:
        counts.H === 0
          ? noEstimate('', ['noHeartRate'], none)
          : estimate({
              ...shared,
              ...rounded(band, 3),
              unit: '',
              reasons: profile.isMaxSet ? [] : ['defaultMaxHeartRate'],
              missing: null,
            }),
    },
  }
}

/** Marathon shape after Runalyze; null without VDOT, or without any run in half a year. */
function marathonShapePct(library: TrainingLibrary, viewer: Viewer, vo2max: number | null): number | null {
  const { firstDay, runs } = library.days(viewer)
  const inWindow = Array.from({ length: SHAPE_DAYS }, (_, ageDays) =>
    (runs[viewer.today - ageDays - firstDay] ?? []).map(({ distanceM }) => ({ km: distanceM / 1000, ageDays })),
  ).flat()
  const kmInWindow = inWindow.reduce((sum, { km }) => sum + km, 0)
  if (vo2max === null || kmInWindow === 0) return null
  const daysSinceFirst = viewer.today - firstDay + 1
  return roundHalfUp(marathonShape({ vo2max, kmInWindow, daysSinceFirst, longRuns: inWindow }).shapePct)
}
