import { Type } from '@sinclair/typebox'
import { PACE_ZONES } from '../../engine/training/intensity.ts'
import { PROPOSAL_KINDS } from '../../engine/training/proposals.ts'
import { choice, day, flag, integer, meaning, nullable, number, text, uuid } from '../../http/schemas.ts'
import { GoalAnswer } from './goals-schemas.ts'
import {
  BALANCE,
  Confidence,
  DURABILITY,
  decouplingPct,
  decouplingReason,
  Estimate,
  ef,
  formWord,
  recomputing,
  restDaysToFormZero,
  timezoneOffsetMinutes,
} from './schemas.ts'

// Answers with estimates: VO2max, races, endurance, intensity, and proposals.

const vdot = meaning('VDOT of today (Daniels)', Estimate)

export const Today = Type.Object(
  {
    date: day('Local day'),
    load: number("Of today's runs so far"),
    morning: Type.Object(
      {
        fitness: number('At the end of yesterday'),
        fatigue: number('At the end of yesterday'),
        ramp: nullable(number('Change of fitness in the seven days up to yesterday; null: before the seventh day')),
      },
      { description: "Before today's runs: form is fitness minus fatigue of these" },
    ),
    fitness: meaning("After today's runs so far, without a range", Estimate),
    fatigue: meaning("After today's runs so far, without a range", Estimate),
    form: meaning('Of this morning, without a range', Estimate),
    formWord,
    ...BALANCE,
    room: Type.Array(
      Type.Object(
        {
          formShare: number('Form of tomorrow, as a share of fitness'),
          load: integer('Total load of today for it'),
          minutes: nullable(integer('The same as easy running; null with under 8 easy runs in 60 days')),
        },
        { title: 'RoomForLoad' },
      ),
      { description: 'Loads of today that make form −0.10 and −0.30 of fitness tomorrow' },
    ),
    restDaysToFormZero,
    vo2max: meaning('The same number as vdot', Estimate),
    vdot,
    goals: Type.Array(GoalAnswer, { description: 'All goals, the oldest first' }),
    proposals: integer('How many there are'),
    recomputing,
  },
  { title: 'TrainingToday' },
)

export const WeeksQuery = (most: number, usual: number) =>
  Type.Object({
    timezoneOffsetMinutes,
    weeks: Type.Optional(
      integer({ minimum: 1, maximum: most, description: `Weeks up to this one; ${usual} when absent` }),
    ),
  })
export const Vo2maxQuery = WeeksQuery(520, 52)
export const IntensityQuery = WeeksQuery(104, 12)

const workoutId = uuid('Of the run')
const localDay = day('Local day of the run')
const weekStart = day('Monday of the week')

export const Vo2max = Type.Object(
  {
    vdot,
    effective: meaning('The same number as vdot', Estimate),
    factor: number('VDOT over what heart rate alone would give by the usual table; 1 as well when there is no VDOT'),
    factorRaces: Type.Array(uuid('A run'), { description: 'Races of the last year that it is based on' }),
    marathonShapePct: nullable(
      integer('After Runalyze; 100 is typical of plans for a marathon; null: no VDOT, or no run in 182 days'),
    ),
    weeks: Type.Array(
      Type.Object(
        {
          weekStart,
          value: nullable(number('VDOT at the end of the week, or today; null: no evidence yet, or too uncertain')),
          low: nullable(number('Lower end of its 80% range; null: no value')),
          high: nullable(number('Upper end of its 80% range; null: no value')),
          n: integer('Runs, races and efforts of the week that are used'),
        },
        { title: 'Vo2maxWeek' },
      ),
      { description: 'The weeks asked for, the earliest first; past ones may move with new runs' },
    ),
    fitness: nullable(
      Type.Object(
        {
          rows: Type.Object(
            {
              H: integer('Steady runs with heart rate'),
              P: integer('Steady runs by pace, without heart rate'),
              R: integer('Races'),
              E: integer('Best efforts of other runs, at least as fast as the rest says'),
            },
            { title: 'EvidenceCounts', description: 'Evidence of the last year that is used' },
          ),
          sigma: number('Scatter of steady runs with heart rate around the fit, ln of speed'),
          fast: flag('true: fitness changes quickly, so that the fit follows runs more closely'),
          level: meaning('Speed at VO2max over what heart rate alone would give by the usual table', Estimate),
        },
        { title: 'FitnessFit', description: 'The fit that VDOT is read from; null: too few runs' },
      ),
    ),
    points: Type.Array(
      Type.Object(
        {
          workoutId,
          date: localDay,
          value: number('VDOT by this run alone'),
          source: meaning('What it is read from', choice('heartRate', 'race')),
          used: flag('true: it counts'),
          weight: number('In the fit'),
          reason: nullable(text('Why it is not used; null: it is')),
        },
        { title: 'Vo2maxPoint' },
      ),
      { description: 'Steady runs with heart rate, and races, of these weeks, the earliest first' },
    ),
  },
  { title: 'Vo2max' },
)

export const MOST_DISTANCES = 10
/** Shortest and longest distance of a prediction. */
export const PREDICTED_M = [1500, 100_000] as const

