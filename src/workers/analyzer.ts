import { FormatError } from '../formats/format.ts'
import type { Log } from '../log.ts'
import type { AnalyzeAnswer, AnalyzeRequest } from './analyze.ts'
import type { AnalyzedFile, FileJob } from './analyze-file.ts'
import { createSeats } from './seats.ts'

/** The CPU side of an import, away from the thread that answers requests. */
export interface Analyzer {
  /**
   * Files are begun in the order they were asked; two that are on the disk may be at work at once.
   * @throws FormatError with a sentence for the runner, whatever went wrong with the file
   */
  analyze(job: FileJob): Promise<AnalyzedFile>
  close(): void
}

const FILE_LIMIT_MS = 120_000
const IDLE_LIMIT_MS = 60_000
/** While one file is parsed the next is read and unpacked, and the Worker has never to wait for this thread. */
const FILES_AT_ONCE = 2

/**
 * One Worker, started at the first file and ended after a minute without one: at rest it costs no memory.
 * A crash, or two minutes on one file, is that file's error; the next file gets a new Worker.
 */
export function workerAnalyzer(log: Log, limits = { fileMs: FILE_LIMIT_MS, idleMs: IDLE_LIMIT_MS }): Analyzer {
  const seats = createSeats(FILES_AT_ONCE)
  let running: Running | null = null
  let idle: ReturnType<typeof setTimeout> | undefined
  let lastId = 0

  const end = () => {
    clearTimeout(idle)
    running?.worker.terminate()
    running?.lose()
    running = null
  }
  const run = async (job: FileJob): Promise<AnalyzeAnswer | 'lost'> => {
    clearTimeout(idle)
    if (running?.isLost) end()
    running ??= startWorker()
    const asked = running
    const answer = await ask(asked, { id: ++lastId, job }, limits.fileMs)
    // what came after it may have a new one already
    if (answer === 'lost' && running === asked) end()
    if (asked.waiting.size === 0) {
      clearTimeout(idle)
      idle = setTimeout(end, limits.idleMs)
      idle.unref()
    }
    return answer
  }
  const result = (job: FileJob, answer: AnalyzeAnswer | 'lost'): AnalyzedFile => {
    if (answer === 'lost') {
      log.error(`Analysing an uploaded file of type ${suffix(job.filename)} ended its worker`)
      throw new FormatError('The file could not be analysed')
    }
    if ('refusal' in answer) throw new FormatError(answer.refusal)
    if ('defect' in answer) {
      log.error(`Analysing an uploaded file failed: ${answer.defect}`)
      throw new FormatError('The file could not be analysed')
    }
    return answer.result
  }
  return {
    analyze: async (job) => {
      // bytes are handed over and could not be asked for again
      if (typeof job.file === 'string') {
        const answer = await seats.take(1, () => run(job))
        if (answer !== 'lost') return result(job, answer)
        // which of the two it was shows when each is alone
      }
      return result(job, await seats.take(FILES_AT_ONCE, () => run(job)))
    },
    close: end,
  }
}

interface Running {
  readonly worker: Worker
  /** Whom to give the answer of each request. */
  readonly waiting: Map<number, (answer: AnalyzeAnswer | 'lost') => void>
  isLost: boolean
  /** Tells all who wait that no answer will come. */
  lose(): void
}

function startWorker(): Running {
  const worker = new Worker(new URL('./analyze.ts', import.meta.url).href)
  const running: Running = {
    worker,
    waiting: new Map(),
    isLost: false,
    lose: () => {
      running.isLost = true
      for (const give of [...running.waiting.values()]) give('lost')
    },
  }
  worker.onmessage = ({ data }: MessageEvent<AnalyzeAnswer>) => running.waiting.get(data.id)?.(data)
  worker.addEventListener('close', () => running.lose())
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    running.lose()
  })
  return running
}

/**
 * One question to the Worker. No promise outlives it: a race against one that lives as long as the Worker would keep every
 * answer as long.
 */
function ask({ worker, waiting }: Running, request: AnalyzeRequest, limitMs: number): Promise<AnalyzeAnswer | 'lost'> {
  return new Promise((resolve) => {
    const give = (answer: AnalyzeAnswer | 'lost') => {
      clearTimeout(timer)
      waiting.delete(request.id)
      resolve(answer)
    }
    const timer = setTimeout(() => give('lost'), limitMs)
    waiting.set(request.id, give)
    const { file } = request.job
    worker.postMessage(request, file instanceof Uint8Array && ownsBuffer(file) ? [file.buffer] : [])
  })
}

/** Only a view over the whole of its buffer may be moved away. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
}

function suffix(filename: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? 'unknown'
}
