import { predictedRace, vdotOfSpeed, vdotOn } from '../../src/engine/training/latent/fitness-readings.ts'
import { fitnessEvidence } from '../../src/engine/training/latent/fitness-rows.ts'
import {
  type FittedLibrary,
  fittedLibrary,
  type LatentFitness,
  latentFitness,
  levelTerms,
  readFitness,
} from '../../src/engine/training/latent/latent-fitness.ts'
import { stateSd } from '../../src/engine/training/latent/state-fit.ts'
import { Z80 } from '../../src/engine/training/numbers.ts'
import { type CoverageCase, type Figures, RACE_METRES } from './cases.ts'
import { EXECUTION_SD, type Runner, raceTimeS, runnerOf } from './season.ts'

export function fitOf({ runs, profile, last }: Runner, used = runs): LatentFitness {
  const { rows, basis } = fitnessEvidence(used, profile, last)
  return latentFitness(rows, basis)!
}

/** A simulated runner with what is fitted to all runs. */
export interface FittedRunner {
  readonly runner: Runner
  readonly fitted: FittedLibrary
  readonly fit: LatentFitness
}

/** Of a case; the readings of one list are computed from the same runners. */
export function fittedRunners({ habits }: CoverageCase, seeds: readonly number[]): FittedRunner[] {
  return seeds.map((seed) => {
    const runner = runnerOf(seed, habits)
    const { rows, basis } = fitnessEvidence(runner.runs, runner.profile, runner.last)
    const fitted = fittedLibrary(rows, basis)!
    return { runner, fitted, fit: readFitness(fitted) }
  })
}

/** Seeds of the runners of a case; those of the book's vectors are below 100, its studies' near 9501. */
export function seedsOf(place: number, runners: number): number[] {
  return Array.from({ length: runners }, (_, runner) => 240_000 + 1000 * place + runner)
}

const CHANGE_DAYS = 91

/** The change of fitness over 91 days, against its truth: bias, rmse, covered, in per cent. */
export function changeOf(runners: readonly FittedRunner[]): Figures {
  return figuresOf(
    runners.map(({ runner: { body, last }, fitted: { state, years }, fit }) => {
      const first = last - CHANGE_DAYS
      const ends = [last, first].map((day, i) => {
        return levelTerms(day, state.firstDay, years).map(([term, share]) => [term, i === 0 ? share : -share] as const)
      })
      const parts = [
        [last, 1],
        [first, -1],
      ] as const
      const sd = stateSd(state, parts, ends.flat())
      const error = fit.mean(last, null) - fit.mean(first, null) - (body.fitness(last) - body.fitness(first))
      return [error, Math.abs(error) <= Z80 * sd]
    }),
  )
}

/** What the fit says of many runners, against their truth: bias, rmse, covered, in per cent, for each reading. */
export function coverageOf(runners: readonly FittedRunner[]): Figures[] {
  const errors: [number, boolean][][] = Array.from({ length: 1 + RACE_METRES.length }, () => [])
  for (const { runner, fit } of runners) {
    const { body, last, chance } = runner
    const truth = body.fitness(last)
    const { low, high } = vdotOn(fit, last)
    const vdot = vdotOfSpeed(truth)
    errors[0]!.push([fit.mean(last, null) - truth, low <= vdot && vdot <= high])
    for (const [i, metres] of RACE_METRES.entries()) {
      // a race that is run today
      const timeS = raceTimeS(body.raced(last, metres) + chance.normal(0, EXECUTION_SD), metres)
      const { timeS: said, lowS, highS } = predictedRace(fit, last, metres)
      errors[i + 1]!.push([Math.log(said / timeS), lowS <= timeS && timeS <= highS])
    }
  }
  return errors.map(figuresOf)
}

export function figuresOf(errors: readonly (readonly [error: number, isCovered: boolean])[]): Figures {
  const mean = (value: (one: readonly [number, boolean]) => number) =>
    errors.reduce((sum, one) => sum + value(one), 0) / errors.length
  return [
    100 * mean(([error]) => error),
    100 * Math.sqrt(mean(([error]) => error ** 2)),
    100 * mean(([, isCovered]) => Number(isCovered)),
  ]
}
