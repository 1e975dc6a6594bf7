import { expect, test } from 'bun:test'
import { distinctNames, originalExtension, runFileStem } from '../../../src/features/downloads/names.ts'
import { safeName } from '../../../src/zip/entry-name.ts'
import { seededRandom } from '../../fixtures/damage.ts'

const AT_MS = Date.UTC(2025, 0, 1, 0, 30)

test.each<readonly [name: string | null, offsetMin: number | null, stem: string]>([
  ['Morning run', 0, '2025-01-01-0030-Morning run'],
  ['..', 0, '2025-01-01-0030-run'],
  ['../../etc/passwd', 0, '2025-01-01-0030-etc-passwd'],
  ['a\u0000b\u202ec. ', 0, '2025-01-01-0030-abc'],
  ['5:30 <min/km>?', 0, '2025-01-01-0030-5-30 -min-km'],
  ['🏃'.repeat(100), 0, `2025-01-01-0030-${'🏃'.repeat(80)}`],
  // by the clock of the place
  ['x', -300, '2024-12-31-1930-x'],
])('the file of a run %j at %p minutes', (name, offsetMin, stem) => {
  expect(runFileStem(AT_MS, offsetMin, name)).toBe(stem)
})

test('whatever a run is called, its path is one in an archive', () => {
  const random = seededRandom(7)
  const letters = [...'ab./\\:*?"<>|\u0000\u0301\u0338\u202e\ud800\udc00é\u1100\u1161=- 🏃\n']
  for (let k = 0; k < 5000; k += 1) {
    const word = Array.from({ length: 1 + (random() % 8) }, () => letters[(random() >> 8) % letters.length])
    const path = `2025/${runFileStem(AT_MS, 0, word.join(''))}.fit`
    expect([safeName(path), path.split('/').length]).toEqual([path, 2])
  }
})

test('each name is given once, in any case', () => {
  const nameOf = distinctNames()
  const given = ['a', 'A', 'a-2', 'a'].map((stem) => nameOf(stem, '.fit'))
  expect(given).toEqual(['a.fit', 'A-2.fit', 'a-2-2.fit', 'a-3.fit'])
})

test.each([
  ['a.FIT', 'fit', '.fit'],
  ['folder/a.tcx.gz', 'tcx', '.tcx.gz'],
  ['no suffix', 'fit', '.fit'],
  [null, null, '.bin'],
  ['a.f\u202et', 'gpx', '.gpx'],
])('the original %j of type %s ends in %s', (fileName, fileType, extension) => {
  expect(originalExtension(fileName, fileType)).toBe(extension)
})
