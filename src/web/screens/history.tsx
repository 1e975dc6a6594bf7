import { useState } from 'preact/hooks'
import { attempt, toastDone, toastUndone, useAction } from '../actions.ts'
import { api } from '../api.ts'
import { useAsked } from '../asked.ts'
import {
  counted,
  date,
  distance,
  duration,
  listed,
  localDay,
  number,
  runDay,
  runName,
  shownPace,
  text,
  usePaceClock,
} from '../format.ts'
import { GroundNews } from '../map/ground-news.tsx'
import { Link, navigate, useRoute } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Receipt, ReceiptDetail, TrashPage } from '../types.ts'
import { Button, Icon, type IconName, SkeletonLines } from '../ui/button.tsx'
import { Pages } from '../ui/card.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Check, Form, Segments, Select } from '../ui/form.tsx'
import { Empty, Notice, Pending } from '../ui/loaded.tsx'
import { toast } from '../ui/toast.tsx'
import { TERMS } from '../words.ts'
import { Row } from './row.tsx'

const SHOWN = [
  ['all', 'Everything'],
  ['import', 'Imports'],
  ['trash', 'Trash'],
] as const

/** What was changed, by day, newest first: all, or of one run; and what was deleted, which comes back from here. */
export function History() {
  const { query } = useRoute()
  const runId = query.get('run')
  const shown = SHOWN.find(([key]) => key === query.get('show'))?.[0] ?? 'all'
  const show = (next: (typeof SHOWN)[number][0]) =>
    navigate(next === 'all' ? '/app/history' : `/app/history?show=${next}`, { replace: true })
  return (
    <div class="page settings">
      <div class="page-head">
        <h1 tabIndex={-1}>{runId === null ? 'History' : 'Run history'}</h1>
        {runId === null ? (
          <Segments legend="Show" value={shown} options={SHOWN} onValue={show} />
        ) : (
          <Link class="button" href={`/app/runs/${runId}`}>
            <Icon name="left" /> Back to run
          </Link>
        )}
      </div>
      {shown === 'trash' ? <Trash /> : <Receipts runId={runId} kind={shown === 'import' ? '&kind=import' : ''} />}
    </div>
  )
}

type Item = ReceiptDetail['items']['items'][number]
const OUTCOMES: Readonly<Record<Item['outcome'], string>> = {
  created: 'Added',
  updated: 'Updated',
  merged: 'Merged',
  changed: 'Changed',
  deleted: 'Deleted',
  skipped: 'Duplicates',
  ignored: 'Not runs',
  error: 'Failed',
}

