// Splits and best efforts have ids for archives alone. One that an archive gave is stored; any other is made of the id of the
// workout and the place in it, so that it is the same at every export without being stored: null in its column.

/** The id of a split or best effort that has none of its own, or of one that has. */
export function splitId({ id, workoutId, idx }: { id: string | null; workoutId: string; idx: number }): string {
  return id ?? madeId(`split ${workoutId} ${idx}`)
}

/** As `splitId`. */
export function effortId(effort: { id: string | null; workoutId: string; distanceIndex: number }): string {
  return effort.id ?? madeId(`effort ${effort.workoutId} ${effort.distanceIndex}`)
}

/** As it is stored: null for the one that is made anyway. */
export function storedSplitId(split: { id: string | null; workoutId: string; idx: number }): string | null {
  return split.id === null || split.id === splitId({ ...split, id: null }) ? null : split.id
}

/** As `storedSplitId`. */
export function storedEffortId(effort: { id: string | null; workoutId: string; distanceIndex: number }): string | null {
  return effort.id === null || effort.id === effortId({ ...effort, id: null }) ? null : effort.id
}

/** UUID version 8: the first bits of a SHA-256. */
function madeId(name: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
