import { hasValues } from '../../engine/gather.ts'
import { LAP_INTENSITIES, type LapTrigger } from '../../engine/laps.ts'
import type { Column, ElevationSource, Track } from '../../engine/track.ts'
import { FIRST_ABSOLUTE_S, FIT_EPOCH_S } from '../fit/profile.ts'
import { FormatError } from '../format.ts'
import { FitBytes, type FitField } from './fit-bytes.ts'
import { endOf, timerOf, type WrittenLap, type WrittenRun } from './run.ts'

// Messages and fields by their numbers in the profile of Garmin's SDK.

const FILE_ID = 0
const SESSION = 18
const LAP = 19
const RECORD = 20
const EVENT = 21
const DEVICE_INFO = 23
const ACTIVITY = 34

const TIME: FitField = { num: 253, type: 'uint32' }
const enumOf = (num: number): FitField => ({ num, type: 'enum' })
const uint8 = (num: number, scale = 1): FitField => ({ num, type: 'uint8', scale })
const uint16 = (num: number): FitField => ({ num, type: 'uint16' })
const uint32 = (num: number, scale = 1): FitField => ({ num, type: 'uint32', scale })
const altitude = (num: number): FitField => ({ num, type: 'uint32', scale: 5, offset: 500 })

const DEVELOPMENT = 255
const ACTIVITY_FILE = 4
const RUNNING = 1
const [GENERIC, TREADMILL] = [0, 1]
const TIMER = 0
const [START, STOP, MARKER, STOP_ALL] = [0, 1, 3, 4]
const [LAP_EVENT, SESSION_EVENT, ACTIVITY_EVENT] = [9, 8, 26]
/** Local parts of a device that altitude comes from. */
const ALTIMETERS: Readonly<Record<ElevationSource, number | null>> = { gps: 0, baro: 4, unknown: null }
const LOCAL_SOURCE = 5
const TRIGGERS: Readonly<Record<LapTrigger, number>> = {
  manual: 0,
  time: 1,
  distance: 2,
  position: 3,
  sessionEnd: 7,
  fitnessEquipment: 8,
  heartRate: 0,
}

const SEMICIRCLES = 2 ** 31 / 180
/** Times in the file have 32 bits. */
const LAST_S = 0xfffffffe

/** Record fields of each column; cadence has one field for the whole and one for its fraction. */
const RECORD_FIELDS: readonly { readonly column: Column; readonly fields: readonly FitField[] }[] = [
  { column: 'latDeg', fields: [{ num: 0, type: 'sint32', scale: SEMICIRCLES }] },
  { column: 'lonDeg', fields: [{ num: 1, type: 'sint32', scale: SEMICIRCLES }] },
  { column: 'elevM', fields: [altitude(78)] },
  { column: 'heartRateBpm', fields: [uint8(3)] },
  { column: 'cadenceRpm', fields: [uint8(4), uint8(53, 128)] },
  { column: 'distanceM', fields: [uint32(5, 100)] },
  { column: 'speedMps', fields: [uint32(73, 1000)] },
  { column: 'powerW', fields: [uint16(7)] },
  { column: 'temperatureC', fields: [{ num: 13, type: 'sint8' }] },
]

/**
 * Writes a run as a FIT activity, in pieces; without samples two records, since readers take none at all for damage.
 * @throws FormatError when the run's time cannot be represented in FIT
 */
