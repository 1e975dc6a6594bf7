/** 32 bytes of a digest, used again for every id. */
const digest = (): Buffer => Buffer.alloc(32)

/**
 * Ids for things that have none of their own: UUIDv8 (RFC 9562, 5.8) of SHA-256 over workout id, kind and index, so that
 * two archives of the same data have the same ones.
 */
export function derivedIds(workoutId: string, kind: string): (index: number) => string {
  const bytes = digest()
  return (index) => {
    Bun.SHA256.hash(`${workoutId}/${kind}/${index}`, bytes)
    bytes[6] = (bytes[6]! & 0x0f) | 0x80
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = bytes.toString('hex', 0, 16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}
