import { extent, gathered, rowsWith } from '../gather.ts'
import { distanceBetweenM } from '../route/geo.ts'
import { filledDistance, gpsDistance, IMPOSSIBLE_MPS, JUMP_SLACK_M } from '../run/distance.ts'
import type { SampleColumns, Span } from '../track.ts'
import { roundHalfUp } from '../units.ts'
import type { Correction } from './correction.ts'
import { metres } from './words.ts'

/** Closer than this share of the larger one a device's own distance stays. */
const APART = 0.2
/** Two values closer than this share of the larger one agree. */
const AGREED = 0.1
/** Less than this is within what receivers and pods are off. */
const SLACK_M = 50
/** A run has covered no more than this when its first distance is written, beside what can be run until then. */
const FIRST_M = 20
/** Between places further apart in time the way is not known. */
const LONGEST_STEP_S = 60
/** Indoors places stray within this; no loop that is run is smaller. */
const STANDING_M = 150
/** In this time a runner gets much further than a place is off. */
const SPARSE_S = 10
/** Metres in timer-off time below this are those of a watch that stops a little late. */
const PAUSED_M = 20
const PAUSED_SHARE = 0.005
/** A speed holds until the next one, but not longer. */
const LONGEST_HOLD_S = 10

/** What is stated of the distance beside the samples, metres; null: nothing. */
export interface DistanceEvidence {
  /** Of the session, or of a table. */
  readonly totalM: number | null
  /** All laps together. */
  readonly lapsM: number | null
  /** Timer-off time and pauses between segments, seconds since the start. */
  readonly off: readonly Span[]
  /** Of these what the timer's events state. */
  readonly timerOff: readonly Span[]
  readonly indoor: boolean
}

export interface JudgedDistance {
  /** Cumulative metres; all NaN: the places count. */
  readonly distanceM: Float64Array
  readonly totalM: number | null
  readonly corrections: readonly Correction[]
}

type Rows = Pick<SampleColumns, 'distanceM' | 'latDeg' | 'lonDeg' | 'speedMps'> & { readonly tS: Float64Array }

/**
 * The distance of a run's samples and its total, judged by each other, the laps and the places (docs/algorithms.md 0, kinds D, M and
 * R). O(n).
 * @param rows ascending distinct times, seconds since the start; values as they are stated, spikes of position removed
 */
export function judgedDistance(rows: Rows, evidence: DistanceEvidence): JudgedDistance {
  const { totalM } = evidence
  const known = rowsWith(rows.distanceM, rows.distanceM)
  if (known.length === 0) return { distanceM: bySpeed(rows, evidence) ?? rows.distanceM, totalM, corrections: [] }
  const corrections: Correction[] = []
  let { distanceM } = rows
  for (const judge of [countedOn, fromZero, withoutPauses]) {
    const judged = judge({ ...rows, distanceM }, evidence)
    if (judged === null) continue
    distanceM = judged.distanceM
    corrections.push(judged.correction)
  }
  const judged = byMostWitnesses({ ...rows, distanceM }, evidence)
  return { ...judged, corrections: [...corrections, ...judged.corrections] }
}

interface Judged {
  readonly distanceM: Float64Array
  readonly correction: Correction
}

