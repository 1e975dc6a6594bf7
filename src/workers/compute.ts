import { DERIVE_TASKS } from './derive.ts'
import { LAP_TASKS } from './laps.ts'
import { MERGE_TASKS } from './merge.ts'
import { GROUND_TASKS } from './passes.ts'
import { REPAIR_TASKS } from './plans.ts'
import { ROUTE_TASKS } from './route-index.ts'
import { FILE_TASKS } from './run-file.ts'
import { SAMPLE_TASKS } from './sample-text.ts'
import { TRAINING_TASKS } from './training.ts'
import { TREND_TASKS } from './trend.ts'

/** What takes too long for the thread that answers requests: a function for each question, from its job to its answer. */
const TASKS = {
  ...DERIVE_TASKS,
  ...SAMPLE_TASKS,
  ...LAP_TASKS,
  ...REPAIR_TASKS,
  ...ROUTE_TASKS,
  ...GROUND_TASKS,
  ...TRAINING_TASKS,
  ...TREND_TASKS,
  ...MERGE_TASKS,
  ...FILE_TASKS,
}

type Tasks = typeof TASKS
type What = keyof Tasks
export type ComputeJob = { [K in What]: { readonly what: K } & Parameters<Tasks[K]>[0] }[What]
export type Computed = { [K in What]: { readonly what: K } & Awaited<ReturnType<Tasks[K]>> }[What]

/** @throws Error for samples that cannot be read, and FormatError for an original, or a run that a format cannot hold */
export async function compute(job: ComputeJob): Promise<Computed> {
  const answer = await (TASKS[job.what] as (job: ComputeJob) => object | Promise<object>)(job)
  return { ...answer, what: job.what } as Computed
}

/** Runs a job in the Worker. @throws as `Analyzer.derive` */
export async function computed<W extends What>(
  analyzer: { derive(job: ComputeJob): Promise<Computed> },
  job: ComputeJob & { readonly what: W },
): Promise<Extract<Computed, { readonly what: W }>> {
  const found = await analyzer.derive(job)
  if (found.what !== job.what) throw new Error(`The Worker answered ${found.what} where ${job.what} was asked`)
  return found as Extract<Computed, { readonly what: W }>
}
