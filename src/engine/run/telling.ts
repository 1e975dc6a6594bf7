import type { AnalyzeOptions } from '../analysis.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Said } from '../numbers.ts'
import type { Track } from '../track.ts'
import { roundHalfUp, STEPS_PER_REVOLUTION } from '../units.ts'
import { relativeEffort } from './effort.ts'
import { type FromSamples, fromSamples } from './from-samples.ts'
import { trackReadings } from './readings.ts'

/** One telling of a run, as it was told. */
export interface Recording {
  /** A session of a file, a row of a table, what the runner entered, or a workout of an archive, which says its numbers itself. */
  readonly kind: 'file' | 'row' | 'manual' | 'archive'
  readonly said: Said
  /** null: it has no samples. */
  readonly track: Track | null
}

/** Where a number comes from: `derived` of others, or of what a repair left. */
export type Origin = 'device' | 'samples' | 'row' | 'archive' | 'runner' | 'derived'

/** A value and who says it. */
export interface Told {
  readonly value: number
  readonly origin: Origin
}

/** What one recording says of every number, unrounded. */
export interface Telling {
  readonly kind: Recording['kind'] | 'repair'
  readonly told: Readonly<Record<NumberName, Told | null>>
  /** Grade-equivalent metres per metre of its samples. */
  readonly share: number | null
  /** Of its samples: bounds the moving time where no timer is told. */
  readonly timerS: number
  /** Its samples are those of a treadmill. */
  readonly indoor: boolean
}

/** Samples that are not those of the settled track are read here. */
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

/** A repair leaves the samples, and what it says of the calories. */
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
    // a total that a device really gives: none is written as zero, too
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
      // of the settled distance and duration, and of the track
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

/** As it is stored: what archives say stays as it is. */
export function roundedTold(name: NumberName, { value, origin }: Told): number {
  return origin === 'archive' ? value : roundHalfUp(value, NUMBERS[name].decimals)
}

/** One value of one number that a recording says, rounded as it would be stored. */
export interface Voice extends Told {
  readonly name: NumberName
}

/** All that a recording says, of itself and by its samples, whether it counts or not; for whoever asks what the others say. */
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
