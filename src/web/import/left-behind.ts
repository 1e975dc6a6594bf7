import type { FileKind } from './recognise.ts'

/** A file that was under way when this page was left or loaded anew. */
export interface LeftBehind {
  readonly name: string
  readonly kind: FileKind
  readonly message: string
}

interface Open {
  readonly name: string
  readonly kind: FileKind
  readonly state: string
}

const KEY = 'harrier.left'
/** More are one line. */
const MOST_LINES = 3
const ENDED = 'Ended when this page was left. What was imported stays; drop the file again for the rest'
const UNSENT = 'Not sent: this page was left. Drop it again'

/**
 * What the page that stood here before left behind, told once. A browser ends what it sends when a page goes, and a
 * Strava export ends with it; other files that were sent are worked on without the page.
 * @param open what is under way in this page when it goes
 */
export function leftBehind(open: () => readonly Open[]): readonly LeftBehind[] {
  window.addEventListener('pagehide', () => {
    const left = open()
      .filter(({ kind, state }) => state !== 'working' || kind === 'strava')
      .map(({ name, kind, state }) => ({ name, kind, message: state === 'working' ? ENDED : UNSENT }))
    if (left.length > 0) sessionStorage.setItem(KEY, JSON.stringify(shortened(left)))
  })
  // a page that comes back from the cache of the browser goes on where it was
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sessionStorage.removeItem(KEY)
  })
  const told = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return told === null ? [] : JSON.parse(told)
}

function shortened(left: readonly LeftBehind[]): readonly LeftBehind[] {
  const unsent = left.filter(({ message }) => message === UNSENT)
  if (unsent.length <= MOST_LINES) return left
  const others = left.filter(({ message }) => message !== UNSENT)
  return [...others, { name: `${unsent.length} files`, kind: 'run', message: UNSENT.replace('it', 'them') }]
}
