import { describe, expect, test } from 'bun:test'
import { SaxesParser } from 'saxes'
import { FormatError } from '../../src/formats/format.ts'
import { type GpxDocument, readGpx } from '../../src/formats/gpx.ts'
import { calendarDayMs, decimal, decimalAt, isoTime } from '../../src/formats/text-values.ts'
import { rootName, scanXml } from '../../src/formats/xml.ts'
import { seededRandom } from '../fixtures/damage.ts'

const POINT = '<trkpt lat="1.5" lon="2.5"><ele>10</ele><time>2024-01-01T00:00:00Z</time></trkpt>'
const pointWith = (inner: string) => POINT.replace('</trkpt>', `${inner}</trkpt>`)
const gpx = (inner: string, head = '') =>
  `${head}<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${inner}</gpx>`
const named = (name: string, points = POINT) => gpx(`<trk><name>${name}</name><trkseg>${points}</trkseg></trk>`)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readGpx(bytesOf(text))

describe('what well-formed XML may look like', () => {
  const cases: [
    string,
    string,
    Partial<{ name: string | null; n: number; time: string; hr: number; elevM: number }>,
  ][] = [
    ['a plain track', named('A'), { name: 'A', n: 1, elevM: 10 }],
    [
      'a link with text in the metadata',
      gpx(
        `<metadata><link href="x"><text>Garmin</text></link><time>2020-01-01T00:00:00Z</time></metadata><trk><name>A</name><trkseg>${POINT}</trkseg></trk>`,
      ),
      { name: 'A', n: 1, time: '2020-01-01T00:00:00Z' },
    ],
    [
      'an empty link in the track',
      gpx(`<trk><name>A</name><link href="x"/><trkseg>${POINT}</trkseg></trk>`),
      { name: 'A', n: 1 },
    ],
    ['entities', named('A &amp; B &lt;C&gt; &#233;&#x1F600; &quot;&apos;'), { name: 'A & B <C> é😀 "\'' }],
    ['a CDATA section', named('<![CDATA[A & <b>]]>'), { name: 'A & <b>' }],
    ['an entity inside CDATA, which is none', named('<![CDATA[A &amp; B]]>'), { name: 'A &amp; B' }],
    ['text, CDATA and text', named('A <![CDATA[<&>]]> B'), { name: 'A <&> B' }],
    [
      'comments',
      gpx(`<!-- <trkpt lat="9" lon="9"/> --><trk><name>A<!-- x -->B</name><trkseg>${POINT}<!-- > --></trkseg></trk>`),
      { name: 'AB', n: 1 },
    ],
    [
      'a processing instruction',
      gpx(
        `<?foo <bar> ?><trk><name>A</name><trkseg>${POINT}</trkseg></trk>`,
        '<?xml version="1.0" standalone="no" ?>\n',
      ),
      { name: 'A', n: 1 },
    ],
    [
      'a prefixed root',
      `<g:gpx xmlns:g="u"><g:trk><g:name>A</g:name><g:trkseg><g:trkpt lat="1" lon="2"><g:ele>3</g:ele></g:trkpt></g:trkseg></g:trk></g:gpx>`,
      { name: 'A', n: 1, elevM: 3 },
    ],
    [
      'a heart rate under a prefix of its own',
      named('A', pointWith('<extensions><ns3:T xmlns:ns3="u"><ns3:hr>150</ns3:hr></ns3:T></extensions>')),
      { hr: 150 },
    ],
    [
      'a heart rate under a prefix never declared',
      named('A', pointWith('<extensions><zz:hr>151</zz:hr></extensions>')),
      { hr: 151 },
    ],
    ['a heart rate without prefix', named('A', pointWith('<extensions><hr>152</hr></extensions>')), { hr: 152 }],
    [
      'single quotes and > in an attribute',
      gpx(`<trk><trkseg><trkpt lon='2.5' desc='a>b"/' lat='1.5'><ele>10</ele></trkpt></trkseg></trk>`),
      { n: 1, elevM: 10 },
    ],
    [
      'points without content',
      gpx('<trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="2" /></trkseg></trk>'),
      { n: 2 },
    ],
    [
      'line breaks inside tags',
      gpx(
        '<trk\n>\n<name\n>A</name ><trkseg><trkpt\n lat="1"\n\tlon = "2"\n><ele>\n 7 \n</ele></trkpt></trkseg></trk\n>',
      ),
      { name: 'A', elevM: 7 },
    ],
    ['a byte-order mark', `\ufeff${named('A')}`, { name: 'A', n: 1 }],
    [
      'ten blanks before the declaration',
      `          <?xml version="1.0" encoding="UTF-8"?>\n${named('A')}`,
      { name: 'A' },
    ],
    [
      'a waypoint with a name before the track',
      gpx(`<wpt lat="5" lon="5"><name>W</name></wpt><trk><name>A</name><trkseg>${POINT}</trkseg></trk>`),
      { name: 'A', n: 1 },
    ],
    ['a bare ampersand and an unknown entity', named('Run & fun &nbsp;'), { name: 'Run & fun &nbsp;' }],
    [
      'a number written in pieces',
      named('A', pointWith('<extensions><hr>1<!-- x -->5<![CDATA[3]]></hr></extensions>')),
      { hr: 153 },
    ],
    [
      'a number written with references',
      named('A', pointWith('<extensions><hr>&#49;54</hr></extensions>')),
      { hr: 154 },
    ],
  ]
  for (const [what, xml, expected] of cases) {
    test(what, () => {
      expect(pickedFrom(read(xml), Object.keys(expected))).toEqual(expected)
    })
  }
})

