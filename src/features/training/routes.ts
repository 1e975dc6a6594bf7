import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { noEstimate } from '../../engine/training/confidence.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings } from '../../library/settings.ts'
import { zonesProfile } from '../../library/training/profile.ts'
import { efficiencyAnswer } from './efficiency.ts'
import {
  AcceptedEntry,
  CriticalSpeedAnswer,
  EfficiencyAnswer,
  IntensityAnswer,
  IntensityQuery,
  Predictions,
  PredictionsQuery,
  ProposalList,
  ProposalReply,
  Today,
  Vo2max,
  Vo2maxQuery,
  ZonesAnswer,
} from './estimate-schemas.ts'
import { createEvidence, type EvidenceOf } from './evidence.ts'
import { addGoal, calendarAnswer, deleteGoal, editGoal, goalsAnswer } from './goals.ts'
import { CalendarAnswer, CalendarQuery, GoalAnswer, GoalBody, GoalEdit, NewGoal } from './goals-schemas.ts'
import { intensityAnswer, zonesAnswer } from './intensity.ts'
import type { TrainingLibrary } from './library.ts'
import { forecastDays, loadDays, todayAnswer } from './load.ts'
import { predictionsAnswer } from './predictions.ts'
import { answerProposal, proposals } from './proposals.ts'
import { createRaces, type Races } from './races.ts'
import { NewRace, RaceAnswer, RaceEdit, RacesQuery } from './races-schemas.ts'
import { Forecast, ForecastQuery, LoadDays, OffsetQuery, WindowQuery, WorkoutTraining } from './schemas.ts'
import { requestedSettings, settingsAnswer } from './settings.ts'
import { TrainingSettingsAnswer, TrainingSettingsBody } from './settings-schemas.ts'
import type { Readings, Training } from './truth/readings.ts'
import { vo2maxAnswer } from './vo2max.ts'
import { WindowsAnswer, windowsOfWorkout } from './windows.ts'
import { workoutTraining } from './workout.ts'

const USUAL_VO2MAX_WEEKS = 52
const USUAL_INTENSITY_WEEKS = 12
/** Load, fitness, races, endurance, zones and goals, computed from the whole library. */
export function trainingRoutes(deps: Deps, { library, readings }: Training) {
  const evidence = createEvidence(deps, library)
  return new Elysia({ tags: ['Training'] })
    .use(formRoutes(library, { ...deps, evidence }))
    .use(sightRoutes(library, { ...deps, evidence }))
    .use(goalRoutes(library, deps))
    .use(raceRoutes(library, createRaces(deps, library, evidence)))
    .use(profileRoutes(library, { ...deps, evidence, readings }))
}

/** Best efforts of training contain no all-out ones (docs/decisions.md), so none is served. */
const NO_SPEED = (unit: string) => noEstimate(unit, ['tooFewEfforts'], 'Three all-out efforts of 3 to 20 minutes')
const NO_CRITICAL_SPEED = { criticalSpeed: NO_SPEED('m/s'), paceS: null, dPrimeM: NO_SPEED('m'), points: [] }

type WithEvidence = Deps & { readonly evidence: EvidenceOf }
type WithReadings = WithEvidence & { readonly readings: Readings }

function formRoutes(library: TrainingLibrary, { evidence, ...deps }: WithEvidence) {
  return new Elysia({ tags: ['Training'] })
    .get(
      '/training/load',
      ({ query }) => library.current((recomputing) => ({ ...loadDays(library, query), recomputing })),
      call('listTrainingLoad', 'Load, fitness, fatigue and form of each day', {
        query: WindowQuery,
        answer: LoadDays,
        says:
          'Runs excluded from statistics do not count. Loads follow a change of a run or of the profile in the background, and ' +
          'past days may change with them.',
      }),
    )
    .get(
      '/training/today',
      ({ query }) =>
        library.current((recomputing) => {
          return { ...todayAnswer(deps, library, evidence(query.timezoneOffsetMinutes)), recomputing }
        }),
      call('getTrainingToday', 'Form of today, room, fitness, goals and proposals in one answer', {
        query: OffsetQuery,
        answer: Today,
        says:
          'Form is that of the morning; fitness, fatigue and load include the runs of today. What today has room for is a range, ' +
          'not an advice.',
      }),
    )
    .get(
      '/training/forecast',
      ({ query }) => library.current((recomputing) => ({ ...forecastDays(library, query), recomputing })),
      call(
        'getTrainingForecast',
        'Fitness, fatigue and form of the days to come, with rest, the usual week or loads of your own',
        {
          query: ForecastQuery,
          answer: Forecast,
          says:
            'A projection that holds only if the plan is followed. Nothing is stored. 400: another plan than these, or with the ' +
            'plan custom `loads` that are not numbers.',
        },
      ),
    )
}

