import { MOST_DAYS } from '../../../engine/limits.ts'
import { dayNumber, mondayOf, shiftedDay, weekdayIndex } from '../../format.ts'
import type { Efficiency, Forecast, LoadDays } from '../../types.ts'
import { wholeFatigue } from './words.ts'

type Day = LoadDays['days'][number]
type Ahead = Forecast['days'][number]

/** Past days, and two forecasts. */
export interface FormSeries {
  readonly days: readonly Day[]
  readonly rest: readonly Ahead[]
  readonly usual: readonly Ahead[]
}

const MOST_DAY_BARS = 130

/**
 * All days from the first run on, asked window by window from the newest on.
 * @param last the newest day
 * @param ask answers the days of a window from the first run on; `to` is exclusive
 */
export async function allDays(
  last: string,
  ask: (from: string, to: string) => Promise<Pick<LoadDays, 'days'>>,
): Promise<Pick<LoadDays, 'days'>> {
  const windows: LoadDays['days'][] = []
  for (let to = shiftedDay(last, 1); ; ) {
    const from = shiftedDay(to, -MOST_DAYS)
    const { days } = await ask(from, to)
    windows.unshift(days)
    if (days[0]?.date !== from) return { days: windows.flat() }
    to = from
  }
}

/** Both forecasts begin after the last past day. */
export function formSeries(days: readonly Day[], rest: readonly Ahead[], usual: readonly Ahead[]): FormSeries {
  const last = days.at(-1)?.date ?? ''
  const later = (ahead: readonly Ahead[]) => ahead.filter(({ date }) => date > last)
  return { days, rest: later(rest), usual: later(usual) }
}

/** Whole fitness, fatigue and form of the morning of a day, of which form is the first minus the second. */
export function morningOf(days: readonly Pick<Ahead, 'fitness' | 'fatigue' | 'form'>[], index: number) {
  const form = Math.round(days[index]!.form)
  // before the first day the fitness of that day stands for it
  const fitness = Math.round((days[index - 1] ?? days[index]!).fitness)
  return { fitness, fatigue: wholeFatigue(fitness, form), form }
}

/** What one bar of load is, by the number of days of the series. */
export function barUnit(dayCount: number): 'day' | 'week' | 'month' {
  if (dayCount <= MOST_DAY_BARS) return 'day'
  return dayCount <= MOST_DAYS ? 'week' : 'month'
}

/**
 * Loads added up by `barUnit`; weeks are from Monday to Sunday, months those of the calendar. A bar has its first day, how
 * many days it is of, its load, and that of each source.
 */
export function loadBars(days: readonly Pick<Day, 'date' | 'load' | 'sources'>[]) {
  const unit = barUnit(days.length)
  const bars: { start: number; length: number; load: number; sources: Map<string, number> }[] = []
  for (const [index, { date, load, sources }] of days.entries()) {
    const isFirst = unit === 'month' ? date.endsWith('-01') : weekdayIndex(date) === 0
    if (index === 0 || unit === 'day' || isFirst) bars.push({ start: index, length: 0, load: 0, sources: new Map() })
    const bar = bars.at(-1)!
    bar.length += 1
    bar.load += load
    for (const [name, value] of Object.entries(sources)) bar.sources.set(name, (bar.sources.get(name) ?? 0) + value)
  }
  return bars.map(({ sources, ...bar }) => ({ ...bar, sources: [...sources] }))
}

/** Load of the week, Monday to Sunday, of a day; null when the series begins within that week. */
export function weekLoad(days: readonly Pick<Day, 'date' | 'load'>[], index: number): number | null {
  const monday = index - weekdayIndex(days[index]!.date)
  if (monday < 0) return null
  return days.slice(monday, monday + 7).reduce((sum, { load }) => sum + load, 0)
}

/** Days of one question, three years and today; the service answers at most 1100. */
export const WINDOW_DAYS = 1097

/**
 * The runs of all years, asked window by window from the newest on. Only a log that fits one window has a trend: the
 * service computes it for each window, and over more years a runner does not change along one line.
 * @param last the newest day
 * @param firstYear the year of the first run
 * @param ask answers the runs of a window; `to` is exclusive
 */
export async function runsOfAllYears(
  last: string,
  firstYear: number,
  ask: (from: string, to: string) => Promise<Efficiency>,
): Promise<Efficiency> {
  const firstDay = `${firstYear}-01-01`
  const windowBefore = (to: string) => ask(shiftedDay(to, -WINDOW_DAYS), to)
  let to = shiftedDay(last, 1)
  let all = await windowBefore(to)
  for (to = shiftedDay(to, -WINDOW_DAYS); to > firstDay; to = shiftedDay(to, -WINDOW_DAYS)) {
    const { runs } = await windowBefore(to)
    if (runs.length > 0) all = { ...all, runs: [...runs, ...all.runs], trend: null }
  }
  return all
}

const DAYS_A_WEEK = 7

/** The month of an address, `yyyy-MM`; that of today when it has none. */
export function monthOf(asked: string | null, today: string): string {
  return asked !== null && !Number.isNaN(dayNumber(`${asked}-01`)) ? asked : today.slice(0, 7)
}

/** The month so many months later, or earlier when negative; years stay between 1 and 9999. */
export function shiftedMonth(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  const [year, place] = [Math.floor(index / 12), index % 12]
  if (year < 1 || year > 9999) return month
  return `${String(year).padStart(4, '0')}-${String(place + 1).padStart(2, '0')}`
}

/** The weeks of a month, Monday to Sunday, with the days of its neighbours that they have. */
export function weeksOf(month: string): string[][] {
  const first = mondayOf(`${month}-01`)
  const next = `${shiftedMonth(month, 1)}-01`
  const days = dayNumber(next) - dayNumber(first)
  const count = Math.ceil((days + ((DAYS_A_WEEK - weekdayIndex(next)) % DAYS_A_WEEK)) / DAYS_A_WEEK)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: DAYS_A_WEEK }, (_, day) => shiftedDay(first, DAYS_A_WEEK * week + day)),
  )
}
