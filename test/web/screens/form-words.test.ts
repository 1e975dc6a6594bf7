import { expect, test } from 'bun:test'
import { roomWords, wholeFatigue } from '../../../src/web/screens/training/words.ts'

const NONE = { restDaysToFormZero: null, load: 0, weekToUsual: 1.1 }
const room = (...ends: readonly [load: number, minutes: number | null][]) =>
  ends.map(([load, minutes], at) => ({ formShare: [-0.1, -0.3][at]!, load, minutes }))

test('today has room for a range of easy minutes, outwards to whole fives', () => {
  expect(roomWords({ ...NONE, room: room([54, 51], [106, 99]) })).toBe('About 50–100 min easy keeps you building.')
  expect(roomWords({ ...NONE, room: room([0, 0], [33, 31]) })).toBe('Up to 35 min easy keeps you building.')
})

test('what was run today is taken off', () => {
  const now = { ...NONE, load: 30, room: room([60, 60], [120, 120]) }
  expect(roomWords(now)).toBe('Another 30–90 min easy keeps you building.')
  expect(roomWords({ ...now, load: 90 })).toBe('Up to another 30 min easy keeps you building.')
  expect(roomWords({ ...now, load: 130 })).toBe('A load of 60–120 today (130 so far) keeps you in the building range.')
})

test('without enough easy runs the load is shown, and nothing without room', () => {
  const words = 'A load of 54–106 today keeps you in the building range.'
  expect(roomWords({ ...NONE, room: room([54, null], [106, null]) })).toBe(words)
  expect(roomWords({ ...NONE, room: room([0, null], [0, null]) })).toBe('')
  const rested = { load: 0, restDaysToFormZero: 2, weekToUsual: null, room: room([0, 0], [0, 0]) }
  expect(roomWords(rested)).toBe('Two rest days would bring form back to 0.')
})

test('after much more than usual no sentence asks for building', () => {
  const words = roomWords({ ...NONE, weekToUsual: 2.34, restDaysToFormZero: 3, room: room([54, 51], [106, 99]) })
  expect(words).toBe(
    'Your last 7 days were well above your usual load: rest or run easy. Three rest days would bring form back to 0.',
  )
})

test('whole form is whole fitness minus whole fatigue', () => {
  // 36.4 − 48.6 = −12.2, where each rounded for itself would read 36 − 49 = −12
  for (const [fitness, form] of [
    [36.4, -12.2],
    [36.6, -12.6],
    [0.4, 0],
  ] as const)
    expect(Math.round(fitness) - wholeFatigue(fitness, form)).toBe(Math.round(form))
})