function pickedFrom(document: GpxDocument, keys: readonly string[]) {
  const all: Record<string, unknown> = {
    name: document.trackName,
    n: document.points.n,
    time: document.metadata.time,
    hr: document.points.column('heartRateBpm')[0],
    elevM: document.points.column('elevM')[0],
  }
  return Object.fromEntries(keys.map((key) => [key, all[key]])) as never
}

describe('what is refused with a sentence', () => {
  const cut = 'The file is cut off: its XML ends too early'
  const damaged = 'The file is damaged: it is not well-formed XML'
  const dtd = 'The file has a document type declaration (DTD), which is refused'
  const cases: [string, string, string][] = [
    ['nothing', '', cut],
    ['plain text', 'hello world', damaged],
    ['JSON', '{"a":1}', damaged],
    ['an end tag missing', named('A').slice(0, -6), cut],
    ['a cut inside a tag', named('A').slice(0, -30), cut],
    ['a cut inside an attribute', '<gpx version="1', cut],
    ['a cut inside a comment', '<gpx><!-- ', cut],
    ['a cut inside CDATA', '<gpx><name><![CDATA[x', cut],
    ['tags that do not match', named('A').replace('</name>', '</nam>'), damaged],
    ['an end tag with more letters', named('A').replace('</name>', '</names>'), damaged],
    ['two roots', `${named('A')}<gpx/>`, damaged],
    ['text after the root', `${named('A')}x`, damaged],
    ['an attribute without quotes', '<gpx version=1></gpx>', damaged],
    ['an attribute without value', '<gpx version></gpx>', damaged],
    ['a tag in an attribute', '<gpx version="<a>"></gpx>', damaged],
    ['an end tag first', '</gpx>', damaged],
    ['a bare document type', `<?xml version="1.0"?><!DOCTYPE gpx>${named('A')}`, dtd],
    ['entity declarations', `<!DOCTYPE g [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${named('&b;')}`, dtd],
    ['an external entity', `<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>${named('&x;')}`, dtd],
  ]
  for (const [what, xml, message] of cases) {
    test(what, () => {
      expect(() => read(xml)).toThrow(new FormatError(message))
    })
  }

  test('200,000 nested elements end at once', () => {
    const deep = `<gpx>${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</gpx>`
    const started = performance.now()
    expect(() => read(deep)).toThrow('nests too deeply')
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('100 nested elements are read', () => {
    expect(read(gpx(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)).points.n).toBe(0)
  })
})

describe('encodings', () => {
  const utf16 = (text: string, swap: boolean) => {
    const buffer = Buffer.from(text, 'utf16le')
    return new Uint8Array(swap ? buffer.swap16() : buffer)
  }
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${named('Évry à pied')}`
  const cases: [string, Uint8Array][] = [
    ['UTF-8', bytesOf(declared('UTF-8'))],
    ['UTF-16LE with its mark', utf16(`\ufeff${declared('UTF-16')}`, false)],
    ['UTF-16BE with its mark', utf16(`\ufeff${declared('UTF-16')}`, true)],
    ['UTF-16LE without a mark', utf16(declared('UTF-16'), false)],
    ['UTF-16BE without a mark', utf16(declared('UTF-16'), true)],
    ['UTF-8 that calls itself UTF-16', bytesOf(declared('utf-16'))],
    ['ISO-8859-1', new Uint8Array(Buffer.from(declared('ISO-8859-1'), 'latin1'))],
    ['ISO-8859-1 that calls itself UTF-8', new Uint8Array(Buffer.from(declared('UTF-8'), 'latin1'))],
    ['UTF-8 under a name nobody knows', bytesOf(declared('x-klingon'))],
  ]
  for (const [what, bytes] of cases) {
    test(`${what} is read`, () => {
      expect(rootName(bytes)).toBe('gpx')
      expect(readGpx(bytes).trackName).toBe('Évry à pied')
    })
  }

  test('windows-1251 is read', () => {
    const bytes = bytesOf('<?xml version="1.0" encoding="windows-1251"?><gpx><trk><name>????</name></trk></gpx>')
    const at = bytes.indexOf(63, 50)
    bytes.set([0xc1, 0xe5, 0xe3, 0x21], at)
    expect(readGpx(bytes).trackName).toBe('Бег!')
  })

  test('a document longer than one piece of transcoding keeps every character', () => {
    const name = 'é'.repeat(1_500_000)
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>${named(name)}`
    expect(readGpx(new Uint8Array(Buffer.from(xml, 'latin1'))).trackName).toBe(name)
  })
})

