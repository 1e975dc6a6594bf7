import { distanceBetweenM } from '../route/geo.ts'
import { IMPOSSIBLE_MPS } from '../run/distance.ts'
import { heartRateLocks, runsOf, stepSpeeds } from '../run/heart-rate-lock.ts'
import type { Track } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import type { MendedChannel } from './mend.ts'

type OddityKind =
  | 'speed_spike'
  | 'position_jump'
  | 'heart_rate_lock'
  | 'heart_rate_drop'
  | 'elevation_jump'
  | 'clock_jump'

interface Oddity {
  readonly kind: OddityKind
  readonly fromElapsedS: number
  readonly toElapsedS: number
  /** A sentence that the page shows. */
  readonly detail: string
  /** A request body for the mend call that removes it; null: mending does not help. */
  readonly suggest: Suggestion | null
}

interface Suggestion {
  readonly fromElapsedS: number
  readonly toElapsedS: number
  readonly channel: MendedChannel
  readonly fill: 'gap' | 'interpolate'
}

/** A speed that no runner keeps up for 20 s. */
const SPIKE_MPS = 6.5
const LONGEST_SPIKE_S = 20
const SPIKE_FACTOR = 2
/** Seconds before and after a spike whose speed it is compared with. */
const BESIDE_S = 60
/** A real heart rate does not drop by this much within `DROP_WITHIN_S` and rise again. */
const DROP_BPM = 30
const DROP_WITHIN_S = 5
const LONGEST_DROP_S = 120
const ELEVATION_JUMP_M = 15
const ELEVATION_WITHIN_S = 5
/** A longer step of the clock while the timer runs is missing data, or a clock that was set. */
const CLOCK_JUMP_S = 600
/** At most this many of each kind are listed: a broken file has thousands. */
const MOST_OF_A_KIND = 50
const MOST_LOOKED_AT = 1000

/** Stretches of a run whose readings look wrong, in order of time, each with how it could be fixed. */
export function oddities(track: Track): Oddity[] {
  const spikes = speedSpikes(track)
  // a position that jumps and comes back is also a speed spike; only the entry with the repair is listed
  const isSpike = (jump: Oddity) =>
    spikes.some((spike) => spike.fromElapsedS <= jump.fromElapsedS && spike.toElapsedS >= jump.toElapsedS)
  const jumps = positionJumps(track).filter((jump) => !isSpike(jump))
  return [spikes, jumps, heartRateLockOddities(track), heartRateDrops(track), elevationJumps(track), clockJumps(track)]
    .flatMap((found) => found.slice(0, MOST_OF_A_KIND))
    .sort((a, b) => a.fromElapsedS - b.fromElapsedS || a.toElapsedS - b.toElapsedS)
}

function speedSpikes(track: Track): Oddity[] {
  const { tS } = track
  const speeds = stepSpeeds(track)
  const fast = runsOf(tS.length, (row) => speeds[row]! > SPIKE_MPS).slice(0, MOST_LOOKED_AT)
  return fast.flatMap(({ first, last }): Oddity[] => {
    const [fromS, toS] = [tS[first - 1] ?? 0, tS[last]!]
    if (toS - fromS >= LONGEST_SPIKE_S) return []
    const beside = [
      ...speedsWithin(tS, speeds, fromS - BESIDE_S, fromS),
      ...speedsWithin(tS, speeds, toS, toS + BESIDE_S),
    ]
    const usual = median(beside)
    const most = greatest(speeds, first, last)
    if (usual === null || most <= SPIKE_FACTOR * usual) return []
    const detail = `${roundHalfUp(most, 1)} m/s for ${roundHalfUp(toS - fromS)} s, where ${roundHalfUp(usual, 1)} m/s is usual`
    return [
      mendable('speed_spike', { fromS, toS }, { detail, channel: 'position', fill: 'interpolate', isInner: true }),
    ]
  })
}

/** Positions reached faster than anyone runs, to stay there; import removed the spikes that come back. */
function positionJumps({ tS, latDeg, lonDeg, off }: Track): Oddity[] {
  const jumps: Oddity[] = []
  let before = -1
  for (let row = 0; row < tS.length; row += 1) {
    if (Number.isNaN(latDeg[row]!)) continue
    if (before >= 0) {
      const metres = distanceBetweenM(latDeg[before]!, lonDeg[before]!, latDeg[row]!, lonDeg[row]!)
      const [fromS, toS] = [tS[before]!, tS[row]!]
      const isFar = metres > IMPOSSIBLE_MPS * (toS - fromS)
      if (isFar && !off.some(({ startS, endS }) => startS < toS && endS > fromS)) {
        const detail = `${roundHalfUp(metres)} m in ${roundHalfUp(toS - fromS, 1)} s`
        jumps.push({ kind: 'position_jump', ...span({ fromS, toS }), detail, suggest: null })
      }
    }
    before = row
  }
  return jumps
}

