import { useEffect, useRef, useState } from 'preact/hooks'
import { number } from '../format.ts'
import { DropZone } from '../import/drop-zone.tsx'
import { Link, navigate, useRoute } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { RunPage } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Empty, LoadFailure } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunHeadings, RunLine } from './run-lines.tsx'
import { type Filters, filtersOf, isFiltered, listPath, pageOf, runsPath } from './run-query.ts'
import './runs.css'

/** All runs, found and put in order. Keys: / searches, j and k go through the runs, n and p through the pages. */
export function Runs() {
  const units = useUnits()
  const { query } = useRoute()
  const filters = filtersOf(query)
  const page = pageOf(query)
  const { data, error, isLoading, reload } = useResource<RunPage>(listPath(filters, page, units))
  // the page before stays in sight until the next one is there
  const [shown, setShown] = useState<RunPage | null>(data)
  useEffect(() => {
    if (data !== null) setShown(data)
  }, [data])
  const list = useRef<HTMLOListElement>(null)
  const go = (next: number) => navigate(runsPath(filters, next))
  useEffect(() => {
    const onKey = (event: KeyboardEvent) =>
      onListKey(event, { list: list.current, page, pages: shown?.totalPages ?? 0, go })
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })

  const change = (changed: Partial<Filters>) => navigate(runsPath({ ...filters, ...changed }, 1), { replace: true })
  const current = data ?? shown
  const isEmptyLog = current?.totalCount === 0 && !isFiltered(filters)
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Runs</h1>
        <p class="over" role="status">
          {current === null ? ' ' : countText(current.totalCount, isFiltered(filters))}
        </p>
      </div>
      {isEmptyLog ? (
        <DropZone />
      ) : (
        <>
          <RunFilters filters={filters} units={units} onChange={change} />
          {error !== null && data === null ? (
            <LoadFailure
              message={error.status === 404 ? 'There are not so many pages' : error.message}
              onRetry={error.status === 404 ? () => go(1) : reload}
            />
          ) : current === null ? (
            <SkeletonLines count={8} height="74px" />
          ) : current.items.length === 0 ? (
            <Empty
              icon="search"
              title="No run fits"
              action={<Button onClick={() => navigate('/app/runs')}>Clear the filters</Button>}
            >
              Nothing in your log matches all of these conditions.
            </Empty>
          ) : (
            <div class={isLoading && data === null ? 'run-list waiting' : 'run-list'}>
              <RunHeadings filters={filters} onChange={change} />
              <ol ref={list} aria-label="Runs">
                {current.items.map((run) => (
                  <RunLine key={run.id} run={run} units={units} />
                ))}
              </ol>
            </div>
          )}
          {current !== null && current.totalPages > 1 && (
            <Pages page={page} pages={current.totalPages} filters={filters} />
          )}
          {current !== null && current.items.length > 0 && <Keys hasPages={current.totalPages > 1} />}
        </>
      )}
    </div>
  )
}

function countText(count: number, isFound: boolean): string {
  return `${number(count)} ${count === 1 ? 'run' : 'runs'}${isFound ? ' found' : ''}`
}

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly filters: Filters
}

function Pages({ page, pages, filters }: PagesProps) {
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 ? (
        <Link class="button small" href={runsPath(filters, page - 1)}>
          <Icon name="left" /> Previous
        </Link>
      ) : (
        <span />
      )}
      <span class="muted small">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link class="button small" href={runsPath(filters, page + 1)}>
          Next <Icon name="right" />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** What the keyboard does here; shown where there is likely one. */
function Keys({ hasPages }: { readonly hasPages: boolean }) {
  return (
    <p class="keys muted small">
      <span>
        <kbd>/</kbd> search
      </span>
      <span>
        <kbd>j</kbd> <kbd>k</kbd> next, previous run
      </span>
      {hasPages && (
        <span>
          <kbd>n</kbd> <kbd>p</kbd> next, previous page
        </span>
      )}
    </p>
  )
}

interface ListKeys {
  readonly list: HTMLElement | null
  readonly page: number
  readonly pages: number
  readonly go: (page: number) => void
}

function onListKey(event: KeyboardEvent, { list, page, pages, go }: ListKeys): void {
  const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null
  if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return
  const lines = [...(list?.querySelectorAll<HTMLElement>('.run-line') ?? [])]
  const at = lines.findIndex((line) => line.matches(':focus'))
  if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus()
  else if (event.key === 'j') lines[Math.min(at + 1, lines.length - 1)]?.focus()
  else if (event.key === 'k') lines[Math.max(at - 1, 0)]?.focus()
  else if (event.key === 'n' && page < pages) go(page + 1)
  else if (event.key === 'p' && page > 1) go(page - 1)
  else return
  event.preventDefault()
}
