const BLOCK_BYTES = 1_048_576
/** Longest name that is kept, bytes: 1024 characters of UTF-8. An unsafe name, which is only displayed, is cut. */
const NAME_BYTES = 3072

/**
 * Names of many entries as UTF-8 in large blocks with a hash table: 8 to 16 bytes beside each name. The hash has a
 * random seed, since names that collide on purpose would make searching very slow.
 */
export class NameIndex {
  private readonly blocks: Buffer[] = []
  private filled = BLOCK_BYTES
  /** Position of each name: number of its block times the block size, plus the offset in it. */
  private readonly positions: Uint32Array
  private readonly lengths: Uint16Array
  /** Open addressing: entry number + 1, or 0 for a free slot. */
  private readonly table: Uint32Array
  private readonly seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n

  constructor(capacity: number) {
    this.positions = new Uint32Array(capacity)
    this.lengths = new Uint16Array(capacity)
    this.table = new Uint32Array(2 ** Math.ceil(Math.log2(capacity + 1) + 1))
  }

  /** Of equal names the later entry is found. */
  add(index: number, { name, isFindable }: { name: Buffer; isFindable: boolean }): void {
    const bytes = name.subarray(0, NAME_BYTES)
    if (this.filled + bytes.length > BLOCK_BYTES) {
      this.blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      this.filled = 0
    }
    this.blocks.at(-1)?.set(bytes, this.filled)
    this.positions[index] = (this.blocks.length - 1) * BLOCK_BYTES + this.filled
    this.lengths[index] = bytes.length
    this.filled += bytes.length
    if (isFindable) this.table[this.slotOf(bytes)] = index + 1
  }

  name(index: number): string {
    return this.bytesOf(index).toString()
  }

  /** @returns null when there is none @param name as `safeName` returns it */
  find(name: string): number | null {
    const found = this.table[this.slotOf(Buffer.from(name))] ?? 0
    return found === 0 ? null : found - 1
  }

  /** The slot of a name, or the free one where it would be put. */
  private slotOf(bytes: Buffer): number {
    const mask = this.table.length - 1
    let slot = Number(Bun.hash.wyhash(bytes, this.seed) & 0xffffffffn) & mask
    for (;;) {
      const held = this.table[slot] ?? 0
      if (held === 0 || this.bytesOf(held - 1).equals(bytes)) return slot
      slot = (slot + 1) & mask
    }
  }

  private bytesOf(index: number): Buffer {
    const position = this.positions[index] ?? 0
    const start = position % BLOCK_BYTES
    return (
      this.blocks[Math.floor(position / BLOCK_BYTES)]?.subarray(start, start + (this.lengths[index] ?? 0)) ??
      Buffer.alloc(0)
    )
  }
}
