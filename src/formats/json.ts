import { FormatError } from './format.ts'

/** Largest file of JSON, unpacked: read as a whole it takes three to five times as much memory. */
const MOST_BYTES = 64 * 1024 * 1024
/** Most commas: real files have one in 20 bytes, while bombs of two bytes a value would take 800 MiB. */
const MOST_COMMAS = 3_500_000
/** Most brackets within each other; a bomb of 60 MiB of them would take 4 GiB. */
const MOST_DEPTH = 1000
const [COMMA, OPEN, CLOSE] = [0x2c, 0x7b, 0x7d]

/** The members of a JSON object; any other value has none. */
export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}

/** The elements of a JSON list by their members; any other value has none. */
export function rowsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}

/** @param service its name in messages @throws FormatError when it is too large, cut or damaged */
export function parsedJson(bytes: Uint8Array, service: string): unknown {
  if (bytes.length > MOST_BYTES) throw new FormatError('The JSON file is larger than 64 MiB')
  let [commas, depth] = [0, 0]
  for (let at = 0; at < bytes.length && depth <= MOST_DEPTH; at += 1) {
    // this bit makes the brackets of lists those of objects
    const byte = bytes[at]! | 0x20
    if (byte === COMMA) commas += 1
    else if (byte === OPEN) depth += 1
    else if (byte === CLOSE) depth -= 1
  }
  if (commas > MOST_COMMAS) throw new FormatError('The JSON file has more than 3,500,000 values')
  if (depth > MOST_DEPTH) throw damaged(service)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw damaged(service, cause)
  }
}

/** The rows of a file that is a list. @throws FormatError as `parsedJson`, and for any other value */
export function parsedRows(bytes: Uint8Array, service: string): readonly Members[] {
  const list = parsedJson(bytes, service)
  if (!Array.isArray(list)) throw damaged(service)
  return rowsOf(list)
}

export function damaged(service: string, cause?: unknown): FormatError {
  return new FormatError(`The ${service} file is cut or damaged`, { cause })
}

/** The beginning of a JSON object as text; null: it is none. */
export function jsonObjectHead(head: Uint8Array): string | null {
  const text = new TextDecoder().decode(head).trimStart()
  return text.startsWith('{') ? text : null
}
