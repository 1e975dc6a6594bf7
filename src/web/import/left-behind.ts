import { counted } from '../format.ts'
import { LEFT } from './left.ts'
import type { FileKind } from './recognise.ts'

/** A file whose import was in progress when this page was left or reloaded. */
interface LeftBehind {
  readonly name: string
  readonly kind: FileKind
  readonly message: string
}

interface Open {
  readonly name: string
  readonly kind: FileKind
  readonly state: string
  /** Set once the runner accepted what is in an export. */
  readonly offer?: unknown
}

/** More files are combined into one line. */
const MOST_LINES = 3
const ENDED = 'Stopped when you left this page. Imported runs stay; drop the file again to import the others'
const UNSENT = 'Not sent because you left this page. Drop it again'

/**
 * Files that the previous page had in progress, returned once. When a page is left, the browser aborts its uploads,
 * which ends a Strava import; other files that were sent completely are imported without the page, but for an export
 * whose content the runner has not accepted yet.
 * @param open returns what is in progress when this page is left
 */
export function leftBehind(open: () => readonly Open[]): readonly LeftBehind[] {
  window.addEventListener('pagehide', () => {
    const left = open()
      .filter(({ kind, state, offer }) => state !== 'working' || kind === 'strava' || isUnasked(kind, offer))
      .map(({ name, kind, state, offer }) => {
        return { name, kind, message: state === 'working' && !isUnasked(kind, offer) ? ENDED : UNSENT }
      })
    if (left.length > 0) sessionStorage.setItem(LEFT, JSON.stringify(shortened(left)))
  })
  // a page restored from the browser's cache continues where it was
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sessionStorage.removeItem(LEFT)
  })
  const stated = sessionStorage.getItem(LEFT)
  sessionStorage.removeItem(LEFT)
  return stated === null ? [] : JSON.parse(stated)
}

function isUnasked(kind: FileKind, offer: unknown): boolean {
  return kind === 'export' && offer === undefined
}

function shortened(left: readonly LeftBehind[]): readonly LeftBehind[] {
  const unsent = left.filter(({ message }) => message === UNSENT)
  if (unsent.length <= MOST_LINES) return left
  const others = left.filter(({ message }) => message !== UNSENT)
  return [...others, { name: counted(unsent.length, 'file'), kind: 'run', message: UNSENT.replace('it', 'them') }]
}
