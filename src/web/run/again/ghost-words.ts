import { distance, duration, text, type Units } from '../../format.ts'
import type { GhostRace } from '../types.ts'

/** A gap as text: `37 s behind`, `1:05 ahead`, `level`. */
export function gapText(gapS: number): string {
  const seconds = Math.round(Math.abs(gapS))
  if (seconds === 0) return 'level'
  return `${timeText(seconds)} ${gapS > 0 ? 'behind' : 'ahead'}`
}

/** Beginning of a sentence that ends with the day of the other run. */
export function raceText(gapS: number): string {
  const gap = gapText(gapS)
  return `${gap === 'level' ? 'Level with' : gap.endsWith('ahead') ? `${gap} of` : gap} the run of`
}

/** The parts of a gap, largest first: `31 s lost standing, 5 s won by pace`. */
export function partsText(race: GhostRace): string {
  const parts: [number, string][] = [
    [race.stopsS, 'standing'],
    [race.paceS, 'by pace'],
    [race.climbS ?? 0, 'on slopes'],
  ]
  return parts
    .filter(([seconds]) => Math.round(Math.abs(seconds)) > 0)
    .sort(([a], [b]) => Math.abs(b) - Math.abs(a))
    .map(([seconds, name]) => `${timeText(Math.round(Math.abs(seconds)))} ${seconds < 0 ? 'won' : 'lost'} ${name}`)
    .join(', ')
}

/** The longest stop of the run, when standing is the largest part of the gap; null otherwise. */
export function stopText({ stops, gapS, stopsS }: GhostRace, units: Units): string | null {
  const longest = stops.find(({ of }) => of === (stopsS > 0 ? 'run' : 'ghost'))
  if (longest === undefined || 2 * Math.abs(stopsS) < Math.abs(gapS)) return null
  const who = longest.of === 'run' ? 'You stood' : 'The ghost stood'
  return `${who} ${timeText(Math.round(longest.seconds))} at ${text(distance(longest.distanceM, units))}`
}

function timeText(seconds: number): string {
  return seconds < 60 ? `${seconds}\u00a0s` : duration(seconds)
}
