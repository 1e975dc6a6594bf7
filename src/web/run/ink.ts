import { useEffect, useState } from 'preact/hooks'
import { useTheme } from '../state.ts'
import type { Size } from './map/projection.ts'

/** Colours of the theme for drawing on a canvas, where CSS custom properties cannot be used. */
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

/** The colours of the current theme; updated when the runner or the system changes it. */
export function useInk(): Ink {
  const { theme } = useTheme()
  const [ink, setInk] = useState(readInk)
  // read from the document, which theme-start.js has updated before
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

/** The values of the sheet: the bundler writes `light-dark()` as one value for each theme, six digits each. */
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

/** The current size of an element in CSS pixels; null until it is known. */
export function useSize(element: { readonly current: HTMLElement | null }): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      setSize((now) => (now?.width === width && now.height === height ? now : { width, height }))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** Draws in CSS pixels on a canvas with the resolution of the screen. */
export function withContext(
  canvas: HTMLCanvasElement | null,
  size: Size,
  draw: (context: CanvasRenderingContext2D) => void,
): void {
  const context = canvas?.getContext('2d')
  if (canvas === null || context === null || context === undefined) return
  const ratio = window.devicePixelRatio
  const width = Math.round(size.width * ratio)
  const height = Math.round(size.height * ratio)
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  draw(context)
}
