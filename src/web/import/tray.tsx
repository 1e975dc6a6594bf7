import type { Static } from '@sinclair/typebox'
import { useEffect, useState } from 'preact/hooks'
import type { ShoesFromImport } from '../../features/shoes/schemas.ts'
import { RESTORE_INSTEAD, restoreInstead, undoAll, useAction } from '../actions.ts'
import { api } from '../api.ts'
import { bytes, counted, number } from '../format.ts'
import { Link, useRoute } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { ShoeFound, TakeoutSummary } from '../types.ts'
import { Button, Icon, type IconName, Spinner } from '../ui/button.tsx'
import { useSubmit } from '../ui/form.tsx'
import { type Counts, countsText, previewText } from './outcomes.ts'
import {
  canRetry,
  change,
  clearImports,
  type ImportItem,
  type ImportState,
  importOffered,
  isUnderWay,
  needsPage,
  retryFailed,
  useImports,
} from './queue.ts'

/** With more files than this, only their number is shown for the rest. */
const MAX_LINES = 60
/** Most problems listed for one file; up to the second number they are shown unfolded. */
const MAX_DETAILS = 200
const FEW_DETAILS = 3

/**
 * Progress and results of imports; visible over all views until dismissed.
 * @param props.isInline placed within the view instead, where it would cover the next step
 */
