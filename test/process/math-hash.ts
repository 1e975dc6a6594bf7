// Run on its own, with names of Math functions: prints a hash of what each gives for the same 200,000 values.
import { seededRandom } from '../fixtures/knots.ts'

const VALUES = 200_000
const TWO_ARGUMENTS: readonly string[] = ['atan2', 'pow', 'imul', 'max', 'min']
/** Small and large values, of both signs: sines, angles, metres. */
const SIZES = [0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000] as const

const random = seededRandom(10)
const first = new Float64Array(VALUES)
const second = new Float64Array(VALUES)
for (let i = 0; i < VALUES; i += 1) {
  first[i] = (random() - 0.5) * SIZES[i % 8]!
  second[i] = (random() - 0.5) * SIZES[(i >> 3) % 8]!
}

function hashOf(name: string): string {
  const call = Math[name as 'pow'] as (a: number, b?: number) => number
  const hasTwo = TWO_ARGUMENTS.includes(name)
  const results = new Float64Array(VALUES)
  for (let i = 0; i < VALUES; i += 1) {
    const result = hasTwo ? call(first[i]!, second[i]!) : call(first[i]!)
    // NaN has a sign that no program sees
    results[i] = Number.isNaN(result) ? Number.NaN : result
  }
  return new Bun.CryptoHasher('sha256').update(results).digest('hex')
}

for (const name of process.argv.slice(2)) console.log(`${name} ${hashOf(name)}`)
