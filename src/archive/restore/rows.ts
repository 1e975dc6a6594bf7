import type { StatedSplit } from '../../db/stored.ts'
import { routeRows } from '../../engine/analyze.ts'
import { emptyColumns } from '../../engine/grid.ts'
import { storedLaps } from '../../engine/laps.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { NUMBER_NAMES, type Said } from '../../engine/numbers.ts'
import { channelsOf } from '../../engine/run/channels.ts'
import type { Track } from '../../engine/track.ts'
import { HOUR_MS, METRES_PER_KM, METRES_PER_MILE } from '../../engine/units.ts'
import type { Carried, RunDocument } from '../../library/documents/run.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import { freeId, shoeExists } from '../../library/ids.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { placeTime } from '../../library/time-zone.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { statedWeather } from '../../library/weather.ts'
import { rawHeartRate } from '../../workers/analyze-file.ts'
import { firstPosition } from '../../workers/derive.ts'
import { packTrack } from '../../workers/pack.ts'
import { derivedIds, isGiven, objectOf, textOf, uuidOf } from '../format/fields.ts'
import {
  MOST_SPLITS,
  readWorkout,
  sampleTable,
  statedSplit,
  valuesOf,
  type WorkoutRow,
  type WorkoutValues,
} from '../format/run-rows.ts'
import { mediaOfRows, originalOfRow, type RawFile } from './files.ts'
import { foreignLaps, foreignTrack } from './foreign.ts'
import type { RestoreWork } from './parts.ts'
import { restoreRun } from './run.ts'

/** Restores the run of one row of `workouts.json`. @returns its name in messages */
export async function restoreRow(work: RestoreWork, value: unknown): Promise<string> {
  const { parts, report, receipt } = work
  const lost: string[] = []
  const row = readWorkout(value, (name) => lost.push(name))
  const filename = textOf(row?.rawFileName, 255) ?? row?.name ?? null
  const refuse = (reason: string, which?: string) => {
    receipt?.note({ outcome: 'error', filename, reason })
    report.failed('workouts', reason, which === undefined ? {} : { which })
  }
  report.read('workouts')
  if (row === null || row.id === null) refuse('Workouts without an id')
  else if (parts.storedId(row.id) === null) {
    const { id } = row
    const read = async () => {
      const values = valuesOf(row)
      if ('error' in values) {
        parts.addWorkout(id, null)
        refuse(values.error, id)
        return null
      }
      for (const name of lost) report.warn('Invalid values of workouts, skipped', { which: `${id} ${name}` })
      const original = await originalOfRow(work, id, row)
      const sha256 = original?.sha256 ?? null
      const { startedAtMs, numbers } = values
      return {
        extent: { startedAtMs, distanceM: numbers.distanceM, durationS: numbers.durationS },
        files: sha256 === null ? [] : [{ sha256, session: 0 }],
        ...{ externals: [], isOther: () => false },
        content: () => contentOf(work, { id, row, values, original }),
      }
    }
    await restoreRun(work, { id, filename, read })
  }
  return filename ?? ''
}

interface ArchivedRow {
  readonly id: string
  readonly row: WorkoutRow
  readonly values: WorkoutValues
  readonly original: RawFile | null
}

/** The one recording that a workout of another program's archive gets, which states what the row does, and its document. */
async function contentOf(work: RestoreWork, { id, row, values, original }: ArchivedRow) {
  const { deps, parts } = work
  const { startedAtMs, createdAtMs: createdAt, leftOut, choice, weather, numbers } = values
  // a workout of Tempo has one; the samples could belong to none of two
  const [route] = parts.rows('routes', id)
  const { table, count } = await samplesOf(work, id)
  const splits = splitsOf(work, id)
  const rawData = rawDataOf(work, id, row)
  const run = { startedAtMs, durationS: numbers.durationS }
  const track = await foreignTrack(deps, { run, table, original, rawData, routeGeoJson: route?.routeGeoJson })
  const recordingId = freeId(deps.db, 'recording', id)
  const hasRaw = RAW_MEMBERS.some((name) => rawData[name] !== null)
  const stated = statedWeather(weather)
  const file = original && {
    ...{ fileSha256: original.sha256, fileSession: original.sha256 === null ? null : 0 },
    ...{ fileName: original.name, fileType: original.type, storedAs: recordingId },
  }
  const recording = {
    ...{ id: recordingId, kind: 'archive' as const, origin: 'archive' as const, ...file },
    ...{ startedAt: startedAtMs, addedAt: deps.now(), utcOffsetMinutes: values.utcOffsetMinutes ?? null },
    totals: saidNumbers(values),
    words: { ...values.words, gear: null },
    weather: stated,
    channels: track === null ? [] : channelsOf(track),
    laps: storedLaps(await foreignLaps(deps, original)),
    splits: splits.length === 0 ? null : splits,
    ...{ corrections: [], hasRaw, hasRawHr: rawHeartRate(objectOf(rawData.rawFitData)) },
    hasEstimatedTimes: track?.hasEstimatedTimes === true,
    samples: track && packTrack(track),
  }
  const shoeId = shoeOf(work, row)
  const to: RunDocument = {
    track: { recordings: [recordingId], repairs: [] },
    ...(shoeId === null ? {} : { shoeId }),
    choices: { ...(Bun.deepEquals(choice, NO_CHOICE) ? {} : { load: choice }), ...(leftOut ? { leftOut } : {}) },
    routeId: uuidOf(route?.id) ?? derivedIds(id, 'route')(0),
    createdAt,
    carried: { place: placeOf(values, track) },
  }
  const unitM = unitOfSplits(splits) ?? splitUnitM(unitPreference(deps.db))
  return {
    to,
    asked: { zones: null, splitUnitM: unitM, elevation: null },
    timedAt: deps.now(),
    recordings: [{ recording, original: original?.path ?? null, rawData: hasRaw ? rawData : null }],
    media: mediaOfRows(work, id),
    weather: weather === null || weather === stated ? [] : [{ hour: Math.floor(startedAtMs / HOUR_MS), weather }],
    counts: {
      ...{ routes: route === undefined ? 0 : 1, splits: splits.length },
      ...{ timeSeries: count, rawFiles: original === null ? 0 : 1 },
    },
  }
}

