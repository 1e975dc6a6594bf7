import { describe, expect, test } from 'bun:test'
import { isRunName } from '../../src/formats/health/names.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { healthExport, healthFile, healthRun, healthTime, oldHealthRun } from '../fixtures/health.ts'
import { pairs } from '../fixtures/pairs.ts'
import { START_MS } from '../fixtures/runs.ts'
import { refusal } from './cuts.ts'

const NOW_MS = START_MS + 86_400_000

const read = (bytes: Uint8Array) => parseFile(bytes, { filename: 'health.json', nowMs: NOW_MS })
const runOf = (workout: unknown) => read(healthFile([workout])).activities[0]!
/** Second and value of every row that has one. */
function valuesOf(run: ReturnType<typeof runOf>, name: 'heartRateBpm' | 'cadenceRpm' | 'distanceM' | 'latDeg') {
  const { recording } = run
  return [...(recording?.timeMs ?? [])].flatMap((timeMs, row) => {
    const value = recording![name][row]!
    return Number.isNaN(value) ? [] : [[(timeMs - run.startedAtMs) / 1000, value] as const]
  })
}

describe('a run of the second version', () => {
  test('has its route second by second and its heart rate, steps and totals in our units', () => {
    const run = runOf(healthRun({ id: 'ABC' }))
    const { recording, totals } = run
    expect([run.startedAtMs, run.utcOffsetMinutes, run.source, run.name]).toEqual([START_MS, 60, 'json_import', null])
    expect(run.external).toEqual({ origin: 'health_auto_export', id: 'ABC' })
    expect([recording?.n, recording?.indoor]).toEqual([601, false])
    expect(valuesOf(run, 'latDeg')[100]).toEqual([100, 47 + 300 / 111_170])
    expect(valuesOf(run, 'heartRateBpm').slice(0, 2)).toEqual(pairs('0,140 60,141'))
    expect(valuesOf(run, 'cadenceRpm').map(([, value]) => value)).toEqual(Array(10).fill(85))
    // along the route; what the app says of the whole is a total
    expect(valuesOf(run, 'distanceM')).toEqual([])
    expect([totals.elapsedS, totals.timerS, totals.distanceM]).toEqual([600, 600, 1800])
    expect(totals.caloriesKcal).toBeCloseTo(100, 9)
    expect([totals.maxHeartRateBpm, totals.minHeartRateBpm, totals.avgHeartRateBpm]).toEqual([159, 130, null])
  })

  test('loses heart rates at and after its end, and what they make of the totals; all of them: it has none', () => {
    const after = [600, 660, 720].map((s) => ({ date: healthTime(START_MS + s * 1000), Min: 90, Avg: 200, Max: 210 }))
    const inside = healthRun().heartRateData as unknown[]
    const more = { heartRateData: [...inside, ...after], avgHeartRate: { qty: 170, units: 'bpm' } }
    const some = runOf(healthRun({ more }))
    expect(valuesOf(some, 'heartRateBpm').at(-1)).toEqual([540, 149])
    expect([some.totals.maxHeartRateBpm, some.totals.avgHeartRateBpm]).toEqual([159, null])
    const none = runOf(healthRun({ more: { ...more, heartRateData: after } }))
    expect(valuesOf(none, 'heartRateBpm')).toEqual([])
    expect([none.totals.maxHeartRateBpm, none.totals.avgHeartRateBpm]).toEqual([null, null])
    const whole = runOf(healthRun({ more: { avgHeartRate: { qty: 146.5 }, heartRate: { max: { qty: 161 } } } }))
    expect([whole.totals.avgHeartRateBpm, whole.totals.maxHeartRateBpm]).toEqual([146.5, 161])
  })

  test('without a route has its distance minute by minute, which adds up to what the app says', () => {
    const run = runOf(healthRun({ hasRoute: false, more: { distance: { qty: 1.9, units: 'km' } } }))
    expect(run.recording?.indoor).toBe(true)
    const along = valuesOf(run, 'distanceM')
    expect(along[0]).toEqual([0, 0])
    expect(along.at(-1)?.[0]).toBe(600)
    expect(along.at(-1)?.[1]).toBeCloseTo(1900, 6)
    expect(along[5]?.[0]).toBe(300)
    expect(along[5]?.[1]).toBeCloseTo(950, 6)
    // of two that do not fit each counts for itself
    const odd = runOf(healthRun({ hasRoute: false, more: { distance: { qty: 9, units: 'km' } } }))
    expect(valuesOf(odd, 'distanceM').at(-1)?.[1]).toBeCloseTo(1800, 6)
    expect(odd.totals.distanceM).toBe(9000)
  })

  test('has its distance in any unit, and begins at a time of any form', () => {
    for (const [units, qty, metres] of [
      ['km', 5, 5000],
      ['m', 5000, 5000],
      ['mi', 3, 4828.032],
      ['yd', 1000, 914.4],
      ['ft', 1000, 304.8],
      ['parsec', 1, null],
    ] as const) {
      const { totals } = runOf(healthRun({ more: { distance: { qty, units } } }))
      expect([units, totals.distanceM]).toEqual([units, metres && expect.closeTo(metres, 9)])
    }
    for (const start of [
      ...['2025-11-01 08:00:00 +0100', '2025-11-01T07:00:00Z', '2025-11-01T08:00:00.000+01:00'],
      ...['2025-11-01 8:00:00 AM +0100', '2025-11-01 8:00:00\u202fam +0100', '2025-10-31 11:00:00 PM -0800'],
    ])
      expect([start, runOf(healthRun({ more: { start } })).startedAtMs]).toEqual([start, START_MS])
  })

  test('has no points that may be anywhere, and takes odd members for nothing', () => {
    const points = (healthRun().route as Record<string, unknown>[]).map((point, t) => ({
      ...point,
      horizontalAccuracy: t < 100 ? 150 : 8,
      ...(t === 200 ? { latitude: null, longitude: 'x' } : {}),
    }))
    const odd = { heartRateData: { 5: 1 }, stepCount: 'many', metadata: [['a'], 5], location: null, intensity: {} }
    const run = runOf(healthRun({ more: { route: points, ...odd } }))
    expect(valuesOf(run, 'latDeg')).toHaveLength(500)
    expect(run.recording?.n).toBe(501)
  })
})

