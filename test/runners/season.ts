import { STANDARD_DISTANCES } from '../../src/engine/run/best-efforts.ts'
import type { FitnessProfile, FitnessRun } from '../../src/engine/training/latent/fitness-rows.ts'
import { oxygenCost, timeOfVdot, vdotOf } from '../../src/engine/training/vdot.ts'
import { roundHalfUp } from '../../src/engine/units.ts'
import { type Body, bodyOf, type Physiology } from './body.ts'
import { type Chance, chanceOf, wandering } from './chance.ts'

/** What a runner does and wears. */
export interface Habits {
  readonly weeks: number
  /** `quality`: one day of tempo or intervals a week; `easy`: none; `hard`: none, but all runs fast. */
  readonly training: 'quality' | 'easy' | 'hard'
  readonly course?: (day: number) => number
  /** No run from one day to before another. */
  readonly off?: readonly [number, number]
  readonly races?: (chance: Chance, days: number) => readonly PlannedRace[]
  readonly sensor?: 'strap' | 'wrist' | 'none'
  /** Share of runs in which the strap reads nonsense. */
  readonly badShare?: number
  readonly isHot?: boolean
  readonly isMaxByAge?: boolean
  /** Times the scatter of pulse of the independent check. */
  readonly scatter?: number
  readonly longHours?: readonly [number, number]
}

export interface PlannedRace {
  readonly day: number
  readonly distanceM: number
  /** In ln of speed. */
  readonly jogged?: number
}

interface Stretch {
  readonly seconds: number
  readonly mps: number
  /** As the sensor reads it, or would. */
  readonly bpm: number
}

export interface SimulatedRun extends FitnessRun {
  readonly stretches: readonly Stretch[]
  readonly hasPulse: boolean
  readonly isBad: boolean
  /** Fastest half hour, and what the sensor read in it; null: the run is shorter. */
  readonly best30: { readonly mps: number; readonly bpm: number } | null
}

export interface Runner {
  readonly body: Body
  readonly runs: readonly SimulatedRun[]
  readonly profile: FitnessProfile
  readonly last: number
  readonly chance: Chance
}

/** Times 1.5 bpm by which one day differs from the next (Lamberts 2004: 1.1 to 1.4 % of the pulse). */
const USUAL_SCATTER = 1.3
const DAY_BPM = 1.5
const WEEKDAYS = [0, 2, 3, 5, 6]
const QUALITY_DAY = 2
const LONG_DAY = 6
const SKIPPED = 0.12
const WITHOUT_STRAP = 0.2
/** How far a race is off what the runner could have run, in ln of speed. */
export const EXECUTION_SD = 0.0135
const WARM_UP_S = 600

export function runnerOf(seed: number, habits: Habits): Runner {
  const chance = chanceOf(seed)
  const days = 7 * habits.weeks
  const physiology: Physiology = seed % 2 === 0 ? 'reserve' : 'maximum'
  const body = bodyOf(chance, { physiology, days, course: habits.course ?? (() => 0) })
  const enteredMax = habits.isMaxByAge ? 220 - body.ageYears : body.maxBpm + chance.normal(0, 2.5)
  const maxBpm = Math.round(enteredMax)
  const profile = {
    ...{ maxBpm, restBpm: Math.round(body.restBpm + chance.normal(0, 2)), referenceBpm: roundHalfUp(0.75 * maxBpm) },
    isMaxSet: !habits.isMaxByAge,
  }
  const run = diary(chance, body, habits)
  const races = habits.races?.(chance, days) ?? []
  const runs: SimulatedRun[] = []
  for (let day = 0; day < days; day += 1) {
    const race = races.find((one) => one.day === day)
    if (race !== undefined) runs.push(run.raced(race))
    else if (WEEKDAYS.includes(day % 7) && !(habits.off && day >= habits.off[0] && day < habits.off[1])) {
      if (!chance.is(SKIPPED)) runs.push(run.trained(day))
    }
  }
  return { body, runs, profile, last: days - 1, chance }
}

