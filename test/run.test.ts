import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failuresOf, lanes, summaryOf, sumOf } from './run.ts'

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

  test('comes after the names of what failed, each once', () => {
    const output = '(pass) a [1ms]\n(fail) b [2ms]\nerror: x\n\n1 tests failed:\n(fail) b [2ms]\n'
    expect(failuresOf(output)).toEqual(['(fail) b [2ms]'])
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
