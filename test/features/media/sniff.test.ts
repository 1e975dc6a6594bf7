import { expect, test } from 'bun:test'
import { HEAD_BYTES, type MediaType, typeOfContent, typeOfName } from '../../../src/features/media/sniff.ts'
import { box, ebml, gif, isoMedia, joined, jpeg, png, riff } from '../../fixtures/media.ts'

const sniffed = (file: Uint8Array | string) => {
  const bytes = typeof file === 'string' ? joined(file) : file
  return typeOfContent(bytes.subarray(0, HEAD_BYTES), bytes.length)
}

test('the extension says the type, in any case; others are not listed', () => {
  const listed = ['a.jpg', 'IMG_0001.JPG', 'a.HEIC', 'a.MOV', 'a.avi', 'a.webm', 'a.b.m4v'].map(typeOfName)
  const types = ['image/jpeg', 'image/jpeg', 'image/heic', 'video/quicktime', 'video/x-msvideo', 'video/webm']
  expect(listed).toEqual([...types, 'video/x-m4v'] as typeof listed)
  for (const name of ['a.svg', 'a.jpg.exe', '', 'a.', 'jpg', 'a.jpg ', 'a.constructor', 'a.__proto__'])
    expect([name, typeOfName(name)]).toEqual([name, null])
})

/** What cameras, phones and programs write. */
const WRITTEN: Readonly<Record<string, readonly Uint8Array[]>> = {
  'image/jpeg': [jpeg(), joined('\xff\xd8\xff\xe1\x10\x00Exif\x00\x00MM')],
  'image/png': [png()],
  'image/gif': [gif('89a')],
  'image/webp': [riff('WEBP')],
  'image/heic': [
    // of an iPhone, of ten bits, a sequence, and one that calls itself an image container
    isoMedia('heic', 'mif1', 'MiHB', 'MiHE', 'miaf', 'heic'),
    ...[isoMedia('heix', 'mif1', 'heix'), isoMedia('hevc', 'msf1', 'hevc'), isoMedia('mif1', 'mif1', 'heic', 'hevc')],
  ],
  'video/mp4': [
    // of ffmpeg, an old Android phone, a GoPro, a Sony camera, and of a brand nobody knows
    ...[isoMedia('isom', 'isom', 'iso2', 'avc1', 'mp41'), isoMedia('3gp4', 'isom', '3gp4'), isoMedia('mp41', 'mp41')],
    ...[isoMedia('XAVC', 'XAVC', 'mp42', 'iso2'), isoMedia('zzzz', 'yyyy', 'mp42')],
  ],
  'video/quicktime': [
    // of an iPhone, a Nikon, without a brand, that begins with its movie, and with a long mdat
    ...[isoMedia('qt  ', 'qt  '), isoMedia('niko', 'qt  ')],
    joined(box('wide', new Uint8Array(0)), box('mdat', new Uint8Array(9))),
    ...[box('moov', new Uint8Array(50)), joined('\x00\x00\x00\x01mdat\x00\x00\x00\x00\x00\x00\x10\x00xxxx')],
  ],
  'video/x-m4v': [isoMedia('M4V ', 'M4V ', 'M4A ', 'mp42', 'isom')],
  'video/x-msvideo': [riff('AVI ')],
  'video/webm': [ebml('webm'), ebml('webm', true), ebml('webm\0\0')],
}

const NONE_OF_OURS: readonly (Uint8Array | string)[] = [
  ...['', 'Long run along the river, legs felt heavy', '<!doctype html><script>alert(1)</script>'],
  // texts with an atom, and with a brand, in the place of one
  ...['The free run, a wide road', 'See ftypheic for more, mif1heic'],
  // cut after two bytes; with line ends turned into Unix ones
  ...['PK\x03\x04\x14\x00', '\xff\xd8', '\x89PNG\n\x1a\n'],
  ...[riff('WAVE'), ebml('matroska'), ebml('matroska', true)],
  // AVIF, one that calls itself an image container, audio of iTunes, camera raw, and brands nobody knows
  ...[isoMedia('avif', 'mif1', 'miaf', 'avif'), isoMedia('mif1', 'miaf', 'avif')],
  ...[isoMedia('M4A ', 'M4A ', 'mp42', 'isom'), isoMedia('crx ', 'crx ', 'isom'), isoMedia('zzzz', 'yyyy')],
  // an atom longer than its file
  joined('\x00\x10\x00\x00moov', new Uint8Array(40)),
]

test('the content says the type, or is none of ours', () => {
  for (const [type, files] of Object.entries(WRITTEN))
    expect([type, ...files.map(sniffed)]).toEqual([type, ...files.map(() => type as MediaType)])
  expect(NONE_OF_OURS.map(sniffed)).toEqual(NONE_OF_OURS.map(() => null))
})
