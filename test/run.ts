// The wrapper of `bun run test`: the same tests, with the sum in a form that one line of a script can read.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * The counts that `bun test` prints last. A file that could not be loaded, or an error between tests, counts as failed,
 * and so does a run that found no test or ended without its summary.
 * @param output standard error of `bun test`
 * @param exitCode of the same run
 */
export function summaryOf(output: string, exitCode: number): Summary {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  const lines = output.replace(/\u001b\[[0-9;]*m/g, '').split('\n')
  const count = (word: string) => {
    const line = lines.findLast((candidate) => new RegExp(`^\\s*\\d+ ${word}s?$`).test(candidate.trimEnd()))
    return line === undefined ? 0 : Number.parseInt(line, 10)
  }
  const [passed, skipped] = [count('pass'), count('skip') + count('todo')]
  const failed = count('fail') + count('error')
  return { passed, skipped, failed: failed === 0 && (exitCode !== 0 || passed + skipped === 0) ? 1 : failed }
}

/** Most lines of what a failed test said that are repeated at the end. */
const MAX_SAID_LINES = 40

/** What tests that failed said last, and their lines; each test once, in their order. */
export function failuresOf(output: string): string[] {
  const failures = new Map<string, string>()
  let said: string[] = []
  for (const line of output.split('\n')) {
    said.push(line)
    if (!/^\((?:pass|fail|skip|todo)\) /.test(line)) continue
    if (line.startsWith('(fail) ') && !failures.has(line)) failures.set(line, said.slice(-MAX_SAID_LINES).join('\n'))
    said = []
  }
  return [...failures.values()]
}

/** The files in which tests failed, as `bun test` heads their lines. */
export function failedFiles(output: string): string[] {
  const files = new Set<string>()
  let file: string | undefined
  for (const line of output.split('\n')) {
    file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1] ?? file
    if (/^\d+ tests? failed:$/.test(line)) break
    if (line.startsWith('(fail) ') && file !== undefined) files.add(file)
  }
  return [...files]
}

/** The sum when the tests that failed were run again. */
export function withSecond(first: Summary, second: Summary): Summary {
  const failed = Math.min(first.failed, second.failed)
  return { ...first, passed: first.passed + first.failed - failed, failed }
}

/** Each of these kinds runs separately: tests of the browser and of processes mostly wait, the last one computes longest. */
const APART = [
  /^page\/[a-p]/,
  /^page\//,
  /^process\/|(?:^|\/)kills?\.|^archive\/(?:disk-full|strava-process)|^events\/connection/,
  /^library\/properties/,
]

/** The test files of each of the parallel runs. */
export function lanes(files: readonly string[]): readonly (readonly string[])[] {
  const kindOf = (file: string) => APART.findIndex((kind) => kind.test(file))
  const apart = APART.map((_, kind) => files.filter((file) => kindOf(file) === kind))
  const computing = files.filter((file) => !apart.flat().includes(file))
  return [computing.filter((_, index) => index % 2 === 0), ...apart, computing.filter((_, index) => index % 2 === 1)]
}

/** Nothing passed counts as failed, since nothing was tested then. */
export function sumOf(summaries: readonly Summary[]): Summary {
  const total = (count: keyof Summary) => summaries.reduce((sum, summary) => sum + summary[count], 0)
  const [passed, failed] = [total('passed'), total('failed')]
  return { passed, failed: passed + failed === 0 ? 1 : failed, skipped: total('skipped') }
}

/** Long, since a busy machine must not make tests fail. */
const TIMEOUT_MS = 120_000

const SHARED_MEMORY = '/dev/shm'
/** Several times what all tests together keep at once. */
const ROOM_BYTES = 8 * 1024 ** 3

/**
 * A folder in memory for what tests write, where there is room: a disk takes milliseconds for each of thousands of syncs,
 * in which nothing is computed. A TMPDIR that is set stays.
 */
function folderInMemory(): string | null {
  if (process.env.TMPDIR !== undefined || !existsSync('/proc/mounts')) return null
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , type, options = ''] =
    mounts.map((line) => line.split(' ')).findLast(([, at]) => at === SHARED_MEMORY) ?? []
  // the single file is built there, and started
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return null
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES) return null
  const folder = mkdtempSync(`${SHARED_MEMORY}/harrier-test-`)
  // as the system's own folder: a service that runs as somebody else finds its data there
  chmodSync(folder, 0o1777)
  return folder
}

interface Ran {
  readonly summary: Summary
  readonly output: string
}

/** @param print gets the output as it comes, and is waited for */
async function run(args: readonly string[], print: (text: string) => Promise<unknown> | undefined): Promise<Ran> {
  const tests = Bun.spawn([process.execPath, 'test', `--timeout=${TIMEOUT_MS}`, ...args], {
    env: process.env,
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of tests.stderr) {
    const text = decoder.decode(chunk, { stream: true })
    await print(text)
    output += text
  }
  return { summary: summaryOf(output, await tests.exited), output }
}

/** Ends once the text is written: what `process.stderr` has not given to a slow pipe is lost when the process exits. */
const say = (text: string) => Bun.write(Bun.stderr, text)

/**
 * Tests of the page that failed, a second time, with nothing beside them: a browser on a busy machine may be late where
 * no wrong answer is. What passes only then is told. A test that fails twice has failed, and so has any other that fails.
 */
async function secondTime({ summary, output }: Ran): Promise<Ran> {
  const files = failedFiles(output).filter((file) => file.includes('test/page/'))
  const isWhole = /^Ran \d+ tests? across /m.test(output)
  if (!isWhole || files.length === 0 || files.length < failedFiles(output).length) return { summary, output }
  await say(`\nOnce more, with nothing beside them: ${files.join(', ')}\n`)
  const again = await run(
    files.map((file) => `./${file}`),
    say,
  )
  for (const failure of failuresOf(output)) await say(`At first:\n${failure}\n`)
  return { summary: withSecond(summary, again.summary), output: again.output }
}

if (import.meta.main) {
  const folder = folderInMemory()
  if (folder !== null) {
    process.env.TMPDIR = folder
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  }
  const asked = process.argv.slice(2)
  const files = [...new Bun.Glob('**/*.test.{ts,tsx}').scanSync(import.meta.dir)].toSorted()
  const [first = [], ...others] =
    asked.length > 0 ? [asked] : lanes(files).map((lane) => lane.map((file) => `./test/${file}`))
  // the output of the others is printed after that of the first, so that lines are never mixed
  const ran = await Promise.all([run(first, say), ...others.map((lane) => run(lane, () => undefined))])
  for (const { output } of ran.slice(1)) await say(output)
  const ended: Ran[] = []
  for (const lane of ran) ended.push(asked.length > 0 ? lane : await secondTime(lane))
  const { passed, failed, skipped } = sumOf(ended.map(({ summary }) => summary))
  // repeated at the end, so that they are not overlooked
  for (const failure of failuresOf(ended.map(({ output }) => output).join(''))) await say(`${failure}\n`)
  await Bun.write(Bun.stdout, `${skipped} skipped\n${passed} passed, ${failed} failed\n`)
  process.exit(failed > 0 ? 1 : 0)
}
