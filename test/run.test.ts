import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failedFiles, failuresOf, lanes, summaryOf, sumOf, withSecond } from './run.ts'

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
    expect(summaryOf('\n 0 pass\n 0 fail\n', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('one of the runs may skip all of its tests, as beside no watch files, but not all of them', () => {
    const skipping = summaryOf('\n 0 pass\n 4 skip\n 0 fail\n', 0)
    expect(skipping).toEqual({ passed: 0, failed: 0, skipped: 4 })
    expect(sumOf([skipping, summaryOf(CLOSING, 0)])).toEqual({ passed: 7, failed: 0, skipped: 5 })
    expect(sumOf([skipping, skipping])).toEqual({ passed: 0, failed: 1, skipped: 8 })
  })

  test('only the last sum counts, in colours as well', () => {
    const green = '\u001b[32m 5 pass\u001b[0m\n\u001b[31m 0 fail\u001b[0m\n'
    expect(summaryOf(` 99 pass\n 98 fail\n${green}`, 0)).toEqual({ passed: 5, failed: 0, skipped: 0 })
  })

  test('comes after what failed, each once with what it said', () => {
    const output =
      '(pass) a [1ms]\nerror: x\n  at b.ts:1\n(fail) b [2ms]\n(pass) c\n\n1 tests failed:\n(fail) b [2ms]\n'
    expect(failuresOf(output)).toEqual(['error: x\n  at b.ts:1\n(fail) b [2ms]'])
  })

  test('tests of the page that failed count by their second time', () => {
    const output =
      'test/page/a.test.ts:\n(pass) x\n\ntest/page/b.test.ts:\n(fail) y\n(fail) z\n\n2 tests failed:\n(fail) y\n(fail) z\n'
    expect(failedFiles(output)).toEqual(['test/page/b.test.ts'])
    const first = { passed: 7, failed: 2, skipped: 1 }
    expect(withSecond(first, { passed: 4, failed: 0, skipped: 0 })).toEqual({ passed: 9, failed: 0, skipped: 1 })
    expect(withSecond(first, { passed: 3, failed: 1, skipped: 0 })).toEqual({ passed: 8, failed: 1, skipped: 1 })
    expect(withSecond(first, summaryOf('Segmentation fault', 139)).failed).toBe(1)
  })

  test('is that of all runs, in which each file is once', () => {
    const files = [
      'app.test.ts',
      'page/a.test.ts',
      'page/z.test.ts',
      'archive/kill.test.ts',
      'archive/restore.test.ts',
      'receipts/kills.test.ts',
      'web/page/b.test.ts',
    ]
    expect(lanes(files)).toEqual([
      ['app.test.ts', 'web/page/b.test.ts'],
      ['page/a.test.ts'],
      ['page/z.test.ts'],
      ['archive/kill.test.ts', 'receipts/kills.test.ts'],
      [],
      ['archive/restore.test.ts'],
    ])
    const [one, two] = [summaryOf(CLOSING, 0), summaryOf('', 1)]
    expect(sumOf([one, two])).toEqual({ passed: 7, failed: 1, skipped: 1 })
  })
})

test('what failed and the sum arrive whole where the reader is slow', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-run-'))
  try {
    const loud = `import { test } from 'bun:test'
      test('is loud', () => {
        for (let line = 0; line < 20_000; line += 1) console.error('x'.repeat(100))
        throw new Error('too loud')
      })`
    writeFileSync(join(folder, 'loud.test.ts'), loud)
    const command = '"$1" "$2" ./loud.test.ts 2>&1 | (sleep 1; cat)'
    const args = ['sh', '-c', command, 'sh', process.execPath, join(import.meta.dir, 'run.ts')]
    const lines = Bun.spawnSync(args, { cwd: folder }).stdout.toString().trimEnd().split('\n')
    expect(lines.filter((line) => line === 'x'.repeat(100)).length).toBeGreaterThanOrEqual(20_000)
    expect(lines.at(-3)).toStartWith('(fail) is loud')
    expect(lines.slice(-2)).toEqual(['0 skipped', '0 passed, 1 failed'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('what a change must pass', () => {
  /** `.ci/run` in a folder by itself, with a stand-in for everything that it runs. */
  function ci({
    hasCorpus,
    environment = {},
    fails = '',
  }: Readonly<{ hasCorpus: boolean; environment?: object; fails?: string }>) {
    const home = mkdtempSync(join(tmpdir(), 'harrier-ci-'))
    try {
      mkdirSync(join(home, 'clone/.ci'), { recursive: true })
      if (hasCorpus) mkdirSync(join(home, 'shared/corpus'), { recursive: true })
      cpSync(join(import.meta.dir, '../.ci/run'), join(home, 'clone/.ci/run'))
      const stand = `#!/bin/sh
        shift 2
        case "$*" in
          "run test") echo "corpus is \${CORPUS_DIR-unset}"; echo "3 skipped"; echo "5 passed, 0 failed" ;;
          "run \${FAILS}"*) exit 1 ;;
        esac`
      writeFileSync(join(home, 'npx'), stand, { mode: 0o700 })
      const { CORPUS_DIR: _, ...others } = process.env
      const env = { ...others, ...environment, FAILS: fails || 'nothing', PATH: `${home}:${process.env.PATH}` }
      const run = Bun.spawnSync([join(home, 'clone/.ci/run')], { env })
      return { code: run.exitCode, lines: run.stdout.toString().trim().split('\n') }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }

  test('is green in a clone with nothing beside it, and ends with the sum of the tests', () => {
    const { code, lines } = ci({ hasCorpus: false })
    expect(code).toBe(0)
    expect(lines).toContain('corpus is unset')
    expect(lines.slice(-2)).toEqual(['3 skipped', '5 passed, 0 failed'])
  })

  test('takes the corpus beside the clone, unless another one is named', () => {
    expect(ci({ hasCorpus: true }).lines).toContain('corpus is ../shared/corpus')
    const environment = { CORPUS_DIR: '/elsewhere' }
    expect(ci({ hasCorpus: true, environment }).lines).toContain('corpus is /elsewhere')
    expect(ci({ hasCorpus: false, environment }).lines).toContain('corpus is /elsewhere')
  })

  test.each(['types', 'lint', 'fuzz', 'soak'])('fails with %s', (fails) => {
    const { code, lines } = ci({ hasCorpus: false, fails })
    expect([code, lines.at(-1)]).toEqual([1, '5 passed, 0 failed'])
    expect(lines).toContain('Something above failed')
  })
})
