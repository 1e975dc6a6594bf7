import { useState } from 'preact/hooks'
import { toastDone, useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { counted, date, number, runDay, runName } from '../../format.ts'
import { GroundNews } from '../../map/ground-news.tsx'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { ReceiptDetail } from '../../types.ts'
import { Button, Icon } from '../../ui/button.tsx'
import { Pages } from '../../ui/card.tsx'
import { Select } from '../../ui/form.tsx'
import { Empty, Notice, Pending } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import { actorText, countsText, hasNothing, OUTCOMES, UndoDialog } from './history.tsx'
import '../settings/settings.css'

type Item = ReceiptDetail['items']['items'][number]
type Shown = Item['outcome'] | 'all'

/** Rows of an outcome that are loaded at a time. */
const ROWS = 100

/** One receipt with the runs and files of each outcome. */
export function ReceiptView({ id }: { readonly id: string }) {
  const [outcome, setOutcome] = useState<Shown>('all')
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useResource(`/receipts/${id}?pageSize=1`)
  if (error?.status === 404) return <Empty icon="search" title="Import report not found" isView />
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>{data?.title ?? 'History'}</h1>
        <Link class="button" href="/app/history">
          <Icon name="left" /> History
        </Link>
      </div>
      {data === null ? (
        <Pending error={error} count={4} height="56px" />
      ) : (
        <div class="settings-list stack gap-4">
          <Summary receipt={data} onUndo={() => setAsking(true)} />
          <ShortRuns ids={data.shortRuns} />
          {data.warnings.length > 0 && <Warnings warnings={data.warnings} />}
          <section class="card" aria-label="Runs and files">
            <div class="card-head">
              <h2>Runs and files</h2>
              <Select<Shown>
                label="Show"
                isLabelHidden
                value={outcome}
                options={[['all', 'All'], ...outcomesOf(data).map((name) => [name, OUTCOMES[name]] as const)]}
                onValue={setOutcome}
              />
            </div>
            {data.items.totalCount === 0 ? (
              <p class="muted small">The list of runs is no longer kept, or there were none.</p>
            ) : (
              <div class="settings-list stack gap-4">
                {outcomesOf(data)
                  .filter((name) => outcome === 'all' || outcome === name)
                  .map((name) => (
                    <OutcomeRows key={name} id={id} outcome={name} />
                  ))}
              </div>
            )}
          </section>
        </div>
      )}
      {isAsking && data !== null && <UndoDialog receipt={data} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Summary({ receipt, onUndo }: { readonly receipt: ReceiptDetail; readonly onUndo: () => void }) {
  const { madeAt, actor, finishedAt, undoUntil, undoneAt, undoneBy, canUndo } = receipt
  const said = [date(madeAt, 'dateTime'), actorText(actor), countsText(receipt)].filter((part) => part !== '')
  return (
    <section class="card" aria-label="Summary">
      <div class="row">
        <div class="key-text">
          <span>{said.join(' · ')}</span>
          {receipt.kind === 'import' && undoneAt === null && <ReceiptGround id={receipt.id} />}
          <span class="muted small">
            {undoneAt !== null ? (
              <>
                Undone on {date(undoneAt)}. {undoneBy !== null && <Link href={`/app/receipts/${undoneBy}`}>Redo</Link>}
              </>
            ) : hasNothing(receipt) ? (
              'Nothing changed.'
            ) : undoUntil === null ? (
              TERMS.cannotUndo
            ) : canUndo || finishedAt === null ? (
              `Can be undone until ${date(undoUntil)}.`
            ) : (
              'Its runs were changed or deleted since, so this can’t be undone now.'
            )}
          </span>
        </div>
        {canUndo && (
          <Button icon="undo" onClick={onUndo}>
            Undo…
          </Button>
        )}
      </div>
    </section>
  )
}

/** What was new in the runs that came with it. */
function ReceiptGround({ id }: { readonly id: string }) {
  const { data } = useResource(`/receipts/${id}/ground`)
  return data && <GroundNews {...data} />
}

function Warnings({ warnings }: Pick<ReceiptDetail, 'warnings'>) {
  return (
    <Notice>
      {warnings.slice(0, 10).map(({ filename, message }, place) => (
        <p class="small" key={place}>
          <strong>{filename}</strong> {message}
        </p>
      ))}
      {warnings.length > 10 && <p class="small">and {number(warnings.length - 10)} more</p>}
    </Notice>
  )
}

/** The runs and files of one outcome, page by page; empty when there is none. */
function OutcomeRows({ id, outcome }: { readonly id: string; readonly outcome: Item['outcome'] }) {
  const [page, setPage] = useState(1)
  const { data, error } = useResource(`/receipts/${id}?outcome=${outcome}&page=${page}&pageSize=${ROWS}`)
  if (data === null) return <Pending error={error} count={2} height="56px" />
  const { items, totalPages } = data.items
  if (items.length === 0) return null
  const headingId = `outcome-${outcome}`
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>{headingOf(data, outcome)}</h3>
      <div class="rows">
        {items.map((item) => (
          <ItemLine key={item.seq} item={item} />
        ))}
      </div>
      <Pages page={page} pages={totalPages} onPage={setPage} />
    </section>
  )
}

function ItemLine({ item }: { readonly item: Item }) {
  const { filename, workoutId, workoutName, startedAt, utcOffsetMinutes, reason } = item
  const run =
    startedAt === null
      ? null
      : `${runDay({ startedAt, utcOffsetMinutes })} · ${runName({ name: workoutName, startedAt, utcOffsetMinutes })}`
  const name = run ?? filename ?? 'A run'
  const about = [...(run === null || filename === null ? [] : [filename]), reason ?? ''].filter((part) => part !== '')
  return (
    <div class="row">
      <div class="key-text">
        {workoutId === null || run === null ? <span>{name}</span> : <Link href={`/app/runs/${workoutId}`}>{name}</Link>}
        {about.length > 0 && <span class="muted small">{about.join(' · ')}</span>}
      </div>
    </div>
  )
}

/** Its outcomes in the order shown; one that is under way has no counts yet, so all of them. */
function outcomesOf({ counts, finishedAt }: ReceiptDetail): Item['outcome'][] {
  const all = Object.keys(OUTCOMES) as Item['outcome'][]
  return finishedAt === null ? all : all.filter((name) => counts[countOf(name)] > 0)
}

/** Such as `Added: 412`, with the files that one line stands for. */
function headingOf({ counts, items }: ReceiptDetail, outcome: Item['outcome']): string {
  return `${OUTCOMES[outcome]}: ${number(Math.max(counts[countOf(outcome)], items.totalCount))}`
}

function countOf(outcome: Item['outcome']): keyof ReceiptDetail['counts'] {
  return outcome === 'error' ? 'errors' : outcome
}

/** Offers to exclude the very short recordings of an import from statistics. */
function ShortRuns({ ids }: { readonly ids: readonly string[] }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (ids.length === 0) return null
  const exclude = async () => {
    const body = { ids, set: { leftOut: true } }
    const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', body)
    toastDone(`${counted(changed, 'recording')} excluded from statistics`, [receiptId])
  }
  return (
    <Notice>
      {counted(ids.length, 'recording')} under 100 m or a minute.{' '}
      <Button size="small" isBusy={isBusy} onClick={() => void act(exclude)}>
        Exclude from statistics
      </Button>
    </Notice>
  )
}
