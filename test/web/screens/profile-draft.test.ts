import { expect, test } from 'bun:test'
import { bodyOf, draftOf, entryFault } from '../../../src/web/screens/settings/profile-draft.ts'
import type { TrainingProfile } from '../../../src/web/types.ts'

const nothing = { maxHeartRateBpm: null, restingHeartRateBpm: null, lthrBpm: null }
const entry = { ...nothing, from: null, thresholdPaceS: null, massKg: null, heightCm: null }
const stored = {
  ...{ sex: 'female', fitnessDays: 42, fatigueDays: 7, fitnessSeed: null, referenceHeartRateBpm: 141 },
  ...{ minRunsPerWeek: 3, paceZoneBorders: [330.4, 300, 280, 250] },
  entries: [
    { ...entry, maxHeartRateBpm: 187, thresholdPaceS: 265.4 },
    { ...entry, from: '2026-03-01', massKg: 61.3, heightCm: 171 },
  ],
} as unknown as TrainingProfile
const sent: object = stored

test.each(['metric', 'imperial'] as const)(
  'a profile keeps every digit of what was not touched, in %s units',
  (units) => {
    expect(bodyOf(draftOf(stored, units), stored, units)).toEqual(sent)
  },
)

test.each([
  ['thresholdPaceS', '4:5', 'Enter minutes and seconds, like 4:30'],
  ['thresholdPaceS', '4:60', 'Enter minutes and seconds, like 4:30'],
  ['thresholdPaceS', '1:30', 'Enter 2:00–15:00 /km'],
  ['maxHeartRateBpm', '250', 'Enter 100–240 bpm'],
  ['maxHeartRateBpm', '180.5', 'Enter a whole number'],
  ['massKg', '', null],
] as const)('of %s %p it says %p', (field, value, fault) => {
  expect(entryFault(field, value, 'metric')).toBe(fault)
})
