import { useEffect, useState } from 'preact/hooks'
import { useTheme } from '../state.ts'

/** The colours of the theme for what is drawn on a canvas, where custom properties mean nothing. */
export interface Ink {
  readonly text: string
  readonly muted: string
  readonly faint: string
  readonly line: string
  readonly surface: string
  readonly ground: string
  readonly accent: string
  readonly accent2: string
  readonly good: string
  readonly bad: string
  readonly zones: readonly string[]
  readonly font: string
  readonly isDark: boolean
}

/** The ink of the theme that is shown now; another one when the runner or the system changes it. */
export function useInk(): Ink {
  const { theme } = useTheme()
  const [ink, setInk] = useState(readInk)
  // the theme is read from the document it was set on; theme-start.js heard of the system's change before this does
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const read = () => {
      const next = readInk()
      setInk((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next))
    }
    read()
    system.addEventListener('change', read)
    return () => system.removeEventListener('change', read)
  }, [theme])
  return ink
}

function readInk(): Ink {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: of('text'),
    muted: of('muted'),
    faint: of('faint'),
    line: of('line'),
    surface: of('surface'),
    ground: of('surface-2'),
    accent: of('accent'),
    accent2: of('accent-2'),
    good: of('good'),
    bad: of('bad'),
    zones: [1, 2, 3, 4, 5].map((zone) => of(`zone${zone}`)),
    font: of('font'),
    isDark: document.documentElement.dataset.theme === 'dark',
  }
}
