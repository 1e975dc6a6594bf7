import { bookOf, COVERAGE_CASES, READINGS } from '../test/runners/cases.ts'
import { coverageOf, seedsOf } from '../test/runners/coverage.ts'

/**
 * The estimates before the one fitness, of the same runners: the speed of one hour by the best VDOT of 90 days, 10 km by
 * the power law, effective VO2max, which knows no runner without pulse or own maximum. Measured at commit 96996dfa.
 */
const BEFORE: Readonly<Record<string, string>> = {
  races: 'speed -0.6/2.6 (-0.3), 10K 1.9/4.0/62 (69), effective VO2max -3.7/6.1/48',
  'tempo weekly, no race': 'speed -6.9/7.4 (-6.8), 10K 9.2/9.7/3 (3), effective VO2max -2.2/7.1/75',
  'easy only': 'speed -20.0/21.3 (-16.5), 10K 23.2/24.4/0 (1), effective VO2max -2.3/7.8/70',
  'easy only, run hard': 'speed -9.8/12.3 (-9.3), 10K 12.4/14.8/6 (9), effective VO2max -0.3/6.8/85',
  'one race, 10-150 days ago': 'speed -3.0/4.9 (-3.9), 10K 4.6/7.0/41 (35), effective VO2max -1.3/6.7/56',
  'no pulse, races': 'speed -0.5/2.9 (-1.1), 10K 1.9/4.0/71 (64), effective VO2max never',
  'no pulse, tempo': 'speed -6.7/7.1 (-7.1), 10K 9.2/9.7/4 (1), effective VO2max never',
  'no pulse, easy': 'speed -18.5/19.9 (-18.0), 10K 21.6/22.8/0 (0), effective VO2max never',
  'optical sensor, races': 'speed -0.7/2.5 (-0.2), 10K 1.9/3.4/76 (72), effective VO2max -3.6/7.7/55',
  'beginner +15 %, one race': 'speed -6.1/7.0 (-6.8), 10K 8.1/9.3/16 (10), effective VO2max -4.0/7.1/51',
  'beginner +15 %, no race': 'speed -9.0/9.3 (-8.8), 10K 11.3/11.7/0 (6), effective VO2max -3.1/7.3/72',
  '10 weeks off, 8 back; race before': 'speed -9.1/9.5 (-8.8), 10K 11.4/11.8/0 (1), effective VO2max -4.1/7.1/58',
  'marathoner, a year': 'speed -3.0/4.8 (-4.1), 10K 3.3/6.7/43 (40), effective VO2max -2.6/5.1/54',
  '15 % bad straps, races': 'speed -0.2/2.6 (-0.6), 10K 1.3/3.4/70 (70), effective VO2max -3.5/10.0/46',
  'hot summer, races': 'speed -3.6/4.8 (-4.3), 10K 5.3/6.4/30 (33), effective VO2max -7.6/9.6/25',
  'maximum by age, tempo': 'speed -6.8/7.2 (-7.0), 10K 9.6/10.0/2 (3), effective VO2max never',
  'pulse scatter 1.8, races': 'speed -0.4/2.6 (-0.3), 10K 1.3/3.4/75 (74), effective VO2max -2.7/6.0/56',
  'half jogged 12 % slow, 10K raced': 'speed -1.8/3.5 (-1.6), 10K 2.9/4.9/60 (62), effective VO2max -4.0/7.1/48',
}

/** The one fitness on simulated runners, beside the specification's figures and those of before. */
export function benchCoverage(runners = 100): void {
  console.log(
    `one fitness: ${runners} simulated runners a case, bias/rmse/covered by the 80 % band in per cent; in brackets the specification's`,
  )
  for (const [place, one] of COVERAGE_CASES.entries()) {
    const started = process.cpuUsage()
    const figures = coverageOf(one, seedsOf(place, runners))
    const ms = process.cpuUsage(started).user / 1000
    const readings = READINGS.map((reading, i) => `${reading} ${text(figures[i]!)} (${text(bookOf(one)[i]!)})`)
    console.log(`  ${one.name.padEnd(32)} ${readings.join(', ')}; ${(ms / runners).toFixed(1)} ms of CPU a runner`)
    console.log(`  ${' before'.padEnd(32)} ${BEFORE[one.name]}`)
  }
}

function text(figures: readonly number[]): string {
  return figures.map((value, i) => value.toFixed(i === 2 ? 0 : 1)).join('/')
}

if (import.meta.main) benchCoverage()
