import { blob, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { GoalMetric, GoalPeriod } from '../engine/training/goals.ts'
import type { ChosenSource, LoadSource } from '../engine/training/library-loads.ts'
import type { DecouplingRefusal } from '../engine/training/run/decoupling.ts'
import type { Durability } from '../engine/training/run/durability.ts'
import { ofWorkout } from './schema.ts'
import type { TrainingSettings } from './stored-training.ts'

// What the training sight keeps (TRAINING 15); loads can be made of the rest at any time.

export const workoutTrainings = sqliteTable('workout_training', {
  workoutId: ofWorkout().primaryKey(),
  trainingVersion: integer('training_version').notNull(),
  hrHist: blob('hr_hist', { mode: 'buffer' }).notNull(),
  speedHist: blob('speed_hist', { mode: 'buffer' }).notNull(),
  movingS: real('moving_s'),
  gradedM: real('graded_m'),
  gainPerKm: real('gain_per_km'),
  altitudeUsable: integer('altitude_usable', { mode: 'boolean' }).notNull(),
  indoor: integer('indoor', { mode: 'boolean' }).notNull(),
  steadyS: real('steady_s'),
  steadyMps: real('steady_mps'),
  steadyBpm: real('steady_bpm'),
  speedCv: real('speed_cv'),
  hrCover: real('hr_cover').notNull(),
  ef: real('ef'),
  ef1: real('ef1'),
  ef2: real('ef2'),
  decouplingReason: text('decoupling_reason').$type<DecouplingRefusal>(),
  durability: text('durability', { mode: 'json' }).$type<Durability>(),
  peakHr15s: real('peak_hr_15s'),
  best30Mps: real('best30_mps'),
  best30Lthr: integer('best30_lthr'),
  best30StartS: real('best30_start_s'),
  raceBpm: real('race_bpm'),
  pieces: blob('pieces', { mode: 'buffer' }).notNull(),
  headings: blob('headings', { mode: 'buffer' }).notNull(),
  effortGraded: text('effort_graded', { mode: 'json' }).$type<readonly (readonly [number, number])[]>(),
})

export const trainingChoices = sqliteTable('training_choice', {
  workoutId: ofWorkout().primaryKey(),
  loadSource: text('load_source').$type<ChosenSource>().notNull(),
  loadManual: real('load_manual'),
  excludeFromEstimates: integer('exclude_from_estimates', { mode: 'boolean' }).notNull(),
})

export const workoutLoads = sqliteTable('workout_load', {
  workoutId: ofWorkout().primaryKey(),
  load: real('load'),
  source: text('source').$type<LoadSource>(),
  heartRate: real('heart_rate'),
  pace: real('pace'),
  rpe: real('rpe'),
  duration: real('duration'),
  coverage: real('coverage').notNull(),
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

export const trainingRefusals = sqliteTable('training_refusal', {
  kind: text('kind').primaryKey(),
  value: real('value').notNull(),
  madeAt: integer('made_at').notNull(),
})

export const trainingState = sqliteTable('training_state', {
  id: integer('id').primaryKey(),
  revision: integer('revision').notNull(),
  computed: integer('computed').notNull(),
})
