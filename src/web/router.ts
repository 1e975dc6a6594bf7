import { type AnchorHTMLAttributes, type ComponentChildren, h } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { createStore, useStore } from './store.ts'

export interface Route {
  readonly path: string
  readonly query: URLSearchParams
}

/** Addresses of older bookmarks and of the bare host. */
const HOME = '/app'
const route = createStore<Route>(currentRoute())

window.addEventListener('popstate', () => {
  route.set(currentRoute())
  // a link within the view scrolls by itself
  if (location.hash !== '') return
  const { scrollY = 0 } = (history.state ?? {}) as { scrollY?: number }
  requestAnimationFrame(() => window.scrollTo(0, scrollY))
})

/** Goes to another view of the page. @param options.replace without a step to come back to */
export function navigate(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(history.state, '', path)
  else {
    history.replaceState({ scrollY: window.scrollY }, '')
    history.pushState({}, '', path)
    window.scrollTo(0, 0)
  }
  route.set(currentRoute())
}

/** Where the page is: path without a slash at the end, and query. */
export function useRoute(): Route {
  return useStore(route)
}

/**
 * A step of the history for as long as something stands over the view, so that Back closes it and goes nowhere else.
 * @param onBack called when the runner went back; what is closed in another way takes its step with it
 */
export function useBackStep(onBack: () => void): void {
  const latest = useRef(onBack)
  latest.current = onBack
  const mark = useId()
  useEffect(() => {
    // the router scrolls to what the step before remembers
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
  /** Without a step to come back to. */
  readonly isReplacing?: boolean
  readonly children?: ComponentChildren
}

/** A link inside of the page; with a modifier key or the middle button it is an ordinary one. */
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