test('the root is found behind declaration, comments and document type', () => {
  expect(
    rootName(bytesOf('<?xml version="1.0"?>\n<!-- <kml> -->\n<!DOCTYPE x [<!ENTITY a "<b>">]>\n<p:gpx a="1">')),
  ).toBe('gpx')
  expect(rootName(bytesOf('<!doctype html><html>'))).toBe('html')
  expect(rootName(bytesOf('lat,lon'))).toBeNull()
  expect(rootName(new Uint8Array(0))).toBeNull()
})

/** Local names, attribute values and leaf texts in document order. */
type Events = string[]
const WORDS = ['a', 'bb', 'ccc', 'name', 'trkpt', 'x1', 'lat', 'lon']

function ourEvents(xml: string): Events {
  const events: Events = []
  scanXml(bytesOf(xml), WORDS, {
    open(id, parent, attributes) {
      const values = WORDS.map((word, at) => [word, attributes.string(at)]).filter(([, value]) => value !== null)
      events.push(`open ${WORDS[id]} in ${WORDS[parent] ?? 'document'} ${JSON.stringify(values)}`)
    },
    close(id, _parent, text) {
      events.push(`close ${WORDS[id]} ${JSON.stringify(text.string())}`)
    },
  })
  return events
}

function saxesEvents(xml: string): Events {
  const events: Events = []
  const stack: string[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: false, position: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = WORDS.flatMap((word) =>
      Object.entries(attributes).flatMap(([key, value]) => (local(key) === word ? [[word, value.trim()]] : [])),
    )
    events.push(`open ${local(name)} in ${stack.at(-1) ?? 'document'} ${JSON.stringify(values)}`)
    stack.push(local(name))
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('cdata', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    events.push(`close ${local(name)} ${JSON.stringify(text.trim())}`)
    stack.pop()
    text = ''
  })
  parser.write(xml).close()
  return events
}