/** Where the distance begins again at about 0 it goes on where it stopped, with the way between the two records. */
function countedOn(all: Rows, { off }: DistanceEvidence): Judged | null {
  const { tS, distanceM } = all
  const rows = rowsWith(distanceM, distanceM)
  let result: Float64Array | null = null
  let [addedM, times] = [0, 0]
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    const before = i === 0 ? null : rows[i - 1]!
    if (before !== null && beginsAgain(i, before)) {
      addedM += distanceM[before]! + Math.max(0, between(i) - distanceM[row]!)
      times += 1
      result ??= distanceM.slice()
    }
    if (result !== null) result[row] = distanceM[row]! + addedM
  }
  if (result === null) return null
  const used = result[rows.at(-1)!]!
  const stated = distanceM[rows.at(-1)!]!
  const again = times === 1 ? 'once' : `${times} times`
  const reason = `The distance restarted ${again} and ends at ${metres(stated)}; added up it is ${metres(used)}`
  return { distanceM: result, correction: correctionOf(stated, used, reason) }

  /** It falls to what can be run since the row before, and the next rows go on from there. */
  function beginsAgain(i: number, before: number): boolean {
    const row = rows[i]!
    const fromM = distanceM[before]!
    const mostM = FIRST_M + IMPOSSIBLE_MPS * Math.min(LONGEST_HOLD_S, tS[row]! - tS[before]!)
    if (!(distanceM[row]! <= mostM && fromM > 2 * (distanceM[row]! + SLACK_M))) return false
    const isReached = i < 2 || isRun(rows[i - 2]!, before)
    // zeros after which it leaps back are none
    let grown = i + 1
    while (grown < rows.length && distanceM[rows[grown]!]! <= distanceM[row]!) grown += 1
    return isReached && grown < rows.length && isRun(rows[grown - 1]!, rows[grown]!)
  }

  /** Metres between a record and the one before: by their places, else as fast as before. */
  function between(i: number): number {
    const [row, before] = [rows[i]!, rows[i - 1]!]
    const stepS = tS[row]! - tS[before]!
    const byPlaces = wayM(all, off, before, row)
    if (!Number.isNaN(byPlaces)) return byPlaces
    if (i < 2 || stepS > LONGEST_HOLD_S) return 0
    return ((distanceM[before]! - distanceM[rows[i - 2]!]!) / (tS[before]! - tS[rows[i - 2]!]!)) * stepS
  }

  function isRun(a: number, b: number): boolean {
    const stepM = distanceM[b]! - distanceM[a]!
    return stepM >= 0 && stepM <= IMPOSSIBLE_MPS * (tS[b]! - tS[a]!) + JUMP_SLACK_M
  }
}

/** A first value that cannot have been run by then is subtracted, unless total or laps say that it belongs to the run. */
function fromZero(all: Rows, { totalM, lapsM, off }: DistanceEvidence): Judged | null {
  const { tS, distanceM } = all
  const rows = rowsWith(distanceM, distanceM)
  const [first, last] = [rows[0]!, rows.at(-1)!]
  const [firstM, lastM] = [distanceM[first]!, distanceM[last]!]
  if (firstM <= FIRST_M + IMPOSSIBLE_MPS * tS[first]!) return null
  // a first value that is not gone on from is a broken one
  if (rows.length > 1 && distanceM[rows[1]!]! < firstM) return null
  const stated = totalM ?? lapsM
  const belongs = stated !== null && Math.abs(stated - lastM) < Math.abs(stated - (lastM - firstM))
  if (belongs && firstM < APART * lastM) return null
  // what was run before it was written belongs to the run: by what is stated, else by the places
  const restM = (stated ?? Number.NaN) - (lastM - firstM)
  const isRest = restM >= 0 && restM <= FIRST_M + IMPOSSIBLE_MPS * tS[first]!
  const beforeM = isRest ? restM : wayM(all, off, 0, first) || 0
  const reason = `The distance began at ${metres(firstM)}, counted before this run; it counts from ${metres(beforeM)}`
  return {
    distanceM: distanceM.map((value) => value - firstM + beforeM),
    correction: correctionOf(firstM, beforeM, reason),
  }
}

/** Metres made while the timer was off do not count, unless the total counts them. */
function withoutPauses(rows: Rows, { totalM, timerOff }: DistanceEvidence): Judged | null {
  const { tS, distanceM } = rows
  if (timerOff.length === 0) return null
  const alongM = filledDistance(tS, distanceM)!
  const result = distanceM.slice()
  let [pausedM, next] = [0, 0]
  for (let row = 1; row < tS.length; row += 1) {
    while (next < timerOff.length && timerOff[next]!.endS <= tS[row - 1]!) next += 1
    const stepM = alongM[row]! - alongM[row - 1]!
    if (stepM > 0) pausedM += stepM * offShare(tS[row - 1]!, tS[row]!, next)
    result[row] = distanceM[row]! - pausedM
  }
  const lastM = alongM.at(-1)!
  const usedM = lastM - pausedM
  if (!(pausedM > Math.max(PAUSED_M, PAUSED_SHARE * lastM))) return null
  if (totalM !== null && Math.abs(totalM - lastM) <= Math.abs(totalM - usedM)) return null
  const reason = `${metres(pausedM)} of ${metres(lastM)} were covered while the timer was stopped; ${metres(usedM)} count`
  return { distanceM: result, correction: correctionOf(lastM, usedM, reason) }

  function offShare(fromS: number, toS: number, from: number): number {
    let offS = 0
    for (let i = from; i < timerOff.length && timerOff[i]!.startS < toS; i += 1) {
      offS += Math.max(0, Math.min(toS, timerOff[i]!.endS) - Math.max(fromS, timerOff[i]!.startS))
    }
    return offS / (toS - fromS)
  }
}

