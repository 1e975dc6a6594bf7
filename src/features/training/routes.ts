import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { noEstimate } from '../../engine/training/confidence.ts'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { answered } from '../../http/query.ts'
import { ErrorBody } from '../../http/schemas.ts'
import { pathIds, reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings } from '../../library/settings.ts'
import { zonesProfile } from '../../library/training/profile.ts'
import { ANSWERS } from './answer-schemas.ts'
import { efficiencyAnswer } from './efficiency.ts'
import { IntensityQuery, PredictionsQuery, ProposalReply, Vo2maxQuery } from './estimate-schemas.ts'
import { createEvidence, type EvidenceOf } from './evidence.ts'
import { addGoal, calendarAnswer, deleteGoal, editGoal, goalsAnswer } from './goals.ts'
import { CalendarQuery, GoalEdit, NewGoal } from './goals-schemas.ts'
import { intensityAnswer, zonesAnswer } from './intensity.ts'
import type { TrainingLibrary } from './library.ts'
import { forecastDays, loadDays, todayAnswer } from './load.ts'
import { predictionsAnswer } from './predictions.ts'
import { answerProposal, proposals } from './proposals.ts'
import { createRaces, type Races } from './races.ts'
import { NewRace, RaceEdit, RacesQuery } from './races-schemas.ts'
import { ForecastQuery, OffsetQuery, WindowQuery } from './schemas.ts'
import { requestedSettings, settingsAnswer } from './settings.ts'
import { TrainingSettingsBody } from './settings-schemas.ts'
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
      ({ query: asked }) => library.current((recomputing) => ({ ...loadDays(library, asked), recomputing })),
      answered(WindowQuery, ANSWERS.load, 'Load, fitness, fatigue and form of each day'),
    )
    .get(
      '/training/today',
      ({ query: asked }) =>
        library.current((recomputing) => {
          return { ...todayAnswer(deps, library, evidence(asked.timezoneOffsetMinutes)), recomputing }
        }),
      answered(OffsetQuery, ANSWERS.today, 'Form of today, room, fitness, goals and proposals in one answer'),
    )
    .get(
      '/training/forecast',
      ({ query: asked }) => library.current((recomputing) => ({ ...forecastDays(library, asked), recomputing })),
      answered(
        ForecastQuery,
        ANSWERS.forecast,
        'Fitness, fatigue and form of the days to come, with rest, the usual week or loads of your own',
      ),
    )
}

function sightRoutes(library: TrainingLibrary, { evidence: asked, ...deps }: WithEvidence) {
  return new Elysia({ prefix: '/training', tags: ['Training'] })
    .get(
      '/vo2max',
      ({ query: { weeks = USUAL_VO2MAX_WEEKS, timezoneOffsetMinutes } }) =>
        library.current(() => vo2maxAnswer(library, { ...asked(timezoneOffsetMinutes), weeks })),
      answered(Vo2maxQuery, ANSWERS.vo2max, 'VDOT, today and by week, with the runs it is based on'),
    )
    .get(
      '/predictions',
      ({ query: { distanceM = [], timezoneOffsetMinutes } }) =>
        library.current(() => predictionsAnswer(asked(timezoneOffsetMinutes).vdot, distanceM)),
      answered(
        PredictionsQuery,
        ANSWERS.predictions,
        'Race predictions with their 80% ranges, and the efforts they are based on',
      ),
    )
    .get(
      '/critical-speed',
      () => library.current(() => NO_CRITICAL_SPEED),
      answered(OffsetQuery, ANSWERS.criticalSpeed, 'Critical speed: always null'),
    )
    .get(
      '/efficiency',
      ({ query: sent }) => efficiencyAnswer(deps, library, sent),
      answered(
        WindowQuery,
        ANSWERS.efficiency,
        'Efficiency, decoupling and pace at one heart rate by run, with their trend',
      ),
    )
    .get(
      '/intensity',
      ({ query: { weeks = USUAL_INTENSITY_WEEKS, timezoneOffsetMinutes } }) =>
        library.current(() => {
          const { viewer, vdot } = asked(timezoneOffsetMinutes)
          return intensityAnswer(deps, library, { viewer, vdot: vdot.value, weeks })
        }),
      answered(IntensityQuery, ANSWERS.intensity, 'Easy, moderate and hard time by week'),
    )
    .get(
      '/zones',
      ({ query: sent }) => library.current(() => zonesAnswer(library, asked(sent.timezoneOffsetMinutes).vdot)),
      answered(OffsetQuery, ANSWERS.zones, 'Pace zones and training paces'),
    )
    .get(
      '/calendar',
      ({ query: sent }) => calendarAnswer(library, sent),
      answered(CalendarQuery, ANSWERS.calendar, 'Days with runs as a heat map, streaks and consistency'),
    )
    .get(
      '/proposals',
      ({ query: sent }) => library.current(() => proposals(deps, library, asked(sent.timezoneOffsetMinutes))),
      answered(OffsetQuery, ANSWERS.proposals, 'New values suggested by runs; nothing changes until they are accepted'),
    )
    .post(
      '/proposals/:id',
      ({ params: { id }, body }) =>
        library.current(() => {
          const entry = answerProposal(deps, library, { ...asked(undefined), id, reply: body })
          if (entry !== null) deps.events.emit({ event: 'settings.updated', data: {} })
          return Response.json(entry)
        }),
      {
        params: proposalId,
        ...json(ProposalReply),
        response: { 200: ANSWERS.acceptedEntry, 404: ErrorBody },
        detail: { summary: 'Accept or dismiss a proposal' },
      },
    )
}

