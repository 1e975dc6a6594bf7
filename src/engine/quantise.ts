/**
 * Values rounded to multiples of 1 / scale, half up, as they are stored: encoding these loses nothing.
 * @param result where they are written, of the same length; may be `values` itself
 * @returns `result`; NaN where a value is not finite or its integer needs more than 32 bits
 * @throws RangeError for a scale that is not positive and finite
 */
export function quantise(
  values: Float64Array,
  scale: number,
  result: Float64Array = new Float64Array(values.length),
): Float64Array {
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY))
    throw new RangeError(`A column's scale must be positive and finite, not ${scale}`)
  for (let i = 0; i < values.length; i += 1) {
    const integer = Math.round(values[i]! * scale)
    // integer | 0 differs from integer for NaN, infinities and more than 32 bits; it also turns -0 into 0.
    result[i] = (integer | 0) === integer ? (integer | 0) / scale : Number.NaN
  }
  return result
}
