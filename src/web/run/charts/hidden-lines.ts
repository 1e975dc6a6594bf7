import { createStore, useStore } from '../../store.ts'
import type { Metric } from './series.ts'

const STORAGE_KEY = 'harrier.hidden-lines'

const hidden = createStore<readonly Metric[]>(storedLines())

/** Chart lines that are switched off, for all runs in this browser, and a function to switch one. */
export function useHiddenLines(): { readonly hidden: readonly Metric[]; readonly toggle: (metric: Metric) => void } {
  return { hidden: useStore(hidden), toggle }
}

function toggle(metric: Metric): void {
  const now = hidden.get()
  const next = now.includes(metric) ? now.filter((other) => other !== metric) : [...now, metric]
  if (next.length === 0) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, next.join())
  hidden.set(next)
}

function storedLines(): readonly Metric[] {
  // unknown names have no effect
  return (localStorage.getItem(STORAGE_KEY) ?? '').split(',').filter((name) => name !== '') as Metric[]
}
