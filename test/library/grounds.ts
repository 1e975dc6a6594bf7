import { expect } from 'bun:test'
import { squareOfKey } from '../../src/engine/ground/squares.ts'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import type { TestApp } from '../app.ts'
import { countOf, removeRows, rowsOf, setRows } from './as-stored.ts'
import { NEVER } from './falsified.ts'

interface Ground {
  readonly workout_id: string
  readonly length_m: number
}

/** The ground of all runs by their id, without numbers that say nothing. */
export function grounds({ deps }: TestApp) {
  const columns = ['workout_id', 'run', 'started_at', 'start_lat', 'start_lon', 'length_m']
  const squares = rowsOf(deps, 'ground_square', 'id', 'run', 'entered_s', 'line')
  return rowsOf(deps, 'ground', ...columns).map(({ run, ...ground }) => ({
    ...(ground as unknown as Ground),
    squares: squares
      .filter((square) => square.run === run)
      .map(({ id, entered_s, line }) => [
        squareOfKey(Math.floor(Number(id) / 2 ** 24)),
        entered_s,
        Buffer.from(line as Uint8Array).toString('hex'),
      ]),
  }))
}

/** The ground that is stored is the one that is made of nothing. */
export async function expectGroundAnew(app: TestApp) {
  const before = grounds(app)
  expect(countOf(app.deps, 'ground_square')).toBe(before.reduce((sum, { squares }) => sum + squares.length, 0))
  removeRows(app.deps, 'ground')
  setRows(app.deps, 'workout', { engine_version: 0 })
  await upgradeWorkouts(app.deps, NEVER)
  expect(grounds(app)).toEqual(before)
  return before
}
