import type { FileHandle } from 'node:fs/promises'
import { createPace } from '../base/pace.ts'
import { type DirectoryPlace, readInto } from './end-record.ts'
import { decodeName, isPlainName, safeName } from './entry-name.ts'
import { NameIndex } from './name-index.ts'
import {
  CENTRAL_BYTES,
  type CentralRecord,
  centralRecord,
  DEFLATED,
  ENCRYPTED_FLAG,
  LOCAL_BYTES,
  MADE_BY_MAC,
  MADE_BY_UNIX,
  STORED,
} from './records.ts'
import { entryError, ZipError } from './zip-error.ts'

/** Problems of an entry that are known before it is opened; stored for each entry as an index into this list. */
const PROBLEMS = [
  null,
  ['unsafe', 'The name of the file points out of the ZIP archive'],
  ['unsafe', 'The file is a link'],
  ['encrypted', 'The file is encrypted'],
  ['damaged', 'The file is packed in a way that is not supported'],
  ['damaged', 'The file lies outside of the ZIP archive'],
  ['damaged', 'The ZIP archive gives two sizes for the file'],
  ['tooLarge', 'The file is packed more than 1000 times smaller than it is'],
] as const
type Problem = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/** Largest table of contents: 500,000 entries with names of 154 characters. */
const MAX_DIRECTORY_BYTES = 96 * 1_048_576
const WINDOW_BYTES = 262_144
/** DEFLATE reaches 1,032, watch files 10 to 50; small entries may exceed it, since they cost nothing. */
const MAX_RATIO = 1000
const RATIO_FREE_BYTES = 1_048_576
const S_IFMT = 0xf000
const S_IFLNK = 0xa000

/** The entries as columns, about 40 bytes each, and their names. */
export class Directory {
  count = 0
  /** Sum of the declared sizes of all entries, bytes; never more than this is unpacked. */
  declaredBytes = 0
  readonly names: NameIndex
  readonly offsets: Float64Array
  readonly sizes: Float64Array
  readonly compressedSizes: Float64Array
  readonly crcs: Uint32Array
  readonly methods: Uint8Array
  private readonly problems: Uint8Array
  /** Start of every entry within the archive, ascending, to find where the data of each must end. */
  private begins = new Float64Array(0)

  constructor(
    readonly place: DirectoryPlace,
    capacity: number,
  ) {
    this.names = new NameIndex(capacity)
    this.offsets = new Float64Array(capacity)
    this.sizes = new Float64Array(capacity)
    this.compressedSizes = new Float64Array(capacity)
    this.crcs = new Uint32Array(capacity)
    this.methods = new Uint8Array(capacity)
    this.problems = new Uint8Array(capacity)
  }

  /** Adds an entry; of two with one name the later is found, as with `unzip -o` and Python. */
  add(record: CentralRecord): void {
    const index = this.count
    this.count += 1
    this.offsets[index] = record.offset + this.place.leadingBytes
    this.sizes[index] = record.size
    this.compressedSizes[index] = record.compressedSize
    this.crcs[index] = record.crc
    this.methods[index] = record.method === DEFLATED ? DEFLATED : STORED
    this.declaredBytes += record.size
    const isSafe = this.addName(index, record)
    this.problems[index] = this.problemOf(record, isSafe)
  }

  /** @throws ZipError unsafe: entries that share data make a small archive huge, and never occur by accident */
  expectNoOverlap(): void {
    const begins = new Float64Array(this.count)
    const ends = new Float64Array(this.count)
    let within = 0
    for (let i = 0; i < this.count; i += 1) {
      if (this.problems[i] === 5) continue
      begins[within] = this.offsets[i] ?? 0
      // data descriptors are not counted, since some packers announce one and write none
      ends[within] = (this.offsets[i] ?? 0) + LOCAL_BYTES + (this.compressedSizes[i] ?? 0)
      within += 1
    }
    this.begins = begins.subarray(0, within).sort()
    // both lists are sorted: no two entries overlap exactly when every start is after the end of as many entries
    const sortedEnds = ends.subarray(0, within).sort()
    for (let i = 1; i < within; i += 1) {
      if ((sortedEnds[i - 1] ?? 0) > (this.begins[i] ?? 0)) {
        throw new ZipError('unsafe', 'Files in the ZIP archive overlap')
      }
    }
  }

