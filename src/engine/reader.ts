import { MAX_VARINT_BYTES } from './differences.ts'

/** Reads a block of columns byte by byte and throws a RangeError before it would leave it. */
export class Reader {
  at = 0
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new RangeError('A block of columns ends early')
    this.at += 1
    return byte
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      const byte = this.byte()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw new RangeError('A number in a block of columns has no end')
  }

  float64(): number {
    if (this.left < 8) throw new RangeError('A block of columns ends early')
    const value = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8).getFloat64(0, true)
    this.at += 8
    return value
  }
}