function sightRoutes(library: TrainingLibrary, { evidence: asked, ...deps }: WithEvidence) {
  return new Elysia({ prefix: '/training', tags: ['Training'] })
    .get(
      '/vo2max',
      ({ query: { weeks = USUAL_VO2MAX_WEEKS, timezoneOffsetMinutes } }) =>
        library.current(() => vo2maxAnswer(library, { ...asked(timezoneOffsetMinutes), weeks })),
      call('getVo2max', 'VDOT, today and by week, with the runs it is based on', {
        query: Vo2maxQuery,
        answer: Vo2max,
        says:
          'One fit of steady runs, races and hard efforts of the whole library, by week (VDOT after Daniels). Race times, pace zones, ' +
          'threshold pace and loads by pace are read from it.',
      }),
    )
    .get(
      '/predictions',
      ({ query: { distanceM = [], timezoneOffsetMinutes } }) =>
        library.current(() => predictionsAnswer(asked(timezoneOffsetMinutes).vdot, distanceM)),
      call('listRacePredictions', 'Race predictions with their 80% ranges, and the efforts they are based on', {
        query: PredictionsQuery,
        answer: Predictions,
        says:
          'Without a race within a year confidence is low; beyond ±15% there is no time. Beyond 50 km times are extrapolated, ' +
          'with low confidence.',
      }),
    )
    .get(
      '/critical-speed',
      () => library.current(() => NO_CRITICAL_SPEED),
      call('getCriticalSpeed', 'Critical speed: always null', {
        query: OffsetQuery,
        answer: CriticalSpeedAnswer,
        says: 'Best efforts of training contain no all-out ones, so that a critical speed of them would be wrong.',
      }),
    )
    .get(
      '/efficiency',
      ({ query }) => efficiencyAnswer(deps, library, query),
      call('getEfficiency', 'Efficiency, decoupling and pace at one heart rate by run, with their trend', {
        query: WindowQuery,
        answer: EfficiencyAnswer,
        says:
          'Counted time leaves out the first 10 minutes, the 2 minutes after a stop of a minute, and gaps in heart rate. Decoupling ' +
          'needs 30 minutes, heart rate for 90% of them, and a speed that varies by 15% at most.',
      }),
    )
    .get(
      '/intensity',
      ({ query: { weeks = USUAL_INTENSITY_WEEKS, timezoneOffsetMinutes } }) =>
        library.current(() => {
          const { viewer, vdot } = asked(timezoneOffsetMinutes)
          return intensityAnswer(deps, library, { viewer, vdot: vdot.value, weeks })
        }),
      call('getIntensity', 'Easy, moderate and hard time by week', {
        query: IntensityQuery,
        answer: IntensityAnswer,
        says:
          'By heart rate where half of the moving time has it, else by pace: easy is low, interval and repetition are high. ' +
          'Runs excluded from statistics do not count.',
      }),
    )
    .get(
      '/zones',
      ({ query }) => library.current(() => zonesAnswer(library, asked(query.timezoneOffsetMinutes).vdot)),
      call('getTrainingZones', 'Pace zones and training paces', {
        query: OffsetQuery,
        answer: ZonesAnswer,
        says: 'By the VDOT of today, with the borders of the profile where it has some.',
      }),
    )
    .get(
      '/calendar',
      ({ query }) => calendarAnswer(library, query),
      call('getTrainingCalendar', 'Days with runs as a heat map, streaks and consistency', {
        query: CalendarQuery,
        answer: CalendarAnswer,
        says: 'Streaks and consistency are of the whole library. A run whose load is not computed yet counts by its duration.',
      }),
    )
    .get(
      '/proposals',
      ({ query }) => library.current(() => proposals(deps, library, asked(query.timezoneOffsetMinutes))),
      call('listProposals', 'New values suggested by runs; nothing changes until they are accepted', {
        query: OffsetQuery,
        answer: ProposalList,
        says:
          'None takes effect before it is accepted. What each needs: at least three runs with a higher maximum, tests of 90 days for ' +
          'the threshold heart rate, a race of half a year for the threshold pace, 90% of the life of shoes.',
      }),
    )
    .post(
      '/proposals/:id',
      ({ params: { id }, body }) =>
        library.current(() => {
          const entry = answerProposal(deps, library, { ...asked(undefined), id, reply: body })
          if (entry !== null) deps.events.emit({ event: 'settings.updated', data: {} })
          return Response.json(entry)
        }),
      call('answerProposal', 'Accept or dismiss a proposal', {
        params: proposalId,
        body: ProposalReply,
        answer: AcceptedEntry,
        says:
          'Accepting writes the value into the entry of the profile from that day on, with `settings.updated`, or retires the shoes ' +
          'now. Zones are not stored: send them with PUT /settings/heart-rate-zones. It leaves no receipt. Checked in this order: ' +
          '404 when the proposal no longer holds, 400 when its value contradicts others of a day.',
      }),
    )
}

