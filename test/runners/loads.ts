import { thresholdMpsOn, vdotOn } from '../../src/engine/training/latent/fitness-readings.ts'
import type { LatentFitness } from '../../src/engine/training/latent/latent-fitness.ts'
import { proposedLthr } from '../../src/engine/training/latent/lthr-proposal.ts'
import { type LoadInputs, libraryLoads } from '../../src/engine/training/library-loads.ts'
import { averageHistogram, averageSpeedHistogram, type Histogram } from '../../src/engine/training/run/histograms.ts'
import { heartRateLoads, paceLoad } from '../../src/engine/training/training-load.ts'
import { heldShare, speedAtShare, thresholdMps } from '../../src/engine/training/vdot.ts'
import { roundHalfUp } from '../../src/engine/units.ts'
import { type FittedRunner, figuresOf, fitOf } from './coverage.ts'
import { type Habits, type Runner, runnerOf, type SimulatedRun } from './season.ts'

const Z80 = 1.2816
const RACES_M = [5000, 10_000, 21_097.5] as const

/** Loads by pace against what a strap would have said, in per cent; suspicions of runs; proposals of a threshold. */
export function loadFigures(runners: readonly FittedRunner[]) {
  const errors: [number, boolean][] = []
  const counts = { sound: 0, called: 0, bad: 0, found: 0, proposed: 0, worse: 0 }
  for (const { runner, fit } of runners) {
    const loads = loadsOf(runner, fit)
    for (const { run, isSuspect, load, spread } of loads) {
      if (!run.hasPulse && !run.isRace) errors.push(errorOf(load, { truth: pulseLoad(runner, run), spread }))
      if (!run.hasPulse) continue
      counts[run.isBad ? 'bad' : 'sound'] += 1
      if (isSuspect) counts[run.isBad ? 'found' : 'called'] += 1
    }
    const suspects = new Set(loads.filter(({ isSuspect }) => isSuspect).map(({ run }) => run))
    const judged = judgedLthr(runner, { fit, suspects })
    if (judged !== 'none') counts.proposed += 1
    if (judged === 'worse') counts.worse += 1
  }
  return {
    ...{ pace: figuresOf(errors), proposed: counts.proposed, worse: counts.worse },
    /** Per cent of the sound runs called suspect, and of those with a bad sensor; null: there is none. */
    falselySuspect: (100 * counts.called) / counts.sound,
    found: counts.bad === 0 ? null : (100 * counts.found) / counts.bad,
  }
}

/**
 * What the first race, after half a year, moves in past loads: of how many runs with heart rate it is another, and of each
 * runner the largest change of a load by pace, per cent, ascending.
 */
export function firstRace(habits: Habits, seeds: readonly number[]) {
  const day = 7 * habits.weeks
  const largest: number[] = []
  const errors: [before: [number, boolean][], after: [number, boolean][]] = [[], []]
  let moved = 0
  for (const [i, seed] of seeds.entries()) {
    const races = () => [{ day, distanceM: RACES_M[i % RACES_M.length]! }]
    const runner = runnerOf(seed, { ...habits, weeks: habits.weeks + 1, races })
    const [before, after] = [day - 1, day].map((last) => {
      const known = { ...runner, last, runs: runner.runs.filter((run) => run.day <= last) }
      return loadsOf(known, fitOf(known))
    })
    let most = 0
    for (const [k, { run, load, spread }] of before!.entries()) {
      const later = after![k]!
      if (run.hasPulse) moved += Number(later.load !== load)
      else {
        most = Math.max(most, 100 * Math.abs(Math.log(later.load / load)))
        const truth = habits.sensor === 'none' ? trueLoad(runner, run) : pulseLoad(runner, run)
        errors[0].push(errorOf(load, { truth, spread }))
        errors[1].push(errorOf(later.load, { truth, spread: later.spread }))
      }
    }
    largest.push(most)
  }
  return {
    moved,
    largest: largest.toSorted((a, b) => a - b),
    before: figuresOf(errors[0]),
    after: figuresOf(errors[1]),
  }
}

function errorOf(load: number, { truth, spread }: Readonly<Record<'truth' | 'spread', number>>): [number, boolean] {
  const error = Math.log(load / truth)
  return [error, Math.abs(error) <= Z80 * spread]
}

