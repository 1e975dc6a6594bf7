/**
 * Removes legs whose distance on the ground is shorter than a runner needs (elevator, cliff artefact). The shortest
 * inner leg loses both pivots first, and the legs around it merge; outer legs are dropped. O(m log m).
 */
export function withoutShortLegs(pivots: readonly number[], distanceM: Float64Array, minDistanceM: number): number[] {
  const m = pivots.length
  // A linked list of pivots; a leg is named by its first pivot.
  const next = Int32Array.from({ length: m }, (_, i) => (i + 1 < m ? i + 1 : -1))
  const previous = Int32Array.from({ length: m }, (_, i) => i - 1)
  const gone = new Uint8Array(m)
  const short = new ShortLegs()
  for (let i = 0; i < m; i += 1) enqueue(i)
  for (let leg = short.pop(); leg !== null; leg = short.pop()) {
    const { from, lengthM } = leg
    // legs only grow, so an entry whose leg was removed or has grown is outdated
    if (gone[from] === 1 || next[from] === -1 || legM(from) !== lengthM) continue
    const to = next[from]!
    const isFirst = previous[from] === -1
    const isLast = next[to] === -1
    const before = previous[from]!
    if (isFirst || !isLast) remove(from)
    if (isLast || !isFirst) remove(to)
    if (before !== -1) enqueue(before)
  }
  const kept = pivots.filter((_, i) => gone[i] === 0)
  return kept.length < 2 ? [] : kept

  function legM(from: number): number {
    return distanceM[pivots[next[from]!]!]! - distanceM[pivots[from]!]!
  }

  function enqueue(from: number): void {
    if (next[from] !== -1 && legM(from) < minDistanceM) short.push({ from, lengthM: legM(from) })
  }

  function remove(pivot: number): void {
    gone[pivot] = 1
    const before = previous[pivot]!
    const after = next[pivot]!
    if (before !== -1) next[before] = after
    if (after !== -1) previous[after] = before
  }
}

/** Binary heap of legs, the shortest on top, ties in the order of the run. */
class ShortLegs {
  private readonly heap: { from: number; lengthM: number }[] = []

  push(leg: { from: number; lengthM: number }): void {
    this.heap.push(leg)
    let i = this.heap.length - 1
    while (i > 0 && this.isBefore(i, (i - 1) >> 1)) {
      this.swap(i, (i - 1) >> 1)
      i = (i - 1) >> 1
    }
  }

  pop(): { from: number; lengthM: number } | null {
    const top = this.heap[0]
    const bottom = this.heap.pop()
    if (top === undefined || bottom === undefined) return null
    if (this.heap.length === 0) return top
    this.heap[0] = bottom
    for (let i = 0; ; ) {
      let least = i
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.heap.length && this.isBefore(child, least)) least = child
      }
      if (least === i) return top
      this.swap(i, least)
      i = least
    }
  }

  private isBefore(a: number, b: number): boolean {
    const x = this.heap[a]!
    const y = this.heap[b]!
    return x.lengthM < y.lengthM || (x.lengthM === y.lengthM && x.from < y.from)
  }

  private swap(a: number, b: number): void {
    const held = this.heap[a]!
    this.heap[a] = this.heap[b]!
    this.heap[b] = held
  }
}
