import { expect, test } from 'bun:test'
import { previewText, takeoutOutcome } from '../../../src/web/import/outcomes.ts'
import type { TakeoutSummary } from '../../../src/web/types.ts'

const SUMMARY: TakeoutSummary = {
  ...{ kind: 'garmin_takeout', totalProcessed: 1205, successful: 816, skipped: 380, updated: 8, merged: 0, errors: 1 },
  ...{ errorDetails: [{ filename: 'a.fit', error: 'Broken' }], skippedOther: 74, ignored: 9000, shoesCreated: 7 },
  ...{ skippedSports: { ride: 61, swim: 12, other: 1 }, mediaImported: 0, receiptId: null, warnings: [] },
}
const PREVIEW = {
  firstRunAt: '2014-05-03T05:30:00Z',
  lastRunAt: '2025-11-20T06:00:00Z',
  runs: 1204,
  distanceM: 12_310_400,
  shoes: ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
}
const NOW_MS = Date.parse('2025-11-20T13:05:11Z')

test('the preview of an export is one sentence, and says what is known already', () => {
  const text = (more: object) => previewText({ ...SUMMARY, preview: { ...PREVIEW, ...more } }, 'metric', NOW_MS)
  expect(text({})).toBe(
    'Garmin export: 1,204 runs from May 2014 to today, 12,310\u00a0km, 7 pairs of shoes. 388 are already in your log.',
  )
  expect(text({ runs: 817, lastRunAt: '2020-02-01T06:00:00Z', shoes: [] })).toBe(
    'Garmin export: 817 runs from May 2014 to February 2020, 12,310\u00a0km. 1 is already in your log.',
  )
})

test('the outcome names other sports, new shoes and what failed', () => {
  expect(takeoutOutcome(SUMMARY)).toMatchObject({
    state: 'created',
    message:
      '816 imported, 8 updated, 380 duplicates, 1 failed, 7 pairs of shoes, 61 rides, 12 swims, 1 other activity skipped',
    details: [{ name: 'a.fit', reason: 'Broken' }],
  })
})
