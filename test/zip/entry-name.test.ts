import { expect, test } from 'bun:test'
import { decodeName, safeName } from '../../src/zip/entry-name.ts'

/** Each is as it is written when it is safe. */
const SAFE: readonly (readonly [name: string, safe?: string])[] = [
  ['activities/1.gpx'],
  ['./activities//1.gpx', 'activities/1.gpx'],
  ['activities\\1.gpx', 'activities/1.gpx'],
  ['export folder/'],
  // two dots are refused as a segment, not as a part of a name
  ['.hidden/..two/three...'],
  ['Cafe\u0301.jpg', 'Café.jpg'],
  ['x'.repeat(1024)],
]
const UNSAFE = [
  ...['x'.repeat(1025), '..', 'a/../b', 'a/..', 'a\\..\\b', '/a', '\\a', '//host/a', 'C:\\a', 'c:a', 'a\0'],
  ...['a\u001b[31m', '', '.', './', '/'],
]

test('a name is safe, made safe or refused', () => {
  expect(SAFE.map(([name]) => safeName(name))).toEqual(SAFE.map(([name, safe]) => safe ?? name))
  expect(UNSAFE.filter((name) => safeName(name) !== null)).toEqual([])
})

test('a name without mark is UTF-8 where it can be, else code page 437', () => {
  expect(decodeName(Buffer.from('Läufe'), { isUtf8: false })).toBe('Läufe')
  // 0x84 and 0xe1 in https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/CP437.TXT
  expect(decodeName(Buffer.from([0x4c, 0x84, 0x75, 0xe1, 0xff]), { isUtf8: false })).toBe('Läuß\u00a0')
  expect(decodeName(Buffer.from([0x61, 0xff]), { isUtf8: true })).toBe('a\ufffd')
})
