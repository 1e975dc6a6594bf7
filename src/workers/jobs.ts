import { analyzeFile, type FileJob, type KeptFile } from './analyze-file.ts'
import { DERIVE_JOBS } from './derive.ts'
import { LAP_JOBS } from './laps.ts'
import { MERGE_JOBS } from './merge.ts'
import { GROUND_JOBS } from './passes.ts'
import { REPAIR_JOBS } from './plans.ts'
import { readRaw } from './read-raw.ts'
import { ROUTE_JOBS } from './route-index.ts'
import { FILE_JOBS } from './run-file.ts'
import { SAMPLE_JOBS } from './sample-text.ts'
import { SHARE_JOBS } from './shared-run.ts'
import { TRAINING_JOBS, TREND_JOBS } from './training.ts'

/** What takes too long for the thread that answers requests: a function for each job, from its argument to its answer. */
export function createJobs() {
  const kept: KeptFile = { read: null }
  return {
    file: (job: FileJob) => analyzeFile(job, kept),
    raw: readRaw,
    ...DERIVE_JOBS,
    ...SAMPLE_JOBS,
    ...LAP_JOBS,
    ...REPAIR_JOBS,
    ...ROUTE_JOBS,
    ...GROUND_JOBS,
    ...TRAINING_JOBS,
    ...TREND_JOBS,
    ...MERGE_JOBS,
    ...FILE_JOBS,
    ...SHARE_JOBS,
  }
}

type Jobs = ReturnType<typeof createJobs>
export type Job = keyof Jobs
export type Asked<J extends Job> = Parameters<Jobs[J]>[0]
export type Answer<J extends Job> = Awaited<ReturnType<Jobs[J]>>

/**
 * Does a job on this thread.
 * @throws Error for samples that cannot be read, and FormatError for a file, or a run that a format cannot hold
 */
export async function done<J extends Job>(job: J, asked: Asked<J>, jobs = createJobs()): Promise<Answer<J>> {
  return await (jobs[job] as (asked: Asked<J>) => Answer<J> | Promise<Answer<J>>)(asked)
}
