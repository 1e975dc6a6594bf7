import { describe, expect, test } from 'bun:test'
import { parseFile } from '../../src/formats/registry.ts'
import { smallZip } from '../../src/formats/small-zip.ts'
import { NOW_MS } from '../app.ts'
import {
  appleRecord,
  appleRoute,
  appleRuns,
  appleTime,
  appleWorkout,
  routeName,
  WATCH,
} from '../fixtures/apple-export.ts'
import { pairs } from '../fixtures/pairs.ts'

const [RUN] = appleRuns(1) as [ReturnType<typeof appleRuns>[number]]
const { startMs } = RUN
const Q = 'HKQuantityTypeIdentifier'

function zipOf(xml: string, routes: Readonly<Record<string, string>> = {}): Uint8Array {
  const files = { 'export.xml': `<HealthData>${xml}</HealthData>`, ...routes }
  return smallZip(Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })))
}

function parsed(xml: string, routes?: Readonly<Record<string, string>>) {
  const { activities, warning } = parseFile(zipOf(xml, routes), { filename: 'a.zip', nowMs: NOW_MS })
  expect(activities).toHaveLength(1)
  return { ...activities[0]!, warning }
}

interface Options {
  readonly seconds?: number
  readonly attributes?: string
  readonly inside?: string
}

/** A workout without statistics, as older versions write it. */
function workout({ seconds = 600, attributes = '', inside = '' }: Options = {}): string {
  return `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="${WATCH}" startDate="${appleTime(startMs)}" endDate="${appleTime(startMs + seconds * 1000)}" ${attributes}>${inside}</Workout>`
}

const statistics = (type: string, fromS: number, toS: number, values: string) =>
  `<WorkoutStatistics type="${Q}${type}" startDate="${appleTime(startMs + fromS * 1000)}" endDate="${appleTime(startMs + toS * 1000)}" ${values}/>`
const entry = (key: string, value: string) => `<MetadataEntry key="${key}" value="${value}"/>`
const event = (type: string, atS: number) =>
  `<WorkoutEvent type="HKWorkoutEventType${type}" date="${appleTime(startMs + atS * 1000)}"/>`

describe('a workout of Apple Health', () => {
  test('has distance, energy and weather in our units', () => {
    for (const [value, unit, metres] of [
      ['5.5', 'km', 5500],
      ['3', 'mi', 4828.032],
      ['800', 'm', 800],
      ['100', 'yd', 91.44],
      ['1000', 'ft', 304.8],
      ['3', 'furlongs', null],
    ] as const) {
      const { totals } = parsed(workout({ attributes: `totalDistance="${value}" totalDistanceUnit="${unit}"` }))
      expect([unit, totals.distanceM]).toEqual([unit, metres && expect.closeTo(metres, 6)])
    }
    for (const [value, unit] of [
      ['100', 'kcal'],
      ['100', 'Cal'],
      ['418.4', 'kJ'],
    ] as const) {
      const { totals } = parsed(workout({ attributes: `totalEnergyBurned="${value}" totalEnergyBurnedUnit="${unit}"` }))
      expect(totals.caloriesKcal).toBeCloseTo(100, 6)
    }
    for (const [warmth, damp, temperature, humidity] of [
      ['54 degF', '6500 %', 12.2, 65],
      ['12 degC', '96 %', 12, 96],
    ] as const) {
      const inside = entry('HKWeatherTemperature', warmth) + entry('HKWeatherHumidity', damp)
      expect(parsed(workout({ inside })).weather).toEqual({ source: 'apple_health', temperature, humidity })
    }
  })

  test('adds sums of several statistics and weights averages by their time; those of a part count in none', () => {
    const inside = [
      statistics('DistanceWalkingRunning', 0, 400, 'sum="1" unit="km"'),
      statistics('DistanceWalkingRunning', 400, 600, 'sum="0.5" unit="mi"'),
      statistics('HeartRate', 0, 400, 'average="120" minimum="90" maximum="140" unit="count/min"'),
      statistics('HeartRate', 400, 600, 'average="2.5" minimum="2" maximum="3" unit="count/s"'),
      `<WorkoutActivity startDate="${appleTime(startMs)}">${statistics('DistanceWalkingRunning', 0, 600, 'sum="9" unit="km"')}${event('Pause', 10)}</WorkoutActivity>`,
    ].join('')
    const { totals, recording } = parsed(workout({ inside }))
    expect(totals.distanceM).toBeCloseTo(1804.672, 6)
    expect(totals).toMatchObject({ avgHeartRateBpm: 130, minHeartRateBpm: 90, maxHeartRateBpm: 180 })
    expect(recording).toBeNull()
  })

  test('has pauses by button and by standing still; the last lasts to the end', () => {
    const events = { Resume: [5, 160], Pause: [100, 590], MotionPaused: [300], MotionResumed: [310] }
    const inside = Object.entries(events).flatMap(([type, times]) =>
      times.map((atS) => [atS, event(type, atS)] as const),
    )
    const records = [0, 500].map((s) =>
      appleRecord({ type: 'HeartRate', unit: 'count/min', value: 150, fromMs: startMs + s * 1000 }),
    )
    const { recording, totals } = parsed(
      workout({
        inside: inside
          .toSorted(([a], [b]) => a - b)
          .map(([, text]) => text)
          .join(''),
        attributes: 'duration="8.667" durationUnit="min"',
      }) + records,
    )
    const off = recording?.timerOffMs.map(([from, to]) => [(from - startMs) / 1000, (to - startMs) / 1000])
    expect(off).toEqual(pairs('100,160 300,310 590,600'))
    expect(totals.timerS).toBeCloseTo(520.02, 6)
  })

  test('climbed what it says, and is at the offset of its zone, else of its start, with a clock of 12 hours too', () => {
    const inside = entry('HKElevationAscended', '850 cm') + entry('HKTimeZone', 'America/New_York')
    expect(parsed(workout({ inside }))).toMatchObject({ totals: { elevGainM: 8.5 }, utcOffsetMinutes: -300 })
    expect(parsed(workout({ inside: entry('HKTimeZone', 'Nowhere/At All') })).utcOffsetMinutes).toBe(60)
    const xml = workout()
      .replace(appleTime(startMs), '2023-01-02 7:00:00 PM +0100')
      .replace(appleTime(startMs + 600_000), '2023-01-02 7:10:00 PM +0100')
    expect(parsed(xml)).toMatchObject({ startedAtMs: Date.UTC(2023, 0, 2, 18), totals: { elapsedS: 600 } })
  })
})

describe('the ZIP of a run of Apple Health', () => {
  const routes = { [`workout-routes/${routeName(RUN)}`]: appleRoute(RUN) }

  test('is read again from its parts', () => {
    const { recording, startedAtMs, external } = parsed(appleWorkout(RUN), routes)
    expect({ startedAtMs, n: recording?.n }).toEqual({ startedAtMs: startMs, n: 591 })
    expect(external).toEqual({ origin: 'apple_health', id: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('of another sport, or without a workout, is not a run', () => {
    const ride = appleWorkout(RUN).replace('TypeRunning', 'TypeCycling')
    expect(() => parsed(ride)).toThrow('The file is not a run: its sport is Cycling')
    expect(() => parsed('')).toThrow('The Apple Health export has no workout')
  })
})
