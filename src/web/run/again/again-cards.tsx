import type { Units } from '../../format.ts'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import type { Section } from '../types.ts'
import { GhostCard } from './ghost-card.tsx'
import { PassesCard } from './passes-card.tsx'

export interface AgainCardsProps {
  readonly runId: string
  readonly series: RunSeries
  readonly units: Units
  readonly view: RunView
  /** null: no stretch is selected. */
  readonly section: Section | null
  readonly rivalId: string | null
}

/** The comparison with a ghost, and the passes of a stretch. */
export function AgainCards({ section, rivalId, ...shared }: AgainCardsProps) {
  return (
    <>
      {rivalId !== null && <GhostCard {...shared} rivalId={rivalId} />}
      {section !== null && <PassesCard {...shared} section={section} />}
    </>
  )
}
