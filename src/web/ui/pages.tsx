import type { ComponentChildren } from 'preact'
import { number } from '../format.ts'
import { Link } from '../router.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface PagesProps {
  readonly page: number
  readonly pages: number
  /** The address of a page; without it `onPage` is called. */
  readonly hrefOf?: (page: number) => string
  readonly onPage?: (page: number) => void
}

/** Paging; empty for a single page. */
export function Pages({ page, pages, hrefOf, onPage }: PagesProps) {
  if (pages < 2) return null
  const step = (to: number, words: ComponentChildren) =>
    hrefOf === undefined || to < 1 || to > pages ? (
      <Button size="small" disabled={to < 1 || to > pages} onClick={() => onPage?.(to)}>
        {words}
      </Button>
    ) : (
      <Link class="button small" href={hrefOf(to)}>
        {words}
      </Link>
    )
  const previous = (
    <>
      <Icon name="left" /> Previous
    </>
  )
  const next = (
    <>
      Next <Icon name="right" />
    </>
  )
  return (
    <nav class="pages" aria-label="Pages">
      {step(page - 1, previous)}
      <span class="muted small">
        Page {number(page)} of {number(pages)}
      </span>
      {step(page + 1, next)}
    </nav>
  )
}
