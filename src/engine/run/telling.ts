import type { AnalyzeOptions } from '../analysis.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Said } from '../numbers.ts'
import type { Track } from '../track.ts'
import { roundHalfUp, STEPS_PER_REVOLUTION } from '../units.ts'
import { relativeEffort } from './effort.ts'
import { type FromSamples, fromSamples } from './from-samples.ts'
import { trackReadings } from './readings.ts'

/** One recording of a run with the numbers that it states itself. */
export interface Recording {
  /**
   * A session of a file, a row of a table, an entry by the runner, or a workout of an archive, which states its own
   * numbers.
   */
  readonly kind: 'file' | 'row' | 'manual' | 'archive'
  readonly said: Said
  /** null: the recording has no samples. */
  readonly track: Track | null
}

/** Where a number comes from; `derived`: computed from other numbers, or from the samples that a repair left. */
export type Origin = 'device' | 'samples' | 'row' | 'archive' | 'runner' | 'derived'

/** A value and where it comes from. */
export interface Told {
  readonly value: number
  readonly origin: Origin
}

/** The numbers of one recording, unrounded. */
export interface Telling {
  readonly kind: Recording['kind'] | 'repair'
  readonly told: Readonly<Record<NumberName, Told | null>>
  /** Grade-equivalent metres per metre, from its samples. */
  readonly share: number | null
  /** Timer seconds of its samples: the upper bound of the moving time where no timer is stated. */
  readonly timerS: number
  /** Whether its samples are those of a treadmill. */
  readonly indoor: boolean
}

/**
 * Computes the numbers of one recording. Readings of samples other than those of the settled track are computed here.
 */
export function tellingOf(
  recording: Recording,
  settled: FromSamples | null,
  { elevation }: Pick<AnalyzeOptions, 'elevation'>,
): Telling {
  const { kind, said, track } = recording
  if (kind === 'archive') {
    const told = eachNumber((name) => toldAs(said[name], 'archive'))
    return { kind, told, share: null, timerS: Number.POSITIVE_INFINITY, indoor: false }
  }
  const samples = settled ?? (track && fromSamples(track, trackReadings(track, elevation)))
  return toldBy(kind, said, samples)
}

/** The numbers of a repaired run: those of the remaining samples, and the calories that the repair states. */
export function repairedTelling(
  samples: FromSamples | null,
  repair: { readonly caloriesKcal: number | null } | null,
): Telling {
  return toldBy('repair', { calories: repair?.caloriesKcal ?? null }, samples)
}

function toldBy(kind: Exclude<Telling['kind'], 'archive'>, said: Said, samples: FromSamples | null): Telling {
  const origin: Origin = kind === 'row' ? 'row' : kind === 'manual' ? 'runner' : 'device'
  const sampled: Said = samples?.numbers ?? { durationS: said.timerTimeS ?? said.movingTimeS ?? 0, distanceM: 0 }
  const indoor = samples?.indoor === true
  const toldOf = (name: NumberName): Told | null => {
    const bySamples = toldAs(sampled[name], 'samples')
    if (!NUMBERS[name].onTreadmill) return bySamples ?? (indoor ? null : toldAs(said[name], origin))
    // a missing total is often written as zero, so only positive ones count
    return isPositive(said[name]) ? toldAs(said[name], origin) : bySamples
  }
  const stepsOf = (name: NumberName): Told | null => {
    const revolutions = toldOf(name)
    return revolutions && { ...revolutions, value: STEPS_PER_REVOLUTION * revolutions.value }
  }
  return {
    kind,
    told: {
      ...eachNumber(toldOf),
      maxCadenceSpm: stepsOf('maxCadenceRpm'),
      avgCadenceSpm: stepsOf('avgCadenceRpm'),
      // computed later, from the settled distance, duration and track
      avgPaceS: null,
      gapPaceS: null,
      avgSpeedMps: null,
      relativeEffort: null,
    },
    share: samples?.equivalentShare ?? null,
    timerS: toldOf('timerTimeS')?.value ?? samples?.timerS ?? Number.POSITIVE_INFINITY,
    indoor,
  }
}

/** The value as it is stored: rounded, except that of an archive, which stays as it is. */
export function roundedTold(name: NumberName, { value, origin }: Told): number {
  return origin === 'archive' ? value : roundHalfUp(value, NUMBERS[name].decimals)
}

/** One value that a recording gives for one number, rounded as it would be stored. */
export interface Voice extends Told {
  readonly name: NumberName
}

/**
 * All values that a recording gives, stated or from its samples, whether they are used or not; for the page that
 * compares the sources of a run.
 */
export function voicesOf(recording: Recording, options: Pick<AnalyzeOptions, 'elevation' | 'zones'>): Voice[] {
  const { track } = recording
  const itself = voices(tellingOf({ ...recording, track: null }, null, options).told)
  const own = itself.filter(({ origin }) => origin !== 'samples')
  if (track === null) return own
  const readings = trackReadings(track, options.elevation)
  const effort = readings.heartRate && relativeEffort(readings.heartRate, options.zones, track.off)
  const { told } = toldBy('repair', {}, fromSamples(track, readings))
  return [...own, ...voices({ ...told, relativeEffort: toldAs(effort?.relativeEffort, 'samples') })]
}

function voices(told: Telling['told']): Voice[] {
  return NUMBER_NAMES.flatMap((name) => {
    const said = told[name]
    if (said === null || !Number.isFinite(said.value)) return []
    return [{ name, origin: said.origin, value: roundedTold(name, said) }]
  })
}

function toldAs(value: number | null | undefined, origin: Origin): Told | null {
  return value === null || value === undefined || Number.isNaN(value) ? null : { value, origin }
}

function isPositive(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY
}
