import { decodeColumns, encodeColumns } from '../engine/codec.ts'
import { scalesOf, timeScale } from '../engine/grid.ts'
import type { Positions, Track } from '../engine/track.ts'

/** A track as the database keeps it: three zstd blobs of engine/codec.ts columns, so that a question reads only its group. */
export interface PackedSamples {
  readonly sampleCount: number
  /** JSON of Meta. */
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

/** The groups, and their columns with the ids of the stored format: never renumbered. */
const GROUPS = {
  timeHr: { tS: 1, heartRateBpm: 2 },
  track: { latDeg: 3, lonDeg: 4, distanceM: 5, elevM: 6 },
  rest: { cadenceRpm: 7, powerW: 8, temperatureC: 9, speedMps: 10 },
} as const
type Groups = typeof GROUPS
type Group = keyof Groups

const ZSTD_LEVEL = 3

/** Packs without loss: every value of a Track is a multiple of its stored unit. */
export function packTrack(track: Track): PackedSamples {
  const scales = { ...scalesOf(track.positionUnit), tS: timeScale(track.tS.at(-1) ?? 0) }
  const packed = (group: Group) => {
    const entries = Object.entries(GROUPS[group]) as [keyof typeof scales, number][]
    const columns = entries.map(([name, id]) => ({ id, scale: scales[name], values: track[name] }))
    return Bun.zstdCompressSync(encodeColumns(track.n, columns), { level: ZSTD_LEVEL })
  }
  return {
    sampleCount: track.n,
    meta: JSON.stringify(packedMeta(track)),
    timeHr: packed('timeHr'),
    track: packed('track'),
    rest: packed('rest'),
  }
}

/** What samples are besides their values, as it is stored, and written in archives. */
export function packedMeta(track: Omit<Meta, 'off'> & Pick<Track, 'off'>): Meta {
  const { startMs, distanceSource, elevationSource, indoor, positionUnit, climbLimit, hasEstimatedTimes, off } = track
  const ranges = off.map(({ startS, endS }) => [startS, endS] as const)
  return {
    startMs,
    distanceSource,
    elevationSource,
    indoor,
    positionUnit,
    ...(climbLimit === undefined ? {} : { climbLimit }),
    ...(hasEstimatedTimes === undefined ? {} : { hasEstimatedTimes }),
    off: ranges,
  }
}

/** The whole track, exactly as it was packed. */
export function unpackTrack({ sampleCount, meta, timeHr, track, rest }: PackedSamples): Track {
  return {
    ...metaOf(meta),
    ...columnsOf('timeHr', timeHr),
    ...columnsOf('track', track),
    ...columnsOf('rest', rest),
    n: sampleCount,
  }
}

/** Positions only, for a route: [lat, lon] columns with NaN where there is none. */
export function unpackPositions(track: Uint8Array): Positions {
  return columnsOf('track', track, ['latDeg', 'lonDeg'])
}

/** What best efforts are found in: times and cumulative metres (NaN where a row has none), of the two groups that hold them. */
export function unpackDistance({ meta, timeHr, track }: PackedSamples) {
  const { hasEstimatedTimes = false } = metaOf(meta)
  return { ...columnsOf('timeHr', timeHr, ['tS']), ...columnsOf('track', track, ['distanceM']), hasEstimatedTimes }
}

/** What an effort is scored with: one group of the three. */
export function unpackHeartRate({
  meta,
  timeHr,
}: Pick<PackedSamples, 'meta' | 'timeHr'>): Pick<Track, 'tS' | 'heartRateBpm' | 'off'> {
  return { ...columnsOf('timeHr', timeHr), off: metaOf(meta).off }
}

/** What is stored in fractions though the sample rows of archives are whole: two columns of one group. */
export function unpackFractions({ rest }: Pick<PackedSamples, 'rest'>): Pick<Track, 'cadenceRpm' | 'temperatureC'> {
  return columnsOf('rest', rest, ['cadenceRpm', 'temperatureC'])
}

/** Unix milliseconds of elapsed second 0. */
export function startMsOf({ meta }: Pick<PackedSamples, 'meta'>): number {
  return metaOf(meta).startMs
}

function metaOf(json: string): Omit<Meta, 'off'> & Pick<Track, 'off'> {
  const meta: Meta = JSON.parse(json)
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
    Bun.zstdDecompressSync(blob),
    wanted.map((name) => Number(ids[name])),
  )
  const found = wanted.map((name) => {
    const column = columns.get(Number(ids[name]))
    if (column === undefined) throw new Error(`Stored samples lack column ${ids[name]}`)
    return [name, column] as const
  })
  return Object.fromEntries(found) as Record<N, Float64Array>
}
