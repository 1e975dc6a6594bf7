import { useEffect, useState } from 'preact/hooks'
import { number } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import type { RunView } from '../run-view.ts'

const NAMES = ['First half', 'Second half'] as const

/** Shades both halves that decoupling compares on the charts, and scrolls to them. */
export function DecouplingHalves({ runId, view }: { readonly runId: string; readonly view: RunView }) {
  const [isShown, setShown] = useState(false)
  const { data, error } = useResource(isShown ? `/workouts/${runId}/training/windows` : null)
  const halves = data?.halves ?? null
  useEffect(() => {
    view.halves.set(
      !isShown || halves === null
        ? null
        : halves.map(({ fromElapsedS: fromS, toElapsedS: toS }, half) => ({
            fromS,
            toS,
            words: NAMES[half]!,
          })),
    )
    if (isShown && halves !== null) document.querySelector('.run-charts')?.scrollIntoView({ block: 'start' })
  }, [isShown, halves])
  useEffect(() => () => view.halves.set(null), [view])
  return (
    <div class="actions start">
      <Button size="small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide halves' : 'Show halves on charts'}
      </Button>
      {isShown && halves !== null && (
        <p class="small">
          A heartbeat took you {halves.map(({ ef }) => `${number(ef, 2)}\u00a0m`).join(' in the first half, ')} in the
          second.
        </p>
      )}
      {error !== null && <span class="muted small">{error.message}</span>}
    </div>
  )
}
