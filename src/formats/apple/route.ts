import type { TimedColumns } from '../table/merged.ts'
import { Rows } from '../table/rows.ts'
import { scanXml, type XmlHandler } from '../xml/scanner.ts'
import type { XmlAttributes, XmlText } from '../xml/text.ts'
import type { AppleWorkout } from './workout.ts'

const WORDS = ['gpx', 'trk', 'trkseg', 'trkpt', 'lat', 'lon', 'ele', 'time', 'speed', 'hAcc']
const COLUMNS = ['timeMs', 'latDeg', 'lonDeg', 'elevM', 'speedMps', 'segment'] as const
/** Positions that are less accurate are left out. */
const MOST_ACCURACY_M = 100
/** Times in the export have whole seconds, and the run may end within the last one. */
const SECOND_MS = 1000
/** A longer gap between two segments is a pause, as in other GPX files. */
const SEGMENT_PAUSE_MS = 10_000

/** The route of a run from its GPX files; the points within the time of the run. */
export class AppleRoute implements XmlHandler {
  private readonly rows = new Rows(...COLUMNS)
  private readonly next = { timeMs: NaN, latDeg: NaN, lonDeg: NaN, elevM: NaN, speedMps: NaN, accuracyM: NaN }
  private segment = 0

  constructor(private readonly workout: Pick<AppleWorkout, 'startMs' | 'endMs'>) {}

  /**
   * Adds a file; points before damage in it are kept.
   * @returns whether a point of it lies within the run
   * @throws FormatError when it is cut or damaged
   */
  read(gpx: Uint8Array): boolean {
    const before = this.rows.n
    scanXml(gpx, WORDS, this)
    return this.rows.n > before
  }

  open(name: string, _parent: string, attributes: XmlAttributes): void {
    if (name === 'trkseg' || name === 'gpx') this.segment += 1
    if (name !== 'trkpt') return
    const [latDeg, lonDeg] = [attributes.number('lat'), attributes.number('lon')]
    Object.assign(this.next, { latDeg, lonDeg, timeMs: NaN, elevM: NaN, speedMps: NaN, accuracyM: NaN })
  }

  close(name: string, parent: string, text: XmlText): void {
    const { next } = this
    if (name === 'ele' && parent === 'trkpt') next.elevM = text.number()
    else if (name === 'time' && parent === 'trkpt') next.timeMs = text.timeMs()
    else if (name === 'speed') next.speedMps = text.number()
    else if (name === 'hAcc') next.accuracyM = text.number()
    else if (name === 'trkpt') this.add()
  }

  private add(): void {
    const { accuracyM, ...point } = this.next
    const { startMs, endMs } = this.workout
    if (accuracyM > MOST_ACCURACY_M || accuracyM < 0) return
    if (!(point.timeMs >= startMs && point.timeMs < endMs + SECOND_MS)) return
    this.rows.add({ ...point, segment: this.segment })
  }

  columns(): TimedColumns {
    const columns = (['latDeg', 'lonDeg', 'elevM', 'speedMps'] as const).map(
      (name) => [name, this.rows.column(name)] as const,
    )
    return { timeMs: this.rows.column('timeMs'), columns }
  }

  get n(): number {
    return this.rows.n
  }

  /** Gaps between segments, Unix milliseconds. */
  gaps(): (readonly [number, number])[] {
    const [timeMs, segment] = [this.rows.column('timeMs'), this.rows.column('segment')]
    const gaps: (readonly [number, number])[] = []
    for (let row = 1; row < this.rows.n; row += 1) {
      const [from, to] = [timeMs[row - 1]!, timeMs[row]!]
      if (segment[row] !== segment[row - 1] && to - from > SEGMENT_PAUSE_MS) gaps.push([from, to])
    }
    return gaps
  }
}
