import { roundHalfUp } from '../../engine/units.ts'
import type { FitRecords } from './records.ts'
import type { FitMessage } from './values.ts'

/** Ticks per second of a heart rate strap's clock. */
const TICKS_PER_S = 1024
/** The strap's clock restarts after 2^32 ticks. */
const ROLLOVER_S = 0x400000
/** A beat holds for up to 5 s after it, in steps of a quarter second. */
const HOLD_STEP_S = 0.25
const MAX_HOLD_STEPS = 20
/** Most beats: three days of quarter seconds. A damaged file may claim any number. */
const MAX_BEATS = 1 << 20

/**
 * Merges heart rates that a strap stored without contact to the watch (swimming) and that were chained to the file
 * afterwards: each record gets their mean since the record before it. Values that the watch received itself are
 * replaced, as Garmin's own software does.
 * @param messages hr messages in file order
 * @param rows first and one past the last row of the records that they belong to
 */
export function mergeHeartRates(
  records: FitRecords,
  messages: readonly FitMessage[],
  rows: readonly [number, number],
): void {
  const beats = expandedBeats(messages)
  let beat = 0
  let previousS = Number.NaN
  let mean = Number.NaN
  for (let row = rows[0]; row < rows[1]; row += 1) {
    const endS = records.timestampS[row]!
    if (Number.isNaN(endS)) continue
    if (endS !== previousS) {
      const startS = previousS < endS ? previousS : endS - 1
      let sum = 0
      let count = 0
      for (; beat < beats.timeS.length && beats.timeS[beat]! <= endS; beat += 1) {
        if (beats.timeS[beat]! <= startS) continue
        sum += beats.bpm[beat]!
        count += 1
      }
      mean = count > 0 ? roundHalfUp(sum / count) : Number.NaN
      previousS = endS
    }
    if (!Number.isNaN(mean)) records.heartRateBpm[row] = mean
  }
}

interface Beats {
  readonly timeS: number[]
  readonly bpm: number[]
}

/** Beats in seconds since the FIT epoch, with repeated values that fill the time between them. */
function expandedBeats(messages: readonly FitMessage[]): Beats {
  const beats: Beats = { timeS: [], bpm: [] }
  let anchorS = Number.NaN
  let anchorEventS = Number.NaN
  let lastTicks = 0
  for (const message of messages) {
    const events = eventTimes(message, lastTicks)
    const last = events.at(-1)
    if (last !== undefined && !Number.isNaN(last)) lastTicks = Math.round(last * TICKS_PER_S)
    if (typeof message.timestamp === 'number') {
      anchorS = message.timestamp + fraction(message)
      anchorEventS = events[0] ?? Number.NaN
    }
    const bpms = Array.isArray(message.filteredBpm) ? (message.filteredBpm as readonly number[]) : []
    for (let i = 0; i < Math.min(events.length, bpms.length); i += 1) {
      const sinceS = events[i]! - anchorEventS
      const timeS = anchorS + (sinceS < -ROLLOVER_S / 2 ? sinceS + ROLLOVER_S : sinceS)
      if (bpms[i]! > 0 && Number.isFinite(timeS)) addBeat(beats, timeS, bpms[i]!)
    }
  }
  return beats
}

function fraction(message: FitMessage): number {
  const { fractionalTimestamp, time256 } = message
  if (typeof fractionalTimestamp === 'number') return fractionalTimestamp
  return typeof time256 === 'number' ? time256 : 0
}

/** Seconds of the strap's clock: written in full, or as its low 12 bits, two values in three bytes. */
function eventTimes(message: FitMessage, lastTicks: number): readonly number[] {
  const { eventTimestamp, eventTimestamp12 } = message
  if (Array.isArray(eventTimestamp)) return eventTimestamp as readonly number[]
  if (!Array.isArray(eventTimestamp12)) return []
  const bytes = eventTimestamp12 as readonly number[]
  const times: number[] = []
  let ticks = lastTicks
  for (let i = 0; 3 * (i >> 1) + 2 < bytes.length; i += 1) {
    const at = 3 * (i >> 1)
    const low = i % 2 === 0 ? bytes[at]! | ((bytes[at + 1]! & 15) << 8) : (bytes[at + 1]! >> 4) | (bytes[at + 2]! << 4)
    ticks += (low - (ticks % 4096) + 4096) % 4096
    times.push(ticks / TICKS_PER_S)
  }
  return times
}

function addBeat({ timeS, bpm }: Beats, atS: number, value: number): void {
  if (timeS.length >= MAX_BEATS) return
  const previousS = timeS.at(-1)
  const previousBpm = bpm.at(-1)
  if (previousS !== undefined && previousBpm !== undefined) {
    for (let step = 1; step <= MAX_HOLD_STEPS && previousS + step * HOLD_STEP_S < atS; step += 1) {
      timeS.push(previousS + step * HOLD_STEP_S)
      bpm.push(previousBpm)
    }
  }
  timeS.push(atS)
  bpm.push(value)
}
