import { describe, expect, test } from 'bun:test'
import { zipFileCounter } from '../../../src/web/downloads/zip-files.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'

describe('the files of a ZIP are counted while it arrives', () => {
  const entries = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.txt`, data: `PKP ${'P'.repeat(index)}` }))
  const zip = buildZip(entries)

  test.each([1, 2, 3, 4, 5, 7, 64, 1000, 1_000_000])('in pieces of %i bytes', (size) => {
    const countOf = zipFileCounter()
    let count = 0
    const counts: number[] = []
    for (let from = 0; from < zip.length; from += size) {
      count = countOf(zip.subarray(from, from + size))
      counts.push(count)
    }
    expect(count).toBe(40)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  })

  test('a signature may begin within what looked like one', () => {
    const countOf = zipFileCounter()
    expect(countOf(Uint8Array.from([0x50, 0x50, 0x4b, 0x50, 0x4b, 3, 0x50, 0x4b, 3]))).toBe(0)
    expect(countOf(Uint8Array.from([4, 0x50, 0x4b, 3, 4]))).toBe(2)
    expect(countOf(new Uint8Array(0))).toBe(2)
  })
})
