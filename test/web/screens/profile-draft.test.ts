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

test.each([
  // a later date adds values and keeps the older ones; the date of an entry changes that entry
  ['2026-09-01', [null, '2026-03-01', '2026-09-01']],
  ['2026-03-01', [null, '2026-03-01']],
  ['', [null, '2026-03-01']],
] as const)('values valid from %p are stored with %p', (from, dates) => {
  const draft = draftOf(stored, 'metric')
  const body = bodyOf({ ...draft, entry: { ...draft.entry, from, maxHeartRateBpm: '190' } }, stored, 'metric')
  const { entries } = body as { entries: { from: string | null; maxHeartRateBpm: number | null }[] }
  expect(entries.map((entry) => entry.from)).toEqual([...dates])
  expect(entries.find((entry) => entry.from === (from === '' ? null : from))?.maxHeartRateBpm).toBe(190)
})
