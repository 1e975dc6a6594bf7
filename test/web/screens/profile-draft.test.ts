import { describe, expect, test } from 'bun:test'
import { blankEntry, bodyOf, draftFault, draftOf, entryFault } from '../../../src/web/screens/settings/profile-draft.ts'
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

describe('a profile that is typed', () => {
  test.each(['metric', 'imperial'] as const)('keeps every digit of what was not touched, in %s units', (units) => {
    expect(bodyOf(draftOf(stored, units), stored, units)).toEqual(sent)
  })

  test('is read in the units of the reader', () => {
    const draft = draftOf(stored, 'imperial')
    expect(draft.entries[0]?.thresholdPaceS).toBe('7:07')
    const entries = [
      { ...draft.entries[0]!, thresholdPaceS: '8:00' },
      { ...draft.entries[1]!, massKg: '150' },
    ]
    const body = bodyOf({ ...draft, entries, sex: 'unsaid' }, stored, 'imperial')
    expect(body).toMatchObject({ sex: null, entries: [{ thresholdPaceS: 298.3 }, { massKg: 68, heightCm: 171 }] })
  })

  test('has no empty entries, and begins with one to fill in', () => {
    const draft = draftOf({ ...stored, entries: [] }, 'metric')
    expect(draft.entries).toEqual([blankEntry(0, '')])
    const entries = [...draft.entries, { ...blankEntry(1, '2026-05-01'), lthrBpm: '170' }]
    const body = bodyOf({ ...draft, entries }, { ...stored, entries: [] }, 'metric')
    expect(body).toMatchObject({ entries: [{ ...entry, from: '2026-05-01', lthrBpm: 170 }] })
  })

  test('names impossible values', () => {
    expect(entryFault('thresholdPaceS', '4:5', 'metric')).toBe('Enter minutes and seconds, like 4:30')
    expect(entryFault('thresholdPaceS', '1:30', 'metric')).toBe('Enter 2:00–15:00 /km')
    expect(entryFault('maxHeartRateBpm', '250', 'metric')).toBe('Enter 100–240 bpm')
    expect(entryFault('maxHeartRateBpm', '180.5', 'metric')).toBe('Enter a whole number')
    expect(entryFault('massKg', '', 'imperial')).toBeNull()
    const draft = draftOf(stored, 'metric')
    expect(draftFault(draft, 'metric')).toBeNull()
    expect(draftFault({ ...draft, paceZoneBorders: ['5:30', '', '', ''] }, 'metric')).toBe(
      'Enter limits as paces, like 5:10',
    )
    expect(entryFault('thresholdPaceS', '4:60', 'metric')).toBe('Enter minutes and seconds, like 4:30')
  })
})
