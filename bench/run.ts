// What is fast and what is small, printed, never judged. Without names everything but `against`, which needs the folder of
// another checkout:
//
//   bun run bench [names]
//   bun run bench against <folder> [runs]
//
// CORPUS_DIR adds the decoder against Garmin's SDK, and Strava exports made by the script beside it.
import { benchAgainst } from './against.ts'
import { benchAnalyze } from './analyze.ts'
import { benchApple } from './apple.ts'
import { benchArchive } from './archive.ts'
import { benchBackup } from './backup.ts'
import { benchBulk } from './bulk.ts'
import { benchEmulated } from './emulated.ts'
import { benchFit } from './fit.ts'
import { benchFitWrite } from './fit-write.ts'
import { benchGpx } from './gpx.ts'
import { benchIdle } from './idle.ts'
import { benchImport } from './import.ts'
import { benchLoad } from './load.ts'
import { benchMap } from './map.ts'
import { benchNumbers } from './numbers.ts'
import { benchPage } from './page.ts'
import { benchPairs } from './pairs.ts'
import { benchPasses } from './passes.ts'
import { benchPassesLoad } from './passes-load.ts'
import { benchPlaces } from './places.ts'
import { benchSimilar } from './similar.ts'
import { benchSize } from './size.ts'
import { benchStats } from './stats.ts'
import { benchTakeouts } from './takeouts.ts'
import { benchTraining } from './training.ts'
import { benchTrainingCorpus } from './training-corpus.ts'
import { benchUndo } from './undo.ts'
import { benchWatch } from './watch.ts'
import { benchWrites } from './writes.ts'
import { benchZip } from './zip.ts'

const BENCHES: Readonly<Record<string, () => unknown>> = {
  fit: fitAgainstSdk,
  'fit-write': benchFitWrite,
  gpx: benchGpx,
  analyze: benchAnalyze,
  import: () => benchImport(),
  pairs: benchPairs,
  idle: () => benchIdle(),
  stats: () => benchStats(),
  training: () => benchTraining(),
  'training-corpus': benchTrainingCorpus,
  similar: () => benchSimilar(),
  passes: () => benchPasses(),
  'passes-load': () => benchPassesLoad(),
  places: () => benchPlaces(),
  map: benchMap,
  emulated: benchEmulated,
  zip: () => benchZip(),
  bulk: () => benchBulk(),
  apple: () => benchApple(),
  takeouts: () => benchTakeouts(),
  undo: () => benchUndo(),
  writes: () => benchWrites(),
  archive: () => benchArchive(),
  backup: () => benchBackup(),
  size: () => benchSize(),
  page: () => benchPage(),
  numbers: benchNumbers,
  watch: benchWatch,
  load: () => benchLoad(),
}

const USAGE = `Usage: bun run bench [${Object.keys(BENCHES).join('] [')}]
       bun run bench against <folder of another checkout> [runs]
`

const asked = process.argv.slice(2)
const [first, folder, runs] = asked
if (first === 'against') {
  if (folder === undefined || !(Number(runs ?? 1) >= 1)) usage()
  else await benchAgainst(folder, runs === undefined ? undefined : Number(runs))
} else if (asked.some((name) => BENCHES[name] === undefined)) usage()
else for (const [name, bench] of Object.entries(BENCHES)) if (asked.length === 0 || asked.includes(name)) await bench()

function usage(): void {
  process.stderr.write(USAGE)
  process.exitCode = 2
}

async function fitAgainstSdk(): Promise<void> {
  const corpusDir = process.env.CORPUS_DIR
  if (corpusDir === undefined) return console.log('fit: skipped, CORPUS_DIR names no folder of watch files')
  const { files, bytes, oursMs, sdkMs, ratio } = await benchFit(corpusDir)
  console.log(`fit: ${files} watch files, ${(bytes / 1e6).toFixed(2)} MB, best of 10 in one process`)
  console.log(
    `  ours ${oursMs.toFixed(2)} ms, @garmin/fitsdk ${sdkMs.toFixed(1)} ms: ${ratio.toFixed(1)} times as fast (budget 10)`,
  )
}
