import type { Static } from '@sinclair/typebox'
import type { createApp } from '../app.ts'
import type * as auth from '../features/auth/schemas.ts'
import type * as receipts from '../features/receipts/schemas.ts'
import type { HeartRateZones, PageAnswer } from '../features/settings/schemas.ts'
import type * as share from '../features/share/schemas.ts'
import type { Shoe as ShoeSchema } from '../features/shoes/schemas.ts'
import type * as efforts from '../features/stats/effort-history.ts'
import type { Insights as InsightsSchema } from '../features/stats/insights-schemas.ts'
import type * as stats from '../features/stats/schemas.ts'
import type * as estimates from '../features/training/estimate-schemas.ts'
import type { GoalAnswer } from '../features/training/goals-schemas.ts'
import type { RaceAnswer } from '../features/training/races-schemas.ts'
import type * as form from '../features/training/schemas.ts'
import type { TrainingSettingsAnswer } from '../features/training/settings-schemas.ts'
import type * as truth from '../features/training/truth/schemas.ts'
import type { WorkoutPage } from '../features/workouts/list-schemas.ts'
import type * as workouts from '../features/workouts/schemas.ts'
import type { Arrival as ArrivalSchema } from '../http/schemas.ts'
import type { BulkSummary } from '../imports/kinds/schemas.ts'

// Types of the service's answers, derived from the schemas that validate them.

export type Run = Static<typeof workouts.Workout>
export type RunPage = Static<typeof WorkoutPage>
export type SingleImport = Static<typeof workouts.SingleImport>
export type ImportSummary = Static<typeof workouts.ImportSummary>
export type { BulkSummary, TakeoutSummary } from '../imports/kinds/schemas.ts'
export type ShoeFound = NonNullable<BulkSummary['shoesFound']>[number]
export type { RestoreSummary as RestoreResult } from '../archive/restore/report.ts'

export type Shoe = Static<typeof ShoeSchema>

/** The address of a run for others. */
export type Share = Static<typeof share.Share>
export type SharedView = Static<typeof share.SharedView>

export type Receipt = Static<typeof receipts.ReceiptPage>['items'][number]
export type ReceiptDetail = Static<typeof receipts.ReceiptDetail>
export type TrashPage = Static<typeof receipts.TrashPage>

export type PageSettings = Static<typeof PageAnswer>
export type Zones = Static<typeof HeartRateZones>

export type WeeklyRecap = Static<typeof stats.WeeklyRecap>
export type DailyStats = Static<typeof stats.DailyStats>
export type MonthlyStats = Static<typeof stats.MonthlyStats>
export type EffortProgress = Static<typeof efforts.EffortProgress>
export type EffortMedals = Static<typeof efforts.EffortMedals>
export type BestEfforts = Static<typeof stats.BestEffortStats>
export type Insights = Static<typeof InsightsSchema>

export type Estimate = Static<typeof form.Estimate>
export type LoadDays = Static<typeof form.LoadDays>
export type Forecast = Static<typeof form.Forecast>
export type Vo2max = Static<typeof estimates.Vo2max>
export type Predictions = Static<typeof estimates.Predictions>
export type AtOnePulse = Static<typeof truth.FitnessAnswer>
export type Conditions = Static<typeof truth.ConditionsAnswer>
export type PaceZones = Static<typeof estimates.ZonesAnswer>
export type Proposals = Static<typeof estimates.ProposalList>
export type Goal = Static<typeof GoalAnswer>
export type Race = Static<typeof RaceAnswer>
export type Efficiency = Static<typeof estimates.EfficiencyAnswer>
export type Intensity = Static<typeof estimates.IntensityAnswer>
export type TrainingProfile = Static<typeof TrainingSettingsAnswer>
export type FormToday = Static<typeof estimates.Today>

export type User = Static<typeof auth.User>
export type ApiKey = Static<typeof auth.ListedApiKey>
/** The last time that files came in one way. */
export type Arrival = Static<typeof ArrivalSchema>

// The calls of the service as types, derived from the schemas of its routes. Variable parts of a path are any text:
// `/workouts/${id}/training?x=${y}` and '/workouts/{id}/training' are the same call.

type Routes = ReturnType<typeof createApp>['~Routes']
type Steps<Path extends string> = Path extends `${infer First}/${infer After}` ? [First, ...Steps<After>] : [Path]
type Below<Node, Step> = Step extends keyof Node
  ? Node[Step]
  : { [Name in keyof Node]: Name extends `:${string}` ? Node[Name] : never }[keyof Node]
type Walk<Node, List> = List extends [infer Step, ...infer After] ? Walk<Below<Node, Step>, After> : Node
type Bare<Path> = Path extends `/${infer Base}?${string}` ? Base : Path extends `/${infer Base}` ? Base : never
type CallsOf<Path> = Path extends string ? Walk<Routes, Steps<Bare<Path>>> : never

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call of the service; never: there is none. */
type Call<M extends Method, Path> =
  CallsOf<Path> extends infer Calls ? (Lowercase<M> extends keyof Calls ? Calls[Lowercase<M>] : never) : never

/** The path when the service has such a call, else never. */
export type Known<M extends Method, Path> = [Call<M, Path>] extends [never] ? never : Path

/** What a call takes. */
export type Body<M extends Method, Path> =
  Call<M, Path> extends infer One ? (One extends { body: infer Value } ? Sent<Value> : undefined) : never
type Sent<Value> = Value extends object ? { readonly [Name in keyof Value]: Sent<Value[Name]> } : Value

type Answers<M extends Method, Path> =
  Call<M, Path> extends infer One
    ? One extends { response: { 200: infer Value } } | { response: { 201: infer Value } }
      ? Value
      : undefined
    : never

/** The answer of a dry run, where the change itself answers something else. */
type Trial = { before: unknown }
export type Answer<Path, M extends Method = 'GET'> = Exclude<Answers<M, Path>, Trial>
export type TrialAnswer<Path, M extends Method> =
  Extract<Answers<M, Path>, Trial> extends never ? Answers<M, Path> : Extract<Answers<M, Path>, Trial>
