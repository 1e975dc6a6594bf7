import { FormatError, type FormatProblem } from '../formats/format.ts'
import { type AnalyzedFile, analyzeFile, type FileJob, type KeptFile } from './analyze-file.ts'
import { type Computed, type ComputeJob, compute } from './compute.ts'
import { type RawJob, readRaw } from './read-raw.ts'

declare const self: Worker

/** A request to the Worker: analyse a file, compute from stored data, or read raw data of an original. */
export type AnalyzeRequest = { readonly id: number } & AnalyzeJob
export type AnalyzeJob = { readonly file: FileJob } | { readonly derive: ComputeJob } | { readonly raw: RawJob }
export type AnalyzeResult = AnalyzedFile | Computed | RawTexts
type RawTexts = Awaited<ReturnType<typeof readRaw>>
/** The answer of the Worker; `refusal` is a message for the runner, `defect` for the log. */
export type AnalyzeAnswer =
  | { readonly id: number; readonly result: AnalyzeResult }
  | { readonly id: number; readonly refusal: string; readonly problem: FormatProblem; readonly sport: string | null }
  | { readonly id: number; readonly defect: string }

/** Files between two collections: what they leave behind would grow to a multiple before Bun collects it by itself. */
const FILES_A_COLLECTION = 4
let files = 0

const kept: KeptFile = { read: null }

inTurn(async (request) => {
  const answered = await answer(request)
  self.postMessage(answered, 'result' in answered ? movable(answered.result) : [])
  if ('file' in request && ++files % FILES_A_COLLECTION === 0) Bun.gc(true)
})

/** A request waits until the one before it is done: two files at once would take twice the memory. */
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
    if (error instanceof FormatError) return { id, refusal: error.message, problem: error.problem, sport: error.sport }
    return { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function resultOf(job: AnalyzeJob): Promise<AnalyzeResult> {
  if ('raw' in job) return await readRaw(job.raw)
  return 'file' in job ? await analyzeFile(job.file, kept) : await compute(job.derive)
}

/** Buffers that are transferred: long texts, which the Worker no longer needs; small data is copied. */
function movable(result: AnalyzeResult): ArrayBuffer[] {
  if (result instanceof Uint8Array) return [result.buffer]
  if (!('what' in result)) return []
  if (result.what === 'runFile') return result.file.pieces.map(({ buffer }) => buffer)
  if (result.what === 'route') return result.pieces.map(({ buffer }) => buffer)
  return result.what === 'samples' ? result.written.pieces.map(({ buffer }) => buffer) : []
}
