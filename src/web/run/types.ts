import type { Static } from '@sinclair/typebox'
import type { Media as MediaSchema } from '../../features/media/schemas.ts'
import type { HeartRateZones } from '../../features/settings/schemas.ts'
import type { Shoe as ShoeSchema } from '../../features/shoes/schemas.ts'
import type { WorkoutTraining } from '../../features/training/schemas.ts'
import type { WindowsAnswer } from '../../features/training/windows.ts'
import type { RunEfforts as RunEffortsSchema } from '../../features/workouts/efforts/ranks.ts'
import type { GhostRace as GhostRaceSchema } from '../../features/workouts/same-ground/ghost-schemas.ts'
import type { Passes as PassesSchema } from '../../features/workouts/same-ground/passes-schemas.ts'
import type { Laps, WorkoutIntervals } from '../../features/workouts/samples/laps-schemas.ts'
import type { Samples as SamplesSchema } from '../../features/workouts/samples/samples-schemas.ts'
import type * as workouts from '../../features/workouts/schemas.ts'
import type { WorkoutSources } from '../../features/workouts/sources/sources-schemas.ts'

// Types of answers about one run, derived from the schemas that validate them.

export type Passes = Static<typeof PassesSchema>
export type GhostRace = Static<typeof GhostRaceSchema>
export type Detail = Static<typeof workouts.WorkoutDetail>
export type Split = Static<typeof workouts.Split>
export type Weather = Static<typeof workouts.Weather>
export type RunTraining = Static<typeof WorkoutTraining>
export type TrainingWindows = Static<typeof WindowsAnswer>
export type Edit = Static<typeof workouts.WorkoutEdit>
export type SimilarRun = Static<typeof workouts.SimilarRoutes>[number]
export type Samples = Static<typeof SamplesSchema>
export type Sources = Static<typeof WorkoutSources>
export type Lap = Static<typeof Laps>[number]
export type Intervals = Static<typeof WorkoutIntervals>
export type Effort = Samples['bestEfforts'][number]
export type RunEfforts = Static<typeof RunEffortsSchema>
export type RankedEffort = RunEfforts['distances'][number]
export type Media = Static<typeof MediaSchema>
export type Zones = Static<typeof HeartRateZones>
export type Shoe = Static<typeof ShoeSchema>

/** A stretch of the run, elapsed seconds. */
export interface Section {
  readonly fromS: number
  readonly toS: number
  /** Moving seconds where the service gives them; else they are estimated from the samples. */
  readonly movingS?: number | null
}