/** The id contains kind and value of a proposal, so that an outdated one is unknown. */
const proposalId = reader(
  Type.Object({ id: Type.String({ description: 'Proposal id' }) }),
  (params) => params as { readonly id: string },
)

function goalRoutes(library: TrainingLibrary, deps: Deps) {
  return new Elysia({ prefix: '/training/goals', tags: ['Training'] })
    .get(
      '',
      ({ query: sent }) =>
        library.current(() => {
          const viewer = library.viewer(sent.timezoneOffsetMinutes)
          return goalsAnswer(deps, library.daysOfNow(viewer), viewer)
        }),
      answered(OffsetQuery, ANSWERS.goals, 'Goals with their progress'),
    )
    .post('', ({ body, status }) => status(201, addGoal(deps, body)), {
      ...json(NewGoal),
      response: { 201: ANSWERS.goal },
      detail: { summary: 'Set a goal' },
    })
    .patch('/:id', ({ params, body }) => editGoal(deps, params.id, body), {
      params: pathIds({ id: 'Goal' }),
      ...json(GoalEdit),
      response: { 200: ANSWERS.goal },
      detail: { summary: 'Change the members sent' },
    })
    .delete(
      '/:id',
      ({ params, request, status }) => {
        deleteGoal({ ...deps, ...byOf(request) }, params.id)
        return status(204)
      },
      { params: pathIds({ id: 'Goal' }), detail: { summary: 'Remove a goal', ...responses(204, 401, 404) } },
    )
}

function raceRoutes(library: TrainingLibrary, races: Races) {
  return new Elysia({ prefix: '/races', tags: ['Truth'] })
    .get(
      '',
      async ({ query: sent }) => await library.current(() => races.list(sent)),
      answered(RacesQuery, ANSWERS.races, 'Planned races and races that were run, with their results'),
    )
    .post('', async ({ body, status }) => status(201, await races.add(body)), {
      ...json(NewRace),
      response: { 201: ANSWERS.race },
      detail: { summary: 'Plan a race' },
    })
    .patch('/:id', ({ params, body }) => races.edit(params.id, body), {
      params: pathIds({ id: 'Race' }),
      ...json(RaceEdit),
      response: { 200: ANSWERS.race },
      detail: { summary: 'Change the members sent, and link a run' },
    })
    .delete(
      '/:id',
      ({ params, request, status }) => {
        races.remove(byOf(request).by, params.id)
        return status(204)
      },
      { params: pathIds({ id: 'Race' }), detail: { summary: 'Remove a planned race', ...responses(204, 401, 404) } },
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
      ({ query: sent }) => library.current(() => answer(sent.timezoneOffsetMinutes)),
      answered(OffsetQuery, ANSWERS.settings, "The runner's profile by date, and today's values"),
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
      {
        ...json(TrainingSettingsBody),
        response: { 200: ANSWERS.settings },
        detail: { summary: 'Store the whole profile; loads follow in the background' },
      },
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
      {
        params: pathIds({ id: 'Workout' }),
        response: { 200: ANSWERS.workout },
        detail: { summary: 'Load of one run from every source, its efficiency, endurance, zones and conditions' },
      },
    )
    .get('/workouts/:id/training/windows', ({ params: { id } }) => windowsOfWorkout(deps, id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: WindowsAnswer },
      detail: { summary: 'Where on the run its decoupling and its heart rates for proposals come from' },
    })
}