/** The samples of a workout in order of time, and how many of its rows are restored. */
async function samplesOf({ parts, report }: RestoreWork, id: string) {
  const { table, untimed } = await sampleTable(parts.rows('timeSeries', id))
  if (untimed > 0) report.failed('timeSeries', 'Rows of timeSeries without a time', { which: id, count: untimed })
  if (table !== null) return { table, count: table.n }
  const count = parts.count('timeSeries', id) - untimed
  report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count })
  return { table: { n: 0, elapsedMs: new Float64Array(0), ...emptyColumns(0) }, count: 0 }
}

function rawDataOf({ report }: RestoreWork, id: string, row: WorkoutRow): RawData {
  const members = RAW_MEMBERS.map((name) => {
    const object = objectOf(row[name])
    if (object === null && isGiven(row[name]))
      report.warn('Raw data of workouts that is not a JSON object, skipped', { which: `${id} ${name}` })
    return [name, object] as const
  })
  return Object.fromEntries(members) as unknown as RawData
}

/** All numbers of a row except the pace, which is computed. */
function saidNumbers({ numbers }: WorkoutValues): Said {
  const stated = NUMBER_NAMES.filter((name) => name !== 'avgPaceS' && numbers[name] !== null)
  const said: Said = Object.fromEntries(stated.map((name) => [name, numbers[name]]))
  return numbers.hrZoneSeconds === null ? said : { ...said, hrZoneSeconds: numbers.hrZoneSeconds }
}

/** The id of the shoe here; null with a warning for an unknown one. */
function shoeOf({ deps, standIns, report }: RestoreWork, { id, shoeId }: WorkoutRow): string | null {
  if (!isGiven(shoeId)) return null
  const archiveId = uuidOf(shoeId)
  const here = archiveId === null ? null : (standIns.get(archiveId) ?? archiveId)
  if (here !== null && shoeExists(deps.db, here)) return here
  report.warn('Workouts whose shoe does not exist, restored without one', { which: id ?? '' })
  return null
}

/** Where and when a run of another program's archive was: its offset counts, else that of its first position. */
function placeOf({ startedAtMs, utcOffsetMinutes }: WorkoutValues, track: Track | null): Carried['place'] & object {
  const first = track && firstPosition(track, routeRows(track))
  const place = placeTime(first, null, startedAtMs)
  const offset = utcOffsetMinutes === undefined ? place?.utcOffsetMinutes : utcOffsetMinutes
  return { timeZone: place?.zone ?? null, utcOffsetMinutes: offset ?? null }
}

/** The splits of one workout by index; one that cannot be read is reported alone, of two with one index the first counts. */
function splitsOf({ parts, report }: RestoreWork, workoutId: string): StatedSplit[] {
  const byIndex = new Map<number, StatedSplit>()
  const ids = new Set<string>()
  for (const row of parts.rows('splits', workoutId)) {
    const split = statedSplit(row)
    if (split === null) report.failed('splits', 'Splits without index, distance or duration', { which: workoutId })
    else if (byIndex.has(split.idx)) continue
    else if (byIndex.size >= MOST_SPLITS) report.failed('splits', `Splits beyond ${MOST_SPLITS}`, { which: workoutId })
    else {
      byIndex.set(split.idx, ids.has(split.id) ? { ...split, id: Bun.randomUUIDv7() } : split)
      ids.add(split.id)
    }
  }
  return [...byIndex.values()].sort((a, b) => a.idx - b.idx)
}

/** Metres within which a full split counts as a mile or a kilometre, since older programs cut at the next sample. */
const UNIT_SLACK_M = 100

/** Length of the splits of a run; null when none of them is full. */
function unitOfSplits(splits: readonly StatedSplit[]): number | null {
  const first = splits.length < 2 ? undefined : splits[0]
  if (first === undefined) return null
  return [METRES_PER_KM, METRES_PER_MILE].find((unitM) => Math.abs(first.distanceM - unitM) <= UNIT_SLACK_M) ?? null
}
