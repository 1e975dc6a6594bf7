import {
  commonTarget,
  type Exactness,
  isRound,
  KINDS,
  type Length,
  ladderTargets,
  medianOf,
  type Target,
} from './targets.ts'

/** How the repetitions of a session belong together. */
export interface Grouped {
  readonly kind: 'equal' | 'ladder' | 'fartlek'
  /** Places of the first and behind the last of each set, and what its repetitions were meant to be. */
  readonly sets: readonly GroupedSet[]
}

export interface GroupedSet {
  readonly from: number
  readonly to: number
  /** Of every repetition; null: they were run as they came. */
  readonly targets: readonly Target[] | null
}

/** Fewer that differ may look round by chance. */
const FEWEST_OF_LADDER = 4
/** Nobody sets himself a list of more. */
const MOST_OF_LADDER = 12
/** A rest that is this much longer than the usual one, and by half a minute, ends a set. */
const SET_REST = 1.8
const SET_REST_S = 30

/**
 * Repetitions as sets of equal ones, as a ladder of round lengths, or as they came.
 * @param restsS between them, one fewer
 */
export function grouped(lengths: readonly Length[], restsS: readonly number[], exactness: Exactness): Grouped {
  // sets of one session are all told by distance or all by time
  for (const kinds of [KINDS, ['distance'], ['time']] as const) {
    const groups = equalGroups(lengths, exactness, kinds)
    const isOneKind = new Set(groups.map(({ targets }) => targets?.[0]?.kind)).size === 1
    if (isOneKind && groups.every(({ to, from, targets }) => targets !== null && to - from >= 2)) {
      return { kind: 'equal', sets: groups.flatMap((group) => splitAtRests(group, restsS)) }
    }
  }
  const isLadder = lengths.length >= FEWEST_OF_LADDER && lengths.length <= MOST_OF_LADDER
  const targets = isLadder ? ladderTargets(lengths, exactness) : null
  const whole = { from: 0, to: lengths.length, targets }
  return { kind: targets === null ? 'fartlek' : 'ladder', sets: [whole] }
}

/** From the first on as many as have one round target; one that is not round only all together. */
function equalGroups(lengths: readonly Length[], exactness: Exactness, kinds: readonly Target['kind'][]): GroupedSet[] {
  const ofAll = commonTarget(lengths, exactness, kinds)
  const all = (target: Target, from: number, to: number) => new Array<Target>(to - from).fill(target)
  if (ofAll !== null) return [{ from: 0, to: lengths.length, targets: all(ofAll, 0, lengths.length) }]
  const groups: GroupedSet[] = []
  for (let from = 0; from < lengths.length; ) {
    let to = from
    let target: Target | null = null
    for (let next = from + 1; next <= lengths.length; next += 1) {
      const common = commonTarget(lengths.slice(from, next), exactness, kinds)
      if (common === null || !isRound(common)) break
      target = common
      to = next
    }
    to = Math.max(to, from + 1)
    groups.push({ from, to, targets: target && all(target, from, to) })
    from = to
  }
  return groups
}

function splitAtRests(set: GroupedSet, restsS: readonly number[]): GroupedSet[] {
  const usualS = medianOf(restsS.slice(set.from, set.to - 1))
  const sets: GroupedSet[] = []
  let from = set.from
  for (let k = set.from; k < set.to; k += 1) {
    const isEnd = k + 1 === set.to
    const isLong = !isEnd && restsS[k]! >= Math.max(SET_REST * usualS, usualS + SET_REST_S)
    if (!isEnd && !isLong) continue
    sets.push({ from, to: k + 1, targets: set.targets?.slice(0, k + 1 - from) ?? null })
    from = k + 1
  }
  // single ones beside sets: the long rests were chance
  return sets.some(({ from: first, to }) => to - first < 2) ? [set] : sets
}
