import { gzipSync } from 'node:zlib'
import { isFit, mutatedFit, reframed } from './mutate-fit.ts'
import { NUMBERS, nastyText, TEXTS, TIMES } from './nasty.ts'
import type { Random } from './random.ts'

/** A file that is right, to be spoiled. */
export interface Seed {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Nothing grows beyond this. */
const MAX_BYTES = 1_000_000
/** Parts are not repeated beyond this length, so that inputs stay short. */
const MAX_REPEATED = 60_000

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array

const OF_BYTES: readonly Mutation[] = [
  flippedBits,
  replacedBytes,
  replacedWord,
  without,
  (bytes, random) => inserted(bytes, random, part(bytes, random)),
  (bytes, random) => inserted(bytes, random, Buffer.alloc(random.below(64), random.below(256))),
  (bytes, random) => inserted(bytes, random, repeated(part(bytes, random), 1 + random.below(400))),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random, other) => Buffer.concat([bytes.subarray(0, random.below(bytes.length + 1)), part(other, random)]),
  (bytes, random, other) => inserted(bytes, random, part(other, random)),
]

const OF_TEXT: readonly Mutation[] = [
  (bytes, random) => withMatch(bytes, random, /[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi, () => random.of(NUMBERS)),
  (bytes, random) => withMatch(bytes, random, /\d{4}-\d\d-\d\dT[\d:.]+Z?/g, () => random.of(TIMES)),
  (bytes, random) => withMatch(bytes, random, />[^<>]+</g, () => `>${nastyText(random)}<`),
  (bytes, random) => withMatch(bytes, random, /"[^"]*"/g, () => `"${nastyText(random)}"`),
  (bytes, random) => withMatch(bytes, random, /[^\n]*\n/g, (line) => times(line, random.below(40))),
  (bytes, random) =>
    withMatch(bytes, random, /<\/?[\w:]+/g, () => random.of(['<', '</', '<x:y', '<trkpt', '<!--', '<?'])),
  (bytes, random) => withMatch(bytes, random, /[,;\t]/g, () => random.of([',', ';', '\t', '"', '\n', ',,,,', '|'])),
  (bytes, random) => inserted(bytes, random, Buffer.from(random.of(TEXTS))),
  (bytes, random) => inserted(bytes, random, Buffer.from('<a>'.repeat(random.below(3000)))),
]

/** Makes one to about five changes; the same random numbers give the same result. */
export function mutated(seed: Seed, random: Random, others: readonly Seed[]): Uint8Array {
  let bytes = seed.bytes
  const isText = isTextual(bytes)
  do {
    const other = random.of(others).bytes
    if (isText && random.chance(0.7)) bytes = random.of(OF_TEXT)(bytes, random, other)
    else if (isFit(bytes) && random.chance(0.7)) bytes = mutatedFit(bytes, random)
    else bytes = random.of(OF_BYTES)(bytes, random, other)
    bytes = bytes.subarray(0, MAX_BYTES)
  } while (random.chance(0.45))
  return bytes
}

/** As it would be uploaded: mostly under its own name, sometimes packed, and spoiled once more after that. */
export function mutatedUpload(seed: Seed, random: Random, others: readonly Seed[]): Seed {
  let bytes = mutated(seed, random, others)
  if (isFit(bytes) && random.chance(0.6)) bytes = reframed(bytes)
  if (random.chance(0.1)) bytes = gzipSync(bytes, { level: 1 })
  if (random.chance(0.03)) bytes = mutated({ name: seed.name, bytes }, random, others)
  const name = random.chance(0.05) ? `${random.of(TEXTS)}.${random.of(['fit', 'gpx', 'csv', 'gz', ''])}` : seed.name
  return { name, bytes }
}

function isTextual(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 64).every((byte) => byte >= 9 && byte !== 11 && byte !== 14)
}

function part(bytes: Uint8Array, random: Random): Uint8Array {
  const start = random.below(bytes.length + 1)
  const length = random.chance(0.7) ? random.below(64) : random.below(bytes.length + 1)
  return bytes.subarray(start, start + length)
}

function repeated(bytes: Uint8Array, count: number): Uint8Array {
  return Buffer.concat(Array<Uint8Array>(bytes.length * count > MAX_REPEATED ? 1 : count).fill(bytes))
}

function times(text: string, count: number): string {
  return text.length * count > MAX_REPEATED ? text : text.repeat(count)
}

function inserted(bytes: Uint8Array, random: Random, piece: Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

function without(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + part(bytes, random).length)])
}

function flippedBits(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice()
  for (let times = 1 + random.below(8); times > 0; times -= 1) {
    const at = place(copy, random)
    if (at < copy.length) copy[at]! ^= 1 << random.below(8)
  }
  return copy
}

function replacedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice()
  for (let times = 1 + random.below(8); times > 0; times -= 1) copy[place(copy, random)] = random.below(256)
  return copy
}

function replacedWord(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice()
  if (copy.length < 4) return copy
  const value = random.of([0, 1, 0x7f, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff])
  const view = new DataView(copy.buffer)
  const at = Math.min(place(copy, random), copy.length - 4)
  if (random.chance(0.5)) view.setUint32(at, value, random.chance(0.8))
  else view.setUint16(at, value & 0xffff, random.chance(0.8))
  return copy
}

/** A place to change, more often near the beginning or the end, where formats keep their structure. */
function place(bytes: Uint8Array, random: Random): number {
  const kind = random.below(4)
  if (kind === 0) return random.below(Math.min(200, bytes.length + 1))
  if (kind === 1) return Math.max(0, bytes.length - 1 - random.below(64))
  return random.below(bytes.length + 1)
}

/** Replaces one to four of the places that look so. */
function withMatch(bytes: Uint8Array, random: Random, pattern: RegExp, value: (found: string) => string): Uint8Array {
  // each byte a character, so that nothing else changes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  // not the whole text is looked through: a random start gives every place its chance
  const from = random.below(text.length + 1)
  const head = text.slice(0, from)
  let left = 1 + random.below(4)
  let searched = 0
  pattern.lastIndex = 0
  const pieces: string[] = [head]
  const tail = text.slice(from)
  for (let match = pattern.exec(tail); match !== null && left > 0; match = pattern.exec(tail)) {
    if (random.chance(0.4)) {
      pieces.push(tail.slice(searched, match.index), Buffer.from(value(match[0])).toString('latin1'))
      searched = match.index + match[0].length
      left -= 1
    }
    if (match[0] === '') pattern.lastIndex += 1
  }
  pieces.push(tail.slice(searched))
  return Buffer.from(pieces.join(''), 'latin1')
}
