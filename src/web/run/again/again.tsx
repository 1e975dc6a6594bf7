import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../../store.ts'
import type { AgainCardsProps } from './again-cards.tsx'
import './again.css'

/** Comparisons with other runs on the same ground; the code is loaded when a stretch or another run is chosen. */
export function Again(props: Omit<AgainCardsProps, 'section' | 'rivalId'>) {
  const section = useStore(props.view.zoom)
  const rivalId = useStore(props.view.rival)
  const [Loaded, setLoaded] = useState<ComponentType<AgainCardsProps> | null>(null)
  useEffect(() => {
    if (Loaded !== null || (section === null && rivalId === null)) return
    // loading is tried again at the next choice
    import('./again-cards.tsx').then(
      ({ AgainCards }) => setLoaded(() => AgainCards),
      () => {},
    )
  }, [section, rivalId])
  return Loaded && <Loaded {...props} section={section} rivalId={rivalId} />
}
