import { blob, customType, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { GoalMetric, GoalPeriod } from '../engine/training/goals.ts'
import { type ChosenSource, LOAD_PARTS, type LoadSource } from '../engine/training/library-loads.ts'
import type { ProfileEntry } from '../engine/training/profile.ts'
import type { DecouplingRefusal } from '../engine/training/run/decoupling.ts'
import type { Durability } from '../engine/training/run/durability.ts'
import { KEPT_PARTS } from '../engine/training/run/run-training.ts'

import type { Sex } from '../engine/training/training-load.ts'

// Data stored for training (docs/training.md "What is kept"); loads can be recomputed from the rest at any time.

/** One entry of the runner's profile, as in the API: `from` is `yyyy-MM-dd`. */
export type StoredProfileEntry = Omit<ProfileEntry, 'from'> & { readonly from: string | null }

/** The runner's training settings, as PUT /settings/training takes them and archives carry them. */
export interface TrainingSettings {
  readonly sex: Sex | null
  readonly fitnessDays: number
  readonly fatigueDays: number
  readonly fitnessSeed: number | null
  readonly referenceHeartRateBpm: number | null
  readonly minRunsPerWeek: number
  readonly paceZoneBorders: readonly [number, number, number, number] | null
  readonly entries: readonly StoredProfileEntry[]
}

/** Stores a number as an integer of so many parts per unit, in half the bytes of a REAL or less. */
const inParts = (perUnit: number) =>
  customType<{ data: number; driverData: number }>({
    dataType: () => 'integer',
    toDriver: (value) => Math.round(perUnit * value),
    fromDriver: (stored) => stored / perUnit,
  })
const { share, bpm, climb } = KEPT_PARTS
const [inShares, inBpm, inClimb] = [inParts(share), inParts(bpm), inParts(climb)]
const inTenths = inParts(LOAD_PARTS)

export const workoutTrainings = sqliteTable('workout_training', {
  workoutId: text('workout_id').primaryKey(),
  hrHist: blob('hr_hist', { mode: 'buffer' }).notNull(),
  speedHist: blob('speed_hist', { mode: 'buffer' }).notNull(),
  gainPerKm: inClimb('gain_per_km'),
  altitudeUsable: integer('altitude_usable', { mode: 'boolean' }).notNull(),
  indoor: integer('indoor', { mode: 'boolean' }).notNull(),
  steadyS: real('steady_s'),
  steadyMps: inShares('steady_mps'),
  steadyBpm: inBpm('steady_bpm'),
  speedCv: inShares('speed_cv'),
  hrCover: inShares('hr_cover').notNull(),
  ef1: inShares('ef1'),
  ef2: inShares('ef2'),
  decouplingReason: text('decoupling_reason').$type<DecouplingRefusal>(),
  durability: text('durability', { mode: 'json' }).$type<Durability>(),
  best30Mps: inShares('best30_mps'),
  best30Lthr: integer('best30_lthr'),
  pieces: blob('pieces', { mode: 'buffer' }).notNull(),
  headings: blob('headings', { mode: 'buffer' }).notNull(),
  effortGraded: blob('effort_graded', { mode: 'buffer' }),
  /** cm/s of the minute before and hundredths of bpm, each as what it is more than the one before; varints. */
  peaks: blob('peaks', { mode: 'buffer' }).notNull(),
  hrLockedS: integer('hr_locked_s').notNull(),
  reps: integer('reps').notNull(),
})

export const trainingChoices = sqliteTable('training_choice', {
  workoutId: text('workout_id').primaryKey(),
  loadSource: text('load_source').$type<ChosenSource>().notNull(),
  loadManual: real('load_manual'),
  excludeFromEstimates: integer('exclude_from_estimates', { mode: 'boolean' }).notNull(),
})

export const workoutLoads = sqliteTable('workout_load', {
  workoutId: text('workout_id').primaryKey(),
  load: inTenths('load'),
  source: text('source').$type<LoadSource>(),
  heartRate: inTenths('heart_rate'),
  pace: inTenths('pace'),
  rpe: inTenths('rpe'),
  duration: inTenths('duration'),
  coverage: inShares('coverage').notNull(),
  suspect: integer('suspect', { mode: 'boolean' }).notNull(),
  factor: real('factor'),
  factorN: integer('factor_n'),
  spread: real('spread'),
})

export const trainingSettings = sqliteTable('training_settings', {
  id: integer('id').primaryKey(),
  data: text('data', { mode: 'json' }).$type<TrainingSettings>().notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const trainingGoals = sqliteTable('training_goal', {
  id: text('id').primaryKey(),
  metric: text('metric').$type<GoalMetric>().notNull(),
  period: text('period').$type<GoalPeriod>().notNull(),
  target: real('target').notNull(),
  fromDay: integer('from_day'),
  toDay: integer('to_day'),
  activeFrom: integer('active_from'),
  activeTo: integer('active_to'),
  name: text('name'),
  createdAt: integer('created_at').notNull(),
})

export const races = sqliteTable('race', {
  id: text('id').primaryKey(),
  day: integer('day').notNull(),
  name: text('name').notNull(),
  distanceM: real('distance_m').notNull(),
  goalTimeS: integer('goal_time_s'),
  note: text('note'),
  /** The runner linked `workoutId`, or no run when that is null. */
  isLinked: integer('linked', { mode: 'boolean' }).notNull(),
  /** May be a run that was deleted since. */
  workoutId: text('workout_id'),
})

export const truthMarks = sqliteTable('truth_mark', {
  id: text('id').primaryKey(),
  day: integer('day').notNull(),
  kind: text('kind').$type<'sensor'>().notNull(),
  name: text('name').notNull(),
})

export const trainingRefusals = sqliteTable('training_refusal', {
  kind: text('kind').primaryKey(),
  value: real('value').notNull(),
  madeAt: integer('made_at').notNull(),
})

export const trainingState = sqliteTable('training_state', {
  id: integer('id').primaryKey(),
  revision: integer('revision').notNull(),
  computed: integer('computed').notNull(),
  conditions: integer('conditions').notNull().default(0),
  profiles: integer('profiles').notNull().default(0),
})
