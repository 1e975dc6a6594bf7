import { FormatError, type FormatProblem } from '../formats/format.ts'
import { createYoungCollector } from '../garbage.ts'
import { type AnalyzedFile, analyzeFile, type FileJob, type KeptFile } from './analyze-file.ts'
import { type Computed, type ComputeJob, compute } from './compute.ts'
import { type RawJob, readRaw } from './read-raw.ts'

declare const self: Worker

/** What a Worker is asked: a file to analyse, something to compute of what is stored, or raw data of an original. */
export type AnalyzeRequest = { readonly id: number } & AnalyzeJob
export type AnalyzeJob = { readonly file: FileJob } | { readonly derive: ComputeJob } | { readonly raw: RawJob }
export type AnalyzeResult = AnalyzedFile | Computed | RawTexts
type RawTexts = Awaited<ReturnType<typeof readRaw>>
/** What it answers; `refusal` is for the runner, `defect` for the log. */
export type AnalyzeAnswer =
  | { readonly id: number; readonly result: AnalyzeResult }
  | { readonly id: number; readonly refusal: string; readonly problem: FormatProblem }
  | { readonly id: number; readonly defect: string }

/**
 * A file leaves 5 to 20 MB of garbage, stored samples a tenth of it, of which the collector by itself would let a multiple
 * gather. The answer is out by the time it works.
 */
const collect = createYoungCollector({ young: 20, all: 320, mostGrownBytes: 4 * 1_048_576 })
const OF_FILE = 10
const OF_SAMPLES = 1

const kept: KeptFile = { read: null }

inTurn(async (request) => {
  const answered = await answer(request)
  self.postMessage(answered, 'result' in answered ? movable(answered.result) : [])
  collect('derive' in request ? OF_SAMPLES : OF_FILE)
})

/** A request that comes while another is worked on waits for it: two files at once would take twice the memory. */
function inTurn(work: (request: AnalyzeRequest) => Promise<void>): void {
  let last = Promise.resolve()
  self.onmessage = ({ data }: MessageEvent<AnalyzeRequest>) => {
    last = last.then(() => work(data))
  }
}

async function answer(request: AnalyzeRequest): Promise<AnalyzeAnswer> {
  const { id } = request
  try {
    return { id, result: await resultOf(request) }
  } catch (error) {
    if (error instanceof FormatError) return { id, refusal: error.message, problem: error.problem }
    return { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function resultOf(job: AnalyzeJob): Promise<AnalyzeResult> {
  if ('raw' in job) return await readRaw(job.raw)
  return 'file' in job ? await analyzeFile(job.file, kept) : await compute(job.derive)
}

/** Long texts, which nobody here needs any more, are moved; the rest is small and is copied. */
function movable(result: AnalyzeResult): ArrayBuffer[] {
  if (Array.isArray(result)) return (result as RawTexts).map(({ buffer }) => buffer)
  if (!('what' in result)) return []
  if (result.what === 'runFile') return result.pieces.map(({ buffer }) => buffer)
  return result.what === 'samples' ? [result.text.buffer] : []
}
