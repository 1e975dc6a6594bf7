import { embedded } from '../base/embedded.ts'
import type { Log } from '../base/log.ts'
import { FormatError } from '../formats/format.ts'
import type { AnalyzedFile, FileJob } from './analyze-file.ts'
import type { Answer, Asked, Job } from './jobs.ts'
import type { PostedAnswer, PostedJob } from './thread.ts'

/** One Worker for CPU-intensive work, off the thread that answers requests. */
export interface WorkerLine {
  /**
   * Does a job (jobs.ts) in the order of the calls.
   * @throws what the job throws; of a file only FormatError, with a message for the runner; Error when the Worker was lost
   */
  ask<J extends Job>(job: J, asked: Asked<J>): Promise<Answer<J>>
  close(): void
}

interface Waiting extends PostedJob {
  readonly resolve: (answer: Answer<Job>) => void
  readonly reject: (error: unknown) => void
}

const [FILE_LIMIT_MS, IDLE_LIMIT_MS] = [120_000, 30_000]
/** Jobs posted to the Worker: the second one can begin without waiting for this thread. */
const POSTED = 2

/**
 * Starts the Worker with the first job and ends it after 30 s without one, so that it holds no memory when idle. A crash, or
 * two minutes on one job, fails that job; the next one gets a new Worker.
 */
export function workerLine(log: Log, limits = { fileMs: FILE_LIMIT_MS, idleMs: IDLE_LIMIT_MS }): WorkerLine {
  const waiting: Waiting[] = []
  const posted: Waiting[] = []
  let worker: Worker | null = null
  let idle: ReturnType<typeof setTimeout> | undefined
  let late: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    clearTimeout(idle)
    clearTimeout(late)
    worker?.terminate()
    worker = null
  }
  const lose = (lost: Worker) => {
    if (lost !== worker) return
    end()
    // only the job in progress is to blame; the others are posted again
    const [first, ...others] = posted.splice(0)
    waiting.unshift(...others)
    first?.reject(new Error('The worker ended or took too long'))
    post()
  }
  const watch = (watched: Worker) => {
    clearTimeout(late)
    late = posted.length === 0 ? undefined : setTimeout(() => lose(watched), limits.fileMs)
  }
  const answered = (of: Worker, said: PostedAnswer) => {
    const done = of === worker ? posted.shift() : undefined
    if (done === undefined) return
    watch(of)
    post()
    if ('answer' in said) done.resolve(said.answer)
    else if ('error' in said) done.reject(said.error)
    else done.reject(new FormatError(said.refusal, { problem: said.problem, sport: said.sport }))
  }
  const started = () => {
    // smol: its heap grows in smaller steps, which takes 5 MB less at the peak of an import and no more time
    const made = new Worker(embedded?.worker ?? new URL('./thread.ts', import.meta.url).href, { smol: true })
    made.onmessage = ({ data }: MessageEvent<PostedAnswer>) => answered(made, data)
    made.addEventListener('close', () => lose(made))
    made.addEventListener('error', (event) => {
      event.preventDefault()
      lose(made)
    })
    return made
  }
  const post = () => {
    clearTimeout(idle)
    for (let next = waiting[0]; next !== undefined && posted.length < POSTED; next = waiting[0]) {
      const { job, asked } = next
      waiting.shift()
      worker ??= started()
      try {
        worker.postMessage({ job, asked } satisfies PostedJob)
      } catch (cause) {
        // a job that cannot be posted fails alone: an exception here would end the process or the queue
        next.reject(new Error('The job could not be handed to the worker', { cause }))
        continue
      }
      posted.push(next)
      if (posted.length === 1) watch(worker)
    }
    if (posted.length > 0 || worker === null) return
    idle = setTimeout(end, limits.idleMs)
    idle.unref()
  }
  const ask = <J extends Job>(job: J, asked: Asked<J>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer<J>>()
    waiting.push({ job, asked, resolve: resolve as Waiting['resolve'], reject })
    post()
    return promise
  }
  return {
    ask: (job, asked) =>
      ask(job, asked).catch((error: unknown) => {
        if (error instanceof FormatError || !('file' in asked)) throw error
        log.error(`Analysing an uploaded file of type ${suffix(asked.filename)} failed`, error)
        throw new FormatError('The file could not be analysed')
      }),
    close: () => {
      end()
      for (const { reject } of [...posted.splice(0), ...waiting.splice(0)]) reject(new Error('The worker was ended'))
    },
  }
}

function suffix(filename: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? 'unknown'
}

/** All results of a file, part by part with a limited number of runs each. */
export async function* analyzedParts(
  worker: Pick<WorkerLine, 'ask'>,
  job: FileJob,
): AsyncGenerator<AnalyzedFile & { readonly fromRun: number }> {
  for (let fromRun = 0; ; ) {
    const part = await worker.ask('file', { ...job, fromRun })
    yield { ...part, fromRun }
    if (part.left === 0) return
    fromRun += part.runs.length
  }
}
