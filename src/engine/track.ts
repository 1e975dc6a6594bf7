/** One row per record, in columns of equal length; NaN is a gap. */
export interface SampleColumns {
  /** Cumulative metres as the source wrote them; all NaN when it wrote none. */
  readonly distanceM: Float64Array
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
  readonly elevM: Float64Array
  /** Whole beats per minute; 0 and 255 are gaps already. */
  readonly heartRateBpm: Float64Array
  /** Steps of one foot per minute (about 85 when running); before cleaning perhaps of both. */
  readonly cadenceRpm: Float64Array
  readonly powerW: Float64Array
  readonly temperatureC: Float64Array
  readonly speedMps: Float64Array
}

export type Positions = Pick<SampleColumns, 'latDeg' | 'lonDeg'>

export interface Position {
  readonly latDeg: number
  readonly lonDeg: number
}

export type DistanceSource = 'device' | 'gps' | 'none'
export type ElevationSource = 'baro' | 'gps' | 'unknown'

/** A time span in seconds since the start, end exclusive. */
export interface Span {
  readonly startS: number
  readonly endS: number
}

/** The samples that a format parser returns: records in file order, before cleaning. */
export interface RecordedSamples
  extends SampleColumns,
    Pick<Track, 'n' | 'elevationSource' | 'indoor' | 'positionUnit'> {
  /** Unix milliseconds UTC of each record; NaN: no time, the record is dropped. */
  readonly timeMs: Float64Array
  /** Number of the GPX or TCX segment of each record; null when the format has none. */
  readonly segment: Int32Array | null
  /** Zero of the elapsed clock; null: the first record with a time. */
  readonly startMs: number | null
  /** Timer-stopped intervals in Unix milliseconds [start, end), in order, not overlapping. */
  readonly timerOffMs: readonly (readonly [number, number])[]
  /** Unix milliseconds at which another part begins, as files of Harrier state; absent: there is none. */
  readonly seamsMs?: readonly number[]
  /** Records are missing, so that what is stated of the whole counts; absent: all are there. */
  readonly isDamaged?: boolean
}

/**
 * The canonical track of docs/algorithms.md 0: sorted by time, one row per instant, distance never falling, no spikes.
 * All values are multiples of their stored unit, so that encoding and decoding changes nothing.
 */
export interface Track extends SampleColumns {
  readonly n: number
  /** Unix milliseconds of elapsed second 0. */
  readonly startMs: number
  /** Elapsed seconds, strictly increasing, whole milliseconds. */
  readonly tS: Float64Array
  readonly off: readonly Span[]
  /** 'gps': distanceM was computed from the positions; 'device': the source wrote it. */
  readonly distanceSource: DistanceSource
  readonly elevationSource: ElevationSource
  /** Treadmill and indoor runs have no climb. */
  readonly indoor: boolean
  /** Resolution of the positions that the codec stores without loss. */
  readonly positionUnit: 'semicircle' | 'e7'
  /** Limits the climb of a crop, which must not exceed that of the track before it. */
  readonly climbLimit?: ClimbLimit
  /** For a part of a split run: the climb of the whole within this part. */
  readonly climb?: ClimbLimit
  /** The source had no times; they were estimated in proportion to the distance. */
  readonly hasEstimatedTimes?: boolean
  /**
   * Elapsed seconds of the rows at which another part begins, ascending: what lay before was cut out, or comes from
   * another recording. Nothing was run between a part and the next, so no climb is counted and no best effort spans it.
   */
  readonly seams?: readonly number[]
}

export type Column = keyof SampleColumns

/** Upper limits of climb and descent, metres. */
export interface ClimbLimit {
  readonly gainM: number
  readonly lossM: number
}
