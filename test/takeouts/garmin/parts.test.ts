import { describe, expect, test } from 'bun:test'
import { FIT_HEAD_BYTES, fitFileType } from '../../../src/formats/fit/file-type.ts'
import type { FormatError } from '../../../src/formats/format.ts'
import { CUT } from '../../../src/formats/json-bytes.ts'
import { addGear } from '../../../src/takeouts/garmin/gear.ts'
import { createRows } from '../../../src/takeouts/garmin/matching.ts'
import { type GarminRow, readRow } from '../../../src/takeouts/garmin/rows.ts'
import { rowsOf } from '../../../src/takeouts/json-rows.ts'
import { fitFile } from '../../fixtures/fit.ts'

const NO_LIST = 'The file does not have its list'
const START_MS = 1_740_849_662_000

async function* pieces(text: string, bytes: number) {
  const whole = Buffer.from(text)
  const shared = Buffer.alloc(bytes)
  for (let at = 0; at < whole.length; at += bytes) {
    const length = whole.copy(shared, 0, at, at + bytes)
    yield shared.subarray(0, length)
  }
}

async function rowsIn(text: string, bytes = 65_536) {
  const found = { rows: [] as unknown[], passed: 0, failure: null as string | null }
  const noted = () => {
    found.passed += 1
  }
  try {
    for await (const row of rowsOf(pieces(text, bytes), 'rows', noted)) found.rows.push(row)
  } catch (error) {
    found.failure = (error as FormatError).message
  }
  return found
}

describe('rows within JSON', () => {
  const ROWS = [{ a: 1 }, { b: '"}]{[\\' }, { c: [{ rows: [{ no: 1 }] }] }, { 'ü "rows": [': 'ß' }, {}]
  const lists = [{ other: [{ a: 9 }], rows: ROWS, 'not rows': [{ a: 8 }] }, { rows: [{ d: 2 }] }]
  const text = JSON.stringify(lists, null, 1)

  test('are found in pieces of any size; one that is too long is passed over without being held', async () => {
    for (const bytes of [1, 2, 3, 7, 64, 65_536])
      expect([bytes, await rowsIn(text, bytes)]).toEqual([
        ...[bytes, { rows: [...ROWS, { d: 2 }], passed: 0, failure: null }],
      ])
    const long = JSON.stringify({ rows: [{ a: 'x'.repeat(5_000_000) }, { b: 2 }] })
    expect(await rowsIn(long)).toEqual({ rows: [{ b: 2 }], passed: 1, failure: null })
  })

  test('end where the text is cut, which is reported, and a row that is not JSON is passed over', async () => {
    const all = [...ROWS, { d: 2 }]
    let most = 0
    for (let at = 0; at < text.length; at += 1) {
      const { rows, passed, failure } = await rowsIn(text.slice(0, at), 50)
      expect([rows, passed, failure]).toEqual([all.slice(0, rows.length), 0, at === 0 ? NO_LIST : CUT])
      expect(rows.length).toBeWithin(most, most + 2)
      most = rows.length
    }
    expect(most).toBe(all.length)
    expect(await rowsIn('{"rows":[{"a":1},{"a":},{"b":2}]}')).toEqual({
      ...{ rows: [{ a: 1 }, { b: 2 }], passed: 1, failure: null },
    })
  })
})

test('the type of a FIT file is read from its head, and unknown of anything else', () => {
  for (const [fileType, bigEndian] of [
    [4, false],
    [32, false],
    [4, true],
    [49, true],
  ] as const) {
    const file = fitFile({ startMs: START_MS, samples: [{ t: 0, hr: 100 }], fileType, bigEndian, productName: 'Watch' })
    expect(fitFileType(file.subarray(0, FIT_HEAD_BYTES))).toBe(fileType)
    for (let at = 0; at < 60; at += 1)
      expect<(number | null)[]>([fileType, null]).toContain(fitFileType(file.subarray(0, at)))
  }
  for (const other of [new Uint8Array(512), Buffer.from('<gpx>'.repeat(99))]) expect(fitFileType(other)).toBeNull()
})

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

test('gear is that of shoes; of two pairs on one run the first counts', () => {
  const names = new Map<string, string>()
  addGear(names, [
    {
      gearDTOS: [
        { gearPk: 1, customMakeModel: 'Brooks Ghost', displayName: 'Blue', gearTypeName: 'Shoes' },
        { gearPk: 2, displayName: 'Red', gearTypeName: null },
        { gearPk: 3, displayName: 'Bike', gearTypeName: 'Bike' },
        'nonsense',
      ],
      gearActivityDTOs: {
        1: [{ activityId: 11 }],
        2: [{ activityId: 11 }, { activityId: 12 }, 5],
        3: [{ activityId: 13 }],
        4: 1,
      },
    },
    null,
  ])
  expect([...names]).toEqual([
    ['11', 'Brooks Ghost'],
    ['12', 'Red'],
  ])
})
