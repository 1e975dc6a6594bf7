import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FormatError } from '../../src/formats/format.ts'
import { appleHealth } from '../../src/imports/kinds/apple/apple.ts'
import { recognised } from '../../src/imports/kinds/recognise.ts'
import { TakeoutSource } from '../../src/imports/kinds/source.ts'
import { analyzeFile } from '../../src/workers/analyze-file.ts'
import { type AppleRun, appleExport, appleRuns, otherWorkout } from '../fixtures/apple-export.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { type Attack, Defect } from './attack.ts'
import { mutated, type Seed } from './mutate.ts'
import { expectSound, JOB, OWN_DEFECT } from './parsers.ts'
import type { Random } from './random.ts'

const RUNS: readonly AppleRun[] = appleRuns(6).map((run) => ({ ...run, seconds: 60, metres: 180 }))
const COPY: AppleRun = { ...RUNS[0]!, source: 'Strava', hasRoute: false, hasRecords: false }

/** Exports of Apple Health, of which one file is spoiled: split into runs, and each of these analysed. */
export const apple: Attack = {
  name: 'apple',
  share: 0.1,
  prepare: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-fuzz-apple-'))
    const workouts = otherWorkout('Cycling', RUNS[0]!.startMs)
    const files = Object.entries(appleExport([...RUNS, COPY], { workouts })).map(([name, text]) => ({
      name,
      bytes: new TextEncoder().encode(text),
    }))
    return async ({ random, input }) => {
      const bytes = spoiled(files, random)
      const path = join(folder, 'a.zip')
      await Bun.write(path, bytes)
      const runs = await input({ name: 'a.zip', bytes }, () => runsOf(path, folder))
      const left = readdirSync(folder).filter((name) => name !== 'a.zip')
      if (left.length > 0) throw new Defect(`${left.length} temporary files are left`)
      return { inputs: 1, accepted: runs > 0 ? 1 : 0 }
    }
  },
}

/** The XML alone, or a ZIP. */
function spoiled(files: readonly Seed[], random: Random): Uint8Array {
  const which = random.chance(0.7) ? 0 : random.below(files.length)
  const data = mutated(files[which]!, random, files)
  if (which === 0 && random.chance(0.3)) return data
  return buildZip(files.map((file, k) => ({ name: file.name, data: k === which ? data : file.bytes, method: 8 })))
}

/** @returns how many runs were read */
async function runsOf(path: string, tmpDir: string): Promise<number> {
  const source = await TakeoutSource.open(path, { filename: 'a.zip', tmpDir })
  let runs = 0
  try {
    if ((await recognised(source)) !== appleHealth) return 0
    const settings = { signal: new AbortController().signal, hasRunAt: () => false }
    const unpacking = { ...settings, expect: () => {}, allDone: async () => {}, shoe: () => {}, warn: () => {} }
    for await (const item of appleHealth.items(source, unpacking)) {
      if (!('file' in item)) continue
      const { file } = item
      runs += await analysed(await file.bytes(), item.filename)
      await rm(file.path)
    }
    return runs
  } catch (error) {
    if (error instanceof FormatError) return 0
    throw error
  } finally {
    await source.close()
  }
}

async function analysed(file: Uint8Array, filename: string): Promise<number> {
  try {
    expectSound(await analyzeFile({ ...JOB, file, filename }))
    return 1
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    if (error.message === OWN_DEFECT) throw new Defect('A parser failed', { cause: error.cause })
    return 0
  }
}
