import { useState } from 'preact/hooks'
import { date, runName } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { ReceiptDetail } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, LoadFailure, Notice } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Pages } from './pages.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { actorText, canUndo, countsText, OUTCOMES } from './words.ts'
import '../settings/settings.css'

type Item = ReceiptDetail['items']['items'][number]
type Shown = Item['outcome'] | 'all'

/** One receipt with the outcome of each run and file. */
export function ReceiptView({ id }: { readonly id: string }) {
  const [page, setPage] = useState(1)
  const [outcome, setOutcome] = useState<Shown>('all')
  const [isAsking, setAsking] = useState(false)
  const only = outcome === 'all' ? '' : `&outcome=${outcome}`
  const { data, error, reload } = useResource<ReceiptDetail>(`/receipts/${id}?page=${page}&pageSize=100${only}`)
  if (error?.status === 404) return <Empty icon="search" title="There is no such receipt" isView />
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>{data?.title ?? 'History'}</h1>
        <Link class="button" href="/app/history">
          <Icon name="left" /> History
        </Link>
      </div>
      {error !== null && <LoadFailure message={error.message} onRetry={reload} />}
      {data === null ? (
        error === null && <SkeletonLines count={4} height="56px" />
      ) : (
        <div class="settings-list">
          <Summary receipt={data} onUndo={() => setAsking(true)} />
          {data.warnings.length > 0 && <Warnings warnings={data.warnings} />}
          <section class="card" aria-label="Runs and files">
            <div class="card-head">
              <h2>Runs and files</h2>
              <Select<Shown>
                label="Show"
                isLabelHidden
                value={outcome}
                options={[['all', 'All'], ...outcomesOf(data).map((name) => [name, OUTCOMES[name]] as const)]}
                onValue={(chosen) => {
                  setOutcome(chosen)
                  setPage(1)
                }}
              />
            </div>
            {data.items.items.length === 0 ? (
              <p class="muted small">Which runs these were is not kept any more, or there were none.</p>
            ) : (
              <div class="rows">
                {data.items.items.map((item) => (
                  <ItemLine key={item.seq} item={item} />
                ))}
              </div>
            )}
            <Pages page={page} pages={data.items.totalPages} onPage={setPage} />
          </section>
        </div>
      )}
      {isAsking && data !== null && <UndoDialog receipt={data} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Summary({ receipt, onUndo }: { readonly receipt: ReceiptDetail; readonly onUndo: () => void }) {
  const { madeAt, actor, undoUntil, undoneAt, undoneBy } = receipt
  const said = [date(madeAt, 'dateTime'), actorText(actor), countsText(receipt)].filter((part) => part !== '')
  return (
    <section class="card" aria-label="Summary">
      <div class="row">
        <div class="key-text">
          <span>{said.join(' · ')}</span>
          <span class="muted small">
            {undoneAt !== null ? (
              <>
                Undone on {date(undoneAt)}.{' '}
                {undoneBy !== null && <Link href={`/app/receipts/${undoneBy}`}>That can be undone as well</Link>}
              </>
            ) : undoUntil === null ? (
              'This cannot be undone.'
            ) : (
              `Can be undone until ${date(undoUntil)}.`
            )}
          </span>
        </div>
        {canUndo(receipt) && (
          <Button icon="undo" onClick={onUndo}>
            Undo…
          </Button>
        )}
      </div>
    </section>
  )
}

function Warnings({ warnings }: Pick<ReceiptDetail, 'warnings'>) {
  return (
    <Notice>
      {warnings.slice(0, 10).map(({ filename, message }, place) => (
        <p class="small" key={place}>
          <strong>{filename}</strong> {message}
        </p>
      ))}
      {warnings.length > 10 && <p class="small">and {warnings.length - 10} more</p>}
    </Notice>
  )
}

function ItemLine({ item }: { readonly item: Item }) {
  const { filename, workoutId, workoutName, startedAt, outcome, reason } = item
  const run =
    startedAt === null
      ? null
      : `${date(startedAt)} · ${runName({ name: workoutName, startedAt, utcOffsetMinutes: null })}`
  const name = run ?? filename ?? 'A run'
  const about = [OUTCOMES[outcome], ...(run === null || filename === null ? [] : [filename]), reason ?? '']
  return (
    <div class="row">
      <div class="key-text">
        {workoutId === null || run === null ? <span>{name}</span> : <Link href={`/app/runs/${workoutId}`}>{name}</Link>}
        <span class="muted small">{about.filter((part) => part !== '').join(' · ')}</span>
      </div>
    </div>
  )
}

function outcomesOf({ counts }: ReceiptDetail): Item['outcome'][] {
  return (Object.keys(OUTCOMES) as Item['outcome'][]).filter((name) => counts[name === 'error' ? 'errors' : name] > 0)
}
