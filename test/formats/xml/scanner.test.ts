import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import { type GpxDocument, readGpx } from '../../../src/formats/xml/gpx.ts'
import { rootName } from '../../../src/formats/xml/scanner.ts'

const POINT = '<trkpt lat="1.5" lon="2.5"><ele>10</ele><time>2024-01-01T00:00:00Z</time></trkpt>'
const pointWith = (inner: string) => POINT.replace('</trkpt>', `${inner}</trkpt>`)
const gpx = (inner: string, head = '') =>
  `${head}<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${inner}</gpx>`
const named = (name: string, points = POINT) => gpx(`<trk><name>${name}</name><trkseg>${points}</trkseg></trk>`)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readGpx(bytesOf(text))

/** What saxes does not read either, or reads differently: saxes.test.ts has the rest. */
describe('what XML of watches and phones may look like', () => {
  const heart = (inner: string) => named('A', pointWith(`<extensions>${inner}</extensions>`))
  const TIME = '2020-01-01T00:00:00Z'
  const metadata = `<metadata><link href="x"><text>Garmin</text></link><time>${TIME}</time></metadata>`
  const linked = named('A').replace('<trk>', `${metadata}<wpt lat="5" lon="5"><name>W</name></wpt><trk>`)
  const cases: [what: string, xml: string, expected: Record<string, unknown>][] = [
    [
      'a link with text in the metadata, and a waypoint with a name',
      linked,
      { name: 'A', n: 1, time: TIME, elevM: 10 },
    ],
    ['text, CDATA with an entity, which is none', named('A <![CDATA[<&>&amp;]]> B'), { name: 'A <&>&amp; B' }],
    ['entities', named('A &amp; B &lt;C&gt; &#233;&#x1F600; &quot;&apos;'), { name: 'A & B <C> é😀 "\'' }],
    ['a prefix never declared', heart('<zz:hr>151</zz:hr>'), { hr: 151 }],
    ['a byte-order mark', `\ufeff${named('A')}`, { name: 'A', n: 1 }],
    ['ten blanks in front', `          <?xml version="1.0" encoding="UTF-8"?>\n${named('A')}`, { name: 'A' }],
    ['a bare ampersand and an unknown entity', named('Run & fun &nbsp;'), { name: 'Run & fun &nbsp;' }],
    ['a number in pieces and references', heart('<hr>1<!-- x --><![CDATA[5]]>&#51;</hr>'), { hr: 153 }],
  ]
  test.each(cases)('%s', (_, xml, expected) => {
    expect(pickedFrom(read(xml), Object.keys(expected))).toEqual(expected)
  })
})

function pickedFrom(document: GpxDocument, keys: readonly string[]): Record<string, unknown> {
  const all: Record<string, unknown> = {
    ...{ name: document.tracks[0]!.name, n: document.points.n, time: document.metadata.time },
    ...{ hr: document.points.column('heartRateBpm')[0], elevM: document.points.column('elevM')[0] },
  }
  return Object.fromEntries(keys.map((key) => [key, all[key]]))
}

describe('what is refused with a sentence', () => {
  const cut = 'The file is cut off: its XML ends too early'
  const damaged = 'The file is damaged: it is not well-formed XML'
  const dtd = 'The file has a document type declaration (DTD), which is refused'
  const cases: [string, string, string][] = [
    ['nothing', '', cut],
    ['JSON', '{"a":1}', damaged],
    ['an end tag missing', named('A').slice(0, -6), cut],
    ['a cut inside a tag', named('A').slice(0, -30), cut],
    ['a cut inside a comment', '<gpx><!-- ', cut],
    ['tags that do not match', named('A').replace('</name>', '</nam>'), damaged],
    ['an attribute without quotes', '<gpx version=1></gpx>', damaged],
    ['a tag in an attribute', '<gpx version="<a>"></gpx>', damaged],
    ['entity declarations', `<!DOCTYPE g [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${named('&b;')}`, dtd],
    ['200,000 nested elements', '<a>'.repeat(200_000), 'The file is damaged: its XML nests too deeply'],
    ['an external entity', `<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>${named('&x;')}`, dtd],
  ]
  test.each(cases)('%s', (_, xml, message) => {
    expect(() => read(xml)).toThrow(new FormatError(message))
  })
})

describe('encodings', () => {
  const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  const utf16 = (text: string, swap: boolean) => {
    const buffer = Buffer.from(text, 'utf16le')
    return new Uint8Array(swap ? buffer.swap16() : buffer)
  }
  const declared = (encoding: string, name = 'Évry à pied') =>
    `<?xml version="1.0" encoding="${encoding}"?>${named(name)}`
  const cyrillic = latin1(declared('windows-1251', '\xc1\xe5\xe3!'))
  test.each<[what: string, bytes: Uint8Array, name?: string]>([
    ['UTF-8', bytesOf(declared('UTF-8'))],
    ['UTF-16LE with its mark', utf16(`\ufeff${declared('UTF-16')}`, false)],
    ['UTF-16BE without a mark', utf16(declared('UTF-16'), true)],
    ['UTF-8 that calls itself UTF-16', bytesOf(declared('utf-16'))],
    ['ISO-8859-1', latin1(declared('ISO-8859-1'))],
    ['ISO-8859-1 that calls itself UTF-8', latin1(declared('UTF-8'))],
    ['UTF-8 under a name nobody knows', bytesOf(declared('x-klingon'))],
    ['windows-1251', cyrillic, 'Бег!'],
  ])('%s is read', (_, bytes, name = 'Évry à pied') => {
    expect([rootName(bytes), readGpx(bytes).tracks[0]!.name]).toEqual(['gpx', name])
  })
})
