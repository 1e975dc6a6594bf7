import { FormatError } from '../formats/format.ts'
import type { Log } from '../log.ts'
import type { AnalyzedFile, FileJob } from './analyze-file.ts'
import type { Computed, ComputeJob } from './compute.ts'
import type { RawJob } from './read-raw.ts'
import { workerLine } from './worker-line.ts'

/** The CPU side of an import, away from the thread that answers requests. */
export interface Analyzer {
  /**
   * Files are analysed in the order they were asked.
   * @throws FormatError with a sentence for the runner, whatever went wrong with the file
   */
  analyze(job: FileJob): Promise<AnalyzedFile>
  /**
   * What was asked for of what is stored, in turn with the files; `computed` of compute.ts names its type.
   * @throws Error for samples that cannot be read
   */
  derive(job: ComputeJob): Promise<Computed>
  /**
   * JSON text of the raw object of one run of an original, in turn with the files.
   * @throws FormatError when the file is no longer what it was
   */
  raw(job: RawJob): Promise<readonly Uint8Array<ArrayBuffer>[]>
  close(): void
}

const FILE_LIMIT_MS = 120_000
const IDLE_LIMIT_MS = 30_000

/**
 * One Worker, started at the first file and ended after 30 s without one, so that it holds no memory at rest.
 * A crash, or two minutes on one file, is that file's error; the next file gets a new Worker.
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

/** All of a file, part after part: each has as many runs as are analysed at once. */
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