export const PredictionsQuery = Type.Object({
  timezoneOffsetMinutes,
  distanceM: Type.Optional(
    Type.Array(Type.Number({ minimum: PREDICTED_M[0], maximum: PREDICTED_M[1] }), {
      maxItems: MOST_DISTANCES,
      description: 'Metres; 5K, 10K, half marathon and marathon when absent; repeated for several',
    }),
  ),
})

const distance = text('Its usual name, as 10K, else metres with their unit')

export const Predictions = Type.Object(
  {
    predictions: Type.Array(
      Type.Object(
        {
          distance,
          distanceM: number('Metres'),
          time: meaning('Time of a race today', Estimate),
          paceS: nullable(number('Seconds per km; null: no time')),
          fasterThanResults: flag('true: faster than every race and hard effort of the last year says'),
          others: Type.Object(
            {
              vdot: nullable(number('By the table of VDOT; null: no VDOT')),
              riegel: nullable(number('By Riegel from the race with the highest VDOT; null: no race')),
              cameron: nullable(number('By Cameron from the same race; null: no race')),
              log: nullable(
                number('By the logarithm of time (Emig & Peltonen 2020); null: no `endurance`, or too far'),
              ),
            },
            { title: 'OtherPredictions', description: 'What other models say, seconds; never averaged in' },
          ),
        },
        { title: 'RacePrediction' },
      ),
      { description: 'In the order asked for' },
    ),
    exponent: meaning('How times grow with distance, from 5 km to half marathon: time ~ distance^exponent', Estimate),
    endurance: meaning('How long 90% of the speed at VO2max is held, in multiples of 6 minutes', Estimate),
    efforts: Type.Array(
      Type.Object(
        {
          workoutId,
          distance,
          timeMs: integer('Time over the distance'),
          ageDays: integer('Days ago'),
          vdot: number('VDOT by this effort, on the flat'),
          used: flag('true: it counts; of another run than a race, it holds the estimate up'),
          reason: nullable(meaning('Why it is not used; null: it is', choice('uncertain', 'notRaced'))),
          isRace: flag('true: the run is declared a race, or is the result of one'),
          suggestedTimeMs: nullable(
            integer('Of a race that was clearly slower than training suggests: what it suggests; null: no such race'),
          ),
        },
        { title: 'PredictionEffort' },
      ),
      { description: 'At most 30 of the last year, those used first, then the highest VDOT' },
    ),
  },
  { title: 'RacePredictions' },
)

export const CriticalSpeedAnswer = Type.Object(
  {
    criticalSpeed: meaning('Always without a value', Estimate),
    paceS: nullable(number('Seconds per km; always null')),
    dPrimeM: meaning('Always without a value', Estimate),
    points: Type.Array(
      Type.Object(
        {
          workoutId,
          distanceM: number('Metres'),
          timeMs: integer('Time over the distance'),
          used: flag('true: it counts'),
        },
        { title: 'CriticalSpeedPoint' },
      ),
      { description: 'Always empty' },
    ),
  },
  { title: 'CriticalSpeed' },
)

export const EfficiencyAnswer = Type.Object(
  {
    referenceHeartRateBpm: integer(
      'Heart rate at which paces are compared: as set in the profile, else 75% of maximum',
    ),
    runs: Type.Array(
      Type.Object(
        {
          workoutId,
          date: localDay,
          ef,
          decouplingPct,
          decouplingReason,
          paceAtReferenceS: nullable(
            number('Median pace of minutes within 5 bpm of the reference, seconds per km; null: fewer than ten'),
          ),
          wbgtC: nullable(number('Simplified wet-bulb globe temperature, °C; null: no weather')),
          durability: nullable(
            Type.Object(DURABILITY, {
              title: 'RunDurability',
              description: 'null: below 20 km, or gaps in heart rate',
            }),
          ),
        },
        { title: 'RunEfficiency' },
      ),
      { description: 'Runs of these days with efficiency or a pace at the reference, the earliest first' },
    ),
    trend: nullable(
      Type.Object(
        {
          slopeSPerKmPerWeek: number('Seconds per km a week, negative: faster (Theil-Sen)'),
          interval: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Its 95% range' }),
          p: number('Two-sided, by Mann-Kendall'),
          n: integer('Runs'),
          supported: flag('true: p below 0.05, with 8 runs or more over six weeks'),
        },
        {
          title: 'EfficiencyTrend',
          description: 'Of paceAtReferenceS up to a WBGT of 23 °C; null: fewer than 90 days, or no two days with runs',
        },
      ),
    ),
  },
  { title: 'Efficiency' },
)

const Spread = Type.Object(
  {
    lowShare: nullable(number('Low of the known time, 0 to 1; null: none is known')),
    eightyTwenty: nullable(integer('The same in %')),
    polarizationIndex: nullable(
      number('After Treff 2019; null: below 4 hours, below 5% moderate and high, or more high than low'),
    ),
    kind: nullable(
      meaning(
        'easyOnly: below 5% moderate and high; threshold, highIntensity: most of it; polarized: more high than moderate, ' +
          'index above 2; null: below 4 hours',
        choice('easyOnly', 'polarized', 'pyramidal', 'threshold', 'highIntensity'),
      ),
    ),
  },
  { title: 'IntensitySpread' },
)

