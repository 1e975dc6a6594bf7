import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Summary, summaryOf } from './run.ts'

const FILE = `import { test } from 'bun:test'
import { corpusTest } from ${JSON.stringify(join(import.meta.dir, 'corpus.ts'))}
test('without the corpus', () => {})
corpusTest('with the corpus', () => {})
`

/** A test file with one test over the corpus and one without, run as the wrapper runs them. */
async function runWith(environment: Readonly<Record<string, string>>): Promise<Summary> {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-corpus-'))
  try {
    await Bun.write(join(folder, 'one.test.ts'), FILE)
    await Bun.write(join(folder, 'corpus/EXPECTED.json'), '{}')
    const { CORPUS_DIR: _, ...others } = process.env
    const env = { ...others, ...environment }
    const tests = Bun.spawn([process.execPath, 'test', 'one'], { cwd: folder, env, stdout: 'ignore', stderr: 'pipe' })
    const output = await new Response(tests.stderr).text()
    return summaryOf(output, await tests.exited)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.each([{}, { CI: 'true' }, { CORPUS_DIR: '' }])(
  'a test over the corpus is skipped with %j',
  async (environment) => {
    expect(await runWith(environment)).toEqual({ passed: 1, skipped: 1, failed: 0 })
  },
)

test('it fails where CORPUS_DIR names no corpus, and runs where it names one', async () => {
  expect(await runWith({ CORPUS_DIR: '/nowhere/corpus' })).toEqual({ passed: 1, skipped: 0, failed: 1 })
  expect(await runWith({ CORPUS_DIR: 'corpus' })).toEqual({ passed: 2, skipped: 0, failed: 0 })
})
