import { describe, expect, test } from 'bun:test'
import { fittedRoute } from '../../../src/engine/route/box.ts'
import { pictureFigures, profilePoints, textLines } from '../../../src/web/run/share-picture.ts'
import { sharedViewPath, sharedWords, shownWords } from '../../../src/web/share-words.ts'
import type { SharedView } from '../../../src/web/types.ts'

const VIEW: SharedView = {
  ...{ name: 'Round', date: '2026-11-22', time: null, notes: null, isTrimmed: false },
  ...{ distanceM: 12_345, timeS: 3930, paceS: 318, elevGainM: 120, avgHeartRateBpm: null },
  ...{ route: null, series: null, splits: [], photos: [] },
}
const NOTHING = { map: false, pace: false, heartRate: false, photos: false, notes: false, startTime: false }
const BOX = { x: 100, y: 50, width: 200, height: 100 }
/** Every letter is as wide as the others. */
const within = (letters: number) => (line: string) => [...line].length <= letters

describe('the picture of a shared run', () => {
  const figures = (change: Partial<SharedView>, units: 'metric' | 'imperial' = 'metric') =>
    pictureFigures({ ...VIEW, ...change }, units).map(([name, { value, unit }]) => `${name} ${value} ${unit}`.trim())

  test('has numbers in the units of the runner, without those that are not shown', () => {
    expect(figures({})).toEqual(['Distance 12.35 km', 'Time 1:05:30', 'Pace 5:18 /km', 'Climb 120 m'])
    expect(figures({}, 'imperial')).toEqual(['Distance 7.67 mi', 'Time 1:05:30', 'Pace 8:32 /mi', 'Climb 394 ft'])
    expect(figures({ paceS: null, elevGainM: null, avgHeartRateBpm: 141 })).toEqual([
      ...['Distance 12.35 km', 'Time 1:05:30', 'Heart rate 141 bpm'],
    ])
  })

  test.each([
    [3900, '1 h 5 min'],
    [7200, '2 h'],
    [2040, '34 min'],
    [0, '0 min'],
  ])('is as rough as what is left of a cut run: %d s', (timeS, time) => {
    expect(figures({ isTrimmed: true, distanceM: 12_300, timeS }).slice(0, 2)).toEqual([
      ...['Distance 12.3 km', `Time ${time}`],
    ])
  })

  test('has the route in its proportions in the middle of its box, also across the date line', () => {
    const { points } = fittedRoute(
      [
        [179.99, 60],
        [-179.99, 60],
        [-179.99, 60.01],
      ],
      BOX,
    )
    // at 60° a degree of longitude is half as long as one of latitude, so it is a square
    expect(points.map((point) => point.map(Math.round))).toEqual([
      [150, 150],
      [250, 150],
      [250, 50],
    ])
    const { points: still } = fittedRoute(
      [
        [8, 47],
        [8, 47],
      ],
      BOX,
    )
    expect(still).toEqual([
      [200, 100],
      [200, 100],
    ])
  })

  test('has faster paces and higher places above, and no profile of fewer than two values', () => {
    const distanceM = [0, 500, null, 1000]
    const of = (values: (number | null)[], isPace: boolean) => profilePoints(distanceM, values, BOX, isPace)
    expect(of([400, 600, 1, 500], false)).toEqual([
      [100, 150],
      [200, 50],
      [300, 100],
    ])
    expect(of([300, 400, 1, 350], true)).toEqual([
      [100, 50],
      [200, 150],
      [300, 100],
    ])
    // 4 m of 40 are no mountain
    expect(of([400, 404, 1, 402], false)?.map(([, y]) => y)).toEqual([105, 95, 100])
    expect(of([null, 404, 1, null], false)).toBeNull()
    expect(profilePoints(null, null, BOX, false)).toBeNull()
  })

  test.each([
    ['Round the lake', 2, 20, ['Round the lake']],
    ['Round the lake', 2, 10, ['Round the', 'lake']],
    ['Round the lake with the club', 2, 10, ['Round the', 'lake with…']],
    ['Donaudampfschifffahrt', 2, 10, ['Donaudampf', 'schifffah…']],
    ['👟👟👟👟', 1, 3, ['👟👟…']],
    ['', 2, 10, []],
  ])('cuts a long name: %s', (name, most, letters, lines) => {
    expect(textLines(name, most, within(letters))).toEqual(lines)
  })

  test('has no colour but those of the light theme', async () => {
    const read = (path: string) => Bun.file(new URL(`../../../src/web/${path}`, import.meta.url)).text()
    const light = [...(await read('theme.css')).matchAll(/light-dark\((#[\da-f]{6})/g)].map(([, ink]) => ink)
    const used = (await read('run/share-picture.ts')).match(/#[\da-f]{6}/g) ?? []
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((ink) => !light.includes(ink))).toEqual([])
  })
})

test('what a shared run shows, and for how long, in words', () => {
  expect(shownWords({ ...NOTHING, map: true, startTime: true })).toBe('Shows map, time of day')
  expect(shownWords(NOTHING)).toBe('Shows totals only')
  expect(sharedWords({ expiresAt: null })).toBe('Shared until withdrawn')
  expect(sharedWords({ expiresAt: '2026-12-30T12:00:00Z' })).toMatch(/^Shared until .*30.* 2026$|Dec 30, 2026$/)
  expect(sharedViewPath('a', { ...NOTHING, notes: true })).toBe(
    '/workouts/a/shared-view?map=false&pace=false&heartRate=false&photos=false&notes=true&startTime=false',
  )
})
