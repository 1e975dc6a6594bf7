import type { Forecast, LoadDays } from '../../types.ts'

type Day = LoadDays['days'][number]
type Ahead = Forecast['days'][number]

/** Past days, and two forecasts. */
export interface FormSeries {
  readonly days: readonly Day[]
  readonly rest: readonly Ahead[]
  readonly usual: readonly Ahead[]
}

/** A bar of load: one day, or one week when days would be too narrow. */
export interface LoadBar {
  readonly start: number
  /** Number of days. */
  readonly length: number
  readonly load: number
  readonly sources: readonly (readonly [source: string, load: number])[]
}

const MOST_DAY_BARS = 130

/** Both forecasts begin after the last past day. */
export function formSeries(days: readonly Day[], rest: readonly Ahead[], usual: readonly Ahead[]): FormSeries {
  const last = days.at(-1)?.date ?? ''
  const later = (ahead: readonly Ahead[]) => ahead.filter(({ date }) => date > last)
  return { days, rest: later(rest), usual: later(usual) }
}

/** @param days of a series; with more than 130 the bars are weeks from Monday to Sunday */
export function loadBars(days: readonly Day[]): LoadBar[] {
  const isDaily = days.length <= MOST_DAY_BARS
  const bars: { start: number; length: number; load: number; sources: Map<string, number> }[] = []
  for (const [index, { date, load, sources }] of days.entries()) {
    const isMonday = new Date(`${date}T00:00:00Z`).getUTCDay() === 1
    if (index === 0 || isDaily || isMonday) bars.push({ start: index, length: 0, load: 0, sources: new Map() })
    const bar = bars.at(-1)!
    bar.length += 1
    bar.load += load
    for (const [name, value] of Object.entries(sources)) bar.sources.set(name, (bar.sources.get(name) ?? 0) + value)
  }
  return bars.map(({ sources, ...bar }) => ({ ...bar, sources: [...sources] }))
}

/** Load of the week, Monday to Sunday, of a day; null when the series begins within that week. */
export function weekLoad(days: readonly Pick<Day, 'date' | 'load'>[], index: number): number | null {
  const weekday = (new Date(`${days[index]!.date}T00:00:00Z`).getUTCDay() + 6) % 7
  const monday = index - weekday
  if (monday < 0) return null
  return days.slice(monday, monday + 7).reduce((sum, { load }) => sum + load, 0)
}

/** Lowest and highest of all drawn values, including 0. */
export function extent(values: readonly number[]): readonly [low: number, high: number] {
  return [Math.min(0, ...values), Math.max(0, ...values)]
}
