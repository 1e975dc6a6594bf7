import { type BetterAsked, better } from '../engine/training/truth/better.ts'
import type { TrendRun } from '../engine/training/truth/trend-rows.ts'

export const TREND_JOBS = {
  /** Fitness at one heart rate. */
  better: ({ runs, asked }: { readonly runs: readonly TrendRun[]; readonly asked: BetterAsked }) => ({
    read: better(runs, asked),
  }),
}
