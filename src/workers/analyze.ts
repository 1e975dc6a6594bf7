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

self.onmessage = async ({ data }: MessageEvent<AnalyzeRequest>) => {
  self.postMessage(await answer(data))
}

async function answer({ id, job }: AnalyzeRequest): Promise<AnalyzeAnswer> {
  try {
    return { id, result: await analyzeFile(job) }
  } catch (error) {
    if (error instanceof FormatError) return { id, refusal: error.message }
    return { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