/** Loads of a library with one fitness, not rounded: by pulse, else by pace with the threshold of its day. */
function loadsOf(runner: Runner, fit: LatentFitness) {
  const inputs = runner.runs.map((run): LoadInputs => {
    const thresholdMps = thresholdMpsOn(fit, run.day)
    return {
      day: run.day,
      movingS: run.movingS,
      heartRate: run.hasPulse ? pulseLoad(runner, run) : null,
      sampledCoverage: run.coverage,
      pace: paceLoad(speeds(run), { thresholdMps, sex: null }),
      ...{ isThresholdOwn: false, isPacePoor: false, rpe: null, manual: null, chosen: 'auto' },
    }
  })
  return libraryLoads(inputs).map(({ calibration, isSuspect }, i) => {
    const { heartRate, pace } = inputs[i]!
    const run = runner.runs[i]!
    const load = heartRate ?? pace! * calibration!.factor
    return { run, load, spread: calibration?.spread ?? 0, isSuspect }
  })
}

/** Load by the speed that the runner could really have held for an hour: whoever wears no sensor has no other truth. */
function trueLoad({ body }: Runner, run: SimulatedRun): number {
  return paceLoad(speeds(run), { thresholdMps: body.hourMps(run.day), sex: null })
}

/** Load by the pulse that the sensor reads, or would have read. */
function pulseLoad({ profile }: Runner, { stretches, movingS }: SimulatedRun): number {
  const counts: number[] = []
  const add = ({ first, counts: [count] }: Histogram) => {
    counts[first] = (counts[first] ?? 0) + count!
  }
  for (const one of stretches) add(averageHistogram(one.bpm, one.seconds))
  const { maxBpm, restBpm } = profile
  const heart = {
    maxHeartRateBpm: { value: maxBpm },
    restingHeartRateBpm: { value: restBpm },
    lthrBpm: { value: roundHalfUp(0.9 * maxBpm) },
  }
  return heartRateLoads(heart, null)({ first: 0, counts: Array.from(counts, (count) => count ?? 0) }, movingS).load!
}

function speeds({ stretches }: SimulatedRun): Histogram {
  const counts: number[] = []
  for (const { mps, seconds } of stretches) {
    const { first, counts: all } = averageSpeedHistogram(mps * seconds, seconds)
    counts[first] = (counts[first] ?? 0) + all[0]!
  }
  return { first: 0, counts: Array.from(counts, (count) => count ?? 0) }
}

const TEST_DAYS = 90
const TEST_RACE_S = [1800, 4500] as const
const HARD_SHARE = 0.97
const HARD_PULSE = 0.85
const SURE_SD = 0.04
/** By how much a worse proposal is farther from the truth than the present value. */
const CLEARLY_BPM = 2

interface Known {
  readonly fit: LatentFitness
  readonly suspects: ReadonlySet<SimulatedRun>
}

function judgedLthr(runner: Runner, known: Known): 'none' | 'sound' | 'worse' {
  const { body, profile, last } = runner
  const current = roundHalfUp(0.9 * profile.maxBpm)
  const proposed = proposedLthr(thresholdTests(runner, known), { current, sigma: known.fit.sigma })
  if (proposed === null) return 'none'
  const truth = body.bpm(last, { mps: body.hourMps(last), hours: 0.5, wbgtC: 10 })
  return Math.abs(proposed - truth) > Math.abs(current - truth) + CLEARLY_BPM ? 'worse' : 'sound'
}

/** Half hours of 90 days that show the one-hour heart rate; a race shows its own threshold. */
function thresholdTests({ runs, profile, last }: Runner, { fit, suspects }: Known) {
  return runs.flatMap((run) => {
    const { day, isRace, best30, best, hasPulse, movingS } = run
    if (!hasPulse || best30 === null || suspects.has(run) || last - day > TEST_DAYS) return []
    const vdot = vdotOn(fit, day).value
    const isTest = isRace && movingS >= TEST_RACE_S[0] && movingS <= TEST_RACE_S[1]
    const isHard =
      best30.mps >= HARD_SHARE * speedAtShare(vdot, heldShare(30)) && best30.bpm >= HARD_PULSE * profile.maxBpm
    if (!isTest && !(isHard && fit.sd(last, null) <= SURE_SD)) return []
    const { bpm, mps } = best30
    return [{ restBpm: profile.restBpm, bpm, mps, oneHourMps: thresholdMps(isTest ? best!.vdot : vdot) }]
  })
}
