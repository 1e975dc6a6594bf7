import { frequencies, LEVEL_BITS, levelsOf, spread } from './frequencies.ts'
import type { Reader } from './reader.ts'

// Entropy coder for unsigned 32-bit numbers. A number is split into a token, written in as few bits as its frequency
// asks for (tabled asymmetric numeral systems, tANS), and the low bits that the token leaves open, written as they are.

/** Numbers below this are tokens of their own; others share one by equal length and equal next two bits. */
const LITERALS = 16
/** Tokens are numbered below this: the largest number, 2^32 - 1, has token 127. */
const MAX_TOKENS = 128
/** Bits of the coder's state. The frequencies add up to 2^bits; a table of that size is built for every column. */
const STATE_BITS = 10
const STATE_BITS_OF_FEW = 9
/** With fewer numbers than this a smaller table is used, since building the larger one costs more than it saves. */
const FEW = 700
/** Masks the base within one entry of the decoding table. */
const BASE_MASK = (1 << STATE_BITS) - 1
/** Bytes after a column, so that four bytes can be read at once at its end: of what follows it, else zeros. */
const PADDING = 8
/** Bits that are certain when four bytes are read from any bit position. */
const BITS_AT_ONCE = 25

/**
 * Layout, bits from the lowest: 8 bits the number of tokens; for each token a 0, or a 1 and 5 bits for the level of its
 * frequency; the first state; then for each number the bits that lead to the next state and the bits that its token
 * leaves open. The last state is 0. No numbers give no bytes.
 * @param numbers 0 to 2^32 - 1, as int32 bit patterns
 */
export function encodeNumbers(numbers: Int32Array): Uint8Array {
  const n = numbers.length
  if (n === 0) return new Uint8Array(0)
  const tokens = new Uint8Array(n)
  const counts = new Uint32Array(MAX_TOKENS)
  for (let i = 0; i < n; i += 1) {
    const token = tokenOf(numbers[i]!)
    tokens[i] = token
    counts[token]! += 1
  }
  const levels = levelsOf(counts)
  const stateBits = stateBitsOf(n)
  const { first, leading } = encodeTokens(tokens, frequencies(levels, 1 << stateBits), stateBits)

  const bits = new BitWriter(1 + levels.length + 2 + 5 * n)
  bits.push(levels.length, 8)
  for (let token = 0; token < levels.length; token += 1) {
    if (levels[token] === 0) bits.push(0, 1)
    else bits.push((levels[token]! << 1) | 1, 1 + LEVEL_BITS)
  }
  bits.push(first, stateBits)
  bits.pushNumbers(numbers, tokens, leading)
  return bits.written()
}

/**
 * Fills `numbers`. @param reader at the first byte; left at `end`
 * @throws RangeError for bytes that are not exactly that many numbers
 */
export function decodeNumbers(reader: Reader, end: number, numbers: Int32Array): void {
  const n = numbers.length
  if (end < reader.at || (n === 0 && end > reader.at)) throw new RangeError('A column does not fill its bytes')
  if (n === 0) return
  const size = end - reader.at
  const { bytes } = reader
  const view = isFollowed(bytes, end) ? viewOf(bytes.subarray(reader.at)) : padded(bytes.subarray(reader.at, end))
  const used = readNumbers(view, numbers)
  // unused bits of the last byte must be zeros
  if (used > size * 8 || used <= size * 8 - 8 || bytes[end - 1]! >> (8 - (size * 8 - used)) !== 0) {
    throw new RangeError('A column does not fill its bytes')
  }
  reader.at = end
}

