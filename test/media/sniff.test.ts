import { describe, expect, test } from 'bun:test'
import { HEAD_BYTES, typeOfContent, typeOfName } from '../../src/media/sniff.ts'
import { box, ebml, gif, isoMedia, joined, jpeg, png, riff } from '../fixtures/media.ts'

const sniffed = (file: Uint8Array | string) => {
  const bytes = typeof file === 'string' ? joined(file) : file
  return typeOfContent(bytes.subarray(0, HEAD_BYTES), bytes.length)
}

test('the extension says the type, in any case; others are not listed', () => {
  const listed = ['a.jpg', 'IMG_0001.JPG', 'a.HEIC', 'a.MOV', 'a.avi', 'a.webm', 'a.b.m4v'].map(typeOfName)
  const types = ['image/jpeg', 'image/jpeg', 'image/heic', 'video/quicktime', 'video/x-msvideo', 'video/webm']
  expect(listed).toEqual([...types, 'video/x-m4v'] as typeof listed)
  for (const name of [
    'a.svg',
    'a.html',
    'a.jpg.exe',
    'a',
    '',
    '.',
    'a.',
    'jpg',
    'a.jpg ',
    'a.constructor',
    'a.__proto__',
  ])
    expect([name, typeOfName(name)]).toEqual([name, null])
})

describe('the content', () => {
  test.each([
    ['JPEG with JFIF', jpeg(), 'image/jpeg'],
    ['JPEG with Exif', joined('\xff\xd8\xff\xe1\x10\x00Exif\x00\x00MM'), 'image/jpeg'],
    ['PNG', png(), 'image/png'],
    ['GIF 89a', gif('89a'), 'image/gif'],
    ['WebP', riff('WEBP'), 'image/webp'],
    ['HEIC of an iPhone', isoMedia('heic', 'mif1', 'MiHB', 'MiHE', 'miaf', 'heic'), 'image/heic'],
    ['HEIC of ten bits', isoMedia('heix', 'mif1', 'heix'), 'image/heic'],
    ['HEIC sequence', isoMedia('hevc', 'msf1', 'hevc'), 'image/heic'],
    ['HEIF that calls itself an image container', isoMedia('mif1', 'mif1', 'heic', 'hevc'), 'image/heic'],
    ['MP4 of ffmpeg', isoMedia('isom', 'isom', 'iso2', 'avc1', 'mp41'), 'video/mp4'],
    ['MP4 of an old Android phone', isoMedia('3gp4', 'isom', '3gp4'), 'video/mp4'],
    ['MP4 of a GoPro', isoMedia('mp41', 'mp41'), 'video/mp4'],
    ['MP4 of a Sony camera', isoMedia('XAVC', 'XAVC', 'mp42', 'iso2'), 'video/mp4'],
    ['MP4 of a brand nobody knows', isoMedia('zzzz', 'yyyy', 'mp42'), 'video/mp4'],
    ['MOV of an iPhone', isoMedia('qt  ', 'qt  '), 'video/quicktime'],
    ['MOV of a Nikon', isoMedia('niko', 'qt  '), 'video/quicktime'],
    ['MOV without a brand', joined(box('wide', new Uint8Array(0)), box('mdat', new Uint8Array(9))), 'video/quicktime'],
    ['MOV that begins with its movie', box('moov', new Uint8Array(50)), 'video/quicktime'],
    ['MOV with a long mdat', joined('\x00\x00\x00\x01mdat\x00\x00\x00\x00\x00\x00\x10\x00xxxx'), 'video/quicktime'],
    ['M4V of iTunes', isoMedia('M4V ', 'M4V ', 'M4A ', 'mp42', 'isom'), 'video/x-m4v'],
    ['AVI', riff('AVI '), 'video/x-msvideo'],
    ['WebM of a browser', ebml('webm'), 'video/webm'],
    ['WebM of ffmpeg', ebml('webm', true), 'video/webm'],
    ['WebM with a padded name', ebml('webm\0\0'), 'video/webm'],
  ] as const)('%s', (_name, file, type) => {
    expect(sniffed(file)).toBe(type)
  })

  test.each([
    ['nothing', ''],
    ['text', 'Long run along the river, legs felt heavy'],
    ['text with an atom in the place of an atom', 'The free run, a wide road'],
    ['text with a brand in the place of a brand', 'See ftypheic for more, mif1heic'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['ZIP', 'PK\x03\x04\x14\x00'],
    ['WAV', riff('WAVE')],
    ['Matroska', ebml('matroska')],
    ['Matroska of ffmpeg', ebml('matroska', true)],
    ['AVIF', isoMedia('avif', 'mif1', 'miaf', 'avif')],
    ['AVIF that calls itself an image container', isoMedia('mif1', 'miaf', 'avif')],
    ['audio of iTunes', isoMedia('M4A ', 'M4A ', 'mp42', 'isom')],
    ['camera raw', isoMedia('crx ', 'crx ', 'isom')],
    ['brands nobody knows', isoMedia('zzzz', 'yyyy')],
    ['an atom longer than its file', joined('\x00\x10\x00\x00moov', new Uint8Array(40))],
    ['JPEG cut after two bytes', '\xff\xd8'],
    ['PNG with line ends turned into Unix ones', '\x89PNG\n\x1a\n'],
  ] as const)('%s is none of ours', (_name, file) => {
    expect(sniffed(file)).toBeNull()
  })

  test('a head cut anywhere or with any byte changed is read without failing', () => {
    const photos = [jpeg(), png(), gif(), isoMedia('heic', 'mif1')]
    const heads = [...photos, riff('AVI '), ebml('webm', true), box('moov', jpeg())]
    for (const head of heads) {
      const whole = sniffed(head)
      for (let length = 0; length < head.length; length += 1) {
        expect([whole, null]).toContain(sniffed(head.slice(0, length)))
        for (const byte of [0x00, 0x01, 0x7f, 0x80, 0xff]) {
          const changed = head.slice()
          changed[length] = byte
          expect(() => sniffed(changed)).not.toThrow()
        }
      }
    }
  })
})
