import { createPace } from '../base/pace.ts'
import { finished, type Steps } from '../engine/steps.ts'
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
type Answer<T> = T extends Steps<infer R> ? R : Awaited<T>
/** `more` continues work in steps that answered the same: whoever waits in the line meanwhile is served in between. */
interface More {
  readonly what: 'more'
  readonly of: number
}
/** The Worker that kept the unfinished work has ended. */
interface Lost {
  readonly what: 'lost'
}
export type ComputeJob = { [K in What]: { readonly what: K } & Parameters<Tasks[K]>[0] }[What] | More
export type Computed = { [K in What]: { readonly what: K } & Answer<ReturnType<Tasks[K]>> }[What] | More | Lost

/** Work in steps that is not finished, by the number in `More`. */
export type Unfinished = ({ readonly what: What; readonly steps: Steps<object> } | undefined)[]

/**
 * @param unfinished where work in steps is kept between two answers; absent: it is finished at once
 * @throws Error for samples that cannot be read, and FormatError for an original, or a run that a format cannot hold
 */
export async function compute(job: ComputeJob, unfinished?: Unfinished): Promise<Computed> {
  if (job.what === 'more') return nextSteps(job.of, unfinished!)
  const { what } = job
  const made = (TASKS[what] as (job: ComputeJob) => object | Promise<object> | Steps<object>)(job)
  if (!(Symbol.iterator in made)) return { ...(await made), what } as Computed
  if (unfinished === undefined) return { ...finished(made), what } as Computed
  return nextSteps(unfinished.push({ what, steps: made }) - 1, unfinished)
}

/** As many steps as 8 ms suffice for, at least one. */
function nextSteps(of: number, unfinished: Unfinished): Computed {
  const work = unfinished[of]
  if (work === undefined) return { what: 'lost' }
  const pace = createPace()
  delete unfinished[of]
  do {
    const { done, value } = work.steps.next()
    if (done === true) return { ...value, what: work.what } as Computed
  } while (!pace.needsRest())
  unfinished[of] = work
  return { what: 'more', of }
}

/** Runs a job in the Worker. @throws as `Analyzer.derive` */
export async function computed<W extends What>(
  analyzer: { derive(job: ComputeJob): Promise<Computed> },
  job: ComputeJob & { readonly what: W },
): Promise<Extract<Computed, { readonly what: W }>> {
  let found = await analyzer.derive(job)
  while (found.what === 'more' || found.what === 'lost')
    found = await analyzer.derive(found.what === 'more' ? found : job)
  if (found.what !== job.what) throw new Error(`The Worker answered ${found.what} where ${job.what} was asked`)
  return found as Extract<Computed, { readonly what: W }>
}
