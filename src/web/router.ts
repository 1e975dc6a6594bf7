import { type AnchorHTMLAttributes, type ComponentChildren, h } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { createStore, useStore } from './store.ts'

interface Route {
  readonly path: string
  readonly query: URLSearchParams
}

/** Target of older addresses and of the bare host. */
const HOME = '/app'
const route = createStore<Route>(currentRoute())

window.addEventListener('popstate', () => {
  route.set(currentRoute())
  // the browser scrolls to a link within the view itself
  if (location.hash !== '') return
  const { scrollY = 0 } = (history.state ?? {}) as { scrollY?: number }
  requestAnimationFrame(() => window.scrollTo(0, scrollY))
})

/** Navigates to another view. @param options.replace replaces the history entry */
export function navigate(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(history.state, '', path)
  else {
    history.replaceState({ scrollY: window.scrollY }, '')
    history.pushState({}, '', path)
    window.scrollTo(0, 0)
  }
  route.set(currentRoute())
}

/** The current route: path without a final slash, and query. */
export function useRoute(): Route {
  return useStore(route)
}

/**
 * Adds a history entry while something is open over the view, so that Back closes it instead of leaving the view.
 * @param onBack called when the runner went back; closing it in another way removes the entry
 */
export function useBackStep(onBack: () => void): void {
  const latest = useRef(onBack)
  latest.current = onBack
  const mark = useId()
  useEffect(() => {
    // the router restores the scroll position of the entry before
    history.replaceState({ ...history.state, scrollY: window.scrollY }, '')
    history.pushState({ scrollY: window.scrollY, over: mark }, '')
    const onPop = () => latest.current()
    window.addEventListener('popstate', onPop)
    return () => {
      window.removeEventListener('popstate', onPop)
      if ((history.state as { over?: string } | null)?.over === mark) history.back()
    }
  }, [mark])
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'class' | 'onClick'> & {
  readonly href: string
  readonly class?: string
  /** Replaces the history entry instead of adding one. */
  readonly isReplacing?: boolean
  readonly children?: ComponentChildren
}

/** A link within the page; with a modifier key or the middle button it behaves like an ordinary link. */
export function Link({ isReplacing = false, ...props }: LinkProps) {
  return h('a', {
    ...props,
    onClick: (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!isPlain || event.defaultPrevented) return
      event.preventDefault()
      navigate(props.href, { replace: isReplacing })
    },
  })
}

function currentRoute(): Route {
  const path = location.pathname.replace(/\/+$/, '')
  return { path: path === '' ? HOME : path, query: new URLSearchParams(location.search) }
}

/** Whether a key is text that is typed, or a command of the browser, and not a shortcut of the page. */
export function isTyping({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return true
  return target instanceof Element && target.closest('input:not(.run-check input), select, textarea, dialog') !== null
}

/** Follows the keys that are pressed anywhere but in what is typed. */
export function useShortcuts(onKey: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => !isTyping(event) && onKey(event)
    window.addEventListener('keydown', follow)
    return () => window.removeEventListener('keydown', follow)
  })
}
