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

/** How the repetitions of a session are grouped into sets. */
export interface Grouped {
  readonly kind: 'equal' | 'ladder' | 'fartlek'
  /** For each set: index of its first repetition, index after its last one, and its target. */
  readonly sets: readonly GroupedSet[]
}

export interface GroupedSet {
  readonly from: number
  readonly to: number
  /** One for every repetition; null: a fartlek, without targets. */
  readonly targets: readonly Target[] | null
}

/** A ladder needs at least this many: fewer differing lengths look round by chance. */
const FEWEST_OF_LADDER = 3
/** Longer ladders than this are not run in practice. */
const MOST_OF_LADDER = 12
/** A rest ends a set when it is this many times the usual rest, and half a minute longer. */
const SET_REST = 1.8
const SET_REST_S = 30

/**
 * Groups repetitions into sets of equal ones, a ladder of round lengths, or a fartlek.
 * @param restsS rests between the repetitions, one fewer than `lengths`
 */
export function grouped(lengths: readonly Length[], restsS: readonly number[], exactness: Exactness): Grouped {
  // the sets of one session have targets of distance or of time, not both
  for (const kinds of [KINDS, ['distance'], ['time']] as const) {
    const groups = equalGroups(lengths, exactness, kinds)
    const isOneKind = new Set(groups.map(({ targets }) => targets?.[0]?.kind)).size === 1
    if (
      isOneKind &&
      groups.every(({ to, from, targets }) => targets !== null && to - from >= Math.min(2, lengths.length))
    ) {
      return { kind: 'equal', sets: groups.flatMap((group) => splitAtRests(group, restsS)) }
    }
  }
  const isLadder = lengths.length >= FEWEST_OF_LADDER && lengths.length <= MOST_OF_LADDER
  const targets = isLadder ? ladderTargets(lengths, exactness) : null
  const whole = { from: 0, to: lengths.length, targets }
  return { kind: targets === null ? 'fartlek' : 'ladder', sets: [whole] }
}

/** Runs of repetitions with one round target; a target that is not round is accepted only when all share it. */
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
  // single repetitions beside sets mean that the long rests were chance, so all are one set
  return sets.some(({ from: first, to }) => to - first < 2) ? [set] : sets
}