test('500 random documents give the same elements, attributes and texts as saxes', () => {
  const random = seededRandom(11)
  const pick = <T>(of: readonly T[]): T => of[random() % of.length]!
  const texts = [
    '',
    ' ',
    '12.5',
    'x &amp; y',
    '&#65;&lt;',
    '<![CDATA[<raw> & ]]>',
    '<!-- note - -->',
    'é😀',
    '\n\t',
    '<?pi > ?>',
  ]
  const element = (depth: number): string => {
    const name = `${pick(['', 'p:', 'ns3:'])}${pick(WORDS)}`
    const attributes = WORDS.filter(() => random() % 5 === 0).map((word) => {
      const quote = pick(['"', "'"])
      return `${pick([' ', '\n'])}${word}${pick(['=', ' = '])}${quote}${pick(['1', 'a>b', '&quot;q&quot;', ' é ', ''])}${quote}`
    })
    if (random() % 6 === 0) return `<${name}${attributes.join('')}${pick(['', ' '])}/>`
    const children = depth > 5 ? 0 : random() % 4
    const inner = Array.from({ length: children }, () => `${pick(texts)}${element(depth + 1)}`).join('')
    return `<${name}${attributes.join('')}>${inner}${pick(texts)}${pick(texts)}</${name}${pick(['', ' '])}>`
  }
  for (let i = 0; i < 500; i++) {
    const xml = `<?xml version="1.0"?>${element(0)}`
    expect(ourEvents(xml)).toEqual(saxesEvents(xml))
  }
})

test('decimals out of bytes are the doubles that JavaScript reads', () => {
  const random = seededRandom(3)
  const digits = (n: number) => Array.from({ length: n }, () => random() % 10).join('')
  for (let i = 0; i < 20_000; i++) {
    const text = `${random() % 3 === 0 ? '-' : ''}${digits(1 + (random() % 12))}${random() % 4 === 0 ? '' : `.${digits(random() % 30)}`}`
    const bytes = bytesOf(` ${text}\n`)
    expect(decimalAt(bytes, 0, bytes.length)).toBe(Number(text))
  }
  for (const [text, value] of [
    ['1e3', 1000],
    ['+7', 7],
    ['.5', 0.5],
    ['1,5', 1.5],
    ['0', 0],
    ['-0', -0],
    ['5.', 5],
  ] as const) {
    expect(decimal(text)).toBe(value)
    expect(decimalAt(bytesOf(text), 0, text.length)).toBe(value)
  }
  for (const text of ['', ' ', '.', '-', 'NaN', 'Infinity', '1e999', '0x10', '1.2.3', '1,2,3', '12 34', '--1', 'é']) {
    expect(decimalAt(bytesOf(text), 0, bytesOf(text).length)).toBeNaN()
  }
})

test('times out of bytes are those of Date.parse', () => {
  const random = seededRandom(5)
  for (let i = 0; i < 5000; i++) {
    const time = new Date(Date.UTC(1900, 0, 1) + (random() % 200_000) * 1e8 + (random() % 1e8)).toISOString()
    expect(isoTime(time)).toBe(Date.parse(time))
  }
  const cases: [string, string | null][] = [
    ['2010-04-02T10:26:48.524+02:00', '2010-04-02T08:26:48.524Z'],
    ['2021-01-07T21:51:59.179+01:15', '2021-01-07T20:36:59.179Z'],
    ['2020-08-16T10:06:00.150000Z', '2020-08-16T10:06:00.150Z'],
    ['2020-08-16T10:06:00.9999999-0330', '2020-08-16T13:36:00.999Z'],
    ['2020-08-16 10:06:00', '2020-08-16T10:06:00.000Z'],
    ['2020-08-16T10:06+02', '2020-08-16T08:06:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2024-02-29t00:00:00z', '2024-02-29T00:00:00.000Z'],
    ['2023-02-29T00:00:00Z', null],
    ['1900-02-29T00:00:00Z', null],
    ['2024-13-45T06:00:00Z', null],
    ['2024-04-31T06:00:00Z', null],
    ['2024-01-01T24:00:00Z', null],
    ['2024-01-01T10:60:00Z', null],
    ['2024-01-01T10:00:00X', null],
    ['2024-01-01T10:00:0', null],
    ['2024-01-01', null],
    ['24-01-01T10:00:00Z', null],
    ['', null],
  ]
  for (const [text, iso] of cases) {
    const time = isoTime(text)
    expect([text, Number.isNaN(time) ? null : new Date(time).toISOString()]).toEqual([text, iso])
  }
})

test('the calendar agrees with Date.UTC from 1900 to 2100', () => {
  for (let ms = Date.UTC(1900, 0, 1); ms < Date.UTC(2100, 0, 1); ms += 86_400_000) {
    const date = new Date(ms)
    if (calendarDayMs(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()) !== ms)
      throw new Error(date.toISOString())
  }
})