  endOf(index: number): number {
    const offset = this.offsets[index] ?? 0
    let low = 0
    let high = this.begins.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.begins[middle] ?? 0) > offset) high = middle
      else low = middle + 1
    }
    return this.begins[low] ?? this.place.start
  }

  problem(index: number): ZipError | null {
    const problem = PROBLEMS[this.problems[index] ?? 0]
    return problem ? entryError(problem[0], problem[1]) : null
  }

  problemKind(index: number): ZipError['kind'] | null {
    return PROBLEMS[this.problems[index] ?? 0]?.[0] ?? null
  }

  /** An unsafe name is kept, so that a request for its entry can report the problem. @returns whether it is safe */
  private addName(index: number, { nameBytes, isUtf8 }: CentralRecord): boolean {
    // nearly all names are plain; skipping the string for them saves more memory than the columns take
    if (isPlainName(nameBytes)) {
      this.names.add(index, { name: nameBytes, isFindable: true })
      return true
    }
    const raw = decodeName(nameBytes, { isUtf8 })
    const name = safeName(raw)
    this.names.add(index, { name: Buffer.from(name ?? raw), isFindable: name !== null })
    return name !== null
  }

  private problemOf(record: CentralRecord, isSafe: boolean): Problem {
    const { offset, size, compressedSize, method, madeBy, attributes, flags } = record
    const end = offset + this.place.leadingBytes + LOCAL_BYTES + compressedSize
    // checked first, since such an entry takes no part in the search for overlaps
    if (!(end <= this.place.start)) return 5
    if (!isSafe) return 1
    const isUnix = madeBy === MADE_BY_UNIX || madeBy === MADE_BY_MAC
    if (isUnix && ((attributes >>> 16) & S_IFMT) === S_IFLNK) return 2
    if ((flags & ENCRYPTED_FLAG) !== 0) return 3
    if (method !== STORED && method !== DEFLATED) return 4
    if (method === STORED && size !== compressedSize) return 6
    if (size > RATIO_FREE_BYTES && size > compressedSize * MAX_RATIO) return 7
    return 0
  }
}

/** Reads the table of contents in pieces. @throws ZipError damaged, unsafe (overlaps), tooLarge (too many entries) */
export async function readDirectory(file: FileHandle, place: DirectoryPlace, maxEntries: number): Promise<Directory> {
  const tooMany = () => new ZipError('tooLarge', `The ZIP archive holds more than ${maxEntries} files`)
  if (place.isCountExact && place.count > maxEntries) throw tooMany()
  if (place.length > MAX_DIRECTORY_BYTES)
    throw new ZipError('tooLarge', 'The table of contents of the ZIP archive is too large')
  const directory = new Directory(place, Math.min(Math.floor(place.length / CENTRAL_BYTES), maxEntries))
  const pace = createPace()
  const buffer = Buffer.allocUnsafeSlow(Math.min(WINDOW_BYTES, place.length))
  const end = place.start + place.length
  let position = place.start
  while (position < end) {
    const window = await readInto(buffer.subarray(0, end - position), { file, position })
    let at = 0
    for (;;) {
      const record = centralRecord(window, at)
      if (record === null) break
      if (directory.count === maxEntries) throw tooMany()
      directory.add(record)
      at += record.length
    }
    // the rest is not an entry: either the end of the list, such as a signature of the archive, or damage
    if (at === 0) break
    position += at
    if (pace.needsRest()) await pace.rest()
  }
  const { count } = directory
  if (place.isCountExact ? count !== place.count : (count & 0xffff) !== place.count) {
    throw new ZipError('damaged', 'The table of contents of the ZIP archive is damaged')
  }
  if (pace.needsRest()) await pace.rest()
  directory.expectNoOverlap()
  return directory
}
