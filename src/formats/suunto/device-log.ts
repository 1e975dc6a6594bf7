import { FormatError } from '../format.ts'
import {
  afterBlanks,
  eachElement,
  endOfNested,
  endOfText,
  inside,
  type Members,
  membersOf,
  type Place,
} from '../json-bytes.ts'

/** A sample has about 200 bytes; longer ones are skipped. */
const LONGEST_SAMPLE = 64 * 1024
/** Most bytes of everything but samples: an ultramarathon with hundreds of laps has less than a megabyte. */
const LONGEST_REST = 8 * 1024 * 1024

const QUOTE = 0x22
const OPENS = [0x5b, 0x7b] as const
const CLOSES = [0x5d, 0x7d] as const
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
  const areAll = eachElement(bytes, samples, ({ start, end }) => {
    if (end - start > LONGEST_SAMPLE) return
    onSample(membersOf(parsed(decoder.decode(bytes.subarray(start, end)))))
  })
  if (!areAll) throw new FormatError('The Suunto file has samples that are none')
  return membersOf(membersOf(root).DeviceLog)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError('The Suunto file is cut or damaged', { cause: error })
  }
}

/** Position of the samples; empty, at the end of the file, when there are none. */
function samplesOf(bytes: Uint8Array): Place {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const end = endOfText(bytes, at)
      if (depth === 2 && isSamples(bytes, at, end)) {
        const open = afterBlanks(bytes, afterBlanks(bytes, end) + 1)
        if (bytes[afterBlanks(bytes, end)] === COLON && bytes[open] === OPENS[0]) {
          const end = endOfNested(bytes, open)
          if (end === null) throw new FormatError('The Suunto file is cut or damaged')
          return inside({ start: open, end })
        }
      }
      at = end - 1
    } else if (OPENS.includes(byte as never)) depth += 1
    else if (CLOSES.includes(byte as never)) depth -= 1
  }
  return { start: bytes.length, end: bytes.length }
}

const SAMPLES = new TextEncoder().encode('"Samples"')

function isSamples(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === SAMPLES.length && SAMPLES.every((byte, at) => bytes[start + at] === byte)
}
