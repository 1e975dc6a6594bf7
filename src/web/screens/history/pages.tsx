import { number } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** Paging; empty for a single page. */
export function Pages({ page, pages, onPage }: PagesProps) {
  if (pages < 2) return null
  return (
    <nav class="pages" aria-label="Pages">
      <Button size="small" icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span class="muted small">
        Page {number(page)} of {number(pages)}
      </span>
      <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next <Icon name="right" />
      </Button>
    </nav>
  )
}
