import { hasValues } from '../engine/gather.ts'
import { columnsWith, scalesOf, timeScale } from '../engine/grid.ts'
import { distanceByPositions, distanceBySpeed } from '../engine/run/expected-distance.ts'
import type { Positions, Track } from '../engine/track.ts'
import { bitsOf, type ColumnSpec, decodeColumns, encodeColumns } from './columns.ts'

/** A track as stored: three blobs of columns, so that a query reads only the group that it needs. */
export interface PackedSamples {
  readonly sampleCount: number
  /** JSON of the values of Meta that differ from the usual ones. */
  readonly meta: string
  /** Time and heart rate. */
  readonly timeHr: Uint8Array
  /** Position, distance and elevation; the distance may be stored as the deviation from an expected one. */
  readonly track: Uint8Array
  /** Cadence, power, temperature and speed. */
  readonly rest: Uint8Array
  /** Of stored samples: the recording, and the engine that packed them. */
  readonly recordingId?: string
  readonly engineVersion?: number
}

type Meta = Pick<Track, 'startMs' | 'distanceSource' | 'elevationSource' | 'indoor' | 'positionUnit'> &
  Pick<Track, 'climbLimit' | 'climb' | 'hasEstimatedTimes' | 'seams'> & {
    readonly off: readonly (readonly [number, number])[]
  }

/** The groups with their columns and the ids of the stored format, which must not change. */
const GROUPS = {
  timeHr: { tS: 1, heartRateBpm: 2 },
  track: { latDeg: 3, lonDeg: 4, distanceM: 5, elevM: 6 },
  rest: { cadenceRpm: 7, powerW: 8, temperatureC: 9, speedMps: 10 },
} as const
type Groups = typeof GROUPS
type Group = keyof Groups

/** Ids used in place of column 5: stored integers less those of engine/run/expected-distance.ts. */
const BEYOND = { positions: 11, speed: 12 } as const

/** Packs without loss: every value of a Track is a multiple of its stored unit. */
export function packTrack(track: Track): PackedSamples {
  const scales = { ...scalesOf(track.positionUnit), tS: timeScale(track.tS.at(-1) ?? 0) }
  function* columns(group: Group): Generator<ColumnSpec> {
    for (const [name, id] of Object.entries(GROUPS[group]) as [keyof typeof scales, number][]) {
      if (name === 'distanceM') yield packedDistance(track, scales[name])
      else yield { id, scale: scales[name], values: track[name] }
    }
  }
  const packed = (group: Group) => encodeColumns(track.n, columns(group))
  return {
    sampleCount: track.n,
    meta: metaText(packedMeta(track)),
    timeHr: packed('timeHr'),
    track: packed('track'),
    rest: packed('rest'),
  }
}

/** The form that takes fewer bits. */
function packedDistance(track: Track, scale: number): ColumnSpec {
  const { distanceM } = track
  let shortest: ColumnSpec = { id: GROUPS.track.distanceM, scale, values: distanceM }
  let bits = bitsOf(shortest)
  const take = (id: number, expected: Int32Array) => {
    const found = { id, scale: 1, values: beyond(distanceM, expected, scale) }
    const foundBits = bitsOf(found)
    if (foundBits < bits) [shortest, bits] = [found, foundBits]
  }
  // without positions or speed there is nothing to predict the distance from
  if (hasValues(track.latDeg)) take(BEYOND.positions, distanceByPositions(track, scale))
  if (hasValues(track.speedMps)) take(BEYOND.speed, distanceBySpeed(track, scale))
  return shortest
}

function beyond(distanceM: Float64Array, expected: Int32Array, scale: number): Float64Array {
  const result = new Float64Array(distanceM.length)
  for (let i = 0; i < result.length; i += 1) {
    const metres = distanceM[i]!
    result[i] = Number.isNaN(metres) ? metres : (Math.round(metres * scale) - expected[i]!) | 0
  }
  return result
}

/** Usual values, which are not stored and which archives assume. */
const USUAL = {
  distanceSource: 'device',
  elevationSource: 'unknown',
  indoor: false,
  positionUnit: 'e7',
  off: [],
} as const

function metaText(meta: Meta): string {
  const usual: Readonly<Record<string, unknown>> = USUAL
  return JSON.stringify(
    Object.fromEntries(Object.entries(meta).filter(([key, value]) => !Bun.deepEquals(usual[key], value))),
  )
}

