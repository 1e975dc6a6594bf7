import { useState } from 'preact/hooks'
import { attempt, toastUndone } from '../../actions.ts'
import { api } from '../../api.ts'
import { useAsked } from '../../asked.ts'
import {
  counted,
  date,
  distance,
  duration,
  localDay,
  number,
  runDay,
  runName,
  shownPace,
  text,
  usePaceClock,
} from '../../format.ts'
import { Link, navigate, useRoute } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Receipt, ReceiptDetail, TrashPage, UndoResult } from '../../types.ts'
import { Button, Icon, type IconName, SkeletonLines } from '../../ui/button.tsx'
import { Pages } from '../../ui/card.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Check, Form, Segments } from '../../ui/form.tsx'
import { Empty, Notice, Pending } from '../../ui/loaded.tsx'
import { toast } from '../../ui/toast.tsx'
import '../settings/settings.css'

type Shown = 'all' | 'import' | 'trash'

const SHOWN: readonly (readonly [Shown, string])[] = [
  ['all', 'Everything'],
  ['import', 'Imports'],
  ['trash', 'Trash'],
]

/** What was changed, by day, newest first: all, or of one run; and what was deleted, which comes back from here. */
export function History() {
  const { path, query } = useRoute()
  const runId = query.get('run')
  const asked = path === '/app/trash' ? 'trash' : query.get('show')
  const shown = SHOWN.find(([key]) => key === asked)?.[0] ?? 'all'
  const show = (next: Shown) =>
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

type Deleted = TrashPage['items'][number]

/** Deleted runs, until they are deleted permanently. */
function Trash() {
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
  const isEmpty = data !== null && data.items.length === 0
  return (
    <>
      {data === null ? (
        <Pending error={error} count={4} height="56px" />
      ) : isEmpty ? (
        <div class="card">
          <Empty icon="trash" title="Trash is empty">
            {data.keptDays === 0
              ? 'Deleted runs are removed immediately (UNDO_DAYS=0).'
              : `Deleted runs stay here for ${counted(data.keptDays, 'day')}. You can restore them until then.`}
          </Empty>
        </div>
      ) : (
        <section class="card" aria-label="Deleted runs">
          <div class="card-head">
            <h2>{counted(data.totalCount, 'run')}</h2>
            <Button kind="danger" size="small" onClick={() => setAsked('all')}>
              Empty trash
            </Button>
          </div>
          <div class="rows">
            {data.items.map((item) => (
              <DeletedLine
                key={`${item.workoutId} ${item.deletedAt}`}
                item={item}
                onRestore={() => void restore(item)}
                onRemove={() => setAsked(item)}
              />
            ))}
          </div>
          <Pages page={page} pages={data.totalPages} onPage={setPage} />
        </section>
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
    </>
  )
}

interface DeletedLineProps {
  readonly item: Deleted
  readonly onRestore: () => void
  readonly onRemove: () => void
}

function DeletedLine({ item, onRestore, onRemove }: DeletedLineProps) {
  const units = useUnits()
  const { deletedAt, purgeAt } = item
  const { timeS } = shownPace({ ...item, avgPaceS: 0 }, usePaceClock())
  const name = runName(item)
  return (
    <div class="row">
      <div class="key-text">
        <strong>{name}</strong>
        <span class="muted small">
          {[runDay(item), text(distance(item.distanceM, units)), duration(timeS)].join(' · ')}
        </span>
        <span class="muted small">
          Deleted on {date(deletedAt)}, removed permanently on {date(purgeAt)}
        </span>
      </div>
      <div class="actions start">
        <Button size="small" icon="undo" aria-label={`Restore ${name}`} onClick={onRestore}>
          Restore
        </Button>
        <Button kind="quiet" size="small" icon="trash" aria-label={`Delete ${name} permanently`} onClick={onRemove} />
      </div>
    </div>
  )
}

/** Most kept items that are listed. */
const MOST_KEPT = 8

/** Shows the result of a dry run first, then undoes the receipt. */
export function UndoDialog({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const [isForced, setForced] = useState(false)
  const path = `/receipts/${receipt.id}/undo` as const
  const {
    answer: dry,
    failure,
    isOutdated,
  } = useAsked(String(isForced), () => api.trial('POST', path, { force: isForced }))
  const undo = async () => {
    const { receiptId, kept } = await api.send('POST', path, { force: isForced })
    toastUndone(kept.length === 0 ? 'Undone' : `Undone except for ${number(kept.length)}`, receiptId)
    onClose()
  }
  return (
    <Dialog title={`Undo: ${receipt.title}?`} onClose={onClose}>
      <Form action="Undo" isPrimary isIncomplete={!dry?.undone || isOutdated} onCancel={onClose} onSend={undo}>
        {failure !== null && <Notice kind="bad">{failure}</Notice>}
        {dry === null ? (
          failure === null && <SkeletonLines count={2} height="24px" />
        ) : (
          <Plan dry={dry} receipt={receipt} />
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

function Plan({ dry, receipt }: { readonly dry: UndoResult; readonly receipt: Receipt }) {
  const { undone, kept } = dry
  return (
    <div>
      <p>{undone === 0 ? 'There’s nothing left to undo.' : undoneText(receipt, undone)}</p>
      {kept.length > 0 && (
        <>
          <p class="muted small">
            {kept.length === 1 ? '1 item won’t be undone:' : `${number(kept.length)} items won’t be undone:`}
          </p>
          <ul class="muted small">
            {kept.slice(0, MOST_KEPT).map(({ workoutName, reason }, place) => (
              <li key={place}>
                {workoutName === null ? '' : `${workoutName}: `}
                {reason}
              </li>
            ))}
            {kept.length > MOST_KEPT && <li>and {number(kept.length - MOST_KEPT)} more</li>}
          </ul>
        </>
      )}
    </div>
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
export function actorText(actor: string): string {
  return actor.startsWith('key:') ? `by key ${actor.slice(4)}` : (ACTORS[actor] ?? actor)
}

/** Such as `412 added, 3 updated, 18 duplicates`; empty for a receipt about a single run. */
export function countsText({ kind, counts }: Pick<Receipt, 'kind' | 'counts'>): string {
  const isUndo = kind === 'undo'
  const parts = [
    [counts.created, isUndo ? 'restored' : 'added'],
    [counts.updated, 'updated'],
    [counts.merged, 'merged'],
    [counts.changed, 'changed'],
    [counts.deleted, 'moved to trash'],
    [counts.skipped, counts.skipped === 1 ? 'duplicate' : 'duplicates'],
    [counts.ignored, 'skipped (not runs)'],
    [counts.errors, 'failed'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${number(count)} ${what}`)
  const isOfOne = kind === 'edit' || kind === 'crop' || kind === 'repair' || kind === 'delete'
  return isOfOne ? '' : said.join(', ')
}

type Outcome = ReceiptDetail['items']['items'][number]['outcome']

/** Names of the outcomes in a receipt. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  created: 'Added',
  updated: 'Updated',
  merged: 'Merged',
  changed: 'Changed',
  deleted: 'Deleted',
  skipped: 'Duplicates',
  ignored: 'Not runs',
  error: 'Failed',
}

/** The question before undoing a receipt. */
function undoneText({ kind, counts }: Pick<Receipt, 'kind' | 'counts'>, undone: number): string {
  const { created, updated, merged, changed } = counts
  if (kind !== 'import' || created === 0) return `${counted(undone, 'change')} will be undone.`
  if (updated + merged + changed > 0) {
    return `${counted(undone, 'change')} will be undone; imported runs move to the trash.`
  }
  return undone === 1 ? '1 run will move to the trash.' : `${counted(undone, 'run')} will move to the trash.`
}

/** Whether an import added and changed no run: there is nothing to undo. */
export function hasNothing({ kind, counts: { created, updated, merged, changed } }: Receipt): boolean {
  return kind === 'import' && created + updated + merged + changed === 0
}
