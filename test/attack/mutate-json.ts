import { nastyText, nastyValue } from './nasty.ts'
import type { Random } from './random.ts'

type Tree = Record<string, unknown> | unknown[]

/** A copy of a JSON value with one to a few places of it changed, doubled, renamed, moved or gone. */
export function mutatedJson(value: unknown, random: Random): unknown {
  const copy = structuredClone(value)
  if (typeof copy !== 'object' || copy === null || random.chance(0.02)) return nastyValue(random)
  do changePlace(copy as Tree, random)
  while (random.chance(0.5))
  return copy
}

function changePlace(tree: Tree, random: Random): void {
  const { holder, key } = placeIn(tree, random)
  if (key === null) return
  const object = holder as Record<string, unknown>
  const kind = random.below(8)
  if (kind === 0) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete object[key]
  } else if (kind === 1) {
    if (Array.isArray(holder)) holder.push(...Array(1 + random.below(50)).fill(holder[Number(key)]))
    else object[random.of([key.toUpperCase(), `${key} `, nastyText(random).slice(0, 100)])] = object[key]
  } else if (kind === 2) {
    const other = placeIn(tree, random)
    if (other.key !== null) object[key] = structuredClone((other.holder as Record<string, unknown>)[other.key])
  } else if (kind === 3 && typeof object[key] === 'number') {
    object[key] = (object[key] as number) * random.of([-1, 0, 1e-9, 1.5, 1000, 1e12])
  } else if (kind === 4) {
    object[key] = random.of([[object[key]], { value: object[key] }, JSON.stringify(object[key]), String(object[key])])
  } else object[key] = nastyValue(random)
}

/** Walks down as long as chance wants. */
function placeIn(tree: Tree, random: Random): { readonly holder: Tree; readonly key: string | null } {
  let holder = tree
  for (;;) {
    const keys = Object.keys(holder)
    if (keys.length === 0) return { holder, key: null }
    const key = random.of(keys)
    const value = (holder as Record<string, unknown>)[key]
    const goesOn = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    if (!goesOn || random.chance(0.15)) return { holder, key }
    holder = value as Tree
  }
}
