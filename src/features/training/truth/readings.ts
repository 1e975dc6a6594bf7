import type { Static } from '@sinclair/typebox'
import { invalid } from '../../../base/errors.ts'
import { isoDate, mondayOf, parseDay } from '../../../engine/calendar/weeks.ts'
import { windCostPct, windParts } from '../../../engine/training/conditions.ts'
import { TREND_DAYS, type WarmRun } from '../../../engine/training/truth/better.ts'
import type { TrendRun } from '../../../engine/training/truth/trend-rows.ts'
import { DAY_MS } from '../../../engine/units.ts'
import type { Deps } from '../../../library/deps.ts'
import { raced } from '../../../library/race-efforts.ts'
import { weatherLookups } from '../../../library/settings.ts'
import { storedMarks } from '../../../library/training/documents.ts'
import { isDoneWithin, trainingState } from '../../../library/training/refresh.ts'
import { fitnessRun, type PlainRun, RUN_COLUMNS } from '../../../library/training/runs.ts'
import { unpackedHeadings } from '../../../workers/training.ts'
import { dayAsked } from '../../stats/queries.ts'
import { referenceOf } from '../efficiency.ts'
import { FACT_TABLES, FACT_WINDOW, type FactRow, wbgtOf } from '../facts.ts'
import { createTrainingLibrary, type TrainingLibrary, type Viewer } from '../library.ts'
import type { FitnessQuery } from './schemas.ts'

export type TruthDeps = Pick<Deps, 'db' | 'config' | 'worker' | 'after' | 'events' | 'log'>

const USUAL_AGAINST_DAYS = 182
/** How long a request waits for a fit before it is given the one of before the last change. */
const PATIENCE_MS = 50
/** Questions whose answers are kept. */
const MOST_KEPT = 3

/** What is known of a library on a day. */
export type Found = Awaited<ReturnType<typeof find>>

type Asked = Static<typeof FitnessQuery>

interface Kept {
  readonly state: string
  readonly work: Promise<Found>
  found: Found | null
}

export type Readings = ReturnType<typeof createReadings>

/** What the calls of training and of fitness at one heart rate share. */
export interface Training {
  readonly library: TrainingLibrary
  readonly readings: Readings
}

export function createTraining(deps: Deps): Training {
  const library = createTrainingLibrary(deps)
  return { library, readings: createReadings(deps, library) }
}

/** Fits of the Worker, kept until something that they are based on changes. */
function createReadings(deps: TruthDeps, library: TrainingLibrary) {
  const { db, after, events, log } = deps
  const known = new Map<string, Kept>()
  const start = (key: string, state: string, asked: Parameters<typeof find>[2]): Kept => {
    const older = known.get(key)?.found ?? null
    const kept: Kept = { state, work: find(deps, library, asked), found: older }
    known.delete(key)
    known.set(key, kept)
    for (const first of known.keys()) if (known.size > MOST_KEPT) known.delete(first)
    kept.work.then(
      (found) => {
        kept.found = found
      },
      (error: unknown) => {
        log.error('Fitness at one heart rate could not be computed', error)
        if (known.get(key) === kept) known.delete(key)
      },
    )
    return kept
  }
  return {
    /** @throws AppError 400 for invalid days */
    read: async (sent: Asked) => {
      const asked = daysOf(sent, library.viewer(sent.timezoneOffsetMinutes))
      const { revision, computed: loads, conditions } = trainingState(db)
      const key = JSON.stringify(asked)
      const state = JSON.stringify([revision, loads, conditions, isWeatherOff(deps)])
      const last = known.get(key)
      // loads will change it once more
      if (last?.found && last.state !== state && revision !== loads) return { found: last.found, recomputing: true }
      const kept = last?.state === state ? last : start(key, state, asked)
      if (kept.found === null) return { found: await kept.work, recomputing: false }
      const isDone = await isDoneWithin(after, PATIENCE_MS, kept.work)
      if (!isDone)
        kept.work.then(
          () => events.emit({ event: 'training.updated', data: {} }),
          () => {},
        )
      return { found: kept.found, recomputing: !isDone }
    },
  }
}

function isWeatherOff({ db, config }: Pick<TruthDeps, 'db' | 'config'>): boolean {
  return !config.weatherEnabled || !weatherLookups(db)
}

