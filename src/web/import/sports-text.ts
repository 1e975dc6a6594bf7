import { counted, number } from '../format.ts'
import type { TakeoutSummary } from '../types.ts'

type Sports = TakeoutSummary['skippedSports']

const SPORTS: readonly (readonly [keyof Sports, string])[] = [
  ['ride', 'ride'],
  ['swim', 'swim'],
  ['walk', 'walk'],
  ['hike', 'hike'],
  ['ski', 'ski tour'],
  ['row', 'rowing session'],
  ['strength', 'strength session'],
  ['yoga', 'yoga session'],
]

/** `61 rides, 12 swims, 1 other activity` */
export function sportsText(sports: Sports): string {
  const named = SPORTS.flatMap(([sport, word]) => {
    const count = sports[sport] ?? 0
    return count === 0 ? [] : [counted(count, word)]
  })
  const others = sports.other ?? 0
  const otherText = others === 0 ? [] : [`${number(others)} other ${others === 1 ? 'activity' : 'activities'}`]
  return [...named, ...otherText].join(', ')
}