/** The id contains kind and value of a proposal, so that an outdated one is unknown. */
const proposalId = reader(
  Type.Object({ id: Type.String({ description: 'Id of a proposal of the list' }) }),
  (params) => params as { readonly id: string },
)

function goalRoutes(library: TrainingLibrary, deps: Deps) {
  return new Elysia({ prefix: '/training/goals', tags: ['Races and goals'] })
    .get(
      '',
      ({ query }) =>
        library.current(() => {
          const viewer = library.viewer(query.timezoneOffsetMinutes)
          return goalsAnswer(deps, library.daysOfNow(viewer), viewer)
        }),
      call('listGoals', 'Goals with their progress', {
        query: OffsetQuery,
        answer: Type.Array(GoalAnswer),
        says:
          'The oldest first. Periods are those of the calendar, in the local time of each run; runs excluded from statistics do not ' +
          'count.',
      }),
    )
    .post(
      '',
      ({ body, status }) => status(201, addGoal(deps, body)),
      call('createGoal', 'Set a goal', {
        idempotent: 'adds',
        body: NewGoal,
        answers: { 201: GoalBody },
        says:
          '400: there are 100 goals already, the period dates lacks `from` or `to`, or `from` is after `to`. Other periods ignore ' +
          'both. It leaves no receipt.',
      }),
    )
    .patch(
      '/:id',
      ({ params, body }) => editGoal(deps, params.id, body),
      call('updateGoal', 'Change the members sent', {
        path: { id: 'Goal' },
        body: GoalEdit,
        answer: GoalBody,
        says:
          'Members that are not sent keep their values; with another period than dates `from` and `to` become null. It leaves no ' +
          'receipt.',
      }),
    )
    .delete(
      '/:id',
      ({ params, request, status }) => {
        deleteGoal({ ...deps, ...byOf(request) }, params.id)
        return status(204)
      },
      call('deleteGoal', 'Remove a goal', {
        path: { id: 'Goal' },
        statuses: [204],
        says: 'Runs are not touched. The receipt can undo it.',
        receipt: true,
      }),
    )
}