export function writeFit(run: WrittenRun): Uint8Array<ArrayBuffer>[] {
  const { track, startMs } = run
  const endS = endOf(run)
  const timeAt = (elapsedS: number) => Math.round(startMs / 1000 + elapsedS) - FIT_EPOCH_S
  if (timeAt(0) < FIRST_ABSOLUTE_S || timeAt(endS) > LAST_S) {
    throw new FormatError('A FIT file holds runs from July 1998 to February 2126 only')
  }
  const bytes = new FitBytes()
  const fileId = bytes.define(FILE_ID, [enumOf(0), uint16(1), uint16(2), { num: 3, type: 'uint32z' }, uint32(4)])
  bytes.add(fileId, [ACTIVITY_FILE, DEVELOPMENT, 0, Bun.hash.crc32(run.id) || 1, timeAt(0)])
  const altimeter = track && ALTIMETERS[track.elevationSource]
  if (altimeter !== null) {
    const info = bytes.define(DEVICE_INFO, [TIME, uint8(0), uint8(1), enumOf(25)])
    bytes.add(info, [timeAt(0), 1, altimeter, LOCAL_SOURCE])
  }
  const event = bytes.define(EVENT, [TIME, enumOf(0), enumOf(1)])
  bytes.add(event, [timeAt(0), TIMER, START])
  if (track === null) addTotals(bytes, run, timeAt)
  else addRecords(bytes, track, { timeAt, event, endS })
  bytes.add(event, [timeAt(endS), TIMER, STOP_ALL])
  addLaps(bytes, run, timeAt)
  addSession(bytes, run, timeAt)
  const activity = bytes.define(ACTIVITY, [
    TIME,
    uint32(0, 1000),
    uint16(1),
    enumOf(2),
    enumOf(3),
    enumOf(4),
    uint32(5),
  ])
  const localTime = run.utcOffsetMinutes === null ? null : timeAt(endS) + run.utcOffsetMinutes * 60
  bytes.add(activity, [timeAt(endS), timerOf(run), 1, 0, ACTIVITY_EVENT, STOP, localTime])
  return bytes.finish()
}

type TimeAt = (elapsedS: number) => number

/** Writes the records, with stops and starts of the timer, and marks where a part begins, at their places among them. */
function addRecords(
  bytes: FitBytes,
  track: Track,
  { timeAt, event, endS }: { timeAt: TimeAt; event: number; endS: number },
): void {
  const used = RECORD_FIELDS.filter(({ column }) => hasValues(track[column]))
  const record = bytes.define(RECORD, [TIME, ...used.flatMap(({ fields }) => fields)])
  const events = track.off.flatMap(({ startS, endS: untilS }) => [
    ...(startS < endS ? [{ atS: startS, type: STOP_ALL }] : []),
    // the last pause ends at the latest with the run
    ...(untilS < endS ? [{ atS: untilS, type: START }] : []),
  ])
  for (const atS of track.seams ?? []) events.push({ atS, type: MARKER })
  events.sort((a, b) => a.atS - b.atS)
  let next = 0
  const addEvents = (untilS: number) => {
    for (; next < events.length && events[next]!.atS <= untilS; next += 1) {
      bytes.add(event, [timeAt(events[next]!.atS), TIMER, events[next]!.type])
    }
  }
  // one list for all rows, always of the same length: emptied and filled again, it would be allocated again
  const values = new Float64Array(1 + used.reduce((sum, { fields }) => sum + fields.length, 0))
  for (let row = 0; row < track.n; row += 1) {
    const atS = track.tS[row]!
    // readers take records after the end of the session for damage
    if (timeAt(atS) > timeAt(endS)) break
    addEvents(atS)
    values[0] = timeAt(atS)
    let at = 1
    for (const { column } of used) at = setValue(values, at, { column, value: track[column][row]! })
    bytes.add(record, values)
  }
  addEvents(endS)
}

/** @returns the place of the next value */
function setValue(
  values: Float64Array,
  at: number,
  { column, value }: { readonly column: Column; readonly value: number },
): number {
  if (column !== 'cadenceRpm') {
    values[at] = value
    return at + 1
  }
  // rounded to 1/128 first, so that a fraction that rounds up to one carries into the whole
  const rounded = Math.round(value * 128) / 128
  values[at] = Math.floor(rounded)
  values[at + 1] = rounded - Math.floor(rounded)
  return at + 2
}

function addTotals(bytes: FitBytes, run: WrittenRun, timeAt: TimeAt): void {
  const { distanceM } = run.numbers
  const record = bytes.define(RECORD, [TIME, uint32(5, 100)])
  bytes.add(record, [timeAt(0), 0])
  bytes.add(record, [timeAt(endOf(run)), distanceM])
}

