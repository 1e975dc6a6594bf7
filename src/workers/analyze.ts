import type { Split } from '../engine/analyze.ts'
import { FormatError } from '../formats/format.ts'
import { type AnalyzedFile, analyzeFile, type FileJob } from './analyze-file.ts'
import { type CutJob, cutSplits } from './cut-splits.ts'
import { type Derived, type DeriveJob, derive } from './derive.ts'

declare const self: Worker

/** What a Worker is asked: a file to analyse, or stored samples to cut or to derive everything of. */
export type AnalyzeRequest = { readonly id: number } & AnalyzeJob
export type AnalyzeJob = { readonly file: FileJob } | { readonly cut: CutJob } | { readonly derive: DeriveJob }
export type AnalyzeResult = AnalyzedFile | Split[] | Derived
/** What it answers; `refusal` is for the runner, `defect` for the log. */
export type AnalyzeAnswer =
  | { readonly id: number; readonly result: AnalyzeResult }
  | { readonly id: number; readonly refusal: string }
  | { readonly id: number; readonly defect: string }

/**
 * A file leaves 5 to 20 MB of garbage, stored samples a tenth of it, of which the collector would let a multiple gather:
 * 40 MB more at the peak of a bulk import. The answer is out by the time it works.
 */
const FILES_A_COLLECTION = 3
const SAMPLES_A_COLLECTION = 20

self.onmessage = async ({ data }: MessageEvent<AnalyzeRequest>) => {
  self.postMessage(await answer(data))
  if (data.id % ('file' in data ? FILES_A_COLLECTION : SAMPLES_A_COLLECTION) === 0) Bun.gc(true)
}

async function answer(request: AnalyzeRequest): Promise<AnalyzeAnswer> {
  const { id } = request
  try {
    return { id, result: await resultOf(request) }
  } catch (error) {
    if (error instanceof FormatError) return { id, refusal: error.message }
    return { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function resultOf(job: AnalyzeJob): Promise<AnalyzeResult> {
  if ('file' in job) return await analyzeFile(job.file)
  return 'cut' in job ? cutSplits(job.cut) : derive(job.derive)
}
