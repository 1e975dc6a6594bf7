// Many best efforts that differ are written at once, for which the rank is dropped and made again.
import { expect, test } from 'bun:test'
import { runHead } from '../../src/library/documents/run.ts'
import { type EffortDifference, writeDifferences } from '../../src/library/effort-rows.ts'
import { addEffort, efforts, runId } from '../stats/library.ts'
import { refuse, rowsOf } from './as-stored.ts'
import { addWorkout, featureApp, NOW_MS } from './feature-app.ts'
import { removeRuns, touchRun } from './recordings.ts'

const RUNS = 500

/** A library with a wrong effort of each run, and all 13 right ones as differences. */
function manyDifferences() {
  const { deps } = featureApp()
  const add = (n: number, index: number, timeMs: number) => {
    if (runHead(deps.db, runId(n)) === null) addWorkout(deps, { id: runId(n) })
    addEffort(deps, { id: runId(n), index, timeMs })
  }
  const write = Array.from({ length: 13 }, (_, distanceIndex) => ({
    ...{ distanceIndex, timeMs: 1000 * (distanceIndex + 1), startMs: 5, implausibleReason: null },
  }))
  const differences = Array.from({ length: RUNS }, (_, n): EffortDifference => {
    add(n, 0, 77_777)
    return { head: runHead(deps.db, runId(n))!, write, remove: [] }
  })
  const written = (some: readonly EffortDifference[]) => writeDifferences(deps.db, some, NOW_MS)
  const schema = () => rowsOf(deps, "sqlite_schema WHERE tbl_name = 'workout_best_effort'", 'name', 'sql')
  return { deps, add, differences, written, schema }
}

test('nothing else is lost, removals are done, and the rank serves again', () => {
  const { deps, add, differences, written, schema } = manyDifferences()
  add(RUNS, 3, 500)
  // of this one a record goes, and another stays as it is
  add(RUNS + 1, 4, 600)
  add(RUNS + 1, 5, 650)
  differences.push({ head: runHead(deps.db, runId(RUNS + 1))!, write: [], remove: [4] })
  const before = schema()
  // meanwhile two were deleted, one changed, and one came
  for (const gone of [2, 450]) removeRuns(deps, runId(gone))
  touchRun(deps, runId(7))
  add(9999, 7, 700)
  expect(written(differences)).toBe(RUNS - 3 + 1)
  const stored = efforts(deps)
  expect(stored).toHaveLength((RUNS - 3) * 13 + 1 + 3)
  expect(stored[0]).toEqual([runId(0), 0, 1000])
  expect(stored.filter(([id]) => id === runId(7))).toEqual([[runId(7), 0, 77_777]])
  expect(stored.slice(-3).map(([, , timeMs]) => timeMs)).toEqual([500, 650, 700])
  expect(rowsOf(deps, 'workout_best_effort')[0]!.calculated_at).toBe(NOW_MS)
  // and once more, with the rank that was made again
  written(differences.slice(3))
  expect(schema()).toEqual(before)
  const plan = 'EXPLAIN QUERY PLAN SELECT min(time_ms) FROM workout_best_effort WHERE distance_index = 3'
  expect(JSON.stringify(deps.db.$client.query(plan).all())).toContain('workout_best_effort_rank')
  expect(deps.db.$client.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})

test('a failure half-way leaves the old records and the rank', () => {
  const { deps, differences, written, schema } = manyDifferences()
  const before = [efforts(deps), schema()]
  const mend = refuse(deps, ['INSERT', 'workout_best_effort'], { when: `new.workout_id = '${runId(RUNS - 1)}'` })
  expect(() => written(differences)).toThrow('full')
  mend()
  expect([efforts(deps), schema()]).toEqual(before)
})
