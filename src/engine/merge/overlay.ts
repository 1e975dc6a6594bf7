import { hasValues } from '../gather.ts'
import { columnsWith, scalesOf } from '../grid.ts'
import { quantise } from '../quantise.ts'
import { joined } from '../repair/join.ts'
import { wrappedDeg } from '../route/geo.ts'
import { CHANNELS, type Channel } from '../run/channels.ts'
import { crop } from '../run/crop.ts'
import { filledDistance } from '../run/distance.ts'
import type { Column, Track } from '../track.ts'
import { HELD_S } from './same-run.ts'

// One track of several recordings of one run: the first gives the clock, each channel comes from one of them.

export interface Layer {
  readonly track: Track
  /** Seconds to be added to its clock; 0 for the first. */
  readonly shiftS: number
}

/** Index of the layer that a channel comes from; absent: the first. */
export type ChosenLayers = { readonly [C in Channel]?: number }

/** Readings of another recording are taken from its nearest row within this time. */
const NEAREST_S = 5
/** A recording covers more than another from this share of the time on. */
const MORE = 1.02
/** The rows of another recording follow the first when they go on for this long and far. */
const [FOLLOWS_S, FOLLOWS_M] = [60, 100]

/** For each channel the layer that covers most of the first one's time, barometric altitude before others. */
export function bestLayers(layers: readonly Layer[]): ChosenLayers {
  const chosen: { [C in Channel]?: number } = {}
  for (const channel of Object.keys(CHANNELS) as Channel[]) {
    const covered = layers.map((layer) => coveredS(layers, layer, CHANNELS[channel]))
    const isBaro = (k: number) => layers[k]!.track.elevationSource === 'baro' && covered[k]! > 0
    let best = channel === 'elevation' ? (chosen.position ?? 0) : 0
    for (const k of layers.keys()) {
      if (channel === 'elevation' && isBaro(k) !== isBaro(best)) {
        if (isBaro(k)) best = k
      } else if (covered[k]! > covered[best]! * MORE) best = k
    }
    if (best !== 0) chosen[channel] = best
  }
  return chosen
}

/** Index of the layer whose rows follow the first one's end, such as after a dead battery; null: none. */
export function following(layers: readonly Layer[]): number | null {
  const [first] = layers
  let best: number | null = null
  for (const [k, layer] of layers.entries()) {
    const { tS, distanceM } = layer.track
    const fromS = endOf(first!, layer)
    const metres = filledDistance(tS, distanceM)
    if (k === 0 || metres === null || fromS < 0) continue
    const row = tS.findIndex((atS) => atS >= fromS)
    const follows = row !== -1 && beyondS(first!, layer) > FOLLOWS_S && metres.at(-1)! - metres[row]! > FOLLOWS_M
    if (follows && (best === null || beyondS(first!, layer) > beyondS(first!, layers[best]!))) best = k
  }
  return best
}

/** @param tail index of the layer whose rows follow the end of the first; null: none */
export function overlaid(layers: readonly Layer[], chosen: ChosenLayers, tail: number | null): Track {
  const [first] = layers
  if (first === undefined) throw new RangeError('Nothing to lay together')
  const { track } = first
  const places = layers[chosen.position ?? 0] ?? first
  const { positionUnit } = places.track
  const laid = (layer: Layer, name: Column, read: Read) =>
    layer === first ? track[name] : read(layer.track, layer.track[name], rowTimes(first, layer))
  const columns: Record<Column, Float64Array> = columnsWith((name) => track[name])
  for (const channel of Object.keys(CHANNELS) as Channel[]) {
    const layer = layers[chosen[channel] ?? 0] ?? first
    if (channel === 'position') {
      columns.latDeg = laid(layer, 'latDeg', between)
      columns.lonDeg = laid(layer, 'lonDeg', between)
    } else {
      const name = CHANNELS[channel]
      columns[name] = laid(layer, name, channel === 'elevation' ? between : nearest)
    }
  }
  const distance = track.distanceSource === 'device' || !hasValues(places.track.distanceM) ? first : places
  if (distance !== first) {
    columns.distanceM = fromZero(laid(distance, 'distanceM', between))
    columns.speedMps = laid(distance, 'speedMps', nearest)
  }
  const scales = scalesOf(positionUnit)
  const { elevationSource } = (layers[chosen.elevation ?? 0] ?? first).track
  const { distanceSource } = distance.track
  const indoor = track.indoor && places === first
  const whole: Track = {
    ...track,
    ...columnsWith((name) => quantise(columns[name], scales[name])),
    ...{ positionUnit, elevationSource, distanceSource, indoor },
  }
  const after = tail === null ? undefined : layers[tail]
  if (after === undefined) return whole
  const rest = crop(after.track, { startS: Math.max(0, endOf(first, after)), endS: lastS(after) })
  return joined([whole, { ...rest, startMs: rest.startMs + after.shiftS * 1000 }], 'pause') ?? whole
}

