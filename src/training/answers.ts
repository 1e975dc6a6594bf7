import type { Deps } from '../deps.ts'
import { ownHeatSlope } from './efficiency.ts'
import { recentEfforts, runnerVdot } from './evidence.ts'
import { goalsAnswer } from './goals.ts'
import { kept } from './kept.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { todayForm } from './load.ts'
import { type Asked, type Proposal, proposals } from './proposals.ts'
import { effectiveEstimate, effectiveVo2max, type Point, pointsOf, vo2maxAnswer } from './vo2max.ts'

/** What the effective VO2max of today and its correction are made of, days. */
const SHAPE_AND_CORRECTION_DAYS = 407

/** What several questions need, and the answers that are asked for with every look at the page: made once after each change. */
export interface Answers {
  /** Of the runner's speed as of today. */
  evidence(timezoneOffsetMinutes: number | undefined): Asked
  today(timezoneOffsetMinutes: number | undefined): ReturnType<typeof todayAnswer>
  vo2max(timezoneOffsetMinutes: number | undefined, weeks: number): ReturnType<typeof vo2maxAnswer>
  proposals(timezoneOffsetMinutes: number | undefined): Proposal[]
  /** Per cent of the time that a degree of warmth costs this runner; null: not known of this one. */
  heatSlope(timezoneOffsetMinutes: number | undefined): number | null
}

export function createAnswers(deps: Deps, library: TrainingLibrary): Answers {
  const { db } = deps
  const keyOf = ({ today, offsetMinutes }: Viewer) => `${today} ${offsetMinutes}`
  const evidenceOf = kept(db, keyOf, (viewer): Asked => {
    const efforts = recentEfforts(deps, library, viewer)
    return { viewer, efforts, vdot: runnerVdot(efforts, viewer) }
  })
  const evidence = (offset: number | undefined) => evidenceOf(library.viewer(offset))
  const pointsFor = ({ viewer, days }: { readonly viewer: Viewer; readonly days: number }) =>
    pointsOf(deps, library, { ...evidenceOf(viewer), days })
  const proposalsOf = kept(db, keyOf, (viewer) => proposals(deps, library, evidenceOf(viewer)))
  const heatSlopeOf = kept(db, keyOf, (viewer) => ownHeatSlope(deps, library, viewer))
  const todayOf = kept(db, keyOf, (viewer) => {
    const points = pointsFor({ viewer, days: SHAPE_AND_CORRECTION_DAYS })
    return todayAnswer(deps, library, { ...evidenceOf(viewer), points, proposals: proposalsOf(viewer).length })
  })
  const vo2maxOf = kept(
    db,
    ({ viewer, weeks }: { readonly viewer: Viewer; readonly weeks: number }) => `${keyOf(viewer)} ${weeks}`,
    ({ viewer, weeks }) => vo2maxAnswer(deps, library, { ...evidenceOf(viewer), weeks }),
  )
  return {
    evidence,
    today: (offset) => todayOf(library.viewer(offset)),
    vo2max: (offset, weeks) => vo2maxOf({ viewer: library.viewer(offset), weeks }),
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