export const IntensityAnswer = Type.Object(
  {
    bounds: Type.Object(
      {
        lowBelowBpm: integer('Below it intensity is low: 89% of the threshold heart rate'),
        highFromBpm: integer('From it on intensity is high: the threshold heart rate'),
      },
      { description: 'Of today; each run is judged by those of its day' },
    ),
    weeks: Type.Array(
      Type.Object(
        {
          weekStart,
          lowS: integer('Seconds of low intensity'),
          moderateS: integer('Seconds between both bounds'),
          highS: integer('Seconds of high intensity'),
          unknownS: integer('Seconds of moving time without heart rate or pace zones'),
          sessions: Type.Object(
            {
              low: integer('Runs of low intensity'),
              moderate: integer('Runs of moderate intensity'),
              high: integer('Runs of high intensity'),
            },
            { description: 'Runs by the hardest intensity that they had for ten minutes' },
          ),
        },
        { title: 'IntensityWeek' },
      ),
      { description: 'The weeks asked for, the earliest first, up to this one' },
    ),
    last4Weeks: meaning('This week and the three before', Spread),
    last12Weeks: meaning('This week and the eleven before', Spread),
  },
  { title: 'Intensity' },
)

export const ZonesAnswer = Type.Object(
  {
    vdot,
    zones: Type.Array(
      Type.Object(
        {
          name: meaning('The slowest is easy', choice(...PACE_ZONES)),
          fromPaceS: nullable(number('Slow end, seconds per km; null: no VDOT, and easy or no own borders')),
          toPaceS: nullable(number('Fast end, seconds per km; null: of repetition, or neither VDOT nor own borders')),
        },
        { title: 'PaceZone' },
      ),
      { description: 'The slowest first' },
    ),
    targets: Type.Object(
      {
        marathonPaceS: nullable(number('Pace of a marathon, seconds per km; null: no VDOT')),
        thresholdPaceS: nullable(number('At 88% of VDOT, seconds per km; null: no VDOT')),
        intervalPaceS: nullable(number('At 97.5% of VDOT, seconds per km; null: no VDOT')),
        repetitionPaceS: nullable(number('Pace of a mile race, seconds per km; null: no VDOT')),
      },
      { title: 'TrainingPaces', description: 'Paces to train at, by VDOT, whoever set the borders' },
    ),
    bordersSetByRunner: flag('true: the borders are those of the profile; false: 75, 84, 92 and 103% of VDOT'),
  },
  { title: 'PaceZones' },
)

const proposedValue = (description: string) =>
  Type.Union([number(description), Type.Array(integer(), { description: 'Of zones: their bounds' })])

export const ProposalList = Type.Array(
  Type.Object(
    {
      id: text('Contains kind and value, so that an outdated one is unknown'),
      kind: meaning('zones: of heart rate; retire: of a pair of shoes', choice(...PROPOSAL_KINDS)),
      shoeId: nullable(uuid('Of a pair to retire; null: of others')),
      current: nullable(proposedValue('The present value, of shoes their mileage; null: none is set')),
      proposed: proposedValue('The new value, of shoes the end of their life'),
      unit: text('One of bpm, s/km and m'),
      evidence: Type.Array(
        Type.Object(
          { workoutId, date: localDay, value: number('What this run suggests, in the unit of the proposal') },
          { title: 'ProposalEvidence' },
        ),
        { description: 'At most three runs; none for zones and shoes' },
      ),
      confidence: meaning('By the evidence', Confidence),
      loadsPct: nullable(integer('By how many per cent loads would change; null: not at all, or unknown')),
    },
    { title: 'Proposal' },
  ),
  { description: 'maxHeartRate, lthr, thresholdPace, zones, then shoes, those that apply' },
)

export const ProposalReply = Type.Object({
  accept: flag('false: not proposed again until the value moves by 2 bpm, 2% or 50 km'),
  from: Type.Optional(nullable(day('Effective from this local day; today when null or absent'))),
})

const UNSET = 'null: not set by this entry'

export const AcceptedEntry = nullable(
  Type.Object(
    {
      from: nullable(day('Effective from this local day; null: from the start')),
      maxHeartRateBpm: nullable(integer(`Maximum heart rate; ${UNSET}`)),
      restingHeartRateBpm: nullable(integer(`Resting heart rate; ${UNSET}`)),
      lthrBpm: nullable(integer(`Threshold heart rate; ${UNSET}`)),
      thresholdPaceS: nullable(number(`Threshold pace, seconds per km; ${UNSET}`)),
      massKg: nullable(number(`Body mass; ${UNSET}`)),
      heightCm: nullable(number(`Body height; ${UNSET}`)),
    },
    {
      title: 'AcceptedEntry',
      description: 'The entry of the profile that has the new value; null: dismissed, or accepted zones or shoes',
    },
  ),
)
