/** Terms of the series after the first two, last one first: right to 1e-11. */
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
 * The cosine of -pi/2 to pi/2, made of sums and products alone, which every machine rounds in the same way: Math.cos may
 * differ in the last bit. What is stored with its help is never to be read with another.
 */
export function exactCosine(angle: number): number {
  const square = angle * angle
  let series = 0
  for (let k = 0; k < TERMS.length; k += 1) series = series * square + TERMS[k]!
  return 1 + square * (square * series - 0.5)
}
