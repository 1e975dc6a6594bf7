import { useStore } from '../../store.ts'
import { Lazy } from '../../ui/lazy.tsx'
import type { RunSeries } from '../charts/series.ts'
import type { RunView } from '../run-view.ts'
import './again.css'

interface AgainProps {
  readonly runId: string
  readonly series: RunSeries
  readonly view: RunView
}

const nothing = () => null

/** The comparison with another run on the same ground, once one is raced. */
export function Race(props: AgainProps) {
  const rival = useStore(props.view.rival)
  return rival && <Lazy load={loadGhost} props={{ ...props, rival }} waiting={nothing} />
}

/** The passes of a section, once one is selected. */
export function Passes(props: AgainProps) {
  const section = useStore(props.view.zoom)
  return section && <Lazy load={loadPasses} props={{ ...props, section }} waiting={nothing} />
}

const loadGhost = () => import('./ghost-card.tsx').then(({ GhostCard }) => GhostCard)
const loadPasses = () => import('./passes-card.tsx').then(({ PassesCard }) => PassesCard)