function raceRoutes(library: TrainingLibrary, races: Races) {
  return new Elysia({ prefix: '/races', tags: ['Races and goals'] })
    .get(
      '',
      async ({ query }) => await library.current(() => races.list(query)),
      call('listRaces', 'Planned races and races that were run, with their results', {
        query: RacesQuery,
        answer: Type.Array(RaceAnswer),
        says:
          'The latest first, at most 500. The result of a planned race is the run of type Race of its local day within 6% of the ' +
          'distance, the closest first, unless the runner linked one. Runs of type Race that are no result are listed, too.',
      }),
    )
    .post(
      '',
      async ({ body, status }) => status(201, await races.add(body)),
      call('createRace', 'Plan a race', {
        idempotent: 'adds',
        body: NewRace,
        answers: { 201: RaceAnswer },
        says:
          '400: there are 1,000 races already, or the run of `workoutId` does not exist or is the result of another race. It leaves ' +
          'no receipt.',
      }),
    )
    .patch(
      '/:id',
      ({ params, body }) => races.edit(params.id, body),
      call('updateRace', 'Change the members sent, and link a run', {
        path: { id: 'Race' },
        body: RaceEdit,
        answer: RaceAnswer,
        says:
          'Members that are not sent keep their values. 400: the run of `workoutId` does not exist or is the result of another ' +
          'race. It leaves no receipt.',
      }),
    )
    .delete(
      '/:id',
      ({ params, request, status }) => {
        races.remove(byOf(request).by, params.id)
        return status(204)
      },
      call('deleteRace', 'Remove a planned race', {
        path: { id: 'Race' },
        statuses: [204],
        says: 'Runs are not touched. The receipt can undo it.',
        receipt: true,
      }),
    )
}

function profileRoutes(library: TrainingLibrary, { evidence, readings, ...deps }: WithReadings) {
  const { db, events } = deps
  const answer = (timezoneOffsetMinutes: number | undefined) => {
    const { viewer, vdot } = evidence(timezoneOffsetMinutes)
    return settingsAnswer(library, viewer, vdot.value)
  }
  return new Elysia({ tags: ['Training'] })
    .get(
      '/settings/training',
      ({ query }) => library.current(() => answer(query.timezoneOffsetMinutes)),
      call('getTrainingProfile', "The runner's profile by date, and today's values", {
        query: OffsetQuery,
        answer: TrainingSettingsAnswer,
        says: 'Entries count from their day on, each value until a later entry has another one.',
      }),
    )
    .put(
      '/settings/training',
      ({ body }) => {
        changeSettings(db, deps, { training: requestedSettings(body, zonesProfile(db)) })
        events.emit({ event: 'settings.updated', data: {} })
        // in the background; training.updated announces when loads are up to date
        library.refresh()
        return answer(undefined)
      },
      call('setTrainingProfile', 'Store the whole profile; loads follow in the background', {
        body: TrainingSettingsBody,
        answer: TrainingSettingsAnswer,
        says:
          'Replaces all settings and entries. Loads follow in the background: `settings.updated` now, `training.updated` once they ' +
          'are computed. It leaves no receipt. 400: two entries of one day, or values of a day that contradict each other.',
      }),
    )
    .get(
      '/workouts/:id/training',
      ({ params: { id } }) =>
        library.current(async (recomputing) => {
          const { viewer, vdot } = evidence(undefined)
          // a fit that fails is logged there; the usual cost of heat counts
          const heat = () =>
            readings.read({}).then(
              ({ found }) => found.read.heat,
              () => [],
            )
          return { ...(await workoutTraining(deps, library, { id, viewer, vdot, heat })), recomputing }
        }),
      call('getWorkoutTraining', 'Load of one run from every source, its efficiency, endurance, zones and conditions', {
        tags: ['Details of a run'],
        path: { id: 'Workout' },
        answer: WorkoutTraining,
        says:
          'The load that counts is the first that exists of by hand, chosen, heart rate, pace, RPE and time; on GPS altitude with ' +
          'more than 20 m of climb a km RPE precedes pace. A run excluded from statistics has no load.',
      }),
    )
    .get(
      '/workouts/:id/training/windows',
      ({ params: { id } }) => windowsOfWorkout(deps, id),
      call('getWorkoutTrainingWindows', 'Where on the run its decoupling and its heart rates for proposals come from', {
        tags: ['Details of a run'],
        path: { id: 'Workout' },
        answer: WindowsAnswer,
        says:
          'Computed from the samples with each call, so that a chart can show where a number comes from. Without samples all are ' +
          'null.',
      }),
    )
}
