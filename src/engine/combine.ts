import type { AnalyzeOptions } from './analysis.ts'
import { hasValues } from './gather.ts'
import { columnsWith } from './grid.ts'
import { eachNumber, NUMBER_NAMES, NUMBERS, type NumberName, type Numbers } from './numbers.ts'
import { leavesPart, type Repair, repaired, rescores, restated } from './repair/repairs.ts'
import { IMPOSSIBLE_MPS } from './run/distance.ts'
import { averageEffort, type RelativeEffort, relativeEffort } from './run/effort.ts'
import { fromSamples } from './run/from-samples.ts'
import { type Readings, trackReadings } from './run/readings.ts'
import {
  type Origin,
  type Recording,
  repairedStatement,
  roundedStated,
  type Stated,
  type Statement,
  statementOf,
} from './run/statement.ts'
import type { Column, Track } from './track.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp } from './units.ts'

export interface CombineOptions extends Pick<AnalyzeOptions, 'zones' | 'elevation'> {
  /** Index of the recording whose samples count; ignored when it has none. */
  readonly primary: number
  /** Which parts of an archive's numbers a recalculation has replaced. */
  readonly ours: { readonly effort: boolean }
}

interface NumberOrigin {
  readonly origin: Origin
  /** Index of the recording that gives it; null: no single recording. */
  readonly recording: number | null
}

/** The track and the numbers that recordings and repairs result in. */
export interface Combined {
  readonly track: Track | null
  /** Computed from the track; null without one. */
  readonly readings: Readings | null
  readonly numbers: Numbers
  /** null: the number is unknown. */
  readonly origins: Readonly<Record<NumberName, NumberOrigin | null>>
  /** The recording that each column of the track comes from; null: the track has no such values. */
  readonly channelSources: Readonly<Record<Column, number | null>> | null
}

/**
 * One track and one set of numbers, with where each comes from (docs/architecture.md 4.2): the first recording that
 * gives it; after a crop, cut, split or join only the repaired samples count.
 * @param recordings in the order of their arrival, at least one
 * @param repairs those that are active, in the order in which they were made
 * @throws RangeError without a recording, or when a crop leaves no time
 */
export function combine(
  recordings: readonly Recording[],
  repairs: readonly Repair[],
  options: CombineOptions,
): Combined {
  if (recordings.length === 0) throw new RangeError('A workout without a recording cannot be combined')
  const wanted = recordings[options.primary]?.track
    ? options.primary
    : recordings.findIndex(({ track }) => track !== null)
  const primary = Math.max(0, wanted)
  const recorded = recordings[primary]?.track ?? null
  const track = recorded && repaired(recorded, repairs)
  const readings = track && trackReadings(track, options.elevation)
  const samples = track && readings && fromSamples(track, readings)
  const effort = track && readings?.heartRate ? relativeEffort(readings.heartRate, options.zones, track.off) : null
  const lastPart = repairs.findLast(leavesPart)
  const isPart = lastPart !== undefined
  const stated = isPart
    ? [repairedStatement(samples, lastPart)]
    : recordings.map((recording, place) => statementOf(recording, place === primary ? samples : null, options))
  const said = saidByRepairs(repairs, { samples: repairedStatement(samples, null).stated, primary })
  const archive = isPart || options.ours.effort || said.effort ? undefined : archivedEffort(recordings)
  const { numbers, origins } = merged(stated, { effort, archive, zones: options.zones, said: said.numbers })
  const isOfRepair = (name: NumberName) => said.numbers[name] !== undefined && origins[name]?.origin === 'runner'
  return {
    track,
    readings,
    numbers,
    origins: isPart
      ? eachNumber(
          (name) => origins[name] && (isOfRepair(name) ? origins[name] : { origin: 'derived', recording: primary }),
        )
      : origins,
    channelSources: track && columnsWith((name) => (hasValues(track[name]) ? primary : null)),
  }
}

/** Numbers that override those of all recordings; null: the number is unknown. */
type SaidNumbers = { readonly [K in NumberName]?: (Stated & { readonly recording: number | null }) | null }

/** Numbers that are computed from distance and duration when no recording gives them. */
const FOLLOWING: readonly NumberName[] = ['avgSpeedMps', 'gapPaceS']