function lastS({ track }: Layer): number {
  return track.tS.at(-1) ?? 0
}

/** How long a layer continues after the end of the first, seconds. */
export function beyondS(first: Layer, layer: Layer): number {
  return lastS(layer) - endOf(first, layer)
}

/** When the first layer ends, elapsed seconds of another. */
function endOf(first: Layer, layer: Layer): number {
  return lastS(first) + secondsInto(first, layer)
}

function secondsInto(first: Layer, { track, shiftS }: Layer): number {
  return (first.track.startMs - track.startMs) / 1000 - shiftS
}

/** The times of the first layer's rows, elapsed seconds of another. */
function rowTimes(first: Layer, layer: Layer): Float64Array {
  const into = secondsInto(first, layer)
  return first.track.tS.map((atS) => atS + into)
}

type Read = (track: Track, values: Float64Array, timesS: Float64Array) => Float64Array

/** Calls back with the rows that have a value before and after each time; -1: none. */
function eachTime(
  tS: Float64Array,
  values: Float64Array,
  timesS: Float64Array,
  found: (k: number, before: number, after: number) => void,
): void {
  let before = -1
  let after = -1
  const next = (row: number) => {
    let k = row + 1
    while (k < values.length && Number.isNaN(values[k]!)) k += 1
    return k < values.length ? k : -1
  }
  after = next(-1)
  for (let k = 0; k < timesS.length; k += 1) {
    while (after !== -1 && tS[after]! <= timesS[k]!) {
      before = after
      after = next(after)
    }
    found(k, before, after)
  }
}

function nearest({ tS }: Track, values: Float64Array, timesS: Float64Array): Float64Array {
  const result = new Float64Array(timesS.length).fill(Number.NaN)
  eachTime(tS, values, timesS, (k, before, after) => {
    const sinceS = before === -1 ? Number.POSITIVE_INFINITY : timesS[k]! - tS[before]!
    const untilS = after === -1 ? Number.POSITIVE_INFINITY : tS[after]! - timesS[k]!
    if (Math.min(sinceS, untilS) <= NEAREST_S) result[k] = values[sinceS <= untilS ? before : after]!
  })
  return result
}

/** On a straight line, within gaps that are short enough. */
function between(track: Track, values: Float64Array, timesS: Float64Array): Float64Array {
  const { tS } = track
  const isLongitude = values === track.lonDeg
  const result = new Float64Array(timesS.length).fill(Number.NaN)
  eachTime(tS, values, timesS, (k, before, after) => {
    if (before === -1) return
    const sinceS = timesS[k]! - tS[before]!
    if (sinceS === 0) result[k] = values[before]!
    if (sinceS === 0 || after === -1 || tS[after]! - tS[before]! > HELD_S) return
    const step = values[after]! - values[before]!
    const value = values[before]! + ((isLongitude ? wrappedDeg(step) : step) * sinceS) / (tS[after]! - tS[before]!)
    result[k] = isLongitude ? wrappedDeg(value) : value
  })
  return result
}

/** Distances that begin with 0. */
function fromZero(distanceM: Float64Array): Float64Array {
  const first = distanceM.find((metres) => !Number.isNaN(metres)) ?? 0
  return distanceM.map((metres) => metres - first)
}

/** Seconds of the first layer's time in which a column has values at most `HELD_S` apart. */
function coveredS(layers: readonly Layer[], layer: Layer, name: Column): number {
  const [first] = layers
  const into = secondsInto(first!, layer)
  const { tS } = layer.track
  const values = layer.track[name]
  let seconds = 0
  let before = Number.NaN
  for (let row = 0; row < values.length; row += 1) {
    if (Number.isNaN(values[row]!)) continue
    const atS = Math.min(lastS(first!), Math.max(0, tS[row]! - into))
    if (atS - before <= HELD_S) seconds += atS - before
    before = atS
  }
  return seconds
}
