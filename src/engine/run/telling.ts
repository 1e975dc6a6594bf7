import type { AnalyzeOptions } from '../analysis.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Said } from '../numbers.ts'
import type { Track } from '../track.ts'
import { roundHalfUp, STEPS_PER_REVOLUTION } from '../units.ts'
import type { RelativeEffort } from './effort.ts'
import { type FromSamples, fromSamples, sampleEffort } from './from-samples.ts'
import { trackReadings } from './readings.ts'

/** One telling of a run, as it was told. */
export interface Recording {
  /** A session of a file, a row of a table, or a workout of an archive, which says its numbers itself. */
  readonly kind: 'file' | 'row' | 'archive'
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
  if (kind === 'archive') return { kind, told: eachNumber((name) => toldAs(said[name], 'archive')), ...NO_SAMPLES }
  const samples = settled ?? (track && fromSamples(track, trackReadings(track, elevation)))
  return toldBy(kind, said, samples)
}

const NO_SAMPLES = { share: null, timerS: Number.POSITIVE_INFINITY, indoor: false }

/** A repair leaves the samples, and what it says of the calories. */
export function repairedTelling(
  samples: FromSamples | null,
  repairs: readonly { readonly caloriesKcal: number | null }[],
): Telling {
  return toldBy('repair', { calories: repairs.at(-1)?.caloriesKcal ?? null }, samples)
}

function toldBy(kind: 'file' | 'row' | 'repair', said: Said, samples: FromSamples | null): Telling {
  const origin: Origin = kind === 'row' ? 'row' : 'device'
  // a total that a device really gives: none is written as zero, too
  const total = (name: NumberName) => (isPositive(said[name]) ? toldAs(said[name], origin) : null)
  const sampled = (value: number | null | undefined) => toldAs(value, 'samples')
  const climb = (name: NumberName, value: number | undefined) =>
    sampled(value) ?? (samples?.indoor === true ? null : toldAs(said[name], origin))
  const steps = (revolutions: Told | null) =>
    revolutions && { ...revolutions, value: STEPS_PER_REVOLUTION * revolutions.value }

  const durationS = total('durationS') ?? sampled(samples ? samples.elapsedS : elapsedWithout(said))
  const timer = total('timerTimeS')
  const timerS = timer?.value ?? samples?.timerS ?? Number.POSITIVE_INFINITY
  const maxCadenceRpm = total('maxCadenceRpm') ?? sampled(samples?.cadence?.most)
  const avgCadenceRpm = total('avgCadenceRpm') ?? sampled(samples?.cadence?.mean)
  return {
    kind,
    told: {
      durationS,
      distanceM: total('distanceM') ?? sampled(samples?.distanceM ?? 0),
      timerTimeS: timer ?? (samples?.hasTimer === true ? sampled(samples.timerS) : null),
      movingTimeS:
        total('movingTimeS') ?? (samples?.movingS == null ? null : { value: samples.movingS, origin: 'samples' }),
      elevGainM: climb('elevGainM', samples?.elevation?.gainM),
      elevLossM: climb('elevLossM', samples?.elevation?.lossM),
      minElevM: climb('minElevM', samples?.elevation?.minM),
      maxElevM: climb('maxElevM', samples?.elevation?.maxM),
      maxSpeedMps: total('maxSpeedMps') ?? sampled(samples?.maxSpeedMps),
      maxHeartRateBpm: total('maxHeartRateBpm') ?? sampled(samples?.heartRate?.most),
      avgHeartRateBpm: total('avgHeartRateBpm') ?? sampled(samples?.heartRate?.mean),
      minHeartRateBpm: total('minHeartRateBpm') ?? sampled(samples?.heartRate?.least),
      maxCadenceRpm,
      avgCadenceRpm,
      maxCadenceSpm: steps(maxCadenceRpm),
      avgCadenceSpm: steps(avgCadenceRpm),
      maxPowerWatts: total('maxPowerWatts') ?? sampled(samples?.power?.most),
      avgPowerWatts: total('avgPowerWatts') ?? sampled(samples?.power?.mean),
      calories: total('calories'),
      // of the settled distance and duration, and of the track
      avgPaceS: null,
      gapPaceS: null,
      avgSpeedMps: null,
      relativeEffort: null,
    },
    share: samples?.equivalentShare ?? null,
    timerS,
    indoor: samples?.indoor === true,
  }
}

function elapsedWithout({ timerTimeS, movingTimeS }: Said): number {
  return timerTimeS ?? movingTimeS ?? 0
}

/** One value of one number that a recording says, rounded as it would be stored. */
export interface Voice {
  readonly name: NumberName
  readonly origin: Origin
  readonly value: number
}

/** All that a recording says, of itself and by its samples, whether it counts or not; for whoever asks what the others say. */
export function voicesOf(
  recording: Recording,
  { elevation, zones }: Pick<AnalyzeOptions, 'elevation' | 'zones'>,
): Voice[] {
  const { kind, said, track } = recording
  const readings = track && trackReadings(track, elevation)
  const samples = track && readings && fromSamples(track, readings)
  const effort = track && readings && sampleEffort(track, readings, zones)
  const itself =
    kind === 'archive' ? eachNumber((name) => toldAs(said[name], 'archive')) : toldBy(kind, said, null).told
  const bySamples = samples && {
    ...toldBy('repair', {}, samples).told,
    relativeEffort: effort && sampledEffort(effort),
  }
  return [itself, ...(bySamples === null ? [] : [bySamples])].flatMap((told) =>
    NUMBER_NAMES.flatMap((name) => {
      const { value, origin } = told[name] ?? { value: Number.NaN, origin: 'samples' as const }
      if (!Number.isFinite(value) || (origin === 'samples' && told === itself)) return []
      return [{ name, origin, value: origin === 'archive' ? value : roundHalfUp(value, NUMBERS[name].decimals) }]
    }),
  )
}

function sampledEffort({ relativeEffort }: RelativeEffort): Told {
  return { value: relativeEffort, origin: 'samples' }
}

function toldAs(value: number | null | undefined, origin: Origin): Told | null {
  return value === null || value === undefined || Number.isNaN(value) ? null : { value, origin }
}

function isPositive(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY
}
