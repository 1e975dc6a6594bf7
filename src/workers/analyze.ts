import { FormatError } from '../formats/format.ts'
import { type AnalyzedFile, analyzeFile, type FileJob } from './analyze-file.ts'

declare const self: Worker

/** What a Worker is asked and what it answers; `refusal` is for the runner, `defect` for the log. */
export interface AnalyzeRequest {
  readonly id: number
  readonly job: FileJob
}
export type AnalyzeAnswer =
  | { readonly id: number; readonly result: AnalyzedFile }
  | { readonly id: number; readonly refusal: string }
  | { readonly id: number; readonly defect: string }

/**
 * A file leaves 5 to 20 MB of garbage, of which the collector would let a multiple gather: 40 MB more at the peak of a bulk
 * import. The answer is out by the time it works.
 */
const FILES_A_COLLECTION = 2

self.onmessage = async ({ data }: MessageEvent<AnalyzeRequest>) => {
  self.postMessage(await answer(data))
  if (data.id % FILES_A_COLLECTION === 0) Bun.gc(true)
}

async function answer({ id, job }: AnalyzeRequest): Promise<AnalyzeAnswer> {
  try {
    return { id, result: await analyzeFile(job) }
  } catch (error) {
    if (error instanceof FormatError) return { id, refusal: error.message }
    return { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
