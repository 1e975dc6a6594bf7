import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ComparedRun, sameRun } from '../src/engine/merge/same-run.ts'
import { cleanRecording } from '../src/engine/run/samples.ts'
import { FormatError } from '../src/formats/format.ts'
import { unpackedFile } from '../src/formats/gzip.ts'
import { parseFile } from '../src/formats/registry.ts'
import { corpusDir, corpusFile } from '../test/corpus.ts'
import { nearMiss, watchAndPhone } from '../test/fixtures/watch-pairs.ts'

// bun run bench pairs: which runs are taken for two recordings of one, over the corpus and made pairs.

const FOLDERS = ['fit', 'fit-gz', 'gpx', 'archives/plain-files', 'strava-export/activities'] as const
const PAIRS = 200

export async function benchPairs(): Promise<void> {
  for (const [name, made] of [
    ['watch and phone', watchAndPhone],
    ['near misses', nearMiss],
  ] as const) {
    const counts = { certain: 0, possible: 0, neither: 0 }
    for (let seed = 1; seed <= PAIRS; seed += 1) counts[sameRun(...made(seed))?.certainty ?? 'neither'] += 1
    console.log(`${PAIRS} ${name}: ${counts.certain} certain, ${counts.possible} possible, ${counts.neither} neither`)
  }
  if (corpusDir === null) return
  const names = FOLDERS.flatMap((folder) => readdirSync(join(corpusDir!, folder)).map((name) => `${folder}/${name}`))
  const runs = (await Promise.all(names.map(runsOf))).flat()
  let pairs = 0
  for (const [k, a] of runs.entries()) {
    for (const b of runs.slice(k + 1)) {
      pairs += 1
      const same = sameRun(a.run, b.run)
      if (same === null) continue
      const { certainty, overlap, distanceDifferenceM, shiftS } = same
      console.log(
        `${certainty} ${overlap.toFixed(3)} ${distanceDifferenceM.toFixed(0)} m ${shiftS} s: ${a.name} ${b.name}`,
      )
    }
  }
  console.log(`of ${pairs} pairs of the corpus`)
}

async function runsOf(name: string): Promise<{ readonly name: string; readonly run: ComparedRun }[]> {
  try {
    const bytes = await unpackedFile(corpusFile(name), name)
    const filename = name.replace(/\.gz$/, '')
    const { activities } = parseFile(bytes, { filename, nowMs: Date.UTC(2026, 0, 1), anySport: true })
    return activities.flatMap(({ recording }) => {
      const track = recording && cleanRecording(recording)
      if (!track) return []
      const distanceM = track.distanceM.findLast((metres) => !Number.isNaN(metres)) ?? 0
      return [{ name, run: { startMs: track.startMs, durationS: track.tS.at(-1) ?? 0, distanceM, track } }]
    })
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}
