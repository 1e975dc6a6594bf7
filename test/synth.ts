import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { corpusDir } from './corpus.ts'

/** Runs `synth.py <what>` of the corpus' folder into a new temporary folder and returns its truth.json. */
export function synthetic<Truth>(what: 'scenarios' | 'bad'): { readonly folder: string; readonly truth: Truth } {
  if (corpusDir === null) throw new Error('CORPUS_DIR is not set')
  const folder = mkdtempSync(join(tmpdir(), 'harrier-synth-'))
  const made = Bun.spawnSync(['python3', resolve(corpusDir, '..', 'synth.py'), what, folder])
  if (made.exitCode !== 0) throw new Error(`synth.py ${what} failed: ${made.stderr.toString()}`)
  return { folder, truth: JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) }
}

/** The bytes of a made file. */
export function syntheticFile(folder: string, name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, name)))
}

/** Runs `synth.py strava-zip` and returns the archive with what is true of it. */
export function syntheticExport<Truth>(...options: readonly string[]): {
  readonly bytes: Uint8Array
  readonly truth: Truth
} {
  if (corpusDir === null) throw new Error('CORPUS_DIR is not set')
  const path = join(mkdtempSync(join(tmpdir(), 'harrier-synth-')), 'export.zip')
  const made = Bun.spawnSync(['python3', resolve(corpusDir, '..', 'synth.py'), 'strava-zip', path, ...options])
  if (made.exitCode !== 0) throw new Error(`synth.py strava-zip failed: ${made.stderr.toString()}`)
  return { bytes: new Uint8Array(readFileSync(path)), truth: JSON.parse(readFileSync(`${path}.truth.json`, 'utf8')) }
}
