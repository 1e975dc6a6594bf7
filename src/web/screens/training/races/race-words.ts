import { STANDARD_DISTANCES } from '../../../../engine/run/best-efforts.ts'
import { dayNumber } from '../../../days.ts'
import { counted, distanceName, ordinal, roughDistance, text, type Units } from '../../../format.ts'
import type { Race } from '../../../types.ts'
import { today } from '../../stats.ts'

export const DISTANCES = STANDARD_DISTANCES.filter(({ distanceM }) => distanceM >= 1000).map(
  ({ label, distanceM }) => [distanceM, distanceName(label)] as const,
)

export function raceDistance(distanceM: number, units: Units): string {
  return DISTANCES.find(([metres]) => metres === distanceM)?.[1] ?? text(roughDistance(distanceM, units))
}

export function raceName({ name, distanceM }: Pick<Race, 'name' | 'distanceM'>, units: Units): string {
  return name ?? `${raceDistance(distanceM, units)} race`
}

/** `Today`, `Tomorrow`, `In 12 days`. */
export function countdown(day: string): string {
  const days = daysTo(day)
  return days > 1 ? `In ${counted(days, 'day')}` : days === 1 ? 'Tomorrow' : 'Today'
}

/** `12 days to City 10K`. */
export function countdownTo(race: Race, units: Units): string {
  const days = daysTo(race.date)
  const name = raceName(race, units)
  return days > 1 ? `${counted(days, 'day')} to ${name}` : `${countdown(race.date)}: ${name}`
}

/** Negative for a day that is over. */
export function daysTo(day: string): number {
  return dayNumber(day) - dayNumber(today())
}

/** `Your 2nd fastest of 7`; null for the only race over its distance. */
export function placeWords(place: Race['place']): string | null {
  if (place === null || place.of < 2) return null
  return place.rank === 1 ? `Your fastest of ${place.of}` : `Your ${ordinal(place.rank)} fastest of ${place.of}`
}
