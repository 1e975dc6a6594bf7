import { embedded } from '../base/embedded.ts'
import { FormatError } from '../formats/format.ts'
import type { AnalyzeAnswer, AnalyzeJob, AnalyzeRequest, AnalyzeResult } from './analyze.ts'

/** A queue of jobs for one Worker, processed in order. */
interface WorkerLine {
  /** @throws FormatError with a message of the Worker, Error with its defect, or when the Worker was lost */
  ask(job: AnalyzeJob): Promise<AnalyzeResult>
  /** Rejects all waiting jobs. */
  close(): void
}

interface Waiting {
  readonly job: AnalyzeJob
  readonly resolve: (result: AnalyzeResult) => void
  readonly reject: (error: Error) => void
}

/** Jobs posted to the Worker: the second one can begin without waiting for this thread. */
const POSTED = 2

/** Starts the Worker with the first job; ends it after some time without one, or when a job takes too long. */
export function workerLine(limits: { readonly fileMs: number; readonly idleMs: number }): WorkerLine {
  const waiting: Waiting[] = []
  const posted: (Waiting & { readonly id: number })[] = []
  let worker: Worker | null = null
  let lastId = 0
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
  const answered = (of: Worker, answer: AnalyzeAnswer) => {
    if (of !== worker || posted[0]?.id !== answer.id) return
    const done = posted.shift()!
    watch(of)
    post()
    if ('result' in answer) done.resolve(answer.result)
    else if ('defect' in answer) done.reject(new Error(answer.defect))
    else done.reject(new FormatError(answer.refusal, { problem: answer.problem, sport: answer.sport }))
  }
  const post = () => {
    clearTimeout(idle)
    for (let next = waiting[0]; next !== undefined && posted.length < POSTED; next = waiting[0]) {
      const bytes = movable(next.job)
      // transferred bytes are lost with a Worker, so a job with bytes is posted only when the Worker is free
      if (posted.length > 0 && bytes.length > 0) return
      waiting.shift()
      worker ??= startWorker(answered, lose)
      const id = ++lastId
      try {
        worker.postMessage({ id, ...next.job } satisfies AnalyzeRequest, bytes)
      } catch (cause) {
        // a job that cannot be posted fails alone: an exception here would end the process or the queue
        next.reject(new Error('The job could not be handed to the worker', { cause }))
        continue
      }
      posted.push({ ...next, id })
      if (posted.length === 1) watch(worker)
    }
    if (posted.length > 0 || worker === null) return
    idle = setTimeout(end, limits.idleMs)
    idle.unref()
  }
  return {
    ask: (job) => {
      const { promise, resolve, reject } = Promise.withResolvers<AnalyzeResult>()
      waiting.push({ job, resolve, reject })
      post()
      return promise
    },
    close: () => {
      end()
      for (const { reject } of [...posted.splice(0), ...waiting.splice(0)]) reject(new Error('The worker was ended'))
    },
  }
}

function startWorker(answered: (of: Worker, answer: AnalyzeAnswer) => void, lost: (of: Worker) => void): Worker {
  // smol: its heap grows in smaller steps, which takes 5 MB less at the peak of an import and no more time
  const worker = new Worker(embedded?.worker ?? new URL('./analyze.ts', import.meta.url).href, { smol: true })
  worker.onmessage = ({ data }: MessageEvent<AnalyzeAnswer>) => answered(worker, data)
  worker.addEventListener('close', () => lost(worker))
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    lost(worker)
  })
  return worker
}

/**
 * Buffers that are transferred: bytes of a file, which this thread no longer needs; stored samples are small and are
 * copied.
 */
function movable(job: AnalyzeJob): ArrayBuffer[] {
  return 'file' in job && job.file.file instanceof Uint8Array && ownsBuffer(job.file.file) ? [job.file.file.buffer] : []
}

/** Only a view of its whole buffer can be transferred. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
}