export function ImportTray({ isInline }: { readonly isInline: boolean }) {
  const items = useImports()
  const { path } = useRoute()
  const [isOpen, setOpen] = useState(true)
  const { isBusy: isUndoing, act } = useAction()
  const sending = items.filter(({ state }) => isUnderWay(state)).length
  const isNeeded = items.some(needsPage)
  const isIdle = sending === 0
  const isEmpty = items.length === 0
  const changing = items.filter(({ counts: { successful, updated } }) => successful + updated > 0)
  const receiptIds = receiptsOf(changing)
  const trash = useResource(isIdle && receiptIds.length > 0 ? '/trash?pageSize=1' : null)
  const canUndo = receiptIds.length > 0 && (trash.data?.keptDays ?? 0) > 0
  useEffect(() => {
    if (isEmpty) setOpen(true)
    // on a phone the list of files would cover it
    else if (path.startsWith('/app/receipts/')) setOpen(false)
  }, [isEmpty, path])
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
  // it would cover what it leads to
  const isRead = isIdle && receiptsOf(items).some((id) => path === `/app/receipts/${id}`)
  useEffect(() => {
    if (isRead) clearImports()
  }, [isRead])
  if (isEmpty || isRead) return null

  const [shared, ...further] = receiptsOf(items)
  const isShared = shared !== undefined && further.length === 0 && items.length > 1
  const undo = async () => {
    await undoAll(receiptIds)
    clearImports()
  }
  return (
    <section class={isInline ? 'tray inline' : 'tray'} aria-label="Imports">
      <header class="level gap-1">
        <div class="grow stack gap-2">
          <strong role="status">{isIdle ? endTitle(items) : workTitle(items, sending)}</strong>
          {sending > 0 && <ProgressBar share={doneShare(items)} label="All files" />}
        </div>
        <Button
          kind="quiet"
          size="small"
          icon={isOpen ? 'below' : 'above'}
          aria-label={isOpen ? 'Hide files' : 'Show files'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {isIdle && (
          <Button kind="quiet" size="small" icon="close" aria-label="Dismiss imports" onClick={clearImports} />
        )}
      </header>
      {isOpen && (
        <ul class="tray-list grow">
          {shown(items).map((item) => (
            <ItemLine key={item.id} item={item} hasReport={!isShared} />
          ))}
          {items.length > MAX_LINES && <li class="muted small">and {number(items.length - MAX_LINES)} more</li>}
        </ul>
      )}
      {isOpen && isIdle && (isShared || canUndo || items.some(canRetry)) && (
        <footer class="flow">
          {isShared && (
            <Link class="small" href={`/app/receipts/${shared}`}>
              See import report
            </Link>
          )}
          {items.some(canRetry) && (
            <Button size="small" onClick={retryFailed}>
              Retry failed files
            </Button>
          )}
          {canUndo && (
            <Button kind="quiet" size="small" icon="undo" isBusy={isUndoing} onClick={() => void act(undo)}>
              Undo import
            </Button>
          )}
        </footer>
      )}
    </section>
  )
}

/** Receipts of files, each once. */
function receiptsOf(items: readonly ImportItem[]): string[] {
  return [...new Set(items.flatMap(({ receiptId }) => receiptId ?? []))]
}

function workTitle(items: readonly ImportItem[], open: number): string {
  return items.length < 2 || open === 0
    ? 'Importing'
    : `Importing: ${number(items.length - open)} of ${number(items.length)} done`
}

/** Such as `12 imported, 3 duplicates, 1 failed`; counts runs, since one file may contain many. */
function endTitle(items: readonly ImportItem[]): string {
  if (items.some(({ state }) => state === 'asking')) return 'Ready to import'
  const sum = (name: keyof Counts) => items.reduce((all, { counts }) => all + counts[name], 0)
  const [skipped, errors] = [sum('skipped'), sum('errors')]
  const successful = sum('successful') + sum('updated')
  if (successful === 1 && skipped + errors === 0) return 'Done'
  return countsText({ successful, updated: 0, skipped, errors }) || 'Done'
}

function doneShare(items: readonly ImportItem[]): number {
  const parts = items.map(({ state, share }) => (isUnderWay(state) ? share * 0.9 : 1))
  return parts.reduce((sum, part) => sum + part, 0) / items.length
}

/** Failed files first, then those in progress, then the latest. */
function shown(items: readonly ImportItem[]): readonly ImportItem[] {
  const rank = ({ state }: ImportItem) => {
    return state === 'failed' || state === 'asking' ? 0 : state === 'sending' || state === 'working' ? 1 : 2
  }
  return [...items].sort((a, b) => rank(a) - rank(b) || b.id - a.id).slice(0, MAX_LINES)
}

const ICONS: Readonly<Record<ImportState, IconName>> = {
  waiting: 'clock',
  sending: 'upload',
  working: 'upload',
  asking: 'archive',
  created: 'check',
  updated: 'check',
  skipped: 'info',
  failed: 'warning',
}

function ItemLine({ item, hasReport }: { readonly item: ImportItem; readonly hasReport: boolean }) {
  const { id, name, state, share, file, kind, runId, receiptId, trashedId, details, gear, offer } = item
  const isBusy = state === 'sending' || state === 'working'
  const hasBar = isBusy && (state === 'sending' ? (file?.size ?? 0) > 1e6 : share > 0)
  const tone = state === 'failed' ? 'bad' : state === 'created' || state === 'updated' ? 'good' : 'muted'
  const text = itemText(item)
  return (
    <li class={`tray-line level top gap-3 small ${state}`}>
      <span class={`tray-icon level middle ${tone}`}>{isBusy ? <Spinner /> : <Icon name={ICONS[state]} />}</span>
      <div class="tray-text stack gap-1 grow breaks">
        {/* the line may be cut */}
        <span class="bold cut" title={name}>
          {runId === null ? name : <Link href={`/app/runs/${runId}`}>{name}</Link>}
        </span>
        <span class={state === 'failed' ? 'bad' : 'muted'}>{text}</span>
        {hasBar && <ProgressBar share={share} label={`Progress of ${name}`} />}
        {state === 'asking' && offer !== undefined && <TakeoutOffer id={id} offer={offer} />}
        {hasReport && receiptId !== null && <Link href={`/app/receipts/${receiptId}`}>See import report</Link>}
        {trashedId !== null && runId !== null && <OldRun id={id} runId={runId} trashedId={trashedId} />}
        {gear.length > 0 && <GearOffer names={gear} />}
        {details.length > 0 && (
          <details open={details.length <= FEW_DETAILS}>
            <summary>
              {kind === 'archive' ? 'Notes' : 'Not imported'} ({number(details.length)})
            </summary>
            <ul class="stack gap-2 above-2">
              {details.slice(0, MAX_DETAILS).map((detail, place) => (
                <li key={place}>
                  {detail.name !== '' && <strong>{detail.name} </strong>}
                  {detail.reason}
                  {detail.filename !== undefined && <span class="muted"> {detail.filename}</span>}
                </li>
              ))}
              {details.length > MAX_DETAILS && <li class="muted">and {number(details.length - MAX_DETAILS)} more</li>}
            </ul>
          </details>
        )}
      </div>
      <span class="hidden-text">{text === '' ? state : ''}</span>
    </li>
  )
}

function itemText({ state, message, file, share }: ImportItem): string {
  if (message !== '') return message
  const size = bytes(file?.size ?? 0)
  if (state === 'sending') return `${Math.round(share * 100)}% of ${size} sent`
  if (state === 'working') return 'Reading'
  return state === 'waiting' ? `Waiting · ${size}` : ''
}

function ProgressBar({ share, label }: { readonly share: number; readonly label: string }) {
  return (
    <div
      class="track full"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <span style={{ width: `${100 * share}%` }} />
    </div>
  )
}

/** What an export has, and the choice to import it; dismissing the imports leaves it. */
function TakeoutOffer({ id, offer }: { readonly id: number; readonly offer: TakeoutSummary }) {
  const units = useUnits()
  const { successful, preview } = offer
  const news = successful > 0 && successful < (preview?.runs ?? 0) ? ` ${counted(successful, 'new run')}` : ''
  return (
    <div class="stack gap-2 above-2">
      <p>{previewText(offer, units)}</p>
      <div class="flow">
        <Button kind="primary" size="small" onClick={() => importOffered(id, true)}>
          Import{news}
        </Button>
        {(preview?.shoes.length ?? 0) > 0 && (
          <Button kind="quiet" size="small" onClick={() => importOffered(id, false)}>
            Import without new shoes
          </Button>
        )}
      </div>
    </div>
  )
}

/** Offers to restore the run of the same file from the trash, with everything that was edited. */
function OldRun({ id, runId, trashedId }: { id: number; runId: string; trashedId: string }) {
  const { isBusy, act } = useAction()
  const turned = (isBack: boolean) =>
    change(id, {
      ...{ receiptId: null, trashedId: null, state: isBack ? 'updated' : 'created', runId: isBack ? trashedId : runId },
      message: isBack ? 'Old run restored' : 'Imported; the old run is back in the trash',
    })
  return (
    <div class="flow above-2">
      <span>You deleted this run before. The old one is still in your trash.</span>
      <Button
        size="small"
        icon="undo"
        isBusy={isBusy}
        onClick={() => void act(() => restoreInstead(runId, trashedId, turned))}
      >
        {RESTORE_INSTEAD}
      </Button>
    </div>
  )
}

const PATH = '/shoes/from-import'
/** Storage key for names that the runner declined, in this browser. */
const DECLINED = 'harrier.gear'
/** With more names only their number is shown. */
const MOST_NAMES = 6

/**
 * Gear names of imported runs without a shoe, with one button that creates and assigns the shoes; nothing when there
 * are none.
 * @param props.names which names; absent: all except declined ones
 */
export function GearOffer({ names }: { readonly names?: readonly string[] }) {
  const { data } = useResource(PATH)
  const [result, setResult] = useState<string | null>(null)
  const [declined, setDeclined] = useState(declinedNames)
  const open = (data ?? []).filter(({ name, runsWithoutShoe }) => {
    return runsWithoutShoe > 0 && (names === undefined ? !declined.includes(name) : names.includes(name))
  })
  const decline = () => {
    const all = [...declined, ...open.map(({ name }) => name)]
    localStorage.setItem(DECLINED, JSON.stringify(all))
    setDeclined(all)
  }
  const { isBusy, fault, submit } = useSubmit(async () => {
    const { shoes } = await api.send('POST', PATH, { names: open.map(({ name }) => name) })
    setResult(resultText(shoes))
  })
  if (open.length === 0 && result === null) return null
  const isCreating = open.some(({ shoeId }) => shoeId === null)
  return (
    <div class={names === undefined ? 'card stack gap-2 below-4' : 'stack gap-2 above-2'}>
      {open.length > 0 && (
        <>
          <p>
            Found {counted(open.length, 'pair')} of shoes on{' '}
            {counted(
              open.reduce((sum, { runsWithoutShoe }) => sum + runsWithoutShoe, 0),
              'run',
            )}
            :
          </p>
          <p class="muted">{namesText(open)}</p>
          <div class="flow">
            <Button size="small" isBusy={isBusy} onClick={submit}>
              {isCreating ? 'Create and assign' : 'Assign'}
            </Button>
            {names === undefined && (
              <Button kind="quiet" size="small" onClick={decline}>
                Don’t ask again
              </Button>
            )}
          </div>
        </>
      )}
      <p role="status" class={fault === null ? 'muted' : 'bad'}>
        {fault ?? result}
        {fault === null && result !== null && names !== undefined && (
          <>
            {' '}
            <Link href="/app/shoes">Go to shoes</Link>
          </>
        )}
      </p>
    </div>
  )
}

function declinedNames(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(DECLINED) ?? '[]')
  return Array.isArray(stored) ? stored : []
}

function resultText(shoes: Static<typeof ShoesFromImport>['shoes']): string {
  const made = shoes.filter(({ created }) => created).length
  const assigned = counted(
    shoes.reduce((sum, shoe) => sum + shoe.runs, 0),
    'run',
  )
  return made === 0 ? `${assigned} assigned.` : `${counted(made, 'pair')} created, ${assigned} assigned.`
}

/** Such as `Hoka Clifton 9 (200), Brooks Ghost 7 (12)`, those with most runs first. */
function namesText(open: readonly ShoeFound[]): string {
  const sorted = open.toSorted((a, b) => b.runsWithoutShoe - a.runsWithoutShoe)
  const stated = sorted
    .slice(0, MOST_NAMES)
    .map(({ name, runsWithoutShoe }) => `${name}\u00a0(${number(runsWithoutShoe)})`)
  const more = open.length - stated.length
  return stated.join(', ') + (more > 0 ? ` and ${number(more)} more` : '')
}
