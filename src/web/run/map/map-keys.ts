import { pannedView, type Size, type View, zoomedView } from './projection.ts'

interface MapKeys {
  readonly move: (change: (view: View, area: Size) => View) => void
  /** How far an arrow key moves the map. */
  readonly panPx: number
  readonly showAll: () => void
  /** Further keys. */
  readonly more?: Readonly<Record<string, () => void>>
}

const STEP = 1.5

/** A zoom about the middle of the window. */
export function zoomAtMiddle(move: MapKeys['move'], factor: number): void {
  move((view, size) => zoomedView(view, factor, { px: size.width / 2, py: size.height / 2, size }))
}

/** What the keys do on a map. @returns a handler of `keydown` */
export function mapKeys({ move, panPx, showAll, more = {} }: MapKeys): (event: KeyboardEvent) => void {
  const pan = (dx: number, dy: number) => () => move((view) => pannedView(view, dx * panPx, dy * panPx))
  const zoom = (factor: number) => () => zoomAtMiddle(move, factor)
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: pan(1, 0),
    ArrowRight: pan(-1, 0),
    ArrowUp: pan(0, 1),
    ArrowDown: pan(0, -1),
    '+': zoom(STEP),
    '=': zoom(STEP),
    '-': zoom(1 / STEP),
    '0': showAll,
    ...more,
  }
  return (event) => {
    const action = actions[event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  }
}
