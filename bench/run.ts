// bun run bench: what is fast and what is small, printed, never judged. CORPUS_DIR adds the decoder against Garmin's SDK.
import { benchAnalyze } from './analyze.ts'
import { benchFit } from './fit.ts'
import { benchGpx } from './gpx.ts'
import { benchImport } from './import.ts'

const corpusDir = process.env.CORPUS_DIR
if (corpusDir === undefined) console.log('fit: skipped, CORPUS_DIR names no folder of watch files')
else {
  const { files, bytes, oursMs, sdkMs, ratio } = await benchFit(corpusDir)
  console.log(`fit: ${files} watch files, ${(bytes / 1e6).toFixed(2)} MB, best of 10 in one process`)
  console.log(
    `  ours ${oursMs.toFixed(2)} ms, @garmin/fitsdk ${sdkMs.toFixed(1)} ms: ${ratio.toFixed(1)} times as fast (budget 10)`,
  )
}
await benchGpx()
benchAnalyze()
await benchImport()
