import { createStore, useStore } from './store.ts'

/** Whether times and paces use moving or elapsed time; races always use elapsed time, as in results. */
export type PaceClock = 'moving' | 'elapsed'

/** Time and pace of a run by one clock. */
interface ClockFigures {
  readonly clock: PaceClock
  /** Seconds. */
  readonly timeS: number
  /** Seconds per km; null without a distance. */
  readonly paceS: number | null
}

export interface ShownPace extends ClockFigures {
  /** The other clock, shown smaller; null where both are equal. */
  readonly other: ClockFigures | null
}

interface TimedRun {
  readonly runType: string | null
  readonly distanceM: number
  /** Elapsed seconds. */
  readonly durationS: number
  readonly movingTimeS: number | null
  readonly timerTimeS?: number | null
  /** Seconds per km of the elapsed time. */
  readonly avgPaceS: number
}

/** Times closer than this are displayed as equal, seconds. */
const SAME_S = 5

/**
 * The time and pace of a run that are displayed in the list and on its page.
 * @param setting the runner's choice; for races elapsed time is used in any case
 */
export function shownPace(run: TimedRun, setting: PaceClock): ShownPace {
  const movingS = Math.min(run.durationS, run.movingTimeS ?? run.timerTimeS ?? run.durationS)
  const elapsed: ClockFigures = {
    clock: 'elapsed',
    timeS: run.durationS,
    paceS: run.avgPaceS > 0 ? run.avgPaceS : null,
  }
  if (movingS <= 0 || run.durationS - movingS < SAME_S) return { ...elapsed, other: null }
  const moving: ClockFigures = {
    clock: 'moving',
    timeS: movingS,
    paceS: run.distanceM > 0 ? (movingS / run.distanceM) * 1000 : null,
  }
  const isElapsed = setting === 'elapsed' || run.runType === 'Race'
  return isElapsed ? { ...elapsed, other: moving } : { ...moving, other: elapsed }
}

/** The grade-adjusted pace by the displayed clock; the service gives it by elapsed time, per km. */
export function gapPaceOf(
  run: { readonly gapPaceS: number | null; readonly durationS: number },
  shown: ClockFigures,
): number | null {
  return run.gapPaceS === null || run.durationS <= 0 ? null : (run.gapPaceS * shown.timeS) / run.durationS
}

const STORAGE_KEY = 'harrier.pace'
const stored = (): PaceClock => (globalThis.localStorage?.getItem(STORAGE_KEY) === 'elapsed' ? 'elapsed' : 'moving')
const setting = createStore<PaceClock>(stored())
// changed in another window of the same browser
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) setting.set(stored())
})

/** The runner's choice, stored in this browser like the theme. */
export function usePaceClock(): PaceClock {
  return useStore(setting)
}

export function setPaceClock(clock: PaceClock): void {
  if (clock === 'moving') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, clock)
  setting.set(clock)
}
