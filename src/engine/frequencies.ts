// The frequency table of the entropy coder (`entropy.ts`): how it is stored, and which states it gives to each token.

/** Number of bits that store the level of a frequency. */
export const LEVEL_BITS = 5
/** By level: 0, then about a third more each time, in whole numbers, so that every machine computes the same. */
const WEIGHTS = weights()

function weights(): Uint16Array {
  const steps = new Uint16Array(1 << LEVEL_BITS)
  steps[1] = 16
  for (let k = 2; k < steps.length; k += 1) steps[k] = steps[k - 1]! + (steps[k - 1]! >> 2) + (steps[k - 1]! >> 4)
  return steps
}

/** The level of each token's frequency relative to the most frequent token; ends with the last token in use. */
export function levelsOf(counts: Uint32Array): Uint8Array {
  let [most, used] = [0, 0]
  for (let token = 0; token < counts.length; token += 1) {
    if (counts[token] === 0) continue
    most = Math.max(most, counts[token]!)
    used = token + 1
  }
  const highest = WEIGHTS[WEIGHTS.length - 1]!
  const levels = new Uint8Array(used)
  for (let token = 0; token < used; token += 1) {
    if (counts[token] === 0) continue
    const weight = (counts[token]! / most) * highest
    let level = 1
    while (level < WEIGHTS.length - 1 && WEIGHTS[level]! + WEIGHTS[level + 1]! < 2 * weight) level += 1
    levels[token] = level
  }
  return levels
}

/** They add up to `states`, at least 1 for every token in use. @throws RangeError when no token is in use */
export function frequencies(levels: Uint8Array, states: number): Uint16Array {
  let [sum, used] = [0, 0]
  for (let token = 0; token < levels.length; token += 1) {
    sum += WEIGHTS[levels[token]!]!
    used += levels[token] === 0 ? 0 : 1
  }
  if (sum === 0) throw new RangeError('A column without a token')
  const result = new Uint16Array(levels.length)
  let [total, most] = [0, 0]
  for (let token = 0; token < levels.length; token += 1) {
    const level = levels[token]!
    if (level === 0) continue
    result[token] = Math.max(1, Math.floor((WEIGHTS[level]! * (states - used)) / sum))
    total += result[token]!
    if (result[token]! > result[most]!) most = token
  }
  // what rounding down and the minimum of 1 leave over or take goes to the most frequent token
  result[most]! += states - total
  return result
}

/** Assigns a token to every state; the states of one token are spread over the table. @param tokenOfState gets them */
export function spread(frequency: Uint16Array, states: number, tokenOfState: Uint8Array | Int32Array): void {
  // odd, so that the step visits every state once
  const step = (states >> 1) + (states >> 3) + 3
  let state = 0
  for (let token = 0; token < frequency.length; token += 1) {
    for (let k = frequency[token]!; k > 0; k -= 1) {
      tokenOfState[state] = token
      state = (state + step) & (states - 1)
    }
  }
}
