import type { AnalyzeOptions } from './analysis.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Numbers, type Said } from './numbers.ts'
import { crop } from './run/crop.ts'
import { averageEffort, type RelativeEffort } from './run/effort.ts'
import { type FromSamples, fromSamples, sampleEffort } from './run/from-samples.ts'
import { type Readings, trackReadings } from './run/readings.ts'
import type { ClimbLimit, Column, Track } from './track.ts'
import { METRES_PER_KM, roundHalfUp, STEPS_PER_REVOLUTION } from './units.ts'

/** One telling of a run, as it was told. */
export interface Recording {
  /** A session of a file, a row of a table, or a workout of an archive, which says its numbers itself. */
  readonly kind: 'file' | 'row' | 'archive'
  readonly said: Said
  /** null: it has no samples. */
  readonly track: Track | null
}

/** What is left of a run after the runner took something off its ends; milliseconds of the recorded clock. */
export interface CropRepair {
  readonly kind: 'crop'
  readonly fromMs: number
  readonly toMs: number
  /** null: what is left climbs no more than the whole did. */
  readonly climbLimit: ClimbLimit | null
  /** What is left of the calories. */
  readonly caloriesKcal: number | null
}
export type Repair = CropRepair

export interface SettleOptions extends Pick<AnalyzeOptions, 'zones' | 'elevation'> {
  /** Place of the recording whose samples count; ignored when it has none. */
  readonly primary: number
  /** Which of an archive's parts a recalculation took over. */
  readonly ours: { readonly effort: boolean }
}

/** Where a number comes from: `derived` of others, or of what a repair left. */
export type Origin = 'device' | 'samples' | 'row' | 'archive' | 'runner' | 'derived'

export interface NumberOrigin {
  readonly origin: Origin
  /** Place of the recording that says it; null: of none in particular. */
  readonly recording: number | null
}

/** What recordings and repairs come to. */
export interface Settled {
  readonly track: Track | null
  /** Of the track; null without one. */
  readonly readings: Readings | null
  readonly numbers: Numbers
  /** null: nobody knows the number. */
  readonly origins: Readonly<Record<NumberName, NumberOrigin | null>>
  /** Which recording each column of the track is of; null: the track has no such value. */
  readonly channelSources: Readonly<Record<Column, number | null>> | null
}

/**
 * One track, one set of numbers, and where each comes from (docs: DESIGN 4.2). A number is the first that a recording
 * tells, in the order in which they arrived; while a repair is active only the repaired samples tell.
 * @param recordings in the order of their arrival, at least one
 * @param repairs the active ones, in the order in which they were made
 * @throws RangeError without a recording, or when a crop leaves no time
 */
export function settle(recordings: readonly Recording[], repairs: readonly Repair[], options: SettleOptions): Settled {
  const { track, primary } = settledTrack(recordings, repairs, options.primary)
  const readings = track && trackReadings(track, options.elevation)
  const samples = track && readings && fromSamples(track, readings)
  const effort = track && readings && sampleEffort(track, readings, options.zones)
  const told =
    repairs.length === 0
      ? recordings.map((recording, place) => tellingOf(recording, place === primary ? samples : null, options))
      : [repairedTelling(samples, repairs)]
  const archive = repairs.length > 0 || options.ours.effort ? undefined : archivedEffort(recordings)
  const numbers = merged(told, { effort, archive, zones: options.zones })
  const isRepaired = repairs.length > 0
  return {
    track,
    readings,
    numbers: numbers.values,
    origins: eachNumber((name) => {
      const origin = numbers.origins[name]
      return origin !== null && isRepaired ? { origin: 'derived', recording: primary } : origin
    }),
    channelSources: track && channelsOf(track, primary),
  }
}

