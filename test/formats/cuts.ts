import { expect } from 'bun:test'
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

/** A file cut at each 1/64 is refused with a sentence about the file, never one about a defect. */
export function expectCutsRefused(bytes: Uint8Array | string, filename = 'a.json'): void {
  const whole = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  for (let part = 0; part < 64; part += 1) {
    const cut = refusal(whole.subarray(0, Math.floor((whole.length * part) / 64)), filename)
    expect(cut?.message).toMatch(/cut or damaged|is empty|is blank|This file is not a|The ZIP is|This is a ZIP/)
  }
}
