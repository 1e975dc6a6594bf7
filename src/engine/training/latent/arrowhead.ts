/**
 * A symmetric positive definite system [T C; Cᵀ E]: `knots` unknowns along a line, each tied to the next two, and a few
 * terms that touch everything. Only the bands of T are stored, so that memory grows with the knots, not their square.
 */
export interface Arrowhead {
  readonly knots: number
  readonly terms: number
  /** Diagonals of T: of k with k, k + 1 and k + 2. */
  readonly bands: readonly [Float64Array, Float64Array, Float64Array]
  /** C by rows, knots × terms. */
  readonly border: Float64Array
  /** E by rows, terms × terms; of its lower triangle alone. */
  readonly corner: Float64Array
}

/** A factored system: T = LLᵀ, whose L is in `bands`, U = L⁻¹C, E − UᵀU = SSᵀ. */
export interface Factored extends Arrowhead {
  readonly logDeterminant: number
}

export function emptyArrowhead(knots: number, terms: number): Arrowhead {
  const line = () => new Float64Array(knots)
  return {
    knots,
    terms,
    bands: [line(), line(), line()],
    border: new Float64Array(knots * terms),
    corner: new Float64Array(terms * terms),
  }
}

/** A system to be factored, where the other is kept. */
export function copyOf({ bands: [d0, d1, d2], border, corner, ...sizes }: Arrowhead): Arrowhead {
  return { ...sizes, bands: [d0.slice(), d1.slice(), d2.slice()], border: border.slice(), corner: corner.slice() }
}

/** Factors a system in its own arrays. */
export function factored({ knots, terms, bands, border, corner }: Arrowhead): Factored {
  const [d0, d1, d2] = bands
  let logDeterminant = 0
  for (let k = 0; k < knots; k += 1) {
    const a = k > 0 ? d1[k - 1]! : 0
    const b = k > 1 ? d2[k - 2]! : 0
    d0[k] = Math.sqrt(d0[k]! - a * a - b * b)
    const across = k > 0 ? d2[k - 1]! : 0
    d1[k] = k + 1 < knots ? (d1[k]! - across * a) / d0[k]! : 0
    d2[k] = k + 2 < knots ? d2[k]! / d0[k]! : 0
    logDeterminant += 2 * Math.log(d0[k]!)
    for (let j = 0; j < terms; j += 1) {
      const at = k * terms + j
      const above = k > 0 ? a * border[at - terms]! : 0
      const second = k > 1 ? b * border[at - 2 * terms]! : 0
      border[at] = (border[at]! - above - second) / d0[k]!
    }
  }
  for (let k = 0; k < knots; k += 1) {
    const row = k * terms
    for (let i = 0; i < terms; i += 1) {
      const u = border[row + i]!
      if (u !== 0) for (let j = 0; j <= i; j += 1) corner[i * terms + j]! -= u * border[row + j]!
    }
  }
  for (let i = 0; i < terms; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = corner[i * terms + j]!
      for (let l = 0; l < j; l += 1) sum -= corner[i * terms + l]! * corner[j * terms + l]!
      corner[i * terms + j] = i === j ? Math.sqrt(sum) : sum / corner[j * terms + j]!
    }
    logDeterminant += 2 * Math.log(corner[i * terms + i]!)
  }
  return { bands, border, corner, logDeterminant, knots, terms }
}

/** Solves the system. @param right knots, then terms */
export function solved(system: Factored, right: Float64Array): Float64Array {
  const { bands: lower, border, corner, knots, terms } = system
  const x = right.slice()
  forward(system, x, 0)
  for (let i = terms - 1; i >= 0; i -= 1) {
    let sum = x[knots + i]!
    for (let l = i + 1; l < terms; l += 1) sum -= corner[l * terms + i]! * x[knots + l]!
    x[knots + i] = sum / corner[i * terms + i]!
  }
  for (let k = knots - 1; k >= 0; k -= 1) {
    let sum = x[k]!
    for (let j = 0; j < terms; j += 1) sum -= border[k * terms + j]! * x[knots + j]!
    if (k + 1 < knots) sum -= lower[1][k]! * x[k + 1]!
    if (k + 2 < knots) sum -= lower[2][k]! * x[k + 2]!
    x[k] = sum / lower[0][k]!
  }
  return x
}

