import { isObject } from '../../base/json-object.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { StoredProfileEntry, TrainingSettings } from '../../db/schema-training.ts'
import { parseDay } from '../../engine/calendar/weeks.ts'
import { MOST_MANUAL_LOAD } from '../../engine/limits.ts'
import { GOAL_METRICS, GOAL_PERIODS } from '../../engine/training/goals.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { type LoadChoice, NO_CHOICE } from '../../library/training/choices.ts'
import type { Goal } from '../../library/training/goals.ts'
import type { Mark } from '../../library/training/marks.ts'
import { DEFAULT_TRAINING } from '../../library/training/profile.ts'
import { RACE_LIMITS, type Race } from '../../library/training/races.ts'
import { numberOf, oneOf, type Row, textOf, uuidOf, wholeOf } from './fields.ts'

// The runner's training settings. Other readers ignore them, and archives need not have them.

export const CHOICE_FIELDS = ['loadSource', 'loadManual', 'excludeFromEstimates'] as const

const MOST_ENTRIES = 200

/** What a workout row states of its load; empty when it states nothing. */
export function readChoice(row: Row): LoadChoice {
  const loadManual = numberOf(row.loadManual, 0, MOST_MANUAL_LOAD)
  const source = oneOf(row.loadSource, ['auto', ...LOAD_SOURCES] as const) ?? NO_CHOICE.loadSource
  return {
    loadSource: source === 'manual' && loadManual === null ? NO_CHOICE.loadSource : source,
    loadManual,
    excludeFromEstimates: row.excludeFromEstimates === true,
  }
}

/** The member `training` of the settings; null when it is not valid. Values that break a rule are left out. */
export function readTraining(value: unknown): TrainingSettings | null {
  if (!isObject(value)) return null
  const fitnessDays = wholeOf(value.fitnessDays, 14, 90) ?? DEFAULT_TRAINING.fitnessDays
  const fatigueDays = wholeOf(value.fatigueDays, 3, 21) ?? DEFAULT_TRAINING.fatigueDays
  const isSound = fatigueDays < fitnessDays
  return {
    sex: oneOf(value.sex, ['female', 'male'] as const),
    fitnessDays: isSound ? fitnessDays : DEFAULT_TRAINING.fitnessDays,
    fatigueDays: isSound ? fatigueDays : DEFAULT_TRAINING.fatigueDays,
    fitnessSeed: numberOf(value.fitnessSeed, 0, 150),
    referenceHeartRateBpm: wholeOf(value.referenceHeartRateBpm, 60, 240),
    minRunsPerWeek: wholeOf(value.minRunsPerWeek, 1, 21) ?? DEFAULT_TRAINING.minRunsPerWeek,
    paceZoneBorders: readBorders(value.paceZoneBorders),
    entries: readEntries(value.entries),
  }
}

function readBorders(value: unknown): TrainingSettings['paceZoneBorders'] {
  const [first, second, third, fourth, ...more] = (Array.isArray(value) ? value : []).map((paceS) =>
    numberOf(paceS, 120, 1200),
  )
  if (first == null || second == null || third == null || fourth == null || more.length > 0) return null
  return first > second && second > third && third > fourth ? [first, second, third, fourth] : null
}

/** One entry per day, the oldest first. */
function readEntries(value: unknown): StoredProfileEntry[] {
  const entries = new Map<string | null, StoredProfileEntry>()
  for (const row of (Array.isArray(value) ? value : []).slice(0, MOST_ENTRIES)) {
    if (!isObject(row)) continue
    const from = row.from === null || row.from === undefined ? null : dateOf(row.from)
    if (from === null && row.from !== null && row.from !== undefined) continue
    entries.set(from, {
      from,
      maxHeartRateBpm: wholeOf(row.maxHeartRateBpm, 100, 240),
      restingHeartRateBpm: wholeOf(row.restingHeartRateBpm, 30, 120),
      lthrBpm: wholeOf(row.lthrBpm, 40, 240),
      thresholdPaceS: numberOf(row.thresholdPaceS, 120, 900),
      massKg: numberOf(row.massKg, 30, 200),
      heightCm: numberOf(row.heightCm, 120, 230),
    })
  }
  return [...entries.values()].toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
}

/** @returns null for a row that is not a valid goal */
export function readGoal(value: unknown): Goal | null {
  if (!isObject(value)) return null
  const id = uuidOf(value.id)
  const metric = oneOf(value.metric, GOAL_METRICS)
  const period = oneOf(value.period, GOAL_PERIODS)
  const target = numberOf(value.target, 0, 1e9)
  const [from, to] = [dateOf(value.from), dateOf(value.to)]
  const hasDates = from !== null && to !== null && from <= to
  if (id === null || metric === null || period === null || target === null || !(target > 0)) return null
  if (period === 'dates' && !hasDates) return null
  return {
    id,
    metric,
    period,
    target,
    from: period === 'dates' ? from : null,
    to: period === 'dates' ? to : null,
    activeFrom: dateOf(value.activeFrom),
    activeTo: dateOf(value.activeTo),
    name: textOf(value.name, LENGTHS.name),
  }
}

/** @returns null for a row that is not a valid planned race */
export function readRace(value: unknown): Race | null {
  if (!isObject(value)) return null
  const id = uuidOf(value.id)
  const date = dateOf(value.date)
  const name = textOf(value.name, LENGTHS.name)?.trim() ?? ''
  const distanceM = numberOf(value.distanceM, ...RACE_LIMITS.distanceM)
  if (id === null || date === null || name === '' || distanceM === null) return null
  return {
    ...{ id, date, name, distanceM, workoutId: uuidOf(value.workoutId), isLinked: value.isLinked === true },
    goalTimeS: wholeOf(value.goalTimeS, ...RACE_LIMITS.goalTimeS),
    note: textOf(value.note, LENGTHS.notes),
  }
}

/** @returns null for a row that is not a valid mark of a sensor */
export function readMark(value: unknown): Mark | null {
  if (!isObject(value)) return null
  const id = uuidOf(value.id)
  const day = dateOf(value.day)
  const name = textOf(value.name, LENGTHS.name)?.trim() ?? ''
  return id === null || day === null || name === '' ? null : { id, day, kind: 'sensor', name }
}

function dateOf(value: unknown): string | null {
  return typeof value === 'string' && parseDay(value) !== null ? value : null
}
