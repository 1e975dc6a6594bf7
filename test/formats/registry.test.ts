import { expect, test } from 'bun:test'
import { createGzip, gzipSync } from 'node:zlib'
import { FormatError } from '../../src/formats/format.ts'
import { MAX_UNPACKED_BYTES, unpackedFile } from '../../src/formats/gzip.ts'
import { detectFormat, FORMAT_NAMES, FORMATS, parseFile } from '../../src/formats/registry.ts'
import { BROKEN_DTD } from '../fixtures/apple-export.ts'
import { sampleTable } from '../fixtures/csv.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'

const NOW = Date.UTC(2026, 8, 1)
const START = Date.UTC(2024, 4, 1, 6)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const packed = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes))
const gpxAt = (startMs: number) => gpxFile({ points: straightPoints({ n: 30, startMs }) })
const parse = (bytes: Uint8Array, filename: string) => parseFile(bytes, { filename, nowMs: NOW })

/** What an upload gives: the type of the file, or its sentence. */
async function outcomeOf(bytes: Uint8Array, filename: string): Promise<string> {
  try {
    return parse(await unpackedFile(bytes, filename), filename).type
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return error.message
  }
}

test('content decides, whatever the name; only a CSV needs its name', () => {
  const gpx = gpxAt(START)
  const tcx = tcxFile([steadyTcx({ n: 10, startMs: START })])
  const csv = sampleTable({ n: 10, startMs: START })
  const cases: [Uint8Array, string, string | null][] = [
    [gpx, 'a.fit', 'gpx'],
    [gpx, 'a.csv', 'gpx'],
    [gpx, '', 'gpx'],
    [tcx, 'a.gpx', 'tcx'],
    [csv, 'a.csv', 'csv'],
    [csv, 'a.gpx', null],
    [bytesOf('hello'), 'a.gpx', null],
  ]
  for (const [bytes, name, type] of cases)
    expect(detectFormat(bytes.subarray(0, 65_536), name)?.type ?? null).toBe(type as never)
  const takers = FORMATS.filter((format) => format.detect(bytesOf('any text'), 'a.txt'))
  expect(takers).toEqual([FORMATS.at(-1)!])
})

const NOT = `This file is not a ${FORMAT_NAMES} workout`
test.each<[what: string, bytes: Uint8Array, sentence: string]>([
  ['nothing', new Uint8Array(0), 'The file is empty'],
  ['blanks', bytesOf('  \n'), 'The file is blank'],
  ['a web page', bytesOf('<!DOCTYPE html>\n<html lang="en"><head>'), 'This is a web page, not a workout file'],
  ['a web page without head', bytesOf('\n<HTML>\n<body>'), 'This is a web page, not a workout file'],
  ['a ZIP', bytesOf('PK\u0003\u0004 nope'), 'This is a ZIP archive; import it as an export of another app'],
  [
    'the XML of Apple Health',
    bytesOf(`<?xml version="1.0"?>${BROKEN_DTD}<HealthData locale="x">`),
    'This is an Apple Health export; upload it as the export of a service',
  ],
  [
    'KML',
    bytesOf('<?xml version="1.0"?><kml xmlns="x"><Document>'),
    'KML files have no times; export the run as GPX, TCX or FIT',
  ],
  ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]), NOT],
  ['text', bytesOf('hello world'), NOT],
])('what is not a workout file is refused with a sentence: %s', async (_, bytes, sentence) => {
  expect(await outcomeOf(bytes, 'x.gpx')).toBe(sentence)
  if (bytes.length > 0) expect(await outcomeOf(packed(bytes), 'x.gpx.gz')).toBe(sentence)
})

test('a start before 1990 or more than a day ahead is an error naming the date', () => {
  const before = 'which is before 1990: the clock of the watch was not set'
  for (const [startMs, when] of [
    [Date.UTC(1901, 11, 13, 6), `1901-12-13, ${before}`],
    [Date.UTC(1989, 11, 31, 23, 59, 59), `1989-12-31, ${before}`],
    [NOW + 86_400_001, '2026-09-02, which is in the future'],
    [Date.UTC(2094, 4, 1), '2094-05-01, which is in the future'],
  ] as const)
    expect(() => parse(gpxAt(startMs), 'a.gpx')).toThrow(new FormatError(`The run starts on ${when}`))
  for (const startMs of [Date.UTC(1990, 0, 1), NOW + 86_400_000])
    expect(parse(gpxAt(startMs), 'a.gpx').activities).toHaveLength(1)
})

test('gzip that is cut, damaged or packed twice is an error, and a file of more than 100 MiB, packed or not', async () => {
  const whole = packed(gpxAt(START))
  const wrong = whole.slice()
  wrong[wrong.length - 6]! ^= 1
  const cuts = Array.from({ length: 63 }, (_, i) => Math.max(2, Math.floor((whole.length * (i + 1)) / 64)))
  for (const damaged of [...cuts.map((at) => whole.slice(0, at)), whole.slice(0, -1), wrong])
    expect(await outcomeOf(damaged, 'a.gpx.gz')).toBe('The gzip file is cut off or damaged')
  expect(await outcomeOf(packed(whole), 'a.gpx.gz')).toBe('The file is compressed twice')
  const bomb = await bombOf('<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>', 300)
  expect(bomb.length).toBeLessThan(1_000_000)
  for (const large of [bomb, new Uint8Array(MAX_UNPACKED_BYTES + 1)])
    expect(await outcomeOf(large, 'a.gpx')).toBe('The file is larger than 100 MiB unpacked')
})

/** A gzip of a beginning and `megabytes` MiB of line feeds. */
async function bombOf(head: string, megabytes: number): Promise<Uint8Array> {
  const gzip = createGzip({ level: 9 })
  const chunk = Buffer.alloc(1 << 20, 10)
  gzip.write(head)
  for (let i = 0; i < megabytes; i++) gzip.write(chunk)
  gzip.end()
  const pieces: Buffer[] = []
  for await (const piece of gzip) pieces.push(piece as Buffer)
  return new Uint8Array(Buffer.concat(pieces))
}
