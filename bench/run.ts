// bun run bench: what is fast and what is small, printed, never judged. CORPUS_DIR adds the decoder against Garmin's SDK.
import { benchAnalyze } from './analyze.ts'
import { benchFit } from './fit.ts'
import { benchGpx } from './gpx.ts'
import { benchImport } from './import.ts'

const corpusDir = process.env.CORPUS_DIR
if (corpusDir === undefined) console.log('fit: skipped, CORPUS_DIR names no folder of watch files')
else await benchFit(corpusDir)
await benchGpx()
benchAnalyze()
await benchImport()
