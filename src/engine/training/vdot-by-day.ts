import { firstFrom } from '../gather.ts'
import { EFFORT_DAYS, OLDEST_EFFORT_DAYS } from './chosen-efforts.ts'

/** The best effort of one run. */
export interface DayVdot {
  readonly day: number
  readonly vdot: number
}

/** Best of the 90 days up to a day, else of the nearest run within a year, the earlier of two; null without any. */
export function vdotByDay(points: readonly DayVdot[]): (day: number) => number | null {
  const sorted = points.toSorted((a, b) => a.day - b.day)
  const days = sorted.map(({ day }) => day)
  return (day) => {
    const after = firstFrom(days, day + 1)
    let best: number | null = null
    for (let i = after - 1; i >= 0 && day - sorted[i]!.day <= EFFORT_DAYS; i -= 1) {
      best = Math.max(best ?? 0, sorted[i]!.vdot)
    }
    if (best !== null) return best
    const before = sorted[after - 1]
    const next = sorted[after]
    const [ago, ahead] = [before ? day - before.day : Infinity, next ? next.day - day : Infinity]
    const nearest = ago <= ahead ? before : next
    if (nearest === undefined || Math.min(ago, ahead) > OLDEST_EFFORT_DAYS) return null
    return Math.max(...sorted.filter((point) => point.day === nearest.day).map(({ vdot }) => vdot))
  }
}
