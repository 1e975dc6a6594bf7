import type { Split } from '../engine/analyze.ts'
import { FormatError } from '../formats/format.ts'
import type { Log } from '../log.ts'
import type { AnalyzeAnswer, AnalyzeJob, AnalyzeRequest, AnalyzeResult } from './analyze.ts'
import type { AnalyzedFile, FileJob } from './analyze-file.ts'
import type { CutJob } from './cut-splits.ts'
import type { Derived, DeriveJob } from './derive.ts'

/** The CPU side of an import, away from the thread that answers requests. */
export interface Analyzer {
  /**
   * Files are analysed in the order they were asked.
   * @throws FormatError with a sentence for the runner, whatever went wrong with the file
   */
  analyze(job: FileJob): Promise<AnalyzedFile>
  /**
   * The splits of stored samples, in turn with the files.
   * @throws Error for samples that cannot be read
   */
  cut(job: CutJob): Promise<Split[]>
  /**
   * Everything derived of stored samples and totals, in turn with the files.
   * @throws Error for samples that cannot be read
   */
  derive(job: DeriveJob): Promise<Derived>
  close(): void
}

const FILE_LIMIT_MS = 120_000
const IDLE_LIMIT_MS = 60_000

/**
 * One Worker, started at the first file and ended after a minute without one: at rest it costs no memory.
 * A crash, or two minutes on one file, is that file's error; the next file gets a new Worker.
 */
export function workerAnalyzer(log: Log, limits = { fileMs: FILE_LIMIT_MS, idleMs: IDLE_LIMIT_MS }): Analyzer {
  let running: Running | null = null
  let idle: ReturnType<typeof setTimeout> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let lastId = 0

  const end = () => {
    clearTimeout(idle)
    running?.worker.terminate()
    running = null
  }
  /** @throws FormatError with a sentence of the Worker, Error with its defect, or for having lost it */
  const run = async (job: AnalyzeJob): Promise<AnalyzeResult> => {
    clearTimeout(idle)
    if (running?.isLost) end()
    running ??= startWorker()
    const answer = await ask(running, { id: ++lastId, ...job }, limits.fileMs)
    if (answer === 'lost') {
      end()
      throw new Error('The worker ended or took too long')
    }
    idle = setTimeout(end, limits.idleMs)
    idle.unref()
    if ('refusal' in answer) throw new FormatError(answer.refusal)
    if ('defect' in answer) throw new Error(answer.defect)
    return answer.result
  }
  const inTurn = (job: AnalyzeJob) => {
    const turn = queue.then(() => run(job))
    queue = turn.catch(() => {})
    return turn
  }
  return {
    analyze: async (job) => {
      try {
        return (await inTurn({ file: job })) as AnalyzedFile
      } catch (error) {
        if (error instanceof FormatError) throw error
        log.error(`Analysing an uploaded file of type ${suffix(job.filename)} failed`, error)
        throw new FormatError('The file could not be analysed')
      }
    },
    cut: async (job) => (await inTurn({ cut: job })) as Split[],
    derive: async (job) => (await inTurn({ derive: job })) as Derived,
    close: end,
  }
}

/** A Worker and whom to tell when it ends by itself. */
interface Running {
  readonly worker: Worker
  isLost: boolean
  /** Told at once, whoever waits for an answer. */
  whenLost: () => void
}

function startWorker(): Running {
  const worker = new Worker(new URL('./analyze.ts', import.meta.url).href)
  const running: Running = { worker, isLost: false, whenLost: () => {} }
  const lose = () => {
    running.isLost = true
    running.whenLost()
  }
  worker.addEventListener('close', lose)
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    lose()
  })
  return running
}

/**
 * One question to the Worker. No promise outlives it: a race against one that lives as long as the Worker would keep every
 * answer as long.
 */
function ask(running: Running, request: AnalyzeRequest, limitMs: number): Promise<AnalyzeAnswer | 'lost'> {
  const { worker } = running
  return new Promise((resolve) => {
    const end = (answer: AnalyzeAnswer | 'lost') => {
      clearTimeout(timer)
      running.whenLost = () => {}
      worker.onmessage = null
      resolve(answer)
    }
    const timer = setTimeout(() => end('lost'), limitMs)
    running.whenLost = () => end('lost')
    worker.onmessage = ({ data }: MessageEvent<AnalyzeAnswer>) => {
      if (data.id === request.id) end(data)
    }
    worker.postMessage(request, movable(request))
  })
}

/** The bytes of a job, which nobody else needs. */
function movable(job: AnalyzeJob): ArrayBuffer[] {
  const samples = 'file' in job ? null : 'cut' in job ? job.cut.samples : job.derive.samples
  const parts = 'file' in job ? [job.file.file] : samples === null ? [] : [samples.timeHr, samples.track, samples.rest]
  return parts.flatMap((part) => (part instanceof Uint8Array && ownsBuffer(part) ? [part.buffer] : []))
}

/** Only a view over the whole of its buffer may be moved away. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
}

function suffix(filename: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? 'unknown'
}
