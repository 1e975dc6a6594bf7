import { counted, number } from '../format.ts'
import type { View } from '../run/map/projection.ts'
import type { Answer } from '../service.ts'
import { Button } from '../ui/button.tsx'

interface SquaresLineProps {
  readonly squares: Answer<'/map/squares'>
  /** Called with a view of what a figure is about. */
  readonly onShow: (view: View) => void
}

const SIDE = 2 ** 14
/** How much of the map a block takes, pixels. */
const BLOCK_PX = 420

/** What the colours of squares mean. @param isLacking whether missing squares are marked */
export function SquaresLegend({ isLacking }: { readonly isLacking: boolean }) {
  return (
    <span class="squares-legend level muted small">
      <i /> Visited
      <i class="inner" /> All 4 neighbours visited
      {isLacking && (
        <>
          <i class="missing" /> Missing
        </>
      )}
    </span>
  )
}

/** How many squares, the largest block of them, and what it lacks to the next size; the figures lead to the map. */
export function SquaresLine({ squares: { count, maxSquare, grow }, onShow }: SquaresLineProps) {
  const show = ({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }) =>
    onShow({ x: (x + size / 2) / SIDE, y: (y + size / 2) / SIDE, scale: (BLOCK_PX * SIDE) / size })
  return (
    <div class="below-3 flow">
      <strong>{counted(count, 'square')}</strong>
      {maxSquare !== null && (
        <Button size="small" icon="whole" onClick={() => show(maxSquare)}>
          Largest block {number(maxSquare.size)} × {number(maxSquare.size)}
        </Button>
      )}
      {grow !== null && (
        <Button size="small" icon="section" onClick={() => show(grow)}>
          {counted(grow.missing.length, 'square')} to {number(grow.size)} × {number(grow.size)}
        </Button>
      )}
    </div>
  )
}
