import { FormatError } from '../../src/formats/format.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { NOW_MS } from '../app.ts'

/** Parses a file, which must be read or refused. @returns the refusal; null: it was read */
export function refusal(bytes: Uint8Array | string, filename = 'a.json'): FormatError | null {
  try {
    parseFile(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, { filename, nowMs: NOW_MS })
    return null
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
}
