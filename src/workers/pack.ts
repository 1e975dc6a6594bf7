import { type ColumnSpec, decodeColumns, encodeColumns } from '../engine/codec.ts'
import { scalesOf, timeScale } from '../engine/grid.ts'
import type { SampleColumns, Span, Track } from '../engine/track.ts'
/** A track as the database keeps it: three zstd blobs of engine/codec.ts columns, so that a question reads only its group. */
export interface PackedSamples {
  readonly sampleCount: number
  /** JSON of PackedMeta. */
  readonly meta: string
  /** Time and heart rate. */
  readonly timeHr: Uint8Array
  /** Position, distance and elevation. */
  readonly track: Uint8Array
  /** Cadence, power, temperature and speed. */
  readonly rest: Uint8Array
}

type Meta = Pick<Track, 'startMs' | 'distanceSource' | 'elevationSource' | 'indoor' | 'positionUnit'> &
  Pick<Track, 'climbLimit' | 'hasEstimatedTimes'> & {
    readonly off: readonly (readonly [number, number])[]
  }

/** Column ids of the stored format: never renumbered. */
const COLUMN = {
  tS: 1,
  heartRateBpm: 2,
  latDeg: 3,
  lonDeg: 4,
  distanceM: 5,
  elevM: 6,
  cadenceRpm: 7,
  powerW: 8,
  temperatureC: 9,
  speedMps: 10,
} as const

const ZSTD_LEVEL = 3

/** Packs without loss: every value of a Track is a multiple of its stored unit. */
export function packTrack(track: Track): PackedSamples {
  const scales = scalesOf(track.positionUnit)
  const pack = (columns: readonly ColumnSpec[]) =>
    Bun.zstdCompressSync(encodeColumns(track.n, columns), { level: ZSTD_LEVEL })
  return {
    sampleCount: track.n,
    meta: JSON.stringify(packedMeta(track)),
    timeHr: pack([
      { id: COLUMN.tS, scale: timeScale(track.tS.at(-1) ?? 0), values: track.tS },
      { id: COLUMN.heartRateBpm, scale: scales.heartRateBpm, values: track.heartRateBpm },
    ]),
    track: pack([
      { id: COLUMN.latDeg, scale: scales.latDeg, values: track.latDeg },
      { id: COLUMN.lonDeg, scale: scales.lonDeg, values: track.lonDeg },
      { id: COLUMN.distanceM, scale: scales.distanceM, values: track.distanceM },
      { id: COLUMN.elevM, scale: scales.elevM, values: track.elevM },
    ]),
    rest: pack([
      { id: COLUMN.cadenceRpm, scale: scales.cadenceRpm, values: track.cadenceRpm },
      { id: COLUMN.powerW, scale: scales.powerW, values: track.powerW },
      { id: COLUMN.temperatureC, scale: scales.temperatureC, values: track.temperatureC },
      { id: COLUMN.speedMps, scale: scales.speedMps, values: track.speedMps },
    ]),
  }
}

/** What samples are besides their values, as it is stored, and written in archives. */
export function packedMeta(track: Omit<Meta, 'off'> & Pick<Track, 'off'>): Meta {
  const { startMs, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes, off } = track
  return {
    ...{ startMs, distanceSource, elevationSource, indoor, positionUnit },
    ...(climbLimit === undefined ? {} : { climbLimit }),
    ...(hasEstimatedTimes === undefined ? {} : { hasEstimatedTimes }),
    off: off.map(({ startS, endS }) => [startS, endS]),
  }
}

/** The whole track, exactly as it was packed. */
export function unpackTrack(packed: PackedSamples): Track {
  const meta: Meta = JSON.parse(packed.meta)
  const timeHr = columnsOf(packed.timeHr)
  const track = columnsOf(packed.track)
  const rest = columnsOf(packed.rest)
  const columns: SampleColumns & { readonly tS: Float64Array } = {
    tS: timeHr(COLUMN.tS),
    heartRateBpm: timeHr(COLUMN.heartRateBpm),
    latDeg: track(COLUMN.latDeg),
    lonDeg: track(COLUMN.lonDeg),
    distanceM: track(COLUMN.distanceM),
    elevM: track(COLUMN.elevM),
    cadenceRpm: rest(COLUMN.cadenceRpm),
    powerW: rest(COLUMN.powerW),
    temperatureC: rest(COLUMN.temperatureC),
    speedMps: rest(COLUMN.speedMps),
  }
  return { ...meta, ...columns, off: offOf(meta), n: packed.sampleCount }
}

/** Positions only, for a route: [lat, lon] columns with NaN where there is none. */
export function unpackPositions(track: Uint8Array): { readonly latDeg: Float64Array; readonly lonDeg: Float64Array } {
  const column = columnsOf(track, COLUMN.latDeg, COLUMN.lonDeg)
  return { latDeg: column(COLUMN.latDeg), lonDeg: column(COLUMN.lonDeg) }
}

/** Times and cumulative metres only (NaN where a row has none), for best efforts: the two groups that hold them. */
export function unpackDistance({ timeHr, track }: Pick<PackedSamples, 'timeHr' | 'track'>): {
  readonly tS: Float64Array
  readonly distanceM: Float64Array
} {
  return {
    tS: columnsOf(timeHr, COLUMN.tS)(COLUMN.tS),
    distanceM: columnsOf(track, COLUMN.distanceM)(COLUMN.distanceM),
  }
}

/** What an effort is scored with: one group of the three. */
export function unpackHeartRate({ meta, timeHr }: Pick<PackedSamples, 'meta' | 'timeHr'>): {
  readonly tS: Float64Array
  readonly heartRateBpm: Float64Array
  readonly off: readonly Span[]
} {
  const column = columnsOf(timeHr)
  return { tS: column(COLUMN.tS), heartRateBpm: column(COLUMN.heartRateBpm), off: offOf(JSON.parse(meta)) }
}

/** What is stored in fractions though the sample rows of archives are whole: two columns of one group. */
export function unpackFractions({ rest }: Pick<PackedSamples, 'rest'>): Pick<Track, 'cadenceRpm' | 'temperatureC'> {
  const column = columnsOf(rest, COLUMN.cadenceRpm, COLUMN.temperatureC)
  return { cadenceRpm: column(COLUMN.cadenceRpm), temperatureC: column(COLUMN.temperatureC) }
}

/** Unix milliseconds of elapsed second 0. */
export function startMsOf({ meta }: Pick<PackedSamples, 'meta'>): number {
  return (JSON.parse(meta) as Meta).startMs
}

function offOf({ off }: Meta): Span[] {
  return off.map(([startS, endS]) => ({ startS, endS }))
}

function columnsOf(blob: Uint8Array, ...wanted: readonly number[]): (id: number) => Float64Array {
  const { columns } = decodeColumns(Bun.zstdDecompressSync(blob), wanted.length === 0 ? undefined : wanted)
  return (id) => {
    const column = columns.get(id)
    if (column === undefined) throw new Error(`Stored samples lack column ${id}`)
    return column.values
  }
}
