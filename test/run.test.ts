import { describe, expect, test } from 'bun:test'
import { lanes, summaryOf, sumOf } from './run.ts'

const CLOSING = `
 7 pass
 1 skip
 0 fail
 7 expect() calls
Ran 8 tests across 2 files. [311.00ms]
`

describe('the sum of a test run', () => {
  test('counts what passed, failed and was skipped', () => {
    expect(summaryOf(CLOSING, 0)).toEqual({ passed: 7, failed: 0, skipped: 1 })
    expect(summaryOf(CLOSING.replace('0 fail', '2 fail'), 1)).toEqual({ passed: 7, failed: 2, skipped: 1 })
  })

  test('a file that could not be loaded has failed', () => {
    expect(summaryOf(CLOSING.replace(' 0 fail', ' 0 fail\n 1 error'), 1)).toEqual({ passed: 7, failed: 1, skipped: 1 })
  })

  test('a run that died without a sum, or found nothing, has failed', () => {
    expect(summaryOf('Segmentation fault', 139).failed).toBe(1)
    expect(summaryOf(CLOSING, 3).failed).toBe(1)
    expect(summaryOf('\n 0 pass\n 4 skip\n 0 fail\n', 0)).toEqual({ passed: 0, failed: 1, skipped: 4 })
  })

  test('only the last sum counts, in colours as well', () => {
    const green = '\u001b[32m 5 pass\u001b[0m\n\u001b[31m 0 fail\u001b[0m\n'
    expect(summaryOf(` 99 pass\n 98 fail\n${green}`, 0)).toEqual({ passed: 5, failed: 0, skipped: 0 })
  })

  test('is that of all runs, in which each file is once', () => {
    const files = [
      'app.test.ts',
      'page/a.test.ts',
      'archive/kill.test.ts',
      'archive/restore.test.ts',
      'receipts/kills.test.ts',
      'web/page/b.test.ts',
    ]
    expect(lanes(files)).toEqual([
      ['app.test.ts', 'archive/restore.test.ts', 'web/page/b.test.ts'],
      ['page/a.test.ts'],
      ['archive/kill.test.ts', 'receipts/kills.test.ts'],
    ])
    const [one, two] = [summaryOf(CLOSING, 0), summaryOf('', 1)]
    expect(sumOf([one, two])).toEqual({ passed: 7, failed: 1, skipped: 1 })
  })
})