function daysOf(sent: Asked, viewer: Viewer) {
  const day = dayAsked(sent.day, viewer.today)
  if (day > viewer.today)
    throw invalid(`day must not be after today, which is ${isoDate(viewer.today)}`, { field: 'day' })
  const against = dayAsked(sent.against, day - USUAL_AGAINST_DAYS)
  if (against >= day) throw invalid(`against must be before day, which is ${isoDate(day)}`, { field: 'against' })
  return { viewer, day, against }
}

async function find(deps: TruthDeps, library: TrainingLibrary, asked: ReturnType<typeof daysOf>) {
  const { viewer, day, against } = asked
  /** Monday of the week before that of the day. */
  const week = mondayOf(day) - 7
  const marks = storedMarks(deps.db)
  const { ids, runs, warm } = trendRuns(deps, library, { viewer, from: day - TREND_DAYS + 1, to: day })
  const profile = {
    restBpm: library.profile(viewer.today).restingHeartRateBpm.value,
    referenceBpm: referenceOf(library, viewer),
  }
  const ofWeek = warm(week, week + 6)
  const sensorDays = marks.map((mark) => parseDay(mark.day)!)
  const job = { runs, asked: { day, against, profile, sensorDays, week: ofWeek } }
  const { read } = await deps.worker.ask('better', job)
  const needsWeather = !isWeatherOff(deps)
  return {
    ...asked,
    needsWeather,
    referenceBpm: profile.referenceBpm,
    week,
    weekRuns: ofWeek.length,
    read,
    ids,
    runs,
    marks,
  }
}

interface Row extends PlainRun, Pick<FactRow, 'suspect' | 'windMps' | 'windFromDeg' | 'headings'> {
  readonly device: string | null
  readonly latDeg: number | null
  readonly lonDeg: number | null
}

const ROWS = `
  SELECT ${RUN_COLUMNS}, coalesce(l.suspect, 0) AS suspect, w.weather_wind_speed_mps AS windMps,
    w.weather_wind_direction AS windFromDeg, t.headings, w.device, (r.south_deg + r.north_deg) / 2 AS latDeg,
    (r.west_deg + r.east_deg) / 2 AS lonDeg
  ${FACT_TABLES} LEFT JOIN workout_route AS r ON r.workout_id = w.id ${FACT_WINDOW}`

/** Runs of some days, the earliest first, with their ids. */
function trendRuns(
  deps: TruthDeps,
  library: TrainingLibrary,
  { viewer, from, to }: { readonly viewer: Viewer; readonly from: number; readonly to: number },
) {
  const mayLackWeather = isWeatherOff(deps)
  const rows = deps.db.$client
    .query<Row, [number, number]>(ROWS)
    .all((from - 1) * DAY_MS, (to + 2) * DAY_MS)
    .map((row) => ({ ...row, day: library.dayOf(row, viewer) }))
    .filter(({ day }) => day >= from && day <= to)
  const body = library.profile(viewer.today)
  const { firstDay, rows: days } = library.days(viewer)
  const windPct = ({ windMps, windFromDeg, headings }: Row) => {
    if (windMps === null || windFromDeg === null || headings === null) return null
    const wind = { speedMps: windMps, fromDeg: windFromDeg }
    return windCostPct(windParts(unpackedHeadings(headings), wind), body)?.mid ?? null
  }
  const races = raced(deps.db)
  const runs = rows.map((row): TrendRun => {
    const { startedAt, offset, latDeg, lonDeg } = row
    const localMs = startedAt + (offset ?? viewer.offsetMinutes) * 60_000
    const before = days[row.day - firstDay - 1]
    return {
      ...fitnessRun(row, row.day, races),
      hour: (localMs % DAY_MS) / 3_600_000,
      mayLackWeather,
      isSuspect: row.suspect === 1,
      temperatureC: row.temperatureC,
      windCostPct: windPct(row),
      tired: before === undefined || before.fitness < LEAST_FITNESS ? 0 : before.fatigue / before.fitness - 1,
      place: latDeg === null || lonDeg === null ? null : [latDeg, lonDeg],
      device: row.device,
    }
  })
  const warm = (first: number, last: number): WarmRun[] =>
    rows.flatMap((row) => {
      const { day, isIndoor, distanceM, movingS } = row
      const wbgtC = wbgtOf(row)
      if (day < first || day > last || isIndoor === 1 || wbgtC === null || !(distanceM > 0)) return []
      return [{ wbgtC, distanceM, paceS: (1000 * movingS) / distanceM }]
    })
  return { ids: rows.map(({ id }) => id), runs, warm }
}

/** Below this fitness its ratio to fatigue is meaningless. */
const LEAST_FITNESS = 10
