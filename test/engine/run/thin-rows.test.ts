import { describe, expect, test } from 'bun:test'
import { thinRows } from '../../../src/engine/run/thin-rows.ts'

/** A wave of 97 rows with one spike. */
function wave(n: number, spike: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => (i === spike ? 100 : Math.sin(i / 97)))
}

describe('thinRows', () => {
  test('keeps the ends and every spike, and gives as many rows as asked for, ascending', () => {
    for (const spike of [1, 2, 500, 9_998]) {
      for (const most of [6, 100, 2000, 9_999]) {
        const rows = [...thinRows(10_000, [wave(10_000, spike), wave(10_000, 4321)], most)]
        expect(rows).toHaveLength(most)
        expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b))
        expect([rows[0], rows.at(-1)]).toEqual([0, 9999])
        expect(rows).toContain(spike)
        expect(rows).toContain(4321)
      }
    }
  })
})
