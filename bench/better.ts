import { better } from '../src/engine/training/truth/better.ts'
import { coverage } from '../test/engine/training/truth/coverage.ts'
import { TREND_PROFILE, trendRunner } from '../test/fixtures/trend-runner.ts'

const RUNNERS = 100
const USUAL = { years: 2, perWeek: 4 }
/** Of the book: bias, error, share covered and stated. */
const CASES = [
  ['none', {}, '-0.02  0.89  0.84   2%'],
  ['+3%', { change: 0.03 }, '-0.25  0.90  0.76  83%'],
  ['+4%', { change: 0.04 }, '-0.32  0.90  0.76  94%'],
  ['-4%', { change: -0.04 }, '+0.42  0.90  0.80  95%'],
  ['none, one year', { years: 1, perWeek: 3 }, '-0.06  1.01  0.95   0%'],
  ['+4%, one year', { years: 1, perWeek: 3, change: 0.04 }, '-0.78  1.17  0.90  36%'],
  ['+5%, noisy', { sigma: 0.043, change: 0.05 }, '-0.95  1.2-1.9  0.67-0.81  75%'],
] as const

/** Fitness at one heart rate: what is told of simulated runners, and CPU of a fit with everything that is read from it. */
export function benchBetter(workouts = 10_000): void {
  for (const [name, values, book] of CASES) {
    const { bias, rmse, covered, stated } = coverage({ ...USUAL, ...values }, RUNNERS).change
    const shown = [bias, rmse, covered].map((value) => value.toFixed(2).padStart(5)).join(' ')
    console.log(`better, ${name}: bias, error, covered, stated ${shown} ${(100 * stated).toFixed(0)}% (book ${book})`)
  }
  const daily = trendRunner({ seed: 3, years: 15, perWeek: 6.9 })
  const runs = [...daily, ...daily]
    .toSorted((a, b) => a.day - b.day)
    .slice(-workouts)
    .map((run, i) => ({ ...run, device: `Watch ${i % 3}`, place: [48 + 0.1 * (i % 35), 11] as const }))
  const day = runs.at(-1)!.day
  const asked = { day, against: day - 182, sensorDays: [day - 300], profile: TREND_PROFILE, week: [] }
  const times = Array.from({ length: 5 }, () => {
    const started = process.cpuUsage()
    better(runs, asked)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }).toSorted((a, b) => a - b)
  console.log(
    `better: fit, self-check and readings of ${runs.length} runs take ${times[2]!.toFixed(0)} ms of CPU, at most ${times.at(-1)!.toFixed(0)} (budget 500)`,
  )
}

if (import.meta.main) benchBetter()