/** Properties of samples beside their values, as stored, and as written to archives. */
function packedMeta(track: Omit<Meta, 'off'> & Pick<Track, 'off'>): Meta {
  const { startMs, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes, off } = track
  const { climb, seams } = track
  const ranges = off.map(({ startS, endS }) => [startS, endS] as const)
  return {
    startMs,
    distanceSource,
    elevationSource,
    indoor,
    positionUnit,
    ...(climbLimit === undefined ? {} : { climbLimit }),
    ...(climb === undefined ? {} : { climb }),
    ...(seams === undefined ? {} : { seams }),
    ...(hasEstimatedTimes === undefined ? {} : { hasEstimatedTimes }),
    off: ranges,
  }
}

/** The whole track, exactly as it was packed. */
export function unpackTrack({ sampleCount, meta, timeHr, track, rest }: PackedSamples): Track {
  const described = metaOf(meta)
  const times = columnsOf('timeHr', timeHr)
  const others = columnsOf('rest', rest)
  const places = columnsOf('track', track, ['latDeg', 'lonDeg', 'elevM'])
  const distanceM = unpackedDistance(track, described, { ...places, ...times, ...others })
  return { ...described, ...times, ...places, distanceM, ...others, n: sampleCount }
}

/** Positions only: columns lat and lon, NaN where a row has none. */
export function unpackPositions(track: Uint8Array): Positions {
  return columnsOf('track', track, ['latDeg', 'lonDeg'])
}

/**
 * The track with times and positions only, every other column empty: repairs give the same positions as on the whole
 * track, of which this is a third.
 */
export function unpackPlaces({ sampleCount, meta, timeHr, track }: Omit<PackedSamples, 'rest'>): Track {
  const empty = new Float64Array(sampleCount).fill(Number.NaN)
  return {
    ...metaOf(meta),
    ...columnsWith(() => empty),
    ...columnsOf('timeHr', timeHr, ['tS']),
    ...unpackPositions(track),
    distanceSource: 'none',
    n: sampleCount,
  }
}

/** @param known the columns that the stored form was predicted from */
function unpackedDistance(
  blob: Uint8Array,
  { positionUnit }: Pick<Track, 'positionUnit'>,
  known: Positions & Pick<Track, 'tS' | 'speedMps'>,
): Float64Array {
  const { distanceM: scale } = scalesOf(positionUnit)
  const plain = GROUPS.track.distanceM
  const { columns } = decodeColumns(blob, [plain, BEYOND.positions, BEYOND.speed])
  const [[id, values] = []] = columns
  if (id === undefined || values === undefined || columns.size > 1) throw new Error('Stored samples lack column 5')
  if (id === plain) return values
  const expected = id === BEYOND.speed ? distanceBySpeed(known, scale) : distanceByPositions(known, scale)
  // NaN plus anything stays NaN; | 0 must not be applied to it
  for (let i = 0; i < values.length; i += 1) {
    if (!Number.isNaN(values[i]!)) values[i] = ((values[i]! + expected[i]!) | 0) / scale
  }
  return values
}

/** Times and heart rates, from one of the three groups. */
export function unpackHeartRate({
  meta,
  timeHr,
}: Pick<PackedSamples, 'meta' | 'timeHr'>): Pick<Track, 'tS' | 'heartRateBpm' | 'off'> {
  return { ...columnsOf('timeHr', timeHr), off: metaOf(meta).off }
}

/** Times alone. */
export function unpackTimes({ meta, timeHr }: Pick<PackedSamples, 'meta' | 'timeHr'>): Pick<Track, 'tS' | 'off'> {
  return { ...columnsOf('timeHr', timeHr, ['tS']), off: metaOf(meta).off }
}

/** Whether the source had no times, so that they were estimated in proportion to the distance. */
export function hasEstimatedTimes({ meta }: Pick<PackedSamples, 'meta'>): boolean {
  return metaOf(meta).hasEstimatedTimes ?? false
}

/** Unix milliseconds of elapsed second 0. */
export function startMsOf({ meta }: Pick<PackedSamples, 'meta'>): number {
  return metaOf(meta).startMs
}

function metaOf(json: string): Omit<Meta, 'off'> & Pick<Track, 'off'> {
  const meta: Meta = { ...USUAL, ...JSON.parse(json) }
  return { ...meta, off: meta.off.map(([startS, endS]) => ({ startS, endS })) }
}

/** @param wanted columns of the group; absent: all */
function columnsOf<G extends Group, N extends keyof Groups[G]>(
  group: G,
  blob: Uint8Array,
  wanted = Object.keys(GROUPS[group]) as N[],
): Record<N, Float64Array> {
  const ids: Groups[G] = GROUPS[group]
  const { columns } = decodeColumns(
    blob,
    wanted.map((name) => Number(ids[name])),
  )
  const found = wanted.map((name) => {
    const column = columns.get(Number(ids[name]))
    if (column === undefined) throw new Error(`Stored samples lack column ${ids[name]}`)
    return [name, column] as const
  })
  return Object.fromEntries(found) as Record<N, Float64Array>
}
