import { describe, expect, test } from 'bun:test'
import { distinctNames, originalExtension, runFileStem } from '../../src/downloads/names.ts'
import { safeName } from '../../src/zip/entry-name.ts'
import { seededRandom } from '../fixtures/damage.ts'

const AT_MS = Date.UTC(2025, 0, 1, 0, 30)

describe('names of files', () => {
  test.each([
    ['Morning run', '2025-01-01-0030-Morning run'],
    [null, '2025-01-01-0030-run'],
    ['..', '2025-01-01-0030-run'],
    ['../../etc/passwd', '2025-01-01-0030-etc-passwd'],
    ['a\u0000b\u202ec. ', '2025-01-01-0030-abc'],
    ['5:30 <min/km>?', '2025-01-01-0030-5-30 -min-km'],
    ['a\u0000\u0301', '2025-01-01-0030-á'],
    ['🏃'.repeat(100), `2025-01-01-0030-${'🏃'.repeat(80)}`],
  ])('%j', (name, stem) => {
    expect(runFileStem(AT_MS, 0, name)).toBe(stem)
  })

  test('are by the clock of the place', () => {
    expect(runFileStem(AT_MS, -300, 'x')).toBe('2024-12-31-1930-x')
    expect(runFileStem(AT_MS, null, 'x')).toBe('2025-01-01-0030-x')
  })

  test('whatever a run is called, its path is one in an archive', () => {
    const random = seededRandom(7)
    const letters = [...'ab./\\:*?"<>|\u0000\u0301\u0338\u202e\ud800\udc00é\u1100\u1161=- 🏃\n']
    for (let k = 0; k < 5000; k += 1) {
      const name = Array.from({ length: 1 + (random() % 8) }, () => {
        return letters[(random() >> 8) % letters.length]
      }).join('')
      const path = `2025/${runFileStem(AT_MS, 0, name)}.fit`
      expect(safeName(path)).toBe(path)
      expect(path.split('/')).toHaveLength(2)
    }
  })

  test('each is given once, in any case', () => {
    const nameOf = distinctNames()
    expect(['a', 'A', 'a-2', 'a'].map((stem) => nameOf(stem, '.fit'))).toEqual([
      'a.fit',
      'A-2.fit',
      'a-2-2.fit',
      'a-3.fit',
    ])
  })

  test.each([
    ['a.FIT', 'fit', '.fit'],
    ['folder/a.tcx.gz', 'tcx', '.tcx.gz'],
    ['a.gz', 'gpx', '.gpx.gz'],
    ['no suffix', 'fit', '.fit'],
    [null, null, '.bin'],
    ['a.f\u202et', 'gpx', '.gpx'],
  ])('of the original %j: %s', (fileName, fileType, extension) => {
    expect(originalExtension(fileName, fileType)).toBe(extension)
  })
})
