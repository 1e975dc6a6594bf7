import { isObject } from '../../../base/json-object.ts'
import { LENGTHS } from '../../../base/texts.ts'
import type { RunType } from '../../../engine/limits.ts'
import { type DeviceTotals, NO_TOTALS } from '../../../engine/numbers.ts'
import { type SportWord, sportWord } from '../../../formats/sport-words.ts'
import { cleanText } from '../../../formats/text-values.ts'
import type { ReadRun } from '../kind.ts'

// The rows of Garmin's summarizedActivities.json. Their units differ from those of any other file: milliseconds,
// centimetres, and tenths of the speed in m/s.

/** A run as a row states it. */
export interface GarminRow {
  readonly id: string | null
  readonly startedAtMs: number
  readonly utcOffsetMinutes: number | null
  readonly name: string | null
  /** `Berlin Running`, which Garmin made up. */
  readonly isAutoName: boolean
  readonly runType: RunType | null
  readonly totals: DeviceTotals
}

/** A row that is a run, another activity, or neither: the whole of a triathlon, whose legs have rows of their own. */
type ReadRow = { readonly run: GarminRow } | { readonly sport: SportWord } | null

const RUNNING = /^(?:running|virtual_run|ultra_run|obstacle_run|.+_running)$/
const RACE_EVENT = 1
const [LARGEST_OFFSET_MIN, OFFSET_STEP_MIN] = [840, 15]

/** Names of running that Garmin gives an activity in the languages of its app, behind a place or alone. */
const AUTO_NAME = new RegExp(
  `^(?:.+ )?(?:${[
    '(?:Treadmill |Trail |Track |Indoor |Street |Virtual )?Running|Virtual Run|Ultra Run|Obstacle Racing',
    'Laufen|Trailrunning|Traillauf|Laufband(?:training)?|Bahnlauf(?:en)?|Straßenlauf(?:en)?|Hallenlauf(?:en)?',
    'Course à pied|Course sur tapis|Trail|Carrera|Carrera en cinta|Corsa|Corsa su pista|Tapis roulant|Corrida',
    'Hardlopen|Loopband|Løb|Løping|Löpning|Juoksu|Bieganie|Běh|Futás|Koşu|Бег|ランニング|跑步|달리기',
  ].join('|')})$`,
  'iu',
)

export function readRow(value: unknown): ReadRow {
  if (!isObject(value) || value.parent === true) return null
  const type = typeOf(value)
  if (type === null) return null
  const startedAtMs = numberIn(value.startTimeGmt) ?? numberIn(value.beginTimestamp)
  if (!RUNNING.test(type)) return { sport: sportWord(type) }
  if (startedAtMs === null) return null
  const name = typeof value.name === 'string' ? cleanText(value.name, LENGTHS.name) : null
  const isAutoName = name !== null && AUTO_NAME.test(name)
  // a race is sometimes set without the runner's doing; a name that he gave makes it sure
  const isRace = value.eventTypeId === RACE_EVENT && !isAutoName
  return {
    run: {
      id:
        typeof value.activityId === 'number' || typeof value.activityId === 'string' ? String(value.activityId) : null,
      startedAtMs,
      utcOffsetMinutes: offsetOf(numberIn(value.startTimeLocal), startedAtMs),
      name,
      isAutoName,
      runType: isRace ? 'Race' : null,
      totals: totalsOf(value),
    },
  }
}

/** The type as a text, or as the key of an object; older exports have it under `sportType` alone. */
function typeOf({ activityType, sportType }: Record<string, unknown>): string | null {
  const type = isObject(activityType) ? activityType.typeKey : (activityType ?? sportType)
  return typeof type === 'string' && type !== '' ? type.toLowerCase() : null
}

function totalsOf(row: Record<string, unknown>): DeviceTotals {
  const scaled = (name: string, scale: number) => {
    const value = numberIn(row[name])
    return value === null || value < 0 ? null : value * scale
  }
  const positive = (name: string, scale = 1) => {
    const value = scaled(name, scale)
    return value === 0 ? null : value
  }
  return {
    ...NO_TOTALS,
    elapsedS: positive('elapsedDuration', 0.001) ?? positive('duration', 0.001),
    timerS: positive('duration', 0.001),
    movingS: positive('movingDuration', 0.001),
    distanceM: positive('distance', 0.01),
    elevGainM: scaled('elevationGain', 0.01),
    elevLossM: scaled('elevationLoss', 0.01),
    // avgSpeed is not trusted: its unit differs between exports
    maxSpeedMps: positive('maxSpeed', 10),
    avgHeartRateBpm: positive('avgHr'),
    maxHeartRateBpm: positive('maxHr'),
    minHeartRateBpm: positive('minHr'),
    avgPowerW: positive('avgPower'),
    maxPowerW: positive('maxPower'),
    avgCadenceRpm: positive('avgRunCadence'),
    maxCadenceRpm: positive('maxRunCadence'),
  }
}

/** Local time is written as if it were UTC. */
function offsetOf(localMs: number | null, startedAtMs: number): number | null {
  if (localMs === null) return null
  const minutes = (localMs - startedAtMs) / 60_000
  return minutes % OFFSET_STEP_MIN === 0 && Math.abs(minutes) <= LARGEST_OFFSET_MIN ? minutes : null
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

// Names of files are numbers of uploads, which no row has: a file belongs to the row whose start it shares.

const SAME_START_MS = 2000
const NEAR_START_MS = 120_000
const SAME_TIME_SHARE = 0.02

/** The rows of runs, and which of them have a file. */
export function createRows(unsorted: readonly GarminRow[]) {
  const rows = unsorted.toSorted((one, other) => one.startedAtMs - other.startedAtMs)
  const withFile = new Set<GarminRow>()
  return {
    /** The row of a run that was read from a file; null: none, or several could be meant. */
    take: (run: ReadRun): GarminRow | null => {
      const near = rows.filter(({ startedAtMs }) => Math.abs(startedAtMs - run.startedAtMs) <= NEAR_START_MS)
      const same = near.filter(({ startedAtMs }) => Math.abs(startedAtMs - run.startedAtMs) <= SAME_START_MS)
      const meant = same.length > 0 ? same : near.filter((row) => isAsLong(row, run))
      const [only] = meant
      if (only === undefined || meant.length > 1) return null
      withFile.add(only)
      return only
    },
    /** Those that no run was read for. */
    withoutFile: (): readonly GarminRow[] => rows.filter((row) => !withFile.has(row)),
  }
}

function isAsLong({ totals }: GarminRow, { elapsedS, timerS }: ReadRun): boolean {
  const isSame = (one: number | null, other: number | null) =>
    one !== null && other !== null && Math.abs(one - other) <= SAME_TIME_SHARE * other
  return isSame(totals.elapsedS, elapsedS) || isSame(totals.timerS, timerS)
}
