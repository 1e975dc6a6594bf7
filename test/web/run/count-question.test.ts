import { expect, test } from 'bun:test'
import { countQuestion } from '../../../src/web/run/tables/standing.ts'
import type { RankedEffort } from '../../../src/web/run/types.ts'

const effort = (distance: string, timeMs: number, behindBestMs: number): RankedEffort => ({
  ...{ distance, distanceM: 400, timeS: 57, timeMs, startS: 0, isPlausible: true, implausibleReason: null },
  ...{ isRecord: null, counts: true, isUnconfirmed: true, rankEver: 1, rankYear: 1, behindBestMs, best: null },
})

test('the question names each distance with its time and how much better it is', () => {
  const short = effort('400m', 57_200, -9_100)
  expect(countQuestion([short])).toBe('400 m in 0:57, 9\u00a0s better than ever. Count it?')
  expect(countQuestion([short, effort('1 mile', 300_000, -75_000)])).toBe(
    '400 m in 0:57, 9\u00a0s better than ever; 1 mile in 5:00, 1:15 better. Count them?',
  )
})
