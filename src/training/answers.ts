import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { efficiencyAnswer, ownHeatSlope } from './efficiency.ts'
import { type Asked, evidenceFor, FACT_DAYS } from './evidence.ts'
import { goalsAnswer } from './goals.ts'
import { intensityAnswer } from './intensity.ts'
import { kept } from './kept.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { todayForm } from './load.ts'
import { type Proposal, proposals } from './proposals.ts'
import type { WindowQuery } from './schemas.ts'
import { effectiveEstimate, effectiveVo2max, type Point, pointsOf, vo2maxAnswer } from './vo2max.ts'

/** Data that several calls need, and answers that the page requests at every visit; computed once after each change. */
export interface Answers {
  /** Evidence of the runner's performance as of today. */
  evidence(timezoneOffsetMinutes: number | undefined): Asked
  today(timezoneOffsetMinutes: number | undefined): ReturnType<typeof todayAnswer>
  vo2max(timezoneOffsetMinutes: number | undefined, weeks: number): ReturnType<typeof vo2maxAnswer>
  efficiency(asked: Static<typeof WindowQuery>): ReturnType<typeof efficiencyAnswer>
  intensity(timezoneOffsetMinutes: number | undefined, weeks: number): ReturnType<typeof intensityAnswer>
  proposals(timezoneOffsetMinutes: number | undefined): Proposal[]
  /** Per cent of time that a degree of heat costs this runner; null: unknown. */
  heatSlope(timezoneOffsetMinutes: number | undefined): number | null
}

export function createAnswers(deps: Deps, library: TrainingLibrary): Answers {
  const { db } = deps
  const keyOf = ({ today, offsetMinutes }: Viewer) => `${today} ${offsetMinutes}`
  const evidenceOf = kept(db, keyOf, (viewer) => evidenceFor(deps, library, viewer))
  const evidence = (offset: number | undefined) => evidenceOf(library.viewer(offset))
  const proposalsOf = kept(db, keyOf, (viewer) => proposals(deps, library, evidenceOf(viewer)))
  const heatSlopeOf = kept(db, keyOf, (viewer) => ownHeatSlope(deps, library, viewer))
  const todayOf = kept(db, keyOf, (viewer) => {
    const points = pointsOf(deps, library, { ...evidenceOf(viewer), days: FACT_DAYS })
    return todayAnswer(deps, library, { ...evidenceOf(viewer), points, proposals: proposalsOf(viewer).length })
  })
  type Weeks = { readonly viewer: Viewer; readonly weeks: number }
  const weeksOf = ({ viewer, weeks }: Weeks) => `${keyOf(viewer)} ${weeks}`
  const vo2maxOf = kept(db, weeksOf, ({ viewer, weeks }: Weeks) =>
    vo2maxAnswer(deps, library, { ...evidenceOf(viewer), weeks }),
  )
  const intensityOf = kept(db, weeksOf, ({ viewer, weeks }: Weeks) =>
    intensityAnswer(deps, library, { viewer, vdot: evidenceOf(viewer).vdot.value, weeks }),
  )
  const efficiencyOf = kept(
    db,
    (asked: Static<typeof WindowQuery>) =>
      `${keyOf(library.viewer(asked.timezoneOffsetMinutes))} ${asked.from} ${asked.to}`,
    (asked) => efficiencyAnswer(deps, library, asked),
  )
  return {
    evidence,
    today: (offset) => todayOf(library.viewer(offset)),
    vo2max: (offset, weeks) => vo2maxOf({ viewer: library.viewer(offset), weeks }),
    intensity: (offset, weeks) => intensityOf({ viewer: library.viewer(offset), weeks }),
    efficiency: efficiencyOf,
    proposals: (offset) => proposalsOf(library.viewer(offset)),
    heatSlope: (offset) => heatSlopeOf(library.viewer(offset)),
  }
}

function todayAnswer(
  deps: Deps,
  library: TrainingLibrary,
  known: Asked & { readonly points: readonly Point[]; readonly proposals: number },
) {
  const { viewer, vdot, points } = known
  return {
    ...todayForm(library, viewer),
    vo2max: effectiveEstimate(effectiveVo2max(points, viewer), library, viewer),
    vdot: vdot.estimate,
    goals: goalsAnswer(deps, library, viewer),
    proposals: known.proposals,
  }
}
