import { bookOf, COVERAGE_CASES, READINGS } from '../test/runners/cases.ts'
import { changeOf, coverageOf, fittedRunners, seedsOf } from '../test/runners/coverage.ts'
import { firstRace, loadFigures } from '../test/runners/loads.ts'

/** The one fitness, and loads, on simulated runners, beside the specification's figures. */
export function bench(runners = 100): void {
  console.log(
    `coverage: ${runners} simulated runners a case, bias/rmse/covered by the 80% band in per cent; in brackets the specification's (change: rmse 0.7-1.0, covered 82-99; beginners -0.3 to -0.8, 1.2-1.6, 69-80; break -1.5, 2.3, 82-88)`,
  )
  for (const [place, one] of COVERAGE_CASES.entries()) {
    const fitted = fittedRunners(one, seedsOf(place, runners))
    const figures = coverageOf(fitted)
    const readings = READINGS.map((reading, i) => `${reading} ${text(figures[i]!)} (${text(bookOf(one)[i]!)})`)
    console.log(`  ${one.name.padEnd(32)} ${readings.join(', ')}, change in 91 days ${text(changeOf(fitted))}`)
  }
  console.log(
    `  loads by pace in per cent, runs called suspect (found: of those with a bad sensor), threshold heart rates proposed and worse than the present; specification: bias -0.9 to 1.3 (heat -4.0), rmse 8.0-10.6, covered 75-89; suspect 0.01-0.2, found 86 (wrist 37); LTHR 0-17, worse 0-1 (jogged half 2)`,
  )
  for (const [place, one] of COVERAGE_CASES.entries()) {
    if (one.habits.sensor === 'none') continue
    const { pace, falselySuspect, found, proposed, worse } = loadFigures(fittedRunners(one, seedsOf(place, runners)))
    const suspect = `suspect ${falselySuspect.toFixed(2)}, found ${found?.toFixed(0) ?? '–'}`
    console.log(`  ${one.name.padEnd(32)} ${text(pace)}; ${suspect}; LTHR ${proposed}, worse ${worse}`)
  }
  for (const sensor of ['strap', 'none'] as const) {
    const race = firstRace({ weeks: 26, training: 'quality', sensor }, seedsOf(40, runners))
    const at = (share: number) => race.largest[Math.floor(share * (runners - 1))]!.toFixed(1)
    console.log(
      `  the first race, sensor ${sensor}: ${race.moved} loads by pulse move; largest change of a load by pace: median ${at(0.5)}% (0.8-1.2), 95 of 100 ${at(0.95)} (3.0-4.5, none: 4.1); loads before and after ${text(race.before)}, ${text(race.after)} (none: bias 4 to 11, rmse 18-23, covered 73-82)`,
    )
  }
}

function text(figures: readonly number[]): string {
  return figures.map((value, i) => value.toFixed(i === 2 ? 0 : 1)).join('/')
}
