// The words under which activities that are not runs are counted.

export const SPORT_WORDS = ['ride', 'swim', 'walk', 'hike', 'ski', 'row', 'strength', 'yoga', 'other'] as const
export type SportWord = (typeof SPORT_WORDS)[number]

/** Checked in order, since `Indoor Rowing` holds `row` and `Nordic Walking` is a walk. */
const PARTS: readonly (readonly [SportWord, RegExp])[] = [
  ['swim', /swim/],
  ['hike', /hik|trek|mountaineer/],
  ['walk', /walk/],
  ['ski', /\bski|ski(ing)?\b|snowboard/],
  ['row', /\brow|rower|canoe|kayak|paddl/],
  ['ride', /cycl|bik|\bride|riding|\bspin|velo|mtb|bmx/],
  ['yoga', /yoga|pilates/],
  ['strength', /strength|weight|crossfit|gym\b|gymnastic/],
]

/** The word for the name of a sport in any spelling, such as `open_water_swimming` or `NordicSkiing`. */
export function sportWord(sport: string): SportWord {
  const words = sport
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
  return PARTS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
}
