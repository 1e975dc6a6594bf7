import type { AnalyzeOptions } from './analysis.ts'
import { hasValues } from './gather.ts'
import { columnsWith } from './grid.ts'
import { eachNumber, NUMBERS, type NumberName, type Numbers } from './numbers.ts'
import { crop } from './run/crop.ts'
import { averageEffort, type RelativeEffort, relativeEffort } from './run/effort.ts'
import { fromSamples } from './run/from-samples.ts'
import { type Readings, trackReadings } from './run/readings.ts'
import {
  type Origin,
  type Recording,
  repairedTelling,
  roundedTold,
  type Telling,
  type Told,
  tellingOf,
} from './run/telling.ts'
import type { ClimbLimit, Column, Track } from './track.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp } from './units.ts'

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
  const effort = track && readings?.heartRate ? relativeEffort(readings.heartRate, options.zones, track.off) : null
  const isRepaired = repairs.length > 0
  const told = isRepaired
    ? [repairedTelling(samples, repairs)]
    : recordings.map((recording, place) => tellingOf(recording, place === primary ? samples : null, options))
  const archive = isRepaired || options.ours.effort ? undefined : archivedEffort(recordings)
  const { numbers, origins } = merged(told, { effort, archive, zones: options.zones })
  return {
    track,
    readings,
    numbers,
    origins: isRepaired ? eachNumber((name) => origins[name] && { origin: 'derived', recording: primary }) : origins,
    channelSources: track && columnsWith((name) => (hasValues(track[name]) ? primary : null)),
  }
}

/** The track of the recording whose samples count, with the repairs done to it. */
function settledTrack(
  recordings: readonly Recording[],
  repairs: readonly Repair[],
  wanted: number,
): { readonly track: Track | null; readonly primary: number } {
  if (recordings.length === 0) throw new RangeError('A workout without a recording cannot be settled')
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

interface Settling extends Pick<SettleOptions, 'zones'> {
  /** Of the settled samples. */
  readonly effort: RelativeEffort | null
  /** What an archive says of the effort; undefined: it has no word in it. */
  readonly archive: ArchivedEffort | undefined
}

/** The first telling of each number, and what is made of them. */
function merged(
  tellings: readonly Telling[],
  { effort, archive, zones }: Settling,
): Pick<Settled, 'numbers' | 'origins'> {
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
  const rounded = (name: NumberName) => found[name] && roundedTold(name, found[name])
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

  const numbers: Numbers = {
    ...(eachNumber(rounded) as Record<NumberName, number> & Pick<Numbers, 'durationS' | 'distanceM' | 'avgPaceS'>),
    durationS,
    distanceM,
    timerTimeS,
    movingTimeS: bounded(rounded('movingTimeS'), found.movingTimeS, mostMovingS),
    avgPaceS: roundHalfUp(paceS, NUMBERS.avgPaceS.decimals),
    gapPaceS:
      rounded('gapPaceS') ?? (hasPace && share ? roundedOrNull(paceS / share, NUMBERS.gapPaceS.decimals) : null),
    avgSpeedMps: rounded('avgSpeedMps') ?? (hasPace && measured ? roundHalfUp(distanceM / durationS, 3) : null),
    relativeEffort: isScored ? (scored?.relativeEffort ?? null) : (archive?.said?.relativeEffort ?? null),
    hrZoneSeconds: isScored ? (scored?.zoneSeconds ?? null) : (archive?.said?.zoneSeconds ?? null),
  }
  const derived: NumberOrigin = { origin: 'derived', recording: null }
  const effortOrigin = isScored ? derived : { origin: 'archive' as const, recording: archive?.place ?? null }
  return {
    numbers,
    origins: eachNumber((name) => {
      if (numbers[name] === null) return null
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
