import { Type } from '@sinclair/typebox'
import { CONFIDENCES } from '../../engine/training/confidence.ts'
import { PACE_ZONES } from '../../engine/training/intensity.ts'
import { PROPOSAL_KINDS } from '../../engine/training/proposals.ts'
import { CalendarDate, choice, integer, nullable, Uuid } from '../../http/schemas.ts'
import { GoalAnswer } from './goals-schemas.ts'
import { BALANCE, Estimate, formWord, number, recomputing, timezoneOffsetMinutes, whole } from './schemas.ts'

// Answers with estimates: VO2max, races, endurance, intensity, and proposals.

export const Today = Type.Object({
  date: CalendarDate,
  load: Type.Number({ description: "Of today's runs so far" }),
  morning: Type.Object(
    { fitness: Type.Number(), fatigue: Type.Number(), ramp: number },
    { description: "Before today's runs: form is fitness minus fatigue of these" },
  ),
  fitness: Estimate,
  fatigue: Estimate,
  form: Estimate,
  formWord,
  ...BALANCE,
  room: Type.Array(
    Type.Object({
      formShare: Type.Number({ description: 'Form of tomorrow, as a share of fitness' }),
      load: integer({ description: 'Total load of today for it' }),
      minutes: nullable(integer({ description: 'The same as easy running; null with under 8 easy runs in 60 days' })),
    }),
  ),
  restDaysToFormZero: whole,
  vo2max: Estimate,
  vdot: Estimate,
  goals: Type.Array(GoalAnswer),
  proposals: integer({ description: 'How many there are' }),
  recomputing,
})

export const WeeksQuery = (most: number, usual: number) =>
  Type.Object({
    timezoneOffsetMinutes,
    weeks: Type.Optional(integer({ minimum: 1, maximum: most, description: `${usual} when absent` })),
  })
export const Vo2maxQuery = WeeksQuery(520, 52)
export const IntensityQuery = WeeksQuery(104, 12)

export const Vo2max = Type.Object({
  vdot: Estimate,
  effective: Estimate,
  factor: Type.Number(),
  factorRaces: Type.Array(Uuid),
  marathonShapePct: nullable(integer({ description: 'After Runalyze; 100 is typical of plans for a marathon' })),
  weeks: Type.Array(Type.Object({ weekStart: CalendarDate, value: number, low: number, high: number, n: integer() })),
  fitness: nullable(
    Type.Object({
      rows: Type.Object({ H: integer(), P: integer(), R: integer(), E: integer() }),
      sigma: Type.Number(),
      fast: Type.Boolean(),
      level: Estimate,
    }),
  ),
  points: Type.Array(
    Type.Object({
      workoutId: Uuid,
      date: CalendarDate,
      value: Type.Number(),
      source: choice('heartRate', 'race'),
      used: Type.Boolean(),
      weight: Type.Number(),
      reason: nullable(Type.String({ description: 'Why it is not used' })),
    }),
  ),
})

export const MOST_DISTANCES = 10
/** Shortest and longest distance of a prediction. */
export const PREDICTED_M = [1500, 100_000] as const

export const PredictionsQuery = Type.Object({
  timezoneOffsetMinutes,
  distanceM: Type.Optional(
    Type.Array(Type.Number({ minimum: PREDICTED_M[0], maximum: PREDICTED_M[1] }), {
      maxItems: MOST_DISTANCES,
      description: '5K, 10K, half marathon and marathon when absent; repeated for several',
    }),
  ),
})

export const Predictions = Type.Object({
  predictions: Type.Array(
    Type.Object({
      distance: Type.String(),
      distanceM: Type.Number(),
      time: Estimate,
      paceS: number,
      fasterThanResults: Type.Boolean({ description: 'Faster than every race and hard effort of the last year says' }),
      others: Type.Object(
        { vdot: number, riegel: number, cameron: number, log: number },
        { description: 'What other models say, seconds; never averaged in' },
      ),
    }),
  ),
  exponent: Estimate,
  endurance: Estimate,
  efforts: Type.Array(
    Type.Object({
      workoutId: Uuid,
      distance: Type.String(),
      timeMs: integer(),
      ageDays: integer(),
      vdot: Type.Number(),
      used: Type.Boolean(),
      reason: nullable(choice('uncertain', 'notRaced')),
      isRace: Type.Boolean({ description: 'The run is declared a race, or is the result of one' }),
      suggestedTimeMs: nullable(
        integer({ description: 'Of a race that was clearly slower than training suggests: what it suggests' }),
      ),
    }),
    { description: 'At most 30, those used first' },
  ),
})