test('a run of the first version is read as well', () => {
  const run = runOf(oldHealthRun())
  expect([run.startedAtMs, run.external, run.recording?.n]).toEqual([START_MS, null, 601])
  expect(valuesOf(run, 'heartRateBpm')).toHaveLength(10)
  const { distanceM, avgHeartRateBpm, maxHeartRateBpm, timerS, elapsedS } = run.totals
  expect(distanceM).toBeCloseTo(1800, 6)
  expect([avgHeartRateBpm, maxHeartRateBpm, timerS, elapsedS]).toEqual([150, 171, null, 600])
})

describe('which workouts are runs', () => {
  test('is known in many languages', () => {
    const runs = [
      ...'Outdoor Run|Running|Indoor Run|Treadmill Run|Laufen|Outdoor-Lauf|Course à pied|Carrera|RUNNING'.split('|'),
      ...'Carrera en caminadora|Corsa all’aperto|Corrida|Hardlopen|Juoksu|Løb|Løping|Löpning|Lo\u0308pning'.split('|'),
      ...'Бег|户外跑步|ランニング|러닝'.split('|'),
    ]
    const others = [
      ...'Walking|Outdoor Walk|Run/Walk|Gehen|Marche|Wandelen|Ходьба|步行|ウォーキング|걷기|Cycling|Yoga'.split('|'),
      ...'Skilanglauf|Eislaufen|Беговые лыжи|Outdoor Wheelchair Run Pace|Crunches|'.split('|'),
    ]
    expect([...runs, ...others].filter(isRunName)).toEqual(runs)
  })

  test('others are counted, and named once', () => {
    const other = (name: string) => healthRun({ name })
    const names = ['Outdoor Walk', 'Yoga', 'Yoga', 'Rowing', 'Golf', 'Dance', 'Boxing']
    const { activities, skippedOther, warning } = read(healthFile([...names.map(other), healthRun()]))
    expect([activities.length, skippedOther]).toEqual([1, 7])
    expect(warning).toBe('Workouts that are not runs: Outdoor Walk, Yoga, Rowing, Golf, Dance, and others')
    expect(read(healthFile([healthRun()])).warning).toBeUndefined()
  })
})

test('a file without workouts, cut, spoiled or without a date is refused in a sentence', () => {
  const damaged = 'The Health Auto Export file is cut or damaged'
  for (const [sent, refused] of [
    [{ data: { metrics: [] } }, { message: 'The file has health data, but no workouts; export workouts as well' }],
    [{ data: { metrics: [] } }, { problem: 'noRun' }],
    [{ data: { workouts: 5 } }, { problem: 'noRun' }],
    [{ data: [] }, { problem: 'unknown' }],
    [{ data: { things: [] } }, { problem: 'unknown' }],
    [new TextDecoder().decode(healthFile([healthRun(), healthRun()])).slice(0, -3), { message: damaged }],
    ['{"data": {"workouts": [{"name" 5}]}}', { message: damaged }],
    ['{"data": {"workouts": [{"name": nix}]}}', { message: damaged }],
    [healthExport([healthRun({ more: { start: 'yesterday' } })]), { message: expect.stringMatching(/date/) }],
    [
      healthExport([healthRun({ more: { start: '1980-01-01 08:00:00 +0000' } })]),
      { message: expect.stringMatching(/1990/) },
    ],
    [healthExport([{ name: 'Running' }]), { message: expect.stringMatching(/date/) }],
  ] as const) {
    const { message, problem } = refusal(typeof sent === 'string' ? sent : JSON.stringify(sent))!
    expect({ message, problem }).toMatchObject(refused)
  }
})
