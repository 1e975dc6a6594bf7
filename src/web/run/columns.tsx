import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface ColumnCard {
  readonly name: string
  /** null: in the column that ends higher. */
  readonly column: 1 | 2 | null
  readonly content: ComponentChildren
}

/** Height of a row of the grid, of which a card spans as many as it needs; as in run.css. */
const ROW_PX = 4
const GAP_PX = 24
/** By so much the map may grow to end the left column where the right one ends. */
const MOST_GROWTH_PX = 280
/** Columns that differ by less end alike. */
const FINE_PX = 40
/** Divisions at one width of the window. */
const MOST_TRIES = 20

/**
 * Cards in two columns that end at about the same height. Cards are measured, and those that may stand in either column
 * are divided so that the columns differ least; what remains, the map takes. Once the runner has pressed something, cards
 * stay where they are. Below 1024 px all is one column.
 */
export function Columns({ cards }: { readonly cards: readonly ColumnCard[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const given = useRef(cards)
  given.current = cards
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const cells = [...element.children] as HTMLElement[]
    /** Heights of each card as last measured in the left and in the right column. */
    const measured: Partial<Record<1 | 2, number>>[] = cells.map(() => ({}))
    let [isKept, growth, chosen, tries] = [false, 0, 0, 0]
    const place = () => {
      const { current: all } = given
      const spans = cells.map(({ offsetHeight }) => (offsetHeight === 0 ? 0 : offsetHeight + GAP_PX))
      const sum = (column: 1 | 2) => all.reduce((so, card, k) => (card.column === column ? so + spans[k]! : so), 0)
      const missing = sum(2) - sum(1) + growth
      const free = all.flatMap(({ column }, k) => (column === null ? [k] : []))
      const columnOf = (k: number) => all[k]?.column ?? ((chosen >> free.indexOf(k)) & 1 ? 1 : 2)
      for (const k of free) measured[k]![columnOf(k)] = spans[k]!
      const heights = free.map((k) => ([1, 2] as const).map((column) => measured[k]![column] ?? spans[k]!))
      if (!isKept) {
        const rest = missing - difference(heights, chosen)
        // a card may be higher in a column where it was not measured yet
        if ((rest < -FINE_PX || rest > MOST_GROWTH_PX + FINE_PX) && tries < MOST_TRIES) {
          chosen = bestDivision(heights, missing)
          tries += 1
        }
        growth = Math.max(0, Math.min(MOST_GROWTH_PX, missing - difference(heights, chosen)))
        element.style.setProperty('--map-growth', `${growth}px`)
      }
      for (const [k, cell] of cells.entries()) {
        cell.style.setProperty('--column', String(columnOf(k)))
        cell.style.setProperty('--rows', String(Math.max(1, Math.round(spans[k]! / ROW_PX))))
      }
    }
    const keep = () => {
      isKept = true
    }
    let width = innerWidth
    const onResize = () => {
      if (innerWidth === width) return
      ;[width, isKept, tries] = [innerWidth, false, 0]
    }
    const observer = new ResizeObserver(place)
    for (const cell of cells) observer.observe(cell)
    for (const event of ['pointerdown', 'keydown'] as const) element.addEventListener(event, keep)
    addEventListener('resize', onResize)
    return () => {
      observer.disconnect()
      removeEventListener('resize', onResize)
    }
  }, [])
  return (
    <div class="run-columns" ref={frame}>
      {cards.map(({ name, content }) => (
        <div key={name} class="run-cell">
          {content}
        </div>
      ))}
    </div>
  )
}

/**
 * What cards of the left column add to it, less what those of the right one do.
 * @param heights of each card in either column
 * @param chosen bits: left
 */
export function difference(heights: readonly (readonly number[])[], chosen: number): number {
  return heights.reduce((so, [left = 0, right = 0], k) => so + ((chosen >> k) & 1 ? left : -right), 0)
}

/**
 * Which cards stand in the left column, as bits, so that it misses the least, or what the map can grow by.
 * @param missing by which the left column is shorter without any of them
 */
export function bestDivision(heights: readonly (readonly number[])[], missing: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (let chosen = 0; chosen < 2 ** heights.length; chosen += 1) {
    const rest = missing - difference(heights, chosen)
    const cost = rest < 0 ? -2 * rest : Math.max(0, rest - MOST_GROWTH_PX) * 2 + rest / 100
    if (cost < least) [best, least] = [chosen, cost]
  }
  return best
}
