import { expect, test } from 'bun:test'
import { type Kept, mayBeKept, surplusOf } from '../../src/web/kept.ts'

const idOf = (n: number) => `0198a000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Runs of two answers each, the first the oldest. */
function library(runs: number, bytes: number): Kept {
  const all = Array.from({ length: runs }, (_, n) => [
    [`/workouts/${idOf(n)}?includeRaw=false`, { bytes, atMs: 1000 * n }] as const,
    [`/workouts/${idOf(n)}/samples?maxPoints=4000`, { bytes, atMs: 1000 * n + 1 }] as const,
  ])
  return { userId: 'u', answers: Object.fromEntries(all.flat()) }
}

test('of more than 50 runs those go that were opened first, with all their answers', () => {
  expect(surplusOf(library(50, 100))).toEqual([])
  expect(surplusOf(library(52, 100)).toSorted()).toEqual([
    ...[`/workouts/${idOf(0)}/samples?maxPoints=4000`, `/workouts/${idOf(0)}?includeRaw=false`],
    ...[`/workouts/${idOf(1)}/samples?maxPoints=4000`, `/workouts/${idOf(1)}?includeRaw=false`],
  ])
})

test('beyond 20 MB the oldest go', () => {
  const gone = surplusOf(library(20, 600_000))
  expect(new Set(gone.map((path) => path.slice(10, 46)))).toEqual(new Set([idOf(0), idOf(1), idOf(2), idOf(3)]))
})

test('photos, originals, keys, settings and searches are never kept', () => {
  const run = `/workouts/${idOf(1)}`
  const ofRun = ['', '?includeRaw=false', '/samples?maxPoints=4000', '/training'].map((rest) => run + rest)
  const lists = ['/workouts?page=1&pageSize=50', '/workouts?pageSize=5']
  const kept = [...ofRun, ...lists, '/auth/me', '/shoes', '/stats/weekly-recap', '/training/form', '/races']
  expect(kept.filter((path) => !mayBeKept(path))).toEqual([])
  const file = `/sources/${idOf(3)}/file`
  const ofRunNever = ['/media', `/media/${idOf(2)}`, '/file', '/export?format=fit', file].map((rest) => run + rest)
  const searches = ['/workouts?page=2', '/workouts?search=knee', '/receipts', '/trash', '/events', '/map/tiles/1/1/1']
  const never = [...ofRunNever, ...searches, '/auth/api-keys', '/settings/training']
  expect(never.filter(mayBeKept)).toEqual([])
})
