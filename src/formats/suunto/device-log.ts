import { FormatError } from '../format.ts'

/** A JSON object; any other value counts as one without members. */
export type Members = Readonly<Record<string, unknown>>

/** A sample has about 200 bytes; longer ones are skipped. */
const LONGEST_SAMPLE = 64 * 1024
/** Most bytes of everything but samples: an ultramarathon with hundreds of laps has less than a megabyte. */
const LONGEST_REST = 8 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENS = [0x5b, 0x7b] as const
const CLOSES = [0x5d, 0x7d] as const
const COMMA = 0x2c
const COLON = 0x3a

/**
 * Reads `{"DeviceLog": {"Header": …, "Samples": […], …}}` without holding all samples as objects: each is passed on and
 * released, since a run of a day has a million of them.
 * @param onSample called in file order
 * @returns the DeviceLog with an empty list of samples
 * @throws FormatError when it is not such JSON
 */
export function readDeviceLog(bytes: Uint8Array, onSample: (sample: Members) => void): Members {
  const samples = samplesOf(bytes)
  const restBytes = samples.start + (bytes.length - samples.end)
  if (restBytes > LONGEST_REST) throw new FormatError('The Suunto file has more beside its samples than a watch writes')
  const decoder = new TextDecoder()
  const rest = decoder.decode(bytes.subarray(0, samples.start)) + decoder.decode(bytes.subarray(samples.end))
  const root = parsed(rest)
  eachElement(bytes, samples, (start, end) => {
    if (end - start > LONGEST_SAMPLE) return
    onSample(membersOf(parsed(decoder.decode(bytes.subarray(start, end)))))
  })
  return membersOf(membersOf(root).DeviceLog)
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError('The Suunto file is cut or damaged', { cause: error })
  }
}

/** Bounds of the list of samples: the position after its opening bracket and that of its closing one. */
interface Inside {
  readonly start: number
  readonly end: number
}

/** An empty range at the end of the file when there are no samples. */
function samplesOf(bytes: Uint8Array): Inside {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const end = endOfText(bytes, at)
      if (depth === 2 && isSamples(bytes, at, end)) {
        const open = afterBlanks(bytes, afterBlanks(bytes, end) + 1)
        if (bytes[afterBlanks(bytes, end)] === COLON && bytes[open] === OPENS[0]) {
          return { start: open + 1, end: endOfNested(bytes, open) - 1 }
        }
      }
      at = end - 1
    } else if (OPENS.includes(byte as never)) depth += 1
    else if (CLOSES.includes(byte as never)) depth -= 1
  }
  return { start: bytes.length, end: bytes.length }
}

/** Calls back with the bounds of each element that is an object or a list. */
function eachElement(bytes: Uint8Array, { start, end }: Inside, found: (start: number, end: number) => void): void {
  for (let at = afterBlanks(bytes, start); at < end; at = afterBlanks(bytes, at)) {
    if (OPENS.includes(bytes[at] as never)) {
      const behind = endOfNested(bytes, at)
      found(at, behind)
      at = behind
    } else if (bytes[at] === COMMA) at += 1
    else throw new FormatError('The Suunto file has samples that are none')
  }
}

const SAMPLES = new TextEncoder().encode('"Samples"')

function isSamples(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === SAMPLES.length && SAMPLES.every((byte, at) => bytes[start + at] === byte)
}

function afterBlanks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at]! <= 0x20) at += 1
  return at
}

/** The position after the quotation mark that ends the string beginning here. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at + 1
  }
  return bytes.length
}

/** The position after the bracket that closes the one here; in a file that is cut, its end. */
function endOfNested(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at) - 1
    else if (OPENS.includes(byte as never)) depth += 1
    else if (CLOSES.includes(byte as never)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  throw new FormatError('The Suunto file is cut or damaged')
}
