/** Terms of the Taylor series after the first two, last one first; the error is below 1e-11. */
const TERMS = [
  1 / 20_922_789_888_000,
  -1 / 87_178_291_200,
  1 / 479_001_600,
  -1 / 3_628_800,
  1 / 40_320,
  -1 / 720,
  1 / 24,
]

/**
 * The cosine of -pi/2 to pi/2 from sums and products alone, which every machine rounds alike, while Math.cos may differ
 * in the last bit. Stored paths are decoded with it, so it must never change.
 */
export function exactCosine(angle: number): number {
  const square = angle * angle
  let series = 0
  for (let k = 0; k < TERMS.length; k += 1) series = series * square + TERMS[k]!
  return 1 + square * (square * series - 0.5)
}
