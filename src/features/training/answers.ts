import type { Static } from '@sinclair/typebox'
import { kept } from '../../db/kept.ts'
import type { Deps } from '../../library/deps.ts'
import { trainingState } from '../../library/training/refresh.ts'
import { efficiencyAnswer } from './efficiency.ts'
import { type Asked, evidenceFor } from './evidence.ts'
import { goalsAnswer } from './goals.ts'
import { intensityAnswer } from './intensity.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { todayForm } from './load.ts'
import { proposals } from './proposals.ts'
import type { WindowQuery } from './schemas.ts'
import { vo2maxAnswer } from './vo2max.ts'

export type Answers = ReturnType<typeof createAnswers>

/** Data that several calls need, and answers that the page requests at every visit; computed once after each change. */
export function createAnswers(deps: Deps, library: TrainingLibrary) {
  const { db } = deps
  const evidenceOf = kept(db, (viewer: Viewer) => evidenceFor(deps, library, viewer), library.state)
  const proposalsOf = kept(db, (viewer: Viewer) => proposals(deps, library, evidenceOf(viewer)))
  const todayOf = kept(db, (viewer: Viewer) => {
    return todayAnswer(deps, library, { ...evidenceOf(viewer), proposals: proposalsOf(viewer).length })
  })
  const vo2maxOf = kept(
    db,
    (viewer: Viewer, weeks: number) => vo2maxAnswer(library, { ...evidenceOf(viewer), weeks }),
    library.state,
  )
  /** As `library.state`, but every change counts at once: these answers list single runs. */
  const stateOfNow = () => [trainingState(db), library.state()]
  const intensityOf = kept(
    db,
    (viewer: Viewer, weeks: number) =>
      intensityAnswer(deps, library, { viewer, vdot: evidenceOf(viewer).vdot.value, weeks }),
    stateOfNow,
  )
  const efficiencyOf = kept(
    db,
    (viewer: Viewer, asked: Static<typeof WindowQuery>) => efficiencyAnswer(deps, library, { viewer, asked }),
    stateOfNow,
  )
  const { viewer } = library
  return {
    /** Evidence of the runner's performance as of today. */
    evidence: (offset: Offset) => evidenceOf(viewer(offset)),
    today: (offset: Offset) => todayOf(viewer(offset)),
    vo2max: (offset: Offset, weeks: number) => vo2maxOf(viewer(offset), weeks),
    intensity: (offset: Offset, weeks: number) => intensityOf(viewer(offset), weeks),
    efficiency: (asked: Static<typeof WindowQuery>) => efficiencyOf(viewer(asked.timezoneOffsetMinutes), asked),
    proposals: (offset: Offset) => proposalsOf(viewer(offset)),
  }
}

type Offset = number | undefined

function todayAnswer(deps: Deps, library: TrainingLibrary, known: Asked & { readonly proposals: number }) {
  const { viewer, vdot } = known
  return {
    ...todayForm(library, viewer),
    vo2max: vdot.estimate,
    vdot: vdot.estimate,
    goals: goalsAnswer(deps, library.days(viewer), viewer),
    proposals: known.proposals,
  }
}
