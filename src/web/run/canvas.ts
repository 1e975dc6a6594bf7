import { useEffect, useState } from 'preact/hooks'
import type { Size } from './map/projection.ts'

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
