import { expect, test } from 'bun:test'
import { counted, number } from '../../../src/web/format.ts'
import { countsText, restoreOutcome, stravaOutcome } from '../../../src/web/import/outcomes.ts'
import { countsText as receiptText } from '../../../src/web/screens/history/words.ts'

const MANY = 12_500
const many = new Intl.NumberFormat().format(MANY)
const SUMMARY = {
  ...{ totalProcessed: MANY, successful: MANY, skipped: MANY, updated: MANY, errors: MANY, errorDetails: [] },
  ...{ receiptId: null, shoesFound: [] },
}

test('large counts of an import are grouped in the language of the reader, as everywhere', () => {
  expect([number(MANY), counted(MANY, 'run')]).toEqual([many, `${many} runs`])
  const stated = `${many} imported, ${many} updated, ${many} duplicates, ${many} failed`
  expect(countsText({ imported: MANY, completed: MANY, here: MANY, failed: MANY })).toBe(stated)
  const strava = stravaOutcome({
    ...{ ...SUMMARY, mediaImported: MANY, skippedOther: MANY, skippedSports: { ride: MANY }, warnings: [] },
  })
  expect(strava.message).toBe(`${stated}, ${many} photos and videos, ${many} rides skipped`)
})

test('so are those of a restore and of a receipt', () => {
  const none = { imported: 0, skipped: 0, errors: 0 }
  const { message } = restoreOutcome({
    ...{ success: true, importedAt: '2025-11-20T13:05:11Z', warnings: [], errors: [], receiptId: null },
    statistics: {
      ...{ settings: none, shoes: none, routes: none, splits: none, timeSeries: none, media: none, rawFiles: none },
      ...{ bestEfforts: none, workouts: { imported: MANY, skipped: MANY, errors: MANY } },
    },
  } as unknown as Parameters<typeof restoreOutcome>[0])
  expect(message).toBe(`${many} runs restored, ${many} duplicates, ${many} failed`)
  const counts = { created: MANY, skipped: MANY, updated: 0, merged: 0, changed: 0, deleted: 0, ignored: 0, errors: 0 }
  expect(receiptText({ kind: 'import', counts })).toBe(`${many} added, ${many} duplicates`)
})
