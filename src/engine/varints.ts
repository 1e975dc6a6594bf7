/** Encodes non-negative integers as LEB128. */
export function encodedNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const value of numbers) pushVarint(bytes, value)
  return Uint8Array.from(bytes)
}

/** @throws RangeError when the last number is truncated */
export function decodedNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!
    // most numbers are one byte long
    if (byte < 128 && scale === 1) {
      numbers.push(byte)
      continue
    }
    value += (byte & 127) * scale
    scale *= 128
    if (byte >= 128) continue
    numbers.push(value)
    value = 0
    scale = 1
  }
  if (scale !== 1) throw new RangeError('Stored numbers end in the middle of one')
  return numbers
}

/** Encodes rows of integers as differences to the row before, so that close values take a byte each. */
export function encodedRows(rows: readonly (readonly number[])[]): Uint8Array {
  return encodedNumbers(
    rows.flatMap((row, i) => row.map((value, column) => zigzag(value - (rows[i - 1]?.[column] ?? 0)))),
  )
}

/** @throws RangeError when the last number is truncated */
export function decodedRows(bytes: Uint8Array, columns: number): number[][] {
  const steps = decodedNumbers(bytes)
  const last = new Array<number>(columns).fill(0)
  return Array.from({ length: Math.floor(steps.length / columns) }, (_, i) =>
    last.map((before, column) => {
      last[column] = before + unzigzag(steps[i * columns + column]!)
      return last[column]!
    }),
  )
}

/** Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …, so that small numbers of either sign become short. */
function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0
}

function unzigzag(coded: number): number {
  return (coded >>> 1) ^ -(coded & 1)
}

/** Appends a non-negative integer as LEB128: seven bits a byte, lowest first, and a bit for whether more follow. */
function pushVarint(target: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    target.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  target.push(rest)
}
