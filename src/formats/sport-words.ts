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

/** How many activities of each sport there are. */
export type Sports = Map<SportWord, number>

export function addSport(sports: Sports, sport: SportWord, count = 1): void {
  if (count > 0) sports.set(sport, (sports.get(sport) ?? 0) + count)
}

/** How many of each there are, by the names that a file gives them. */
export function sportsNamed(names: Iterable<string | null>): Sports {
  const sports: Sports = new Map()
  for (const name of names) addSport(sports, sportWord(name ?? ''))
  return sports
}

export function sumOfSports(sports: ReadonlyMap<SportWord, number>): number {
  return [...sports.values()].reduce((sum, count) => sum + count, 0)
}

/** As an object, in the order of the words. */
export function bySport(sports: ReadonlyMap<SportWord, number>): Readonly<Partial<Record<SportWord, number>>> {
  return Object.fromEntries(SPORT_WORDS.flatMap((word) => (sports.has(word) ? [[word, sports.get(word)!]] : [])))
}

const NAMES: Readonly<Record<SportWord, readonly [string, string]>> = {
  ride: ['ride', 'rides'],
  swim: ['swim', 'swims'],
  walk: ['walk', 'walks'],
  hike: ['hike', 'hikes'],
  ski: ['ski tour', 'ski tours'],
  row: ['rowing session', 'rowing sessions'],
  strength: ['strength session', 'strength sessions'],
  yoga: ['yoga session', 'yoga sessions'],
  other: ['other activity', 'other activities'],
}

/** `61 rides, 12 swims` */
export function sportsText(sports: ReadonlyMap<SportWord, number>): string {
  return SPORT_WORDS.flatMap((word) => {
    const count = sports.get(word)
    return count === undefined ? [] : [`${count} ${NAMES[word][count === 1 ? 0 : 1]}`]
  }).join(', ')
}
