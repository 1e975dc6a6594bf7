import { distance, duration, text, type Units } from '../../format.ts'
import type { GhostRace } from '../types.ts'

/** A gap as text: `0:37 behind`, `1:05 ahead`, `level`. */
export function gapText(gapS: number): string {
  const seconds = Math.round(Math.abs(gapS))
  if (seconds === 0) return 'level'
  return `${duration(seconds)} ${gapS > 0 ? 'behind' : 'ahead'}`
}

/** Beginning of a sentence that ends with the day of the other run. */
export function raceText(gapS: number): string {
  const gap = gapText(gapS)
  return `${gap === 'level' ? 'Level with' : gap.endsWith('ahead') ? `${gap} of` : gap} your run of`
}

/** What a gap is made of, largest first: `0:31 lost in stops, 0:05 on pace`. */
export function partsText(race: GhostRace): string {
  const causes: [number, string][] = [
    [race.stopsS, 'in stops'],
    [race.paceS, 'on pace'],
    [race.climbS ?? 0, 'on hills'],
  ]
  return causes
    .filter(([seconds]) => Math.round(Math.abs(seconds)) > 0)
    .sort(([a], [b]) => Math.abs(b) - Math.abs(a))
    .map(([seconds, name], place, all) => {
      const isSame = place > 0 && seconds < 0 === all[place - 1]![0] < 0
      return `${duration(Math.abs(seconds))} ${isSame ? '' : seconds < 0 ? 'gained ' : 'lost '}${name}`
    })
    .join(', ')
}

/** The longest stop of the run, when stops are the largest part of the gap; null otherwise. */
export function stopText({ stops, gapS, stopsS }: GhostRace, units: Units): string | null {
  const longest = stops.find(({ of }) => of === (stopsS > 0 ? 'run' : 'ghost'))
  if (longest === undefined || 2 * Math.abs(stopsS) < Math.abs(gapS)) return null
  const who = longest.of === 'run' ? 'You stopped' : 'The ghost stopped'
  return `${who} for ${duration(longest.seconds)} at ${text(distance(longest.distanceM, units))}`
}