/** Stretches in which the sensor counted steps instead of heart beats. */
function heartRateLockOddities(track: Track): Oddity[] {
  return heartRateLocks(track).map(({ startS: fromS, endS: toS }) => {
    const detail = `The heart rate is the number of steps for ${roundHalfUp(toS - fromS)} s`
    return mendable('heart_rate_lock', { fromS, toS }, { detail, channel: 'heartRate', fill: 'gap' })
  })
}

/** A sensor that lost skin contact: the heart rate drops at once and rises again at once. */
function heartRateDrops({ tS, heartRateBpm }: Track): Oddity[] {
  const rows = [...tS.keys()].filter((row) => !Number.isNaN(heartRateBpm[row]!))
  const isNear = (from: number, to: number) => tS[to]! - tS[from]! <= LONGEST_DROP_S
  const found: Oddity[] = []
  for (let k = 1; k < rows.length; k += 1) {
    const [before, low] = [rows[k - 1]!, rows[k]!]
    const bpm = heartRateBpm[before]!
    if (bpm - heartRateBpm[low]! < DROP_BPM || tS[low]! - tS[before]! > DROP_WITHIN_S) continue
    let back = k
    while (back < rows.length && heartRateBpm[rows[back]!]! < bpm - DROP_BPM / 3 && isNear(low, rows[back]!)) back += 1
    const last = rows[back - 1]!
    if (back === rows.length || !isNear(low, rows[back]!)) continue
    const detail = `From ${bpm} to ${heartRateBpm[low]} bpm at once, and back`
    const stretch = { fromS: tS[low]!, toS: tS[last]! }
    found.push(mendable('heart_rate_drop', stretch, { detail, channel: 'heartRate', fill: 'interpolate' }))
    k = back
  }
  return found
}

function elevationJumps({ tS, elevM, indoor }: Track): Oddity[] {
  if (indoor) return []
  const found: Oddity[] = []
  let before = -1
  for (let row = 0; row < tS.length; row += 1) {
    if (Number.isNaN(elevM[row]!)) continue
    const [fromS, toS] = [tS[before] ?? 0, tS[row]!]
    const metres = before < 0 ? 0 : elevM[row]! - elevM[before]!
    if (Math.abs(metres) >= ELEVATION_JUMP_M && toS - fromS <= ELEVATION_WITHIN_S) {
      const detail = `${metres > 0 ? 'Up' : 'Down'} ${roundHalfUp(Math.abs(metres))} m in ${roundHalfUp(toS - fromS, 1)} s`
      const stretch = { fromS: Math.max(0, fromS - 2), toS: Math.min(tS.at(-1)!, toS + 2) }
      found.push(mendable('elevation_jump', stretch, { detail, channel: 'elevation', fill: 'interpolate' }))
    }
    before = row
  }
  return found
}

function clockJumps({ tS, off }: Track): Oddity[] {
  return [...tS.keys()].slice(1).flatMap((row): Oddity[] => {
    const [fromS, toS] = [tS[row - 1]!, tS[row]!]
    if (toS - fromS <= CLOCK_JUMP_S || off.some(({ startS, endS }) => startS < toS && endS > fromS)) return []
    const detail = `Nothing was recorded for ${roundHalfUp(toS - fromS)} s`
    return [{ kind: 'clock_jump', ...span({ fromS, toS }), detail, suggest: null }]
  })
}

interface Stretch {
  readonly fromS: number
  readonly toS: number
}

function span({ fromS, toS }: Stretch) {
  return { fromElapsedS: roundHalfUp(fromS, 3), toElapsedS: roundHalfUp(toS, 3) }
}

/** @param how.isInner the readings at both ends of the stretch are right and are kept */
function mendable(
  kind: OddityKind,
  stretch: Stretch,
  how: {
    readonly detail: string
    readonly channel: MendedChannel
    readonly fill: Suggestion['fill']
    readonly isInner?: boolean
  },
): Oddity {
  const { detail, channel, fill, isInner = false } = how
  const { fromS, toS } = stretch
  // times are whole milliseconds, so this leaves out exactly the end rows
  const inner = isInner ? { fromS: fromS + 0.001, toS: toS - 0.001 } : stretch
  const suggest = inner.toS > inner.fromS ? { ...span(inner), channel, fill } : null
  return { kind, ...span(stretch), detail, suggest }
}

function speedsWithin(tS: Float64Array, speeds: Float64Array, fromS: number, toS: number): number[] {
  const found: number[] = []
  for (let row = 0; row < tS.length && tS[row]! <= toS; row += 1) {
    if (tS[row]! > fromS && !Number.isNaN(speeds[row]!)) found.push(speeds[row]!)
  }
  return found
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
}

function greatest(values: Float64Array, first: number, last: number): number {
  return values.subarray(first, last + 1).reduce((most, value) => Math.max(most, value), 0)
}
