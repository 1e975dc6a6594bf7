import { createStore, useStore } from './store.ts'

/** Which clock times and paces of runs go by; of races it is always the elapsed one, as it is in results. */
export type PaceClock = 'moving' | 'elapsed'

/** One clock and what a run was by it. */
export interface ClockFigures {
  readonly clock: PaceClock
  /** Seconds. */
  readonly timeS: number
  /** Seconds per km; null without a distance. */
  readonly paceS: number | null
}

export interface ShownPace extends ClockFigures {
  /** The other clock, shown beside in small; null where both say the same. */
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

/** Clocks that are nearer than this are the same to a reader, in seconds. */
const SAME_S = 5

/**
 * The one pace by which a run is told, in the list as on its page, with the time that belongs to it.
 * @param setting what the runner chose; races have the elapsed clock with either
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

/** The grade-adjusted pace by the clock that is shown: the service gives that of the elapsed time, per km. */
export function gapPaceOf(
  run: { readonly gapPaceS: number | null; readonly durationS: number },
  shown: ClockFigures,
): number | null {
  return run.gapPaceS === null || run.durationS <= 0 ? null : (run.gapPaceS * shown.timeS) / run.durationS
}

const STORAGE_KEY = 'harrier.pace'
const stored = (): PaceClock => (globalThis.localStorage?.getItem(STORAGE_KEY) === 'elapsed' ? 'elapsed' : 'moving')
const setting = createStore<PaceClock>(stored())
// what another window of the same browser chose
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) setting.set(stored())
})

/** The runner's choice, kept in this browser as the theme is. */
export function usePaceClock(): PaceClock {
  return useStore(setting)
}

export function setPaceClock(clock: PaceClock): void {
  if (clock === 'moving') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, clock)
  setting.set(clock)
}