/** Whether four bytes can be read at once up to the end of a column, since others follow in the same blob. */
function isFollowed(bytes: Uint8Array, end: number): boolean {
  return end + PADDING <= bytes.length
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function padded(column: Uint8Array): DataView {
  const bytes = new Uint8Array(column.length + PADDING)
  bytes.set(column)
  return viewOf(bytes)
}

function tokenOf(number: number): number {
  const length = 31 - Math.clz32(number)
  return length < 4 ? number : LITERALS + (length - 4) * 4 + ((number >>> (length - 2)) & 3)
}

/** Number of low bits that a token leaves open. */
function openBits(token: number): number {
  return token < LITERALS ? 0 : 2 + ((token - LITERALS) >> 2)
}

function stateBitsOf(n: number): number {
  return n < FEW ? STATE_BITS_OF_FEW : STATE_BITS
}

/**
 * Encodes from the last token to the first, so that decoding runs from the first to the last. @returns the first state;
 * `leading`: for each token the bits that lead to the next state, below a marker bit for their number
 */
function encodeTokens(
  tokens: Uint8Array,
  frequency: Uint16Array,
  stateBits: number,
): { first: number; leading: Uint16Array } {
  const states = 1 << stateBits
  const start = new Uint16Array(frequency.length)
  for (let token = 1; token < start.length; token += 1) start[token] = start[token - 1]! + frequency[token - 1]!
  const next = start.slice()
  const stateAt = new Uint16Array(states)
  const tokenOfState = new Uint8Array(states)
  spread(frequency, states, tokenOfState)
  for (let state = 0; state < states; state += 1) {
    const token = tokenOfState[state]!
    stateAt[next[token]!] = state
    next[token]! += 1
  }
  const leading = new Uint16Array(tokens.length)
  let state = states
  for (let i = tokens.length - 1; i >= 0; i -= 1) {
    const often = frequency[tokens[i]!]!
    // as many bits as bring the state into the range `often` to 2 * often - 1
    let bits = Math.clz32(often) - Math.clz32(state)
    if (state >>> bits < often) bits -= 1
    leading[i] = (bits << STATE_BITS) | (state & ((1 << bits) - 1))
    state = states + stateAt[start[tokens[i]!]! + (state >>> bits) - often]!
  }
  return { first: state - states, leading }
}

/** Reused, since a search through many runs makes a table for every column that it reads. */
const tables = [new Int32Array(1 << STATE_BITS_OF_FEW), new Int32Array(1 << STATE_BITS)] as const

/**
 * For every state: the number of its token without the open bits, how many bits are open, how many lead to the next
 * state, and from which base. Valid until the next call.
 */
function decodingTable(frequency: Uint16Array, stateBits: number): Int32Array {
  const states = 1 << stateBits
  const table = tables[stateBits - STATE_BITS_OF_FEW]!
  // the states of a token get the numbers from its frequency on in the order of the states
  spread(frequency, states, table)
  const next = frequency.slice()
  for (let state = 0; state < states; state += 1) {
    const token = table[state]!
    const reduced = next[token]!
    next[token] = reduced + 1
    const bits = stateBits - (31 - Math.clz32(reduced))
    const number = token < LITERALS ? token : 4 | (token & 3)
    const base = (reduced << bits) - states
    table[state] = (number << 20) | (openBits(token) << 15) | (bits << 11) | base
  }
  return table
}

/** @returns the number of bits that were read */
function readNumbers(view: DataView, numbers: Int32Array): number {
  const count = view.getUint8(0)
  if (count === 0 || count > MAX_TOKENS) throw new RangeError(`A column of ${count} tokens`)
  let at = 8
  const levels = new Uint8Array(count)
  for (let token = 0; token < count; token += 1) {
    const window = view.getInt32(at >>> 3, true) >>> (at & 7)
    at += 1
    if ((window & 1) === 0) continue
    levels[token] = (window >>> 1) & ((1 << LEVEL_BITS) - 1)
    at += LEVEL_BITS
  }
  const stateBits = stateBitsOf(numbers.length)
  const table = decodingTable(frequencies(levels, 1 << stateBits), stateBits)
  let state = (view.getInt32(at >>> 3, true) >>> (at & 7)) & ((1 << stateBits) - 1)
  at += stateBits
  for (let i = 0; i < numbers.length; i += 1) {
    // DataView throws a RangeError when this leaves the bytes
    const window = view.getInt32(at >>> 3, true) >>> (at & 7)
    const entry = table[state]!
    const bits = (entry >>> 11) & 15
    const open = (entry >>> 15) & 31
    state = (entry & BASE_MASK) + (window & ((1 << bits) - 1))
    const low = bits + open <= BITS_AT_ONCE ? (window >>> bits) & ((1 << open) - 1) : longBits(view, at + bits, open)
    numbers[i] = ((entry >>> 20) << open) | low
    at += bits + open
  }
  if (state !== 0) throw new RangeError('A column is damaged')
  return at
}

/** @param bits 14 to 29 */
function longBits(view: DataView, at: number, bits: number): number {
  const low = (view.getInt32(at >>> 3, true) >>> (at & 7)) & 0x3fff
  const high = (view.getInt32((at + 14) >>> 3, true) >>> ((at + 14) & 7)) & ((1 << (bits - 14)) - 1)
  return (high << 14) | low
}

/** Writes numbers of any bit length one after the other, lowest bits first. */
class BitWriter {
  readonly #bytes: Uint8Array
  #at = 0
  #held = 0
  #bits = 0

  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
  }

  /** @param bits how many of the lowest bits of the number are written, up to 29 */
  push(number: number, bits: number): void {
    if (bits > 16) {
      this.push(number & 0xffff, 16)
      this.push(number >>> 16, bits - 16)
      return
    }
    // at most 7 bits are pending here
    this.#held |= (number & ((1 << bits) - 1)) << this.#bits
    this.#bits += bits
    while (this.#bits >= 8) {
      this.#bytes[this.#at] = this.#held & 255
      this.#at += 1
      this.#held >>>= 8
      this.#bits -= 8
    }
  }

  /** Writes for each token the bits that lead to the next state, then its open bits; one loop, since most is written here. */
  pushNumbers(numbers: Int32Array, tokens: Uint8Array, leading: Uint16Array): void {
    const bytes = this.#bytes
    let at = this.#at
    let held = this.#held
    let bits = this.#bits
    for (let i = 0; i < numbers.length; i += 1) {
      const lead = leading[i]!
      const token = tokens[i]!
      // up to 7 bits are held, 11 lead to the next state and 29 are open: written in steps, so that 32 bits suffice
      held |= (lead & BASE_MASK) << bits
      bits += lead >> STATE_BITS
      while (bits >= 8) {
        bytes[at] = held
        at += 1
        held >>>= 8
        bits -= 8
      }
      if (token < LITERALS) continue
      let open = openBits(token)
      let number = numbers[i]!
      if (open > 16) {
        held |= (number & 0xffff) << bits
        bytes[at] = held
        bytes[at + 1] = held >>> 8
        at += 2
        held >>>= 16
        number >>>= 16
        open -= 16
      }
      held |= (number & ((1 << open) - 1)) << bits
      bits += open
      while (bits >= 8) {
        bytes[at] = held
        at += 1
        held >>>= 8
        bits -= 8
      }
    }
    this.#at = at
    this.#held = held
    this.#bits = bits
  }

  written(): Uint8Array {
    if (this.#bits > 0) this.#bytes[this.#at] = this.#held
    return this.#bytes.subarray(0, this.#at + (this.#bits > 0 ? 1 : 0))
  }
}
