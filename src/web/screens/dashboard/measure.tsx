import { elevation, number, type Quantity, roughDistance, roughDuration, type Units } from '../../format.ts'
import { createStore, useStore } from '../../store.ts'
import { Select } from '../../ui/field.tsx'
import { TERMS } from '../../words.ts'
import type { DaySums } from './log-sums.ts'

const MEASURES = [
  ['distanceM', TERMS.distance],
  ['durationS', TERMS.time],
  ['elevGainM', TERMS.elevationGain],
  ['load', TERMS.load],
] as const

/** What bars of days, weeks and months show. */
export type Measure = (typeof MEASURES)[number][0] & keyof DaySums

const KEY = 'harrier.measure'
const measure = createStore<Measure>(MEASURES.find(([key]) => key === localStorage.getItem(KEY))?.[0] ?? 'distanceM')

export function useMeasure(): Measure {
  return useStore(measure)
}

export function nameOf(one: Measure): string {
  return MEASURES.find(([key]) => key === one)![1]
}

/** Chooses what all bars show. */
export function MeasureChoice() {
  const set = (value: Measure) => {
    localStorage.setItem(KEY, value)
    measure.set(value)
  }
  return <Select label="Bars by" isLabelHidden value={useMeasure()} options={MEASURES} onValue={set} />
}

export function measured(of: Measure, value: number, units: Units): Quantity {
  if (of === 'distanceM') return roughDistance(value, units)
  if (of === 'durationS') return { value: roughDuration(value), unit: '' }
  return of === 'elevGainM' ? elevation(value, units) : { value: number(value), unit: '' }
}
