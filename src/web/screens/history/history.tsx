import { useState } from 'preact/hooks'
import { date, localDay } from '../../format.ts'
import { Link, navigate, useRoute } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { Receipt } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Pending } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Pages } from '../../ui/pages.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { actorText, countsText, ICONS } from './words.ts'
import '../settings/settings.css'

/** Receipts by day, newest first: all, or those of one run. */
export function History() {
  const { path, query } = useRoute()
  const runId = query.get('run')
  const page = Math.max(1, Math.floor(Number(query.get('page'))) || 1)
  const turnTo = (next: number) => {
    const at = new URLSearchParams(query)
    if (next === 1) at.delete('page')
    else at.set('page', String(next))
    navigate(at.size === 0 ? path : `${path}?${at}`)
  }
  const [asked, setAsked] = useState<Receipt | null>(null)
  const ofRun = runId === null ? '' : `&workoutId=${encodeURIComponent(runId)}`
  const { data, error } = useResource(`/receipts?page=${page}&pageSize=50${ofRun}`)
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>{runId === null ? 'History' : 'Run history'}</h1>
        {runId === null ? (
          <Link class="button" href="/app/trash">
            <Icon name="trash" /> Trash
          </Link>
        ) : (
          <Link class="button" href={`/app/runs/${runId}`}>
            <Icon name="left" /> Back to run
          </Link>
        )}
      </div>
      {data === null ? (
        <Pending error={error} count={6} height="56px" />
      ) : data.items.length === 0 ? (
        <div class="card">
          <Empty icon="clock" title="Nothing yet">
            Imports, edits and deletions appear here. You can undo most of them.
          </Empty>
        </div>
      ) : (
        <div class="settings-list stack gap-4">
          {[...Map.groupBy(data.items, ({ madeAt }) => localDay(madeAt))].map(([day, receipts]) => (
            <section class="card" key={day} aria-label={date(day, 'full')}>
              <h2>{date(day, 'long')}</h2>
              <div class="rows">
                {receipts.map((receipt) => (
                  <Line key={receipt.id} receipt={receipt} isOfRun={runId !== null} onUndo={() => setAsked(receipt)} />
                ))}
              </div>
            </section>
          ))}
          <Pages page={page} pages={data.totalPages} onPage={turnTo} />
        </div>
      )}
      {asked !== null && <UndoDialog receipt={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface LineProps {
  readonly receipt: Receipt
  readonly isOfRun: boolean
  readonly onUndo: () => void
}

function Line({ receipt, isOfRun, onUndo }: LineProps) {
  const { id, kind, title, madeAt, finishedAt, actor, undoneAt, workoutName } = receipt
  const about = [
    date(madeAt, 'time'),
    ...(isOfRun || workoutName === null ? [] : [workoutName]),
    countsText(receipt),
    actor === 'browser' ? '' : actorText(actor),
    finishedAt === null ? 'in progress' : undoneAt === null ? '' : 'undone',
  ].filter((part) => part !== '')
  return (
    <div class={undoneAt === null ? 'row' : 'row revoked'}>
      <Icon name={ICONS[kind]} />
      <div class="key-text">
        <Link href={`/app/receipts/${id}`}>
          <strong>{title}</strong>
        </Link>
        <span class="muted small">{about.join(' · ')}</span>
      </div>
      {receipt.canUndo && (
        <Button size="small" aria-label={`Undo ${title}`} onClick={onUndo}>
          Undo
        </Button>
      )}
    </div>
  )
}