export const CriticalSpeedAnswer = Type.Object({
  criticalSpeed: Estimate,
  paceS: number,
  dPrimeM: Estimate,
  points: Type.Array(
    Type.Object({ workoutId: Uuid, distanceM: Type.Number(), timeMs: integer(), used: Type.Boolean() }),
  ),
})

export const EfficiencyAnswer = Type.Object({
  referenceHeartRateBpm: integer(),
  runs: Type.Array(
    Type.Object({
      workoutId: Uuid,
      date: CalendarDate,
      ef: number,
      decouplingPct: number,
      decouplingReason: nullable(choice('tooShort', 'heartRateGaps', 'notSteady', 'noDistance')),
      paceAtReferenceS: number,
      wbgtC: number,
      durability: nullable(Type.Object({ last: Type.Number(), onsetKm: whole })),
    }),
  ),
  trend: nullable(
    Type.Object({
      slopeSPerKmPerWeek: Type.Number(),
      interval: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
      p: Type.Number(),
      n: integer(),
      supported: Type.Boolean(),
    }),
  ),
})

const Spread = Type.Object({
  lowShare: number,
  eightyTwenty: nullable(integer({ description: 'Share of the low band, %' })),
  polarizationIndex: number,
  kind: nullable(choice('easyOnly', 'polarized', 'pyramidal', 'threshold', 'highIntensity')),
})

export const IntensityAnswer = Type.Object({
  bounds: Type.Object({ lowBelowBpm: integer(), highFromBpm: integer() }),
  weeks: Type.Array(
    Type.Object({
      weekStart: CalendarDate,
      lowS: integer(),
      moderateS: integer(),
      highS: integer(),
      unknownS: integer(),
      sessions: Type.Object({ low: integer(), moderate: integer(), high: integer() }),
    }),
  ),
  last4Weeks: Spread,
  last12Weeks: Spread,
})

export const ZonesAnswer = Type.Object({
  vdot: Estimate,
  zones: Type.Array(Type.Object({ name: choice(...PACE_ZONES), fromPaceS: number, toPaceS: number })),
  targets: Type.Object({
    marathonPaceS: number,
    thresholdPaceS: number,
    intervalPaceS: number,
    repetitionPaceS: number,
  }),
  bordersSetByRunner: Type.Boolean(),
})

const proposedValue = Type.Union([Type.Number(), Type.Array(integer(), { description: 'Of zones: their bounds' })])

export const ProposalList = Type.Array(
  Type.Object({
    id: Type.String(),
    kind: choice(...PROPOSAL_KINDS),
    shoeId: nullable(Uuid),
    current: nullable(proposedValue),
    proposed: proposedValue,
    unit: Type.String(),
    evidence: Type.Array(Type.Object({ workoutId: Uuid, date: CalendarDate, value: Type.Number() })),
    confidence: choice(...CONFIDENCES),
    loadsPct: nullable(integer({ description: 'By how many per cent loads would change' })),
  }),
)

export const ProposalReply = Type.Object(
  {
    accept: Type.Boolean({ description: 'false: silent until the value moves by 2 bpm, 2% or 50 km' }),
    from: Type.Optional(
      nullable(Type.String({ format: 'date', description: 'Effective from this day; today when null or absent' })),
    ),
  },
  { examples: [{ accept: true, from: null }] },
)

export const AcceptedEntry = nullable(
  Type.Object({
    from: nullable(CalendarDate),
    maxHeartRateBpm: whole,
    restingHeartRateBpm: whole,
    lthrBpm: whole,
    thresholdPaceS: number,
    massKg: number,
    heightCm: number,
  }),
)