/** One receipt with the runs and files of each outcome. */
export function ReceiptView({ id }: { readonly id: string }) {
  const [outcome, setOutcome] = useState<Item['outcome'] | 'all'>('all')
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
        <div class="stack gap-4">
          <Summary receipt={data} onUndo={() => setAsking(true)} />
          <ShortRuns ids={data.shortRuns} />
          {data.warnings.length > 0 && (
            <Notice>
              {data.warnings.slice(0, 10).map(({ filename, message }, place) => (
                <p class="small" key={place}>
                  <strong>{filename}</strong> {message}
                </p>
              ))}
              {data.warnings.length > 10 && <p class="small">and {number(data.warnings.length - 10)} more</p>}
            </Notice>
          )}
          <section class="card" aria-label="Runs and files">
            <div class="card-head">
              <h2 class="large">Runs and files</h2>
              <Select<Item['outcome'] | 'all'>
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
              <div class="stack gap-4">
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

function Receipts({ runId, kind }: { readonly runId: string | null; readonly kind: '' | '&kind=import' }) {
  const { path, query } = useRoute()
  const page = Math.max(1, Math.floor(Number(query.get('page'))) || 1)
  const turnTo = (next: number) => {
    const at = new URLSearchParams(query)
    if (next === 1) at.delete('page')
    else at.set('page', String(next))
    navigate(at.size === 0 ? path : `${path}?${at}`)
  }
  const [asked, setAsked] = useState<Receipt | null>(null)
  const ofRun = runId === null ? '' : `&workoutId=${encodeURIComponent(runId)}`
  const { data, error } = useResource(`/receipts?page=${page}&pageSize=50${ofRun}${kind}`)
  if (data === null) return <Pending error={error} count={6} height="56px" />
  if (data.items.length === 0) {
    return (
      <div class="card">
        <Empty icon="clock" title="Nothing yet">
          Imports, edits and deletions appear here. You can undo most of them.
        </Empty>
      </div>
    )
  }
  return (
    <div class="stack gap-4">
      {[...Map.groupBy(data.items, ({ madeAt }) => localDay(madeAt))].map(([day, receipts]) => (
        <section class="card" key={day} aria-label={date(day, 'full')}>
          <h2 class="large">{date(day, 'long')}</h2>
          <ul class="rows">
            {receipts.map((receipt) => (
              <Line key={receipt.id} receipt={receipt} isOfRun={runId !== null} onUndo={() => setAsked(receipt)} />
            ))}
          </ul>
        </section>
      ))}
      <Pages page={page} pages={data.totalPages} onPage={turnTo} />
      {asked !== null && <UndoDialog receipt={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Line({ receipt, isOfRun, onUndo }: { receipt: Receipt; isOfRun: boolean; onUndo: () => void }) {
  const { id, kind, title, madeAt, finishedAt, actor, undoneAt, workoutName } = receipt
  const about = [
    date(madeAt, 'time'),
    isOfRun ? '' : workoutName,
    countsText(receipt),
    actor === 'browser' ? '' : actorText(actor),
    finishedAt === null ? 'in progress' : undoneAt === null ? '' : 'undone',
  ]
  return (
    <Row
      isRevoked={undoneAt !== null}
      icon={ICONS[kind]}
      name={
        <Link href={`/app/receipts/${id}`}>
          <strong>{title}</strong>
        </Link>
      }
      about={[about.filter(Boolean).join(' · ')]}
    >
      {receipt.canUndo && (
        <Button size="small" aria-label={`Undo ${title}`} onClick={onUndo}>
          Undo
        </Button>
      )}
    </Row>
  )
}

type Deleted = TrashPage['items'][number]

/** Deleted runs, until they are deleted permanently. */
function Trash() {
  const units = useUnits()
  const clock = usePaceClock()
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Deleted | 'all' | null>(null)
  const { data, error } = useResource(`/trash?page=${page}&pageSize=50`)
  const done = (said: string) => {
    toast(said)
    setPage(1)
  }
  const restore = (item: Deleted) =>
    attempt(async () => {
      await api.send('POST', `/trash/${item.workoutId}/restore`)
      done(`${runName(item)} restored`)
    })
  const remove = async () => {
    await api.send('DELETE', asked === 'all' || asked === null ? '/trash' : `/trash/${asked.workoutId}`)
    done('Deleted permanently')
  }
  if (data === null) return <Pending error={error} count={4} height="56px" />
  return (
    <section class="card" aria-label="Deleted runs">
      {data.items.length === 0 ? (
        <Empty icon="trash" title="Trash is empty">
          {data.keptDays === 0
            ? 'Deleted runs are removed immediately (UNDO_DAYS=0).'
            : `Deleted runs stay here for ${counted(data.keptDays, 'day')}. You can restore them until then.`}
        </Empty>
      ) : (
        <>
          <div class="card-head">
            <h2>{counted(data.totalCount, 'run')}</h2>
            <Button kind="danger" size="small" onClick={() => setAsked('all')}>
              Empty trash
            </Button>
          </div>
          <ul class="rows">
            {data.items.map((item) => {
              const name = runName(item)
              const { timeS } = shownPace({ ...item, avgPaceS: 0 }, clock)
              return (
                <Row
                  key={`${item.workoutId} ${item.deletedAt}`}
                  name={<strong>{name}</strong>}
                  about={[
                    [runDay(item), text(distance(item.distanceM, units)), duration(timeS)].join(' · '),
                    `Deleted on ${date(item.deletedAt)}, removed permanently on ${date(item.purgeAt)}`,
                  ]}
                >
                  <div class="actions start">
                    <Button size="small" icon="undo" aria-label={`Restore ${name}`} onClick={() => void restore(item)}>
                      Restore
                    </Button>
                    <Button
                      kind="quiet"
                      size="small"
                      icon="trash"
                      aria-label={`Delete ${name} permanently`}
                      onClick={() => setAsked(item)}
                    />
                  </div>
                </Row>
              )
            })}
          </ul>
          <Pages page={page} pages={data.totalPages} onPage={setPage} />
        </>
      )}
      {asked !== null && (
        <Confirm
          title={asked === 'all' ? 'Empty the trash?' : `Delete ${runName(asked)} permanently?`}
          action="Delete permanently"
          onConfirm={remove}
          onClose={() => setAsked(null)}
        >
          <p class="muted">Recordings, photos and notes are removed from disk. This can’t be undone.</p>
        </Confirm>
      )}
    </section>
  )
}

/** Most kept items that are listed. */
const MOST_KEPT = 8

/** Shows the result of a dry run first, then undoes the receipt. */
function UndoDialog({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const [isForced, setForced] = useState(false)
  const path = `/receipts/${receipt.id}/undo` as const
  const asked = useAsked(String(isForced), () => api.trial('POST', path, { force: isForced }))
  const { answer: dry, failure, isOutdated } = asked
  const undo = async () => {
    const { receiptId, kept } = await api.send('POST', path, { force: isForced })
    toastUndone(kept.length === 0 ? 'Undone' : `Undone except for ${number(kept.length)}`, receiptId)
    onClose()
  }
  return (
    <Dialog title={`Undo: ${receipt.title}?`} onClose={onClose}>
      <Form action="Undo" isPrimary isIncomplete={!dry?.undone || isOutdated} onCancel={onClose} onSend={undo}>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
        {dry === null && failure === null && <SkeletonLines count={2} height="24px" />}
        {dry !== null && (
          <div>
            <p>{undoneText(receipt, dry.undone)}</p>
            {dry.kept.length > 0 && (
              <>
                <p class="muted small">{counted(dry.kept.length, 'item')} won’t be undone:</p>
                <ul class="muted small">
                  {dry.kept.slice(0, MOST_KEPT).map(({ workoutName, reason }, place) => (
                    <li key={place}>{workoutName === null ? reason : `${workoutName}: ${reason}`}</li>
                  ))}
                  {dry.kept.length > MOST_KEPT && <li>and {number(dry.kept.length - MOST_KEPT)} more</li>}
                </ul>
              </>
            )}
          </div>
        )}
        {receipt.kind === 'import' && dry !== null && (dry.kept.length > 0 || isForced) && (
          <Check checked={isForced} onValue={setForced}>
            Also move runs that were edited later to the trash
          </Check>
        )}
      </Form>
    </Dialog>
  )
}

const ICONS: Readonly<Record<Receipt['kind'], IconName>> = {
  import: 'upload',
  edit: 'edit',
  bulk_edit: 'edit',
  delete: 'trash',
  crop: 'minus',
  repair: 'undo',
  merge: 'plus',
  unmerge: 'whole',
  join: 'plus',
  split: 'whole',
  manual: 'plus',
  undo: 'undo',
  recalculate: 'training',
}

const ACTORS: Readonly<Record<string, string>> = {
  browser: 'in the browser',
  watch_folder: 'by the watch folder',
  sync: 'by a sync service',
  upgrade: 'by an upgrade',
  command_line: 'on the server',
}

/** The author of a change; empty for changes in the page. */
function actorText(actor: string): string {
  return actor.startsWith('key:') ? `by key ${actor.slice(4)}` : (ACTORS[actor] ?? actor)
}

/** Such as `412 added, 3 updated, 18 duplicates`; empty for a receipt about a single run. */
function countsText({ kind, counts }: Pick<Receipt, 'kind' | 'counts'>): string {
  if (kind === 'edit' || kind === 'crop' || kind === 'repair' || kind === 'delete') return ''
  return listed([
    [counts.created, kind === 'undo' ? 'restored' : 'added'],
    [counts.updated, 'updated'],
    [counts.merged, 'merged'],
    [counts.changed, 'changed'],
    [counts.deleted, 'moved to trash'],
    [counts.skipped, counts.skipped === 1 ? 'duplicate' : 'duplicates'],
    [counts.ignored, 'skipped (not runs)'],
    [counts.errors, 'failed'],
  ])
}

/** The question before undoing a receipt. */
function undoneText({ kind, counts }: Receipt, undone: number): string {
  if (undone === 0) return 'There’s nothing left to undo.'
  const { created, updated, merged, changed } = counts
  if (kind !== 'import' || created === 0) return `${counted(undone, 'change')} will be undone.`
  if (updated + merged + changed > 0) {
    return `${counted(undone, 'change')} will be undone; imported runs move to the trash.`
  }
  return `${counted(undone, 'run')} will move to the trash.`
}

function Summary({ receipt, onUndo }: { readonly receipt: ReceiptDetail; readonly onUndo: () => void }) {
  const { id, kind, madeAt, actor, finishedAt, undoUntil, undoneAt, undoneBy, canUndo } = receipt
  const { created, updated, merged, changed } = receipt.counts
  const hasNothing = kind === 'import' && created + updated + merged + changed === 0
  const state = hasNothing
    ? 'Nothing changed.'
    : undoUntil === null
      ? TERMS.cannotUndo
      : canUndo || finishedAt === null
        ? `Can be undone until ${date(undoUntil)}.`
        : 'Its runs were changed or deleted since, so this can’t be undone now.'
  return (
    <section class="card" aria-label="Summary">
      <Row
        isAlone
        name={
          <>
            <span>{[date(madeAt, 'dateTime'), actorText(actor), countsText(receipt)].filter(Boolean).join(' · ')}</span>
            {kind === 'import' && undoneAt === null && <ReceiptGround id={id} />}
          </>
        }
        about={[
          undoneAt === null ? (
            state
          ) : (
            <>
              Undone on {date(undoneAt)}. {undoneBy !== null && <Link href={`/app/receipts/${undoneBy}`}>Redo</Link>}
            </>
          ),
        ]}
      >
        {canUndo && (
          <Button icon="undo" onClick={onUndo}>
            Undo…
          </Button>
        )}
      </Row>
    </section>
  )
}

/** What was new in the runs that came with it. */
function ReceiptGround({ id }: { readonly id: string }) {
  const { data } = useResource(`/receipts/${id}/ground`)
  return data && <GroundNews {...data} />
}

/** The runs and files of one outcome, page by page; empty when there is none. */
function OutcomeRows({ id, outcome }: { readonly id: string; readonly outcome: Item['outcome'] }) {
  const [page, setPage] = useState(1)
  const { data, error } = useResource(`/receipts/${id}?outcome=${outcome}&page=${page}&pageSize=100`)
  if (data === null) return <Pending error={error} count={2} height="56px" />
  const { items, totalPages } = data.items
  if (items.length === 0) return null
  const name = OUTCOMES[outcome]
  return (
    <section aria-label={name}>
      {/* one line may stand for several files */}
      <h3>{`${name}: ${number(Math.max(data.counts[countOf(outcome)], data.items.totalCount))}`}</h3>
      <ul class="rows">
        {items.map((item) => (
          <ItemLine key={item.seq} item={item} />
        ))}
      </ul>
      <Pages page={page} pages={totalPages} onPage={setPage} />
    </section>
  )
}

function ItemLine({ item }: { readonly item: Item }) {
  const { filename, workoutId, workoutName, startedAt, utcOffsetMinutes, reason } = item
  const at = startedAt === null ? null : { name: workoutName, startedAt, utcOffsetMinutes }
  const run = at && `${runDay(at)} · ${runName(at)}`
  const name = run ?? filename ?? 'A run'
  return (
    <Row
      name={
        workoutId === null || run === null ? <span>{name}</span> : <Link href={`/app/runs/${workoutId}`}>{name}</Link>
      }
      about={[[run && filename, reason].filter(Boolean).join(' · ')]}
    />
  )
}

/** Its outcomes in the order shown; one that is under way has no counts yet, so all of them. */
function outcomesOf({ counts, finishedAt }: ReceiptDetail): Item['outcome'][] {
  const all = Object.keys(OUTCOMES) as Item['outcome'][]
  return finishedAt === null ? all : all.filter((name) => counts[countOf(name)] > 0)
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