/** Laps in the order of their ends, as watches write them. */
function addLaps(bytes: FitBytes, { laps, overlapping }: WrittenRun, timeAt: TimeAt): void {
  const lastLap = laps.at(-1)
  const triggerOf = (lap: WrittenLap) => {
    const trigger = lap.trigger ?? (lap === lastLap ? 'sessionEnd' : null)
    return trigger && TRIGGERS[trigger]
  }
  const fields: readonly (readonly [FitField, (lap: WrittenLap, index: number) => number | null])[] = [
    [uint16(254), (_, index) => index],
    [TIME, ({ endS }) => timeAt(endS)],
    [uint32(2), ({ startS }) => timeAt(startS)],
    [uint32(7, 1000), ({ startS, endS }) => endS - startS],
    [uint32(8, 1000), ({ timerS }) => timerS],
    [uint32(9, 100), ({ distanceM }) => distanceM],
    [uint8(15), ({ avgHeartRateBpm }) => avgHeartRateBpm],
    [uint8(16), ({ maxHeartRateBpm }) => maxHeartRateBpm],
    [uint8(17), ({ avgCadenceRpm }) => avgCadenceRpm],
    [uint16(19), ({ avgPowerWatts }) => avgPowerWatts],
    [uint16(21), ({ elevGainM }) => elevGainM],
    [uint16(22), ({ elevLossM }) => elevLossM],
    [enumOf(23), ({ intensity }) => (intensity === null ? null : LAP_INTENSITIES.indexOf(intensity))],
    [enumOf(24), triggerOf],
    [enumOf(25), () => RUNNING],
    [enumOf(0), () => LAP_EVENT],
    [enumOf(1), () => STOP],
  ]
  const kind = bytes.define(
    LAP,
    Array.from(fields, ([field]) => field),
  )
  for (const [index, lap] of [...overlapping, ...laps].sort((a, b) => a.endS - b.endS).entries()) {
    bytes.add(
      kind,
      Array.from(fields, ([, value]) => value(lap, index)),
    )
  }
}

function addSession(bytes: FitBytes, run: WrittenRun, timeAt: TimeAt): void {
  const { numbers, track, laps, overlapping } = run
  const isOutside = track !== null && !track.indoor && (hasValues(track.latDeg) || hasValues(track.elevM))
  const fields: readonly (readonly [FitField, number | null])[] = [
    [TIME, timeAt(endOf(run))],
    [uint32(2), timeAt(0)],
    [enumOf(5), RUNNING],
    [enumOf(6), isOutside ? GENERIC : TREADMILL],
    [uint32(7, 1000), endOf(run)],
    [uint32(8, 1000), timerOf(run)],
    [uint32(59, 1000), numbers.movingTimeS],
    [uint32(9, 100), numbers.distanceM],
    [uint16(11), numbers.calories],
    [uint32(124, 1000), numbers.avgSpeedMps],
    [uint32(125, 1000), numbers.maxSpeedMps],
    [uint8(16), numbers.avgHeartRateBpm],
    [uint8(17), numbers.maxHeartRateBpm],
    [uint8(64), numbers.minHeartRateBpm],
    [uint8(18), numbers.avgCadenceRpm],
    [uint8(19), numbers.maxCadenceRpm],
    [uint16(20), numbers.avgPowerWatts],
    [uint16(21), numbers.maxPowerWatts],
    [uint16(22), numbers.elevGainM],
    [uint16(23), numbers.elevLossM],
    [altitude(127), numbers.minElevM],
    [altitude(128), numbers.maxElevM],
    [uint16(254), 0],
    [uint16(25), 0],
    [uint16(26), laps.length + overlapping.length],
    [enumOf(0), SESSION_EVENT],
    [enumOf(1), STOP],
    [enumOf(28), 0],
  ]
  const session = bytes.define(
    SESSION,
    Array.from(fields, ([field]) => field),
  )
  bytes.add(
    session,
    Array.from(fields, ([, value]) => value),
  )
}
