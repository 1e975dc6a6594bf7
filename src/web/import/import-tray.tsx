import { useEffect, useState } from 'preact/hooks'
import { bytes } from '../format.ts'
import { Link } from '../router.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { clearImports, type ImportItem, type ImportState, isUnderWay, retryFailed, useImports } from './queue.ts'
import './import.css'

/** More lines than this say less than their count. */
const MAX_LINES = 60

/**
 * Files on their way and what came of them; stays over all views until it is dismissed.
 * @param props.isInline in the flow of the view instead, where it would cover what comes next
 */
export function ImportTray({ isInline = false }: { readonly isInline?: boolean }) {
  const items = useImports()
  const [isOpen, setOpen] = useState(true)
  const open = items.filter(({ state }) => isUnderWay(state)).length
  useEffect(() => {
    if (items.length === 0) setOpen(true)
  }, [items.length === 0])
  useEffect(() => {
    if (open === 0) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [open === 0])
  if (items.length === 0) return null

  const failed = items.filter(({ state }) => state === 'failed').length
  const canRetry = items.some(({ state, kind }) => state === 'failed' && kind !== 'unknown')
  return (
    <section class={isInline ? 'tray inline' : 'tray'} aria-label="Imports">
      <header>
        <div class="tray-title">
          <strong role="status">{titleOf(items, open, failed)}</strong>
          {open > 0 && <ProgressBar share={doneShare(items)} label="All files" />}
        </div>
        <Button
          kind="quiet"
          size="small"
          icon={isOpen ? 'below' : 'above'}
          aria-label={isOpen ? 'Hide the files' : 'Show the files'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {open === 0 && (
          <Button kind="quiet" size="small" icon="close" aria-label="Dismiss the imports" onClick={clearImports} />
        )}
      </header>
      {isOpen && (
        <ul class="tray-list">
          {shown(items).map((item) => (
            <Line key={item.id} item={item} />
          ))}
          {items.length > MAX_LINES && <li class="muted small">and {items.length - MAX_LINES} more</li>}
        </ul>
      )}
      {isOpen && open === 0 && canRetry && (
        <footer>
          <Button size="small" onClick={retryFailed}>
            Try the failed ones again
          </Button>
        </footer>
      )}
    </section>
  )
}

function titleOf(items: readonly ImportItem[], open: number, failed: number): string {
  const done = items.length - open
  if (open > 0) return items.length === 1 ? 'Importing' : `Importing, ${done} of ${items.length} done`
  const fine = items.length - failed
  if (failed === 0) return items.length === 1 ? 'Done' : `${fine} files done`
  return fine === 0 ? `${failed} not imported` : `${fine} done, ${failed} not imported`
}

function doneShare(items: readonly ImportItem[]): number {
  const parts = items.map(({ state, share }) => (isUnderWay(state) ? share * 0.9 : 1))
  return parts.reduce((sum, part) => sum + part, 0) / items.length
}

/** What failed comes first, then what is at work, then the latest. */
function shown(items: readonly ImportItem[]): readonly ImportItem[] {
  const rank = ({ state }: ImportItem) => (state === 'failed' ? 0 : state === 'sending' || state === 'working' ? 1 : 2)
  return [...items].sort((a, b) => rank(a) - rank(b) || b.id - a.id).slice(0, MAX_LINES)
}

const ICONS: Readonly<Record<ImportState, IconName>> = {
  waiting: 'clock',
  sending: 'upload',
  working: 'upload',
  created: 'check',
  updated: 'check',
  skipped: 'info',
  failed: 'warning',
}

function Line({ item }: { readonly item: ImportItem }) {
  const { file, state, share, message, runId, details } = item
  const isBusy = state === 'sending' || state === 'working'
  return (
    <li class={`tray-line ${state}`}>
      <span class="tray-icon">{isBusy ? <Spinner /> : <Icon name={ICONS[state]} />}</span>
      <div class="tray-text">
        <span class="tray-name" title={file.name}>
          {runId === null ? file.name : <Link href={`/app/runs/${runId}`}>{file.name}</Link>}
        </span>
        <span class="muted">{lineText(item)}</span>
        {isBusy && (state === 'sending' ? file.size > 1e6 : share > 0) && (
          <ProgressBar share={share} label={`Progress of ${file.name}`} />
        )}
        {details.length > 0 && (
          <details>
            <summary>
              {details.length} {details.length === 1 ? 'note' : 'notes'}
            </summary>
            <ul>
              {details.map(({ name, reason }) => (
                <li key={`${name} ${reason}`}>
                  {name !== '' && <strong>{name} </strong>}
                  {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <span class="hidden-text">{message === '' ? state : ''}</span>
    </li>
  )
}

function lineText({ state, message, file, share }: ImportItem): string {
  if (message !== '') return message
  if (state === 'sending') return `${Math.round(share * 100)} % of ${bytes(file.size)} sent`
  if (state === 'working') return 'Reading'
  return state === 'waiting' ? `Waiting, ${bytes(file.size)}` : ''
}

function ProgressBar({ share, label }: { readonly share: number; readonly label: string }) {
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <span style={{ transform: `scaleX(${share})` }} />
    </div>
  )
}
