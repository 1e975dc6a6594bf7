import { describe, expect, test } from 'bun:test'
import { createRows, type GarminRow, readRow } from '../../../../src/imports/kinds/garmin/rows.ts'

const START_MS = 1_740_849_662_000

describe('a row', () => {
  const base = { activityId: 7, activityType: 'running', beginTimestamp: START_MS, duration: 1e6, distance: 500_000 }
  const run = (more: object) => (readRow({ ...base, ...more }) as { run: GarminRow }).run

  test('is a run, of another sport, or nothing', () => {
    for (const [more, what] of [
      [{ activityType: 'trail_running' }, 'run'],
      [{ activityType: { typeKey: 'treadmill_running' } }, 'run'],
      [{ activityType: 'ultra_run' }, 'run'],
      [{ activityType: null, sportType: 'RUNNING' }, 'run'],
      [{ activityType: 'cycling' }, 'ride'],
      [{ activityType: 'open_water_swimming' }, 'swim'],
      [{ activityType: 'multi_sport', parent: true }, null],
      [{ activityType: 'running', parent: true }, null],
      [{ activityType: 'running', beginTimestamp: 'x' }, null],
      [{ activityType: 5 }, null],
    ] as const) {
      const read = readRow({ ...base, ...more })
      expect([more, read === null ? null : 'run' in read ? 'run' : read.sport]).toEqual([more, what])
    }
  })

  test('has distances in centimetres and times in milliseconds; its average speed is not trusted', () => {
    const { totals } = run({ avgSpeed: 99, maxSpeed: 0.42, elevationGain: 1250 })
    expect(totals).toMatchObject({ distanceM: 5000, timerS: 1000, elapsedS: 1000, maxSpeedMps: 4.2, elevGainM: 12.5 })
    expect(totals.avgSpeedMps).toBeNull()
  })

  test('has the offset of its local time, and a name, which only if it is not made up makes a race', () => {
    for (const [aheadMs, utcOffsetMinutes] of [
      [2 * 3_600_000, 120],
      [-9.5 * 3_600_000, -570],
      [3_600_001, null],
    ] as const)
      expect(run({ startTimeLocal: START_MS + aheadMs })).toMatchObject({ utcOffsetMinutes })
    for (const [name, isAutoName, runType] of [
      ['Running', true, null],
      ['Frankfurt am Main Laufen', true, null],
      ['Paris Course à pied', true, null],
      ['Berlin Marathon', false, 'Race'],
    ] as const)
      expect(run({ name, eventTypeId: 1 })).toMatchObject({ name, isAutoName, runType })
  })
})

describe('a file', () => {
  const row = (beginTimestamp: number) =>
    (readRow({ activityType: 'running', beginTimestamp, duration: 1e6, distance: 1 }) as { run: GarminRow }).run
  const file = (startedAtMs: number, elapsedS = 1000) => ({ startedAtMs, elapsedS, timerS: null, distanceM: 3000 })

  test.each([
    ['in the same second', [0], 1500, 999, 0],
    ['two seconds off', [0], 2000, 1, 0],
    ['a minute off, as long', [0], 60_000, 985, 0],
    ['a minute off, of another length', [0], 60_000, 900, null],
    ['three minutes off', [0], 180_000, 1000, null],
    ['between two in the same second', [0, 1000], 500, 1000, null],
    ['between two as long', [0, 100_000], 50_000, 1000, null],
    ['beside one that starts with it', [0, 60_000], 60_500, 1000, 1],
  ])('%s belongs to the row that it can only be', (_, starts, atMs, elapsedS, wanted) => {
    const made = starts.map((ms) => row(START_MS + ms))
    const rows = createRows(made)
    expect(rows.take(file(START_MS + atMs, elapsedS))).toBe(wanted === null ? null : made[wanted]!)
    expect(rows.withoutFile()).toHaveLength(made.length - (wanted === null ? 0 : 1))
  })
})
