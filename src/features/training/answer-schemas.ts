import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  AcceptedEntry,
  CriticalSpeedAnswer,
  EfficiencyAnswer,
  IntensityAnswer,
  Predictions,
  ProposalList,
  Today,
  Vo2max,
  ZonesAnswer,
} from './estimate-schemas.ts'
import { CalendarAnswer, GoalAnswer, GoalBody } from './goals-schemas.ts'
import { RaceAnswer } from './races-schemas.ts'
import { Forecast, LoadDays, WorkoutTraining } from './schemas.ts'
import { NO_ENTRY } from './settings.ts'
import { TrainingSettingsAnswer } from './settings-schemas.ts'

// Every answer of the training calls, with an example of one runner on one day.

const RACE = '0198a000-0000-7000-8000-000000000001'
const RUN = '0198a000-0000-7000-8000-000000000002'
const GOAL = '0198a000-0000-7000-8000-000000000003'

const shown = <T extends TSchema>(schema: T, example: Static<T>): T => ({ ...schema, examples: [example] })

const made = { reasons: [], missing: null, asOf: '2026-05-20' }
const of = (unit: string, values: readonly (number | null)[], confidence: 'low' | 'medium' | 'high') => {
  const [value = null, low = null, high = null] = values
  return { value, low, high, unit, confidence }
}
const ALL_OUT = 'Three all-out efforts of 3 to 20 minutes'
const none = (unit: string) => ({ ...of(unit, [], 'low'), confidence: null, basis: [], n: 0, asOf: null })
const load = (value: number) => ({ ...of('load', [value], 'high'), ...made, basis: ['heartRate'], n: 412 })
const vdot = { ...of('ml/kg/min', [49.8, 48.8, 50.8], 'high'), ...made, basis: ['race'], n: 2, asOf: '2026-05-03' }
const vo2max = { ...of('ml/kg/min', [50.4, 48.3, 52.5], 'medium'), ...made, basis: ['heartRate', 'race'], n: 10 }

const goal = {
  id: GOAL,
  metric: 'distanceM' as const,
  period: 'year' as const,
  target: 1_500_000,
  name: '1500 km',
  from: null,
  to: null,
  activeFrom: null,
  activeTo: null,
  createdOn: '2026-01-01',
}
const standing = {
  progress: {
    from: '2026-01-01',
    to: '2026-12-31',
    done: 544_200,
    status: 'behind' as const,
    remainingDays: 226,
    expectedByYesterday: 571_232.877,
    aheadBy: -27_032.877,
    neededPerDay: 4229.204,
    neededPerWeek: 29_604.425,
    projected: 1_471_350,
    projectedLow: 1_402_100.5,
    projectedHigh: 1_540_599.5,
  },
  history: [{ from: '2025-01-01', to: '2025-12-31', done: 1_512_400, reached: true }],
}
const raceTime = { ...of('s', [2447.4, 2353.2, 2545.3], 'medium'), ...made, basis: ['race'], n: 1, asOf: '2026-05-03' }
const race = {
  id: '0198a000-0000-7000-8000-000000000004',
  date: '2026-05-20',
  name: 'City 10K',
  distanceM: 10_000,
  goalTimeS: 2400,
  note: null,
  workoutId: RACE,
  isLinked: false,
  timeMs: 2_388_000,
  place: { rank: 1, of: 4 },
  prediction: raceTime,
  inPrediction: true,
  ageGrade: null,
}
const day = { date: '2026-05-20', load: 61.2, fitness: 46.8, fatigue: 54.7, form: -8.2 }

const balance = { ramp: 1.4, weekToUsual: 1.2, monotony: 1.25, strain: 468.1 }

