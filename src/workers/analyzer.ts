import type { Log } from '../base/log.ts'
import { FormatError } from '../formats/format.ts'
import type { AnalyzedFile, FileJob } from './analyze-file.ts'
import type { Computed, ComputeJob } from './compute.ts'
import type { RawJob } from './read-raw.ts'
import { workerLine } from './worker-line.ts'

/** CPU-intensive work, off the thread that answers requests. */
export interface Analyzer {
  /**
   * Analyses files in the order of the calls.
   * @throws FormatError with a message for the runner, whatever the problem of the file
   */
  analyze(job: FileJob): Promise<AnalyzedFile>
  /**
   * Computes from stored data, in turn with the files; `computed` of compute.ts adds the type of the result.
   * @throws Error for samples that cannot be read
   */
  derive(job: ComputeJob): Promise<Computed>
  /**
   * JSON text of the raw object of one run of an original, in turn with the files.
   * @throws FormatError when the file can no longer be parsed
   */
  raw(job: RawJob): Promise<Uint8Array<ArrayBuffer>>
  close(): void
}

const FILE_LIMIT_MS = 120_000
const IDLE_LIMIT_MS = 30_000

/**
 * An analyzer with one Worker, started at the first job and ended after 30 s without one, so that it holds no memory
 * when idle. A crash, or two minutes on one job, fails that job; the next one gets a new Worker.
 */
export function workerAnalyzer(log: Log, limits = { fileMs: FILE_LIMIT_MS, idleMs: IDLE_LIMIT_MS }): Analyzer {
  const line = workerLine(limits)
  return {
    analyze: async (job) => {
      try {
        return (await line.ask({ file: job })) as AnalyzedFile
      } catch (error) {
        if (error instanceof FormatError) throw error
        log.error(`Analysing an uploaded file of type ${suffix(job.filename)} failed`, error)
        throw new FormatError('The file could not be analysed')
      }
    },
    derive: async (job) => (await line.ask({ derive: job })) as Computed,
    raw: async (job) => (await line.ask({ raw: job })) as Awaited<ReturnType<Analyzer['raw']>>,
    close: line.close,
  }
}

function suffix(filename: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? 'unknown'
}

/** All results of a file, part by part with a limited number of runs each. */
export async function* analyzedParts(
  analyzer: Pick<Analyzer, 'analyze'>,
  job: FileJob,
): AsyncGenerator<AnalyzedFile & { readonly fromRun: number }> {
  for (let fromRun = 0; ; ) {
    const part = await analyzer.analyze({ ...job, fromRun })
    yield { ...part, fromRun }
    if (part.left === 0) return
    fromRun += part.runs.length
  }
}