/** Of samples, places, laps and total that is wrong which two others contradict; places alone outweigh the samples. */
function byMostWitnesses(rows: Rows, { totalM, lapsM, off, indoor }: DistanceEvidence): JudgedDistance {
  const { distanceM } = rows
  const known = rowsWith(distanceM, distanceM)
  const streamM = Math.max(0, ...gathered(distanceM, known.subarray(-1)))
  const kept = { distanceM, totalM, corrections: [] }
  const length = comparedWithPlaces(rows, off)
  const isTotalOff = totalM !== null && isApart(totalM, streamM)
  if (length === null || !length.isApart) {
    if (!isTotalOff) return kept
    if (lapsM !== null && isAgreed(lapsM, totalM)) return length === null ? scaled(totalM) : kept
    if (length === null || indoor) return kept
    const reason = `The total distance of ${metres(totalM)} is wrong; the records and the route show ${metres(streamM)}`
    return { distanceM, totalM: null, corrections: [correctionOf(totalM, streamM, reason)] }
  }
  const isVouched = [totalM, lapsM].some((stated) => stated !== null && isAgreed(stated, streamM))
  const isRunnable = streamM <= IMPOSSIBLE_MPS * rows.tS.at(-1)!
  if (isVouched && isRunnable) return kept
  const { placesM } = length
  if (totalM !== null && lapsM !== null && isAgreed(totalM, lapsM) && !isAgreed(totalM, placesM)) return scaled(totalM)
  const reason = `The recorded distance of ${metres(streamM)} is wrong; the route is ${metres(placesM)} long`
  return {
    distanceM: new Float64Array(distanceM.length).fill(Number.NaN),
    totalM: totalM !== null && isApart(totalM, placesM) ? null : totalM,
    corrections: [correctionOf(streamM, placesM, reason)],
  }

  function scaled(toM: number): JudgedDistance {
    if (!(streamM > 0)) return kept
    const reason = `The recorded distance of ${metres(streamM)} is wrong; laps and total show ${metres(toM)}`
    const column = distanceM.map((value) => (value * toM) / streamM)
    return { distanceM: column, totalM, corrections: [correctionOf(streamM, toM, reason)] }
  }
}

/**
 * The length of the way along the places, and whether the samples' distance disagrees with it or covers only a part of it;
 * null: there are no places.
 */
function comparedWithPlaces(rows: Rows, off: readonly Span[]): { placesM: number; isApart: boolean } | null {
  const placed = rowsWith(rows.latDeg, rows.lonDeg)
  if (placed.length < 2) return null
  const rough = compared(rows, placed, roughSteps(rows, placed, off))
  if (!rough.isApart) return rough
  // places about one point, as of a treadmill, are those of nobody who runs
  const [north, east] = [extent(gathered(rows.latDeg, placed)), extent(gathered(rows.lonDeg, placed))]
  if (distanceBetweenM(north.least, east.least, north.most, east.most) < STANDING_M) return null
  const { distanceM } = gpsDistance(rows.tS, rows, off)!
  const exact = compared(rows, placed, (a, b) => distanceM[b]! - distanceM[a]!)
  // the error of each place makes the way longer, but hardly between places further apart
  let lastS = Number.NEGATIVE_INFINITY
  const sparse = placed.filter((row) => {
    const isKept = rows.tS[row]! - lastS >= SPARSE_S
    if (isKept) lastS = rows.tS[row]!
    return isKept
  })
  return { ...exact, isApart: exact.isApart && compared(rows, sparse, roughSteps(rows, sparse, off)).isApart }
}