export const ANSWERS = {
  load: shown(LoadDays, {
    ...{ from: '2026-05-19', to: '2026-05-20', recomputing: false },
    days: [
      {
        ...{ ...day, date: '2026-05-19', runs: 1, ...balance },
        acwr: { coupled: 1.14, ewma: 1.23 },
        warmingUp: false,
        share: 1,
        estimatedShare: 0.031,
        sources: { heartRate: 61.2 },
      },
    ],
  }),
  today: shown(Today, {
    date: '2026-05-20',
    load: 61.2,
    morning: { fitness: 46.4, fatigue: 54.6, ramp: 2 },
    fitness: load(46.8),
    fatigue: load(54.7),
    form: load(-8.2),
    formWord: 'building' as const,
    ...balance,
    room: [
      { formShare: -0.1, load: 102, minutes: 95 },
      { formShare: -0.3, load: 184, minutes: 171 },
    ],
    restDaysToFormZero: 2,
    vo2max,
    vdot,
    goals: [{ ...goal, ...standing }],
    proposals: 1,
    recomputing: false,
  }),
  forecast: shown(Forecast, {
    from: '2026-05-21',
    plan: 'rest' as const,
    recomputing: false,
    restDaysToFormZero: 2,
    days: [{ ...day, date: '2026-05-21', load: 0, fitness: 45.7, fatigue: 47.5, form: -7.9 }],
  }),
  vo2max: shown(Vo2max, {
    vdot,
    effective: vo2max,
    factor: 1.089,
    fitness: null,
    factorRaces: [RACE],
    marathonShapePct: 43,
    weeks: [{ weekStart: '2026-05-18', value: 50.4, low: 48.3, high: 52.5, n: 10 }],
    points: [
      {
        workoutId: RACE,
        date: '2026-05-03',
        value: 49.8,
        source: 'race' as const,
        used: true,
        weight: 1.1,
        reason: null,
      },
    ],
  }),
  predictions: shown(Predictions, {
    predictions: [
      {
        distance: '10K',
        distanceM: 10_000,
        paceS: 244.7,
        time: raceTime,
        fasterThanResults: false,
        others: { vdot: 2449, riegel: 2446.8, cameron: 2441.6, log: null },
      },
    ],
    exponent: {
      ...none(''),
      reasons: ['spanTooShort' as const],
      missing: 'Two efforts are needed, one twice as long as the other',
    },
    endurance: {
      ...none('6 min'),
      reasons: ['tooFewEfforts' as const],
      missing: 'Three efforts of 6 minutes or more are needed, the longest four times as long as the shortest',
    },
    efforts: [
      {
        workoutId: RACE,
        distance: 'Half-Marathon',
        timeMs: 5_400_000,
        ageDays: 17,
        vdot: 50.98,
        used: true,
        reason: null,
        isRace: true,
        suggestedTimeMs: null,
      },
    ],
  }),
  criticalSpeed: shown(CriticalSpeedAnswer, {
    criticalSpeed: { ...none('m/s'), reasons: ['tooFewEfforts' as const], missing: ALL_OUT },
    paceS: null,
    dPrimeM: { ...none('m'), reasons: ['tooFewEfforts' as const], missing: ALL_OUT },
    points: [],
  }),
  efficiency: shown(EfficiencyAnswer, {
    referenceHeartRateBpm: 143,
    runs: [
      {
        workoutId: RUN,
        date: '2026-05-20',
        ef: 1.354,
        decouplingPct: 4.1,
        decouplingReason: null,
        paceAtReferenceS: 318.2,
        wbgtC: 16.4,
        durability: { last: 1.043, onsetKm: 21 },
      },
    ],
    trend: { slopeSPerKmPerWeek: -0.41, interval: [-0.72, -0.12], p: 0.0093, n: 38, supported: true },
  }),
  intensity: shown(IntensityAnswer, {
    bounds: { lowBelowBpm: 152, highFromBpm: 171 },
    weeks: [
      {
        weekStart: '2026-05-18',
        lowS: 10_420,
        moderateS: 1260,
        highS: 840,
        unknownS: 0,
        sessions: { low: 3, moderate: 0, high: 1 },
      },
    ],
    last4Weeks: { lowShare: 0.832, eightyTwenty: 83, polarizationIndex: 1.75, kind: 'pyramidal' as const },
    last12Weeks: { lowShare: 0.811, eightyTwenty: 81, polarizationIndex: 2.04, kind: 'polarized' as const },
  }),
  zones: shown(ZonesAnswer, {
    vdot,
    zones: [
      { name: 'easy' as const, fromPaceS: 353.2, toPaceS: 292.8 },
      { name: 'marathon' as const, fromPaceS: 292.8, toPaceS: 266.9 },
      { name: 'threshold' as const, fromPaceS: 266.9, toPaceS: 247.5 },
      { name: 'interval' as const, fromPaceS: 247.5, toPaceS: 225.3 },
      { name: 'repetition' as const, fromPaceS: 225.3, toPaceS: null },
    ],
    targets: { marathonPaceS: 272.1, thresholdPaceS: 256.6, intervalPaceS: 236.2, repetitionPaceS: 217.9 },
    bordersSetByRunner: false,
  }),
  calendar: shown(CalendarAnswer, {
    metric: 'distanceM' as const,
    bounds: [6020, 8110.5, 12_040],
    days: [
      {
        date: '2026-05-20',
        level: 3,
        runs: 1,
        distanceM: 10_240,
        durationS: 3600,
        movingTimeS: 3420,
        load: 61.2,
        race: false,
      },
    ],
    streaks: {
      currentDays: 1,
      longestDays: 9,
      currentWeeks: 14,
      longestWeeks: 31,
      currentFullWeeks: 6,
      longestFullWeeks: 12,
      minRunsPerWeek: 3,
    },
    consistency: {
      weeksWithRun: 25,
      medianDistanceM: 31_200,
      lowerQuartileM: 24_050,
      upperQuartileM: 38_400,
      longestGapDays: 8,
    },
  }),
  proposals: shown(ProposalList, [
    {
      id: 'maxHeartRate-192',
      kind: 'maxHeartRate' as const,
      shoeId: null,
      current: 188,
      proposed: 192,
      unit: 'bpm',
      evidence: [{ workoutId: RACE, date: '2026-05-03', value: 192.2 }],
      confidence: 'medium' as const,
      loadsPct: -3,
    },
  ]),
  acceptedEntry: shown(AcceptedEntry, { ...NO_ENTRY, from: '2026-05-20', maxHeartRateBpm: 192 }),
  goals: shown(Type.Array(GoalAnswer), [{ ...goal, ...standing }]),
  goal: shown(GoalBody, goal),
  races: shown(Type.Array(RaceAnswer), [race]),
  race: shown(RaceAnswer, race),
  settings: shown(TrainingSettingsAnswer, {
    sex: 'female' as const,
    fitnessDays: 42,
    fatigueDays: 7,
    fitnessSeed: null,
    referenceHeartRateBpm: null,
    minRunsPerWeek: 3,
    paceZoneBorders: null,
    entries: [{ ...NO_ENTRY, maxHeartRateBpm: 188, restingHeartRateBpm: 52, massKg: 58 }],
    effective: {
      maxHeartRateBpm: { value: 188, source: 'runner' as const },
      restingHeartRateBpm: { value: 52, source: 'runner' as const },
      lthrBpm: { value: 169, source: 'default' as const },
      thresholdPaceS: { value: 254.8, source: 'estimated' as const },
      massKg: { value: 58, source: 'runner' as const },
      heightCm: { value: null, source: null },
    },
  }),
  workout: shown(WorkoutTraining, {
    load: { ...of('load', [61.2], 'high'), ...made, basis: ['heartRate'], n: 1 },
    loads: { heartRate: 61.2, pace: 58.7, rpe: 57, duration: 47.5, manual: null },
    source: 'heartRate' as const,
    chosen: 'auto' as const,
    excludeFromEstimates: false,
    wasRaced: false,
    calibration: null,
    intensityPct: 80,
    suspectHeartRate: false,
    ef: 1.354,
    decouplingPct: 4.1,
    decouplingReason: null,
    durability: null,
    vo2max,
    paceZoneSeconds: [2460, 720, 240, 0, 0],
    bandSeconds: [2510.4, 880.2, 29.4],
    recomputing: false,
    conditions: {
      wbgtC: 22,
      dewPointC: 14.3,
      headWindMps: 0.4,
      heatCostPct: { low: 1.1, mid: 2.5, high: 6, own: false },
      windCostPct: { low: 0.4, mid: 0.8, high: 1.4 },
    },
  }),
}
