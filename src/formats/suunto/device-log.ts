import { FormatError } from '../format.ts'
import { eachElement, type Members, membersOf, nestedList } from '../json-bytes.ts'

/** A sample has about 200 bytes; longer ones are skipped. */
const LONGEST_SAMPLE = 64 * 1024
/** Most bytes of everything but samples: an ultramarathon with hundreds of laps has less than a megabyte. */
const LONGEST_REST = 8 * 1024 * 1024

/**
 * Reads `{"DeviceLog": {…, "Samples": […]}}`; samples are passed on one by one, since a run of a day has a million of
 * them.
 * @returns the DeviceLog with an empty list of samples
 * @throws FormatError when it is not such JSON
 */
export function readDeviceLog(bytes: Uint8Array, onSample: (sample: Members) => void): Members {
  const samples = nestedList(bytes, 'DeviceLog', 'Samples') ?? { start: bytes.length, end: bytes.length }
  const restBytes = samples.start + (bytes.length - samples.end)
  if (restBytes > LONGEST_REST)
    throw new FormatError('The Suunto file has more besides its samples than a watch writes')
  const decoder = new TextDecoder()
  const rest = decoder.decode(bytes.subarray(0, samples.start)) + decoder.decode(bytes.subarray(samples.end))
  const root = parsed(rest)
  const areAll = eachElement(bytes, samples, ({ start, end }) => {
    if (end - start > LONGEST_SAMPLE) return
    onSample(membersOf(parsed(decoder.decode(bytes.subarray(start, end)))))
  })
  if (!areAll) throw new FormatError('The Suunto file has invalid samples')
  return membersOf(membersOf(root).DeviceLog)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FormatError('The Suunto file is cut or damaged', { cause: error })
  }
}
