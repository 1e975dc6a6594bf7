import { describe, expect, test } from 'bun:test'
import { decodeName, isPlainName, safeName } from '../../src/zip/entry-name.ts'

describe('a name', () => {
  const cases: readonly (readonly [name: string, safe: string | null])[] = [
    ['activities.csv', 'activities.csv'],
    ['activities/1.gpx', 'activities/1.gpx'],
    ['./activities//1.gpx', 'activities/1.gpx'],
    ['activities\\1.gpx', 'activities/1.gpx'],
    ['export folder/', 'export folder/'],
    ['.hidden/..two/three...', '.hidden/..two/three...'],
    ['Cafe\u0301.jpg', 'Café.jpg'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    ['x'.repeat(1025), null],
    ['..', null],
    ['a/../b', null],
    ['a/..', null],
    ['a\\..\\b', null],
    ['/a', null],
    ['\\a', null],
    ['//host/a', null],
    ['C:\\a', null],
    ['c:a', null],
    ['a\0', null],
    ['a\u001b[31m', null],
    ['', null],
    ['.', null],
    ['./', null],
    ['/', null],
  ]
  for (const [name, safe] of cases) {
    const shown = JSON.stringify(name.length > 30 ? `${name.length} characters` : name)
    test(`${shown} is ${safe === null ? 'refused' : 'safe'}`, () => {
      expect(safeName(name)).toBe(safe)
      // the short cut must never let through what the whole check would change or refuse
      if (isPlainName(Buffer.from(name))) expect(safeName(name)).toBe(name)
    })
  }

  test('of letters, digits and folders takes the short cut, of anything else the long way', () => {
    const plain = ['activities/15512345678.fit.gz', 'export 2024/media/3DF8844E-7BE1.jpg', 'a_b/', 'Z', '0..9']
    const others = [
      'é',
      'a//b',
      './a',
      '/a',
      'a/../b',
      '..',
      'a\\b',
      'C:a',
      'a\0',
      '',
      'a@',
      'a`',
      'a[',
      'a{',
      'a:',
      'x'.repeat(1025),
    ]
    expect(plain.map((name) => [isPlainName(Buffer.from(name)), safeName(name)])).toEqual(
      plain.map((name) => [true, name]),
    )
    expect(others.filter((name) => isPlainName(Buffer.from(name)))).toEqual([])
  })

  test('without mark is UTF-8 where it can be, else code page 437', () => {
    expect(decodeName(Buffer.from('Läufe'), { isUtf8: false })).toBe('Läufe')
    // 0x84 and 0xe1 in https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/CP437.TXT
    expect(decodeName(Buffer.from([0x4c, 0x84, 0x75, 0xe1, 0xff]), { isUtf8: false })).toBe('Läuß\u00a0')
    expect(decodeName(Buffer.from([0x61, 0xff]), { isUtf8: true })).toBe('a\ufffd')
  })
})
