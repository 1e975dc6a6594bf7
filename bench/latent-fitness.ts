import {
  exponentOn,
  predictedRace,
  thresholdMpsOn,
  thresholdSdOn,
  vdotOfRow,
  vdotOn,
} from '../src/engine/training/latent/fitness-readings.ts'
import { type FitnessRun, fitnessEvidence } from '../src/engine/training/latent/fitness-rows.ts'
import { latentFitness } from '../src/engine/training/latent/latent-fitness.ts'
import { loadScale } from '../src/engine/training/latent/load-scale.ts'
import { vdotOf } from '../src/engine/training/vdot.ts'

const YEARS = 15
const PROFILE = { maxBpm: 188, restBpm: 52, referenceBpm: 141, isMaxSet: true }

/** The fit of a library, and everything that is read from it: CPU of this process, the middle of several. */
export function benchLatentFitness(workouts = 10_000): void {
  const runs = madeRuns(workouts)
  const last = runs.at(-1)!.day
  const fits: number[] = []
  const readings: number[] = []
  for (let i = 0; i < 7; i += 1) {
    const started = process.cpuUsage()
    const { rows, basis } = fitnessEvidence(runs, PROFILE, last)
    const fit = latentFitness(rows, basis)
    if (fit === null) throw new Error('Too few runs')
    const fitted = process.cpuUsage()
    const scale = loadScale(runs.map(({ day, movingS }) => ({ day, hours: movingS / 3600, paceLoad: movingS / 72 })))
    for (const day of new Set(runs.map((run) => run.day))) scale(day)
    for (const { day } of runs) thresholdMpsOn(fit, day)
    for (const metres of [1500, 5000, 10_000, 21_097.5, 42_195]) predictedRace(fit, last, metres)
    thresholdSdOn(fit, last)
    exponentOn(fit, last, [5000, 10_000])
    for (let day = last - 52 * 7; day <= last; day += 7) vdotOn(fit, day)
    for (const [i, { day }] of rows.entries()) vdotOfRow(fit, { day, residual: fit.residuals[i]! })
    const done = process.cpuUsage()
    fits.push(ms(fitted) - ms(started))
    readings.push(ms(done) - ms(fitted))
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!.toFixed(0)
  console.log(
    `one fitness: rows and fit of ${workouts} runs in ${YEARS} years take ${middle(fits)} ms of CPU, at most ${Math.max(...fits).toFixed(0)} (budget 350); thresholds, scale, a year of weeks and predictions ${middle(readings)} ms`,
  )
}

function ms({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

/** Easy runs whose pulse, heat and length vary, a race in 97 and a hard effort in 5. */
function madeRuns(count: number): FitnessRun[] {
  return Array.from({ length: count }, (_, i) => {
    const day = Math.floor((i / count) * YEARS * 365.25)
    const wave = Math.sin(i * 12.9898) * 43_758.5453
    const chance = wave - Math.floor(wave)
    const mps = 2.7 + 0.3 * Math.sin(day / 400) + 0.1 * (chance - 0.5)
    const isRace = i % 97 === 0
    const timeS = (isRace ? 1300 : 1450) + 100 * chance
    return {
      day,
      isRace,
      isExcluded: false,
      isIndoor: false,
      isAltitudeUsable: true,
      gainPerKm: 6,
      movingS: 1800 + 3600 * chance,
      countedS: 1500,
      mps,
      bpm: i % 5 === 1 ? null : 130 + 30 * ((7 * chance) % 1),
      coverage: 1,
      speedCv: 0.06,
      wbgtC: 12 + 10 * Math.sin((2 * Math.PI * day) / 365.25),
      best: isRace || i % 5 === 2 ? { distanceM: 5000, timeS, vdot: vdotOf(5000, timeS) } : null,
    }
  })
}

if (import.meta.main) benchLatentFitness()
