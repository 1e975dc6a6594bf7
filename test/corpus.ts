import { test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder of real watch files; null: none is named, and the tests that need one are skipped. */
export const corpusDir: string | null = process.env.CORPUS_DIR ? resolve(process.env.CORPUS_DIR) : null

/** A test over the corpus: skipped where none is named, failing where the name leads to none. */
export function corpusTest(name: string, body: () => void | Promise<void>, timeoutMs = 60_000): void {
  if (corpusDir === null) {
    test.skip(name, () => {})
    return
  }
  const isThere = existsSync(resolve(corpusDir, 'EXPECTED.json'))
  test(
    name,
    async () => {
      if (!isThere) throw new Error('CORPUS_DIR names no corpus')
      await body()
    },
    timeoutMs,
  )
}

/** The bytes of one corpus file, `name` relative to the corpus, such as `fit/Fenix-2-pauses.fit`. */
export function corpusFile(name: string): Uint8Array {
  if (corpusDir === null) throw new Error('CORPUS_DIR is not set')
  return new Uint8Array(readFileSync(resolve(corpusDir, name)))
}

/** One parsed entry of EXPECTED.json, or the whole. */
export function expectedOf(name: string): Record<string, unknown> {
  const all: unknown = JSON.parse(new TextDecoder().decode(corpusFile('EXPECTED.json')))
  const entry = (all as Record<string, Record<string, unknown>>)[name]
  if (entry === undefined) throw new Error(`EXPECTED.json has no entry ${name}`)
  return entry
}