/** gᵀA⁻¹g. @param g knots, then terms; overwritten @param from the first knot that is not 0 */
export function quadraticForm(system: Factored, g: Float64Array, from = 0): number {
  forward(system, g, from)
  let sum = 0
  for (let i = from; i < g.length; i += 1) sum += g[i]! ** 2
  return sum
}

/** Replaces a vector by the solution of the lower triangle. */
function forward(system: Factored, x: Float64Array, from: number): void {
  const { bands: lower, border, knots, terms } = system
  for (let k = from; k < knots; k += 1) {
    const first = k > from ? lower[1][k - 1]! * x[k - 1]! : 0
    const second = k > from + 1 ? lower[2][k - 2]! * x[k - 2]! : 0
    const value = (x[k]! - first - second) / lower[0][k]!
    x[k] = value
    if (value !== 0) for (let j = 0; j < terms; j += 1) x[knots + j]! -= border[k * terms + j]! * value
  }
  divide(x, knots, system)
}

/**
 * tr(A⁻¹B) for a B of the same form: from the band of T⁻¹ (Takahashi 1973; Rue & Held 2005) and the border, without an
 * inverse over all knots.
 */
export function traceOfProduct(system: Factored, other: Arrowhead): number {
  const { border, knots, terms } = system
  const [l0, l1, l2] = system.bands
  const bands = emptyArrowhead(knots, 0).bands
  const [z0, z1, z2] = bands
  for (let k = knots - 1; k >= 0; k -= 1) {
    const has1 = k + 1 < knots
    const has2 = k + 2 < knots
    if (has2) z2[k] = -(l1[k]! * z1[k + 1]! + l2[k]! * z0[k + 2]!) / l0[k]!
    if (has1) z1[k] = -(l1[k]! * z0[k + 1]! + (has2 ? l2[k]! * z1[k + 1]! : 0)) / l0[k]!
    z0[k] = 1 / l0[k]! ** 2 - ((has1 ? l1[k]! * z1[k]! : 0) + (has2 ? l2[k]! * z2[k]! : 0)) / l0[k]!
  }
  // rows of T⁻¹C, then divided by S, whose products with each other are the rest of the inverse
  const rest = border.slice()
  for (let k = knots - 1; k >= 0; k -= 1) {
    for (let j = 0; j < terms; j += 1) {
      const at = k * terms + j
      const first = k + 1 < knots ? l1[k]! * rest[at + terms]! : 0
      const second = k + 2 < knots ? l2[k]! * rest[at + 2 * terms]! : 0
      rest[at] = (rest[at]! - first - second) / l0[k]!
    }
  }
  for (let k = 0; k < knots; k += 1) divide(rest, k * terms, system)
  let trace = 0
  for (let k = 0; k < knots; k += 1) {
    for (let off = 0; off < 3 && k + off < knots; off += 1) {
      const weight = other.bands[off]![k]!
      if (weight === 0) continue
      let value = bands[off]![k]!
      for (let j = 0; j < terms; j += 1) value += rest[k * terms + j]! * rest[(k + off) * terms + j]!
      trace += (off === 0 ? 1 : 2) * weight * value
    }
  }
  const unit = new Float64Array(terms * terms)
  for (let i = 0; i < terms; i += 1) {
    unit[i * terms + i] = 1
    divide(unit, i * terms, system)
  }
  for (let k = 0; k < knots; k += 1) {
    for (let j = 0; j < terms; j += 1) {
      const weight = other.border[k * terms + j]!
      if (weight === 0) continue
      for (let l = 0; l < terms; l += 1) trace -= 2 * weight * rest[k * terms + l]! * unit[j * terms + l]!
    }
  }
  for (let i = 0; i < terms; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const weight = (i === j ? 1 : 2) * other.corner[i * terms + j]!
      if (weight === 0) continue
      for (let l = 0; l < terms; l += 1) trace += weight * unit[i * terms + l]! * unit[j * terms + l]!
    }
  }
  return trace
}

/** Replaces a row, which begins at `at`, by S⁻¹ times it. A view of the row would take longer than the division. */
function divide(rows: Float64Array, at: number, { corner, terms }: Factored): void {
  for (let i = 0; i < terms; i += 1) {
    let sum = rows[at + i]!
    for (let l = 0; l < i; l += 1) sum -= corner[i * terms + l]! * rows[at + l]!
    rows[at + i] = sum / corner[i * terms + i]!
  }
}
