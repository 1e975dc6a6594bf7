import type { AnalyzeOptions } from '../analysis.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Said } from '../numbers.ts'
import type { Track } from '../track.ts'
import { roundHalfUp, STEPS_PER_REVOLUTION } from '../units.ts'
import { relativeEffort } from './effort.ts'
import { type FromSamples, fromSamples } from './from-samples.ts'
import { trackReadings } from './readings.ts'

/** One recording of a run with the numbers that it states itself. */
export interface Recording {
  /** A session of a file, a row of a table, an entry by the runner, or a workout of an archive. */
  readonly kind: 'file' | 'row' | 'manual' | 'archive'
  readonly said: Said
  /** null: the recording has no samples. */
  readonly track: Track | null
}

/** Where a number comes from; `derived`: computed from other numbers, or from the samples that a repair left. */
export type Origin = 'device' | 'samples' | 'row' | 'archive' | 'runner' | 'derived'

/** A value and where it comes from. */
export interface Stated {
  readonly value: number
  readonly origin: Origin
}

/** The numbers of one recording, unrounded. */
export interface Statement {
  readonly kind: Recording['kind'] | 'repair'
  readonly stated: Readonly<Record<NumberName, Stated | null>>
  /** Grade-equivalent metres per metre, from its samples. */
  readonly share: number | null
  /** Timer seconds of its samples: the upper bound of the moving time where no timer is stated. */
  readonly timerS: number
  /** Whether its samples are those of a treadmill. */
  readonly indoor: boolean
}

/** Numbers of one recording. @param combined from the samples of the combined track, if it is theirs */
export function statementOf(
  recording: Recording,
  combined: FromSamples | null,
  { elevation }: Pick<AnalyzeOptions, 'elevation'>,
): Statement {
  const { kind, said, track } = recording
  if (kind === 'archive') {
    const stated = eachNumber((name) => statedAs(said[name], 'archive'))
    return { kind, stated, share: null, timerS: Number.POSITIVE_INFINITY, indoor: false }
  }
  const samples = combined ?? (track && fromSamples(track, trackReadings(track, elevation)))
  return statedBy(kind, said, samples)
}

/** The numbers of a repaired run: those of the remaining samples, and the calories that the repair states. */
export function repairedStatement(
  samples: FromSamples | null,
  repair: { readonly caloriesKcal: number | null } | null,
): Statement {
  return statedBy('repair', { calories: repair?.caloriesKcal ?? null }, samples)
}

function statedBy(kind: Exclude<Statement['kind'], 'archive'>, said: Said, samples: FromSamples | null): Statement {
  const origin: Origin = kind === 'row' ? 'row' : kind === 'manual' ? 'runner' : 'device'
  const sampled: Said = samples?.numbers ?? { durationS: said.timerTimeS ?? said.movingTimeS ?? 0, distanceM: 0 }
  const indoor = samples?.indoor === true
  const statedOf = (name: NumberName): Stated | null => {
    const bySamples = statedAs(sampled[name], 'samples')
    if (!NUMBERS[name].onTreadmill) return bySamples ?? (indoor ? null : statedAs(said[name], origin))
    // what a device states is one record of its speed, not a mean
    if (name === 'maxSpeedMps' && bySamples !== null) return bySamples
    // a missing total is often written as zero, so only positive ones count
    return isPositive(said[name]) ? statedAs(said[name], origin) : bySamples
  }
  const stepsOf = (name: NumberName): Stated | null => {
    const revolutions = statedOf(name)
    return revolutions && { ...revolutions, value: STEPS_PER_REVOLUTION * revolutions.value }
  }
  return {
    kind,
    stated: {
      ...eachNumber(statedOf),
      maxCadenceSpm: stepsOf('maxCadenceRpm'),
      avgCadenceSpm: stepsOf('avgCadenceRpm'),
      // computed later, from the combined distance, duration and track
      avgPaceS: null,
      gapPaceS: null,
      avgSpeedMps: null,
      relativeEffort: null,
    },
    share: samples?.equivalentShare ?? null,
    timerS: statedOf('timerTimeS')?.value ?? samples?.timerS ?? Number.POSITIVE_INFINITY,
    indoor,
  }
}

/** The value as it is stored: rounded, except that of an archive, which stays as it is. */
export function roundedStated(name: NumberName, { value, origin }: Stated): number {
  return origin === 'archive' ? value : roundHalfUp(value, NUMBERS[name].decimals)
}

/** One value that a recording gives for one number, rounded as it would be stored. */
export interface Voice extends Stated {
  readonly name: NumberName
}

/** All values that a recording gives, used or not, for the page that compares the sources of a run. */
export function voicesOf(recording: Recording, options: Pick<AnalyzeOptions, 'elevation' | 'zones'>): Voice[] {
  const { track } = recording
  const itself = voices(statementOf({ ...recording, track: null }, null, options).stated)
  const own = itself.filter(({ origin }) => origin !== 'samples')
  if (track === null) return own
  const readings = trackReadings(track, options.elevation)
  const effort = readings.heartRate && relativeEffort(readings.heartRate, options.zones, track.off)
  const { stated } = statedBy('repair', {}, fromSamples(track, readings))
  return [...own, ...voices({ ...stated, relativeEffort: statedAs(effort?.relativeEffort, 'samples') })]
}

function voices(stated: Statement['stated']): Voice[] {
  return NUMBER_NAMES.flatMap((name) => {
    const said = stated[name]
    if (said === null || !Number.isFinite(said.value)) return []
    return [{ name, origin: said.origin, value: roundedStated(name, said) }]
  })
}

function statedAs(value: number | null | undefined, origin: Origin): Stated | null {
  return value === null || value === undefined || Number.isNaN(value) ? null : { value, origin }
}

function isPositive(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY
}