/** The track of the recording whose samples count, with the repairs done to it. */
export function settledTrack(
  recordings: readonly Pick<Recording, 'track'>[],
  repairs: readonly Repair[],
  wanted: number,
): { readonly track: Track | null; readonly primary: number } {
  const [first] = recordings
  if (first === undefined) throw new RangeError('A workout without a recording cannot be settled')
  const primary = recordings[wanted]?.track ? wanted : recordings.findIndex(({ track }) => track !== null)
  const recorded = recordings[primary]?.track ?? null
  return { track: recorded && repaired(recorded, repairs), primary: Math.max(0, primary) }
}

/** A track with repairs done to it, one after the other. @throws RangeError when a crop leaves no time */
export function repaired(recorded: Track, repairs: readonly Repair[]): Track {
  return repairs.reduce((track, { fromMs, toMs, climbLimit }) => {
    const clockMs = track.startMs - recorded.startMs
    const cut = crop(track, { startS: (fromMs - clockMs) / 1000, endS: (toMs - clockMs) / 1000 })
    return climbLimit === null ? cut : { ...cut, climbLimit }
  }, recorded)
}

interface Told {
  readonly value: number
  readonly origin: Origin
}

/** What one recording says of every number, unrounded. */
interface Telling {
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
function tellingOf(recording: Recording, settled: FromSamples | null, { elevation }: SettleOptions): Telling {
  const { kind, said, track } = recording
  if (kind === 'archive') return { kind, told: eachNumber((name) => toldAs(said[name], 'archive')), ...NO_SAMPLES }
  const samples = settled ?? (track && fromSamples(track, trackReadings(track, elevation)))
  return toldBy(kind, said, samples)
}

const NO_SAMPLES = { share: null, timerS: Number.POSITIVE_INFINITY, indoor: false }

/** A repair leaves the samples, and what it says of the calories. */
function repairedTelling(samples: FromSamples | null, repairs: readonly Repair[]): Telling {
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

interface Settling {
  /** Of the settled samples. */
  readonly effort: RelativeEffort | null
  /** What an archive says of the effort; undefined: it has no word in it. */
  readonly archive: ArchivedEffort | undefined
  readonly zones: AnalyzeOptions['zones']
}

interface Merged {
  readonly values: Numbers
  readonly origins: Readonly<Record<NumberName, NumberOrigin | null>>
}

/** The first telling of each number, and what is made of them. */
function merged(tellings: readonly Telling[], { effort, archive, zones }: Settling): Merged {
  // a row does not know that its file was of a treadmill; what was known before the file came stays
  const treadmill = tellings.findIndex(({ indoor }) => indoor)
  const isOfTreadmill = (name: NumberName, place: number) =>
    !NUMBERS[name].onTreadmill && treadmill !== -1 && place > treadmill && tellings[place]?.kind !== 'archive'
  const found = eachNumber((name) => {
    // distance and duration are never filled later
    const asked = name === 'distanceM' || name === 'durationS' ? tellings.slice(0, 1) : tellings
    const place = asked.findIndex(({ told }, at) => told[name] !== null && !isOfTreadmill(name, at))
    const told = tellings[place]?.told[name]
    return told ? { ...told, recording: place } : null
  })
  const rounded = (name: NumberName): number | null => {
    const value = found[name]?.value ?? null
    if (value === null || Number.isNaN(value)) return null
    return found[name]?.origin === 'archive' ? value : roundHalfUp(value, NUMBERS[name].decimals)
  }
  const distanceM = rounded('distanceM') ?? 0
  const durationS = rounded('durationS') ?? 0
  const timerTimeS = bounded(rounded('timerTimeS'), found.timerTimeS, durationS)
  const timerOfMoving = tellings[found.movingTimeS?.recording ?? 0]?.timerS ?? Number.POSITIVE_INFINITY
  // a timer that is told later changes nothing of what was known
  const isTimerLater = (found.timerTimeS?.recording ?? 0) > (found.movingTimeS?.recording ?? 0)
  const mostMovingS = Math.min(durationS, (isTimerLater ? null : timerTimeS) ?? roundHalfUp(timerOfMoving))
  const hasPace = distanceM > 0 && durationS > 0
  const paceS = hasPace ? (METRES_PER_KM * durationS) / distanceM : 0
  const measured = tellings.find(({ kind }) => kind !== 'archive')
  const share = tellings.find(({ kind, share }) => kind !== 'archive' && share !== null)?.share ?? null
  const heartRateBpm = found.avgHeartRateBpm?.value ?? null
  const scored = effort ?? (heartRateBpm === null ? null : averageEffort(heartRateBpm, durationS, zones))
  // an archive that says nothing of it is not scored: it may come from a program that knows none
  const isScored = archive === undefined || (archive.said === null && measured !== undefined)

  const values: Numbers = {
    ...(eachNumber(rounded) as Record<NumberName, number> & Pick<Numbers, 'durationS' | 'distanceM' | 'avgPaceS'>),
    durationS,
    distanceM,
    timerTimeS,
    movingTimeS: bounded(rounded('movingTimeS'), found.movingTimeS, mostMovingS),
    avgPaceS: roundHalfUp(paceS, NUMBERS.avgPaceS.decimals),
    gapPaceS: rounded('gapPaceS') ?? (hasPace && share ? finite(roundHalfUp(paceS / share, 2)) : null),
    avgSpeedMps: rounded('avgSpeedMps') ?? (hasPace && measured ? roundHalfUp(distanceM / durationS, 3) : null),
    relativeEffort: isScored ? (scored?.relativeEffort ?? null) : (archive?.said?.relativeEffort ?? null),
    hrZoneSeconds: isScored ? (scored?.zoneSeconds ?? null) : (archive?.said?.zoneSeconds ?? null),
  }
  const derived: NumberOrigin = { origin: 'derived', recording: null }
  const effortOrigin = isScored ? derived : { origin: 'archive' as const, recording: archive?.place ?? null }
  return {
    values,
    origins: eachNumber((name) => {
      if (values[name] === null) return null
      const told = found[name]
      if (told !== null) return { origin: told.origin, recording: told.recording }
      return name === 'relativeEffort' ? effortOrigin : derived
    }),
  }
}

/** Times are never longer than the ones that they are part of, but as an archive says them. */
function bounded(value: number | null, told: Told | null, mostS: number): number | null {
  return value === null || told?.origin === 'archive' ? value : Math.min(value, mostS)
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

interface ArchivedEffort {
  readonly said: { readonly relativeEffort: number; readonly zoneSeconds: RelativeEffort['zoneSeconds'] | null } | null
  readonly place: number
}

/** @returns undefined when no archive is among the recordings */
function archivedEffort(recordings: readonly Recording[]): ArchivedEffort | undefined {
  const place = recordings.findIndex(({ kind }) => kind === 'archive')
  const said = recordings[place]?.said
  if (said === undefined) return undefined
  const relativeEffort = said.relativeEffort ?? null
  return { said: relativeEffort === null ? null : { relativeEffort, zoneSeconds: said.hrZoneSeconds ?? null }, place }
}

const COLUMNS: readonly Column[] = [
  'distanceM',
  'latDeg',
  'lonDeg',
  'elevM',
  'heartRateBpm',
  'cadenceRpm',
  'powerW',
  'temperatureC',
  'speedMps',
]

function channelsOf(track: Track, primary: number): Record<Column, number | null> {
  const entries = COLUMNS.map((name) => [name, track[name].every(Number.isNaN) ? null : primary] as const)
  return Object.fromEntries(entries) as Record<Column, number | null>
}

function toldAs(value: number | null | undefined, origin: Origin): Told | null {
  return value === null || value === undefined || Number.isNaN(value) ? null : { value, origin }
}

function isPositive(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY
}

/** One value of one number that a recording says, rounded as it would be stored. */
export interface Voice {
  readonly name: NumberName
  readonly origin: Origin
  readonly value: number
}

/** All that a recording says, of itself and by its samples, whether it counts or not; for whoever asks what the others say. */
export function voicesOf(recording: Recording, { elevation, zones }: SettleOptions): Voice[] {
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