function diary(chance: Chance, body: Body, habits: Habits) {
  const { sensor = 'strap', scatter = USUAL_SCATTER, training, weeks, longHours = [1.1, 1.9] } = habits
  const days = 7 * weeks
  // seasons: a hot summer ends at its height
  const turn = habits.isHot ? days - 20 : chance.between(0, 365)
  const [mean, swing] = habits.isHot ? [13, 10] : [12, 7]
  const weather = wandering(chance, days, { sd: 2.8, persistence: 0.7 })
  const wbgtOn = (day: number) => mean + swing * Math.cos((2 * Math.PI * (day - turn)) / 365) + weather[day]!
  const pulse = wandering(chance, days, { sd: scatter * DAY_BPM, persistence: 0.25 })
  // easy runs of Daniels' 59 to 74 % of VO2max; hard ones up to a marathon's effort
  const usual = training === 'hard' ? chance.normal(Math.log(0.78), 0.04) : chance.normal(Math.log(0.71), 0.07)
  const long = chance.between(...longHours)
  const effort = chance.normal(0.975, 0.015)
  return {
    trained(day: number) {
      const wbgtC = wbgtOn(day)
      const slowed = body.heatCost(wbgtC)
      const easy = Math.exp(body.fitness(day) + usual - 0.5 * slowed + chance.normal(0, 0.022))
      const hour = body.hourMps(day) * Math.exp(-slowed + chance.normal(0, 0.015))
      if (training === 'quality' && day % 7 === QUALITY_DAY) {
        const plan = Math.floor(day / 7) % 2 === 1 ? tempo(chance, easy, effort * hour) : intervals(easy, hour)
        return made(day, plan, { wbgtC, isRace: false })
      }
      const hours = day % 7 === LONG_DAY ? Math.max(0.8, long + chance.normal(0, 0.2)) : chance.between(0.5, 0.92)
      return made(day, [[3600 * hours, easy]], { wbgtC, isRace: false })
    },
    raced({ day, distanceM, jogged = 0 }: PlannedRace) {
      const wbgtC = wbgtOn(day)
      const y = body.raced(day, distanceM) - body.heatCost(wbgtC) - jogged + chance.normal(0, EXECUTION_SD)
      const timeS = raceTimeS(y, distanceM)
      return made(day, [[timeS, distanceM / timeS]], { wbgtC, isRace: true })
    },
  }

  function made(
    day: number,
    plan: readonly (readonly [seconds: number, mps: number])[],
    { wbgtC, isRace }: { readonly wbgtC: number; readonly isRace: boolean },
  ): SimulatedRun {
    const hasPulse = sensor !== 'none' && !chance.is(WITHOUT_STRAP)
    const isBad = hasPulse && chance.is(sensor === 'wrist' ? 0.06 : (habits.badShare ?? 0))
    const wrong = isBad ? chance.between(15, 40) * (chance.is(0.5) ? 1 : -1) : 0
    const wrist = sensor === 'wrist' ? chance.normal(0, 2) : 0
    let atS = 0
    const stretches = plan.map(([seconds, mps]) => {
      const hours = (atS + seconds / 2) / 3600
      atS += seconds
      const bpm = body.bpm(day, { mps, hours, wbgtC }) + pulse[day]! + wrist + wrong
      return { seconds, mps, bpm: Math.min(body.maxBpm + 5, bpm) }
    })
    const counted = countedOf(stretches)
    const best = bestEffort(stretches)
    const half = fastest(stretches, { seconds: 1800 })
    return {
      ...{ day, isRace, isExcluded: false, isIndoor: false, isAltitudeUsable: true, gainPerKm: 6, movingS: atS },
      ...counted,
      bpm: hasPulse ? counted.bpm : null,
      coverage: hasPulse ? 1 : 0,
      ...{ wbgtC, best, stretches, hasPulse, isBad },
      best30: half && { mps: half.metres / 1800, bpm: half.bpm },
    }
  }
}

/** Time of a race in which the runner shows this ln of speed at VO2max. */
export function raceTimeS(y: number, distanceM: number): number {
  return timeOfVdot(oxygenCost(60 * Math.exp(y)), distanceM)
}

type Plan = readonly (readonly [seconds: number, mps: number])[]

/** Half an hour a little slower than the one-hour limit, between easy running. */
function tempo(chance: Chance, easy: number, limit: number): Plan {
  return [
    [900, easy],
    [60 * chance.between(20, 30), limit],
    [600, easy],
  ]
}

/** Five times four minutes above the one-hour limit, with two minutes of jogging. */
function intervals(easy: number, hour: number): Plan {
  const set: Plan = [
    [240, 1.06 * hour],
    [120, 0.8 * easy],
  ]
  return [[900, easy], ...set, ...set, ...set, ...set, ...set, [600, easy]]
}

/** Means of the time after ten minutes, and how even it was: 3 % of a steady run is the ground and the watch. */
function countedOf(stretches: readonly Stretch[]) {
  let [skip, seconds, metres, beats, squares] = [WARM_UP_S, 0, 0, 0, 0]
  for (const one of stretches) {
    const used = Math.max(0, one.seconds - skip)
    skip = Math.max(0, skip - one.seconds)
    seconds += used
    metres += used * one.mps
    beats += used * one.bpm
    squares += used * one.mps ** 2
  }
  const mps = metres / seconds
  const variance = squares / seconds - mps ** 2
  return {
    ...{ countedS: seconds, mps, bpm: beats / seconds },
    speedCv: Math.sqrt(Math.max(0, variance) / mps ** 2 + 0.03 ** 2),
  }
}

/** The standard distance whose fastest stretch implies the highest VDOT. */
function bestEffort(stretches: readonly Stretch[]): FitnessRun['best'] {
  let best: FitnessRun['best'] = null
  for (const { distanceM } of STANDARD_DISTANCES) {
    if (distanceM < 1609) continue
    const found = fastest(stretches, { metres: distanceM })
    if (found === null) break
    const vdot = vdotOf(distanceM, found.seconds)
    if (best === null || vdot > best.vdot) best = { distanceM, timeS: found.seconds, vdot }
  }
  return best
}

/** The fastest part of a length, or of a time: it begins or ends where two stretches meet. */
function fastest(
  stretches: readonly Stretch[],
  length: { readonly metres: number } | { readonly seconds: number },
): { seconds: number; metres: number; bpm: number } | null {
  let best: { seconds: number; metres: number; bpm: number } | null = null
  const take = (ordered: readonly Stretch[]) => {
    let [seconds, metres, beats] = [0, 0, 0]
    for (const one of ordered) {
      const left = 'metres' in length ? (length.metres - metres) / one.mps : length.seconds - seconds
      const used = Math.min(one.seconds, left)
      seconds += used
      metres += used * one.mps
      beats += used * one.bpm
      // a watch measures to within a metre
      if (left > one.seconds + 1e-6) continue
      if (best === null || metres / seconds > best.metres / best.seconds)
        best = { seconds, metres, bpm: beats / seconds }
      return
    }
  }
  for (let i = 0; i < stretches.length; i += 1) {
    take(stretches.slice(i))
    take(stretches.slice(0, i + 1).reverse())
  }
  return best
}