/** By fixed samples and by the runner; what was set before a part of the run was cut off no longer describes it. */
function saidByRepairs(
  repairs: readonly Repair[],
  { samples, primary }: { readonly samples: Statement['stated']; readonly primary: number },
): { readonly numbers: SaidNumbers; readonly effort: boolean } {
  const numbers: { [K in NumberName]?: SaidNumbers[K] } = {}
  let effort = false
  const state = (name: NumberName, value: number | null, by: NumberOrigin) => {
    numbers[name] = value === null ? null : { value, ...by }
    if (name === 'distanceM' || name === 'durationS') for (const other of FOLLOWING) numbers[other] = null
  }
  for (const repair of repairs.slice(repairs.findLastIndex(leavesPart) + 1)) {
    const { said = {}, measured = [], keepsUnmeasured = false } = restated(repair)
    for (const name of NUMBER_NAMES) {
      if (said[name] !== undefined) state(name, said[name], { origin: 'runner', recording: null })
    }
    for (const name of measured) {
      const value = samples[name]?.value ?? null
      if (!keepsUnmeasured || value !== null) state(name, value, { origin: 'derived', recording: primary })
    }
    effort ||= rescores({ said, measured })
  }
  return { numbers, effort }
}

interface Combining extends Pick<CombineOptions, 'zones'> {
  /** From the combined samples. */
  readonly effort: RelativeEffort | null
  /** What an archive states of the effort; undefined: there is no archive, or its statement no longer counts. */
  readonly archive: ArchivedEffort | undefined
  /** Overrides the numbers of the recordings. */
  readonly said: SaidNumbers
}

/** Takes the first value of each number, and computes those that follow from others. */
function merged(
  statements: readonly Statement[],
  { effort, archive, zones, said }: Combining,
): Pick<Combined, 'numbers' | 'origins'> {
  // a row that was imported after a treadmill file may state climb, which is ignored; what was known before stays
  const treadmill = statements.findIndex(({ indoor }) => indoor)
  const isOfTreadmill = (name: NumberName, place: number) =>
    !NUMBERS[name].onTreadmill && treadmill !== -1 && place > treadmill && statements[place]?.kind !== 'archive'
  const found = eachNumber((name) => {
    const first = said[name]
    if (first !== undefined) return first
    // distance and duration come from the first recording alone
    const asked = name === 'distanceM' || name === 'durationS' ? statements.slice(0, 1) : statements
    const place = asked.findIndex(
      ({ stated }, at) => stated[name] !== null && !isTooFast(name, stated[name]) && !isOfTreadmill(name, at),
    )
    const stated = statements[place]?.stated[name]
    return stated ? { ...stated, recording: place } : null
  })
  const rounded = (name: NumberName) => found[name] && roundedStated(name, found[name])
  const distanceM = rounded('distanceM') ?? 0
  const durationS = rounded('durationS') ?? 0
  const timerTimeS = bounded(rounded('timerTimeS'), found.timerTimeS, durationS)
  const timerOfMoving =
    found.movingTimeS?.origin === 'runner'
      ? Number.POSITIVE_INFINITY
      : (statements[found.movingTimeS?.recording ?? 0]?.timerS ?? Number.POSITIVE_INFINITY)
  // timer time that a later recording adds does not change a moving time that was known before
  const isTimerLater = (found.timerTimeS?.recording ?? 0) > (found.movingTimeS?.recording ?? 0)
  const mostMovingS = Math.min(durationS, (isTimerLater ? null : timerTimeS) ?? roundHalfUp(timerOfMoving))
  const hasPace = distanceM > 0 && durationS > 0
  const paceS = hasPace ? (METRES_PER_KM * durationS) / distanceM : 0
  const measured = statements.find(({ kind }) => kind !== 'archive')
  const share = statements.find(({ kind, share }) => kind !== 'archive' && share !== null)?.share ?? null
  const heartRateBpm = found.avgHeartRateBpm?.value ?? null
  const scored = effort ?? (heartRateBpm === null ? null : averageEffort(heartRateBpm, durationS, zones))
  // an archive that states no effort is not scored, since it may come from a program without scores
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
      const stated = found[name]
      if (stated !== null) return { origin: stated.origin, recording: stated.recording }
      return name === 'relativeEffort' ? effortOrigin : derived
    }),
  }
}

/** A maximum speed that nobody runs is an error of the device; what an archive states stays as it is. */
function isTooFast(name: NumberName, { value, origin }: Stated): boolean {
  return name === 'maxSpeedMps' && value > IMPOSSIBLE_MPS && origin !== 'archive'
}

/** A part of a time is limited to the whole, except where an archive states it. */
function bounded(value: number | null, stated: Stated | null, mostS: number): number | null {
  return value === null || stated?.origin === 'archive' ? value : Math.min(value, mostS)
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