function compared({ tS, distanceM }: Rows, placed: Uint32Array, stepM: (a: number, b: number) => number) {
  const known = rowsWith(distanceM, distanceM)
  const [firstS, lastS] = [tS[known[0]!]!, tS[known.at(-1)!]!]
  const alongM = filledDistance(tS, distanceM)!
  let [withinM, beyondM, streamM] = [0, 0, 0]
  for (let k = 1; k < placed.length; k += 1) {
    const [a, b] = [placed[k - 1]!, placed[k]!]
    if (tS[b]! - tS[a]! > LONGEST_STEP_S) continue
    const metres = stepM(a, b)
    if (tS[a]! < firstS || tS[b]! > lastS) {
      beyondM += metres
      continue
    }
    withinM += metres
    streamM += alongM[b]! - alongM[a]!
  }
  const placesM = withinM + beyondM
  return { placesM, isApart: isApart(withinM, streamM) || isApart(placesM, withinM) }
}

/** Metres along the places from one record to another; NaN: fewer than two have one, or the timer was off. */
function wayM(rows: Rows, off: readonly Span[], from: number, to: number): number {
  const placed: number[] = []
  for (let row = from; row <= to; row += 1) if (!Number.isNaN(rows.latDeg[row]!)) placed.push(row)
  if (placed.length < 2) return Number.NaN
  const stepM = roughSteps(rows, Uint32Array.from(placed), off)
  return placed.slice(1).reduce((sum, row, k) => sum + stepM(placed[k]!, row), 0)
}

/** Steps between places as on a plane, without pauses and jumps: enough to see whether more exact ones are needed. */
function roughSteps({ tS, latDeg, lonDeg }: Rows, placed: Uint32Array, off: readonly Span[]) {
  const metresPerDeg = 111_195
  const eastPerDeg = metresPerDeg * Math.cos((latDeg[placed[0]!]! * Math.PI) / 180)
  let next = 0
  return (a: number, b: number): number => {
    while (next < off.length && off[next]!.endS <= tS[a]!) next += 1
    if (next < off.length && off[next]!.startS < tS[b]!) return 0
    const north = metresPerDeg * (latDeg[b]! - latDeg[a]!)
    const east = eastPerDeg * (lonDeg[b]! - lonDeg[a]!)
    const metres = Math.sqrt(north * north + east * east)
    return metres > IMPOSSIBLE_MPS * (tS[b]! - tS[a]!) + JUMP_SLACK_M ? 0 : metres
  }
}

/** Where neither distances nor places are stated, the speed of each record for the step that ends there. */
function bySpeed({ tS, speedMps, latDeg, lonDeg }: Rows, { timerOff }: DistanceEvidence): Float64Array | null {
  const rows = rowsWith(speedMps, speedMps)
  if (2 * rows.length < tS.length || rowsWith(latDeg, lonDeg).length > 1) return null
  const result = new Float64Array(tS.length).fill(Number.NaN)
  let [sumM, next] = [0, 0]
  for (let k = 0; k < rows.length; k += 1) {
    const row = rows[k]!
    const stepS = k === 0 ? 0 : tS[row]! - tS[rows[k - 1]!]!
    while (next < timerOff.length && timerOff[next]!.endS <= tS[row]! - stepS) next += 1
    const isOff = next < timerOff.length && timerOff[next]!.startS < tS[row]!
    if (!isOff) sumM += Math.min(speedMps[row]!, IMPOSSIBLE_MPS) * Math.min(stepS, LONGEST_HOLD_S)
    result[row] = sumM
  }
  return sumM > 0 ? result : null
}

function isApart(a: number, b: number): boolean {
  return Math.abs(a - b) > Math.max(SLACK_M, APART * Math.max(a, b))
}

function isAgreed(a: number, b: number): boolean {
  return Math.abs(a - b) <= AGREED * Math.max(a, b)
}

function correctionOf(stated: number, used: number, reason: string): Correction {
  return { what: 'distance', stated: roundHalfUp(stated, 2), used: roundHalfUp(used, 2), reason }
}
