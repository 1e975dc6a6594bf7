import { FormatError, type FormatProblem } from '../formats/format.ts'
import { type Answer, type Asked, createJobs, done, type Job } from './jobs.ts'

declare const self: Worker

export interface PostedJob {
  readonly job: Job
  readonly asked: Asked<Job>
}
/** What it posts back; `refusal` is a message for the runner, `error` what was thrown else. */
export type PostedAnswer =
  | { readonly answer: Answer<Job> }
  | { readonly refusal: string; readonly problem: FormatProblem; readonly sport: string | null }
  | { readonly error: unknown }

/** Jobs that leave megabytes behind, and how many of them between two collections: Bun alone lets a multiple gather. */
const [LEAVING, JOBS_A_COLLECTION] = [new Set<Job>(['file', 'raw', 'everything']), 4]
/** A job by which the process grew by this is followed by a collection, whatever it was. */
const LEAP_BYTES = 24 * 1_048_576

/** Long texts, which the Worker no longer needs: their buffers are transferred, all else is copied. */
type Moved = { readonly [J in Job]?: (answer: Answer<J>) => readonly Uint8Array<ArrayBuffer>[] }
const MOVED: Moved = {
  raw: (text) => [text],
  route: ({ text }) => [text],
  runFile: ({ pieces }) => pieces,
  samples: ({ text }) => [text],
}

self.onmessage = inTurn(createJobs())

/** A job waits until the one before it is done: two files at once would take twice the memory. */
function inTurn(jobs: ReturnType<typeof createJobs>): (posted: MessageEvent<PostedJob>) => void {
  let last = Promise.resolve()
  let left = 0
  return ({ data: { job, asked } }) => {
    last = last.then(async () => {
      const before = process.memoryUsage.rss()
      const [said, moved] = await done(job, asked, jobs).then(
        (answer) => [{ answer }, movedOf(job, answer)] as const,
        (error: unknown) => [thrown(error), []] as const,
      )
      self.postMessage(said satisfies PostedAnswer, [...moved])
      const hasLeapt = process.memoryUsage.rss() > before + LEAP_BYTES
      if (hasLeapt || (LEAVING.has(job) && ++left % JOBS_A_COLLECTION === 0)) Bun.gc(true)
    })
  }
}

function thrown(error: unknown): PostedAnswer {
  if (!(error instanceof FormatError)) return { error }
  return { refusal: error.message, problem: error.problem, sport: error.sport }
}

function movedOf<J extends Job>(job: J, answer: Answer<J>): ArrayBuffer[] {
  const textsOf: Moved[J] = MOVED[job]
  return textsOf?.(answer).map(({ buffer }) => buffer) ?? []
}
