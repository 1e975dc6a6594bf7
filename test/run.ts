// The wrapper of `bun run test`: the same tests, with the sum in a form that one line of a script can read.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFile, ownTarget } from './process/built-file.ts'

/** By its name a test of a browser, of a whole process, of hundreds of runs or of many random steps: only `all` and `ci` run it. */
const SLOW = /\.slow\.test\.tsx?$/
/**
 * Slow ones that `ci` leaves out, since it is long without them: `all` runs them, before a release and after a change of
 * what they hold.
 */
const LONG: readonly string[] = [
  ...['library/properties', 'process/bombs', 'process/clients', 'process/disk-full', 'process/kills', 'process/verify'],
  ...['page/again', 'page/away', 'page/history', 'page/list', 'page/races', 'page/records', 'page/requests'],
  ...['page/run-phone', 'page/seasons'],
].map((name) => `${name}.slow.test.ts`)
/** Slow files of one process: few, so that all processors end at the same time. */
const SLOW_AT_ONCE = 4
/** One more process at a time than there are processors, since browsers and processes also wait. */
const PROCESSES = availableParallelism() + 1
/** Since each loads and warms up the program, processes of the fast files are few: none has less than this part of them. */
const LEAST_PART = 1 / (12 * PROCESSES)
/** Distance in the list of files that run after each other. */
const SPREAD = 12
/**
 * Code is compiled to the last stage only when it runs several times as often as is usual: most code of tests does not run
 * often enough to regain the time that this takes. Servers that tests start do not get it.
 */
const COMPILER = {
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '400000',
  BUN_JSC_thresholdForFTLOptimizeSoon: '20000',
}
/** Long, since a busy machine must not make tests fail. */
const TIMEOUT_MS = 120_000
/** Most lines of what a failed test said that are repeated at the end. */
const MAX_SAID_LINES = 40

interface Ran {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What tests that failed said last, and their lines. */
  readonly failures: readonly string[]
}

/**
 * Sets of files, each for a process of its own; the slow ones and a browser's first. Files of a folder, which are alike, are
 * spread over the others, and these become smaller, so that all processes end at the same time.
 */
function groupsOf(files: readonly string[]): string[][] {
  const isLong = (file: string) => SLOW.test(file) || file.startsWith('page/')
  const slow = files.filter(isLong)
  const inOrder = files.filter((file) => !isLong(file))
  const fast = Array.from({ length: SPREAD }, (_, k) => inOrder.filter((__, at) => at % SPREAD === k)).flat()
  const groups: string[][] = []
  while (slow.length > 0) groups.push(slow.splice(0, SLOW_AT_ONCE))
  const least = inOrder.length * LEAST_PART
  while (fast.length > 0) groups.push(fast.splice(0, Math.ceil(Math.max(least, fast.length / (3 * PROCESSES)))))
  return groups
}

/** @param isShown whether the output is shown as it comes */
async function run(args: readonly string[], isShown: boolean): Promise<Ran> {
  const tests = Bun.spawn([process.execPath, 'test', `--timeout=${TIMEOUT_MS}`, ...args], {
    env: { ...COMPILER, ...process.env },
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of tests.stderr) {
    const text = decoder.decode(chunk, { stream: true })
    if (isShown) await say(text)
    output += text
  }
  const ran = ranOf(output, await tests.exited)
  // at once, so that the lines of two processes are never mixed
  if (!isShown) await say(output)
  return ran
}

/**
 * The counts that `bun test` prints last. A file that could not be loaded, or an error between tests, counts as failed,
 * and so does a run that found no test or ended without its summary.
 */
function ranOf(output: string, exitCode: number): Ran {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  const lines = output.replace(/\u001b\[[0-9;]*m/g, '').split('\n')
  const count = (word: string) => {
    const line = lines.findLast((candidate) => new RegExp(`^\\s*\\d+ ${word}s?$`).test(candidate.trimEnd()))
    return line === undefined ? 0 : Number.parseInt(line, 10)
  }
  const [passed, skipped] = [count('pass'), count('skip') + count('todo')]
  const failed = count('fail') + count('error')
  const isBroken = failed === 0 && (exitCode !== 0 || passed + skipped === 0)
  return { passed, skipped, failed: isBroken ? 1 : failed, failures: failuresOf(lines) }
}

/** Each test once, in their order. */
function failuresOf(lines: readonly string[]): string[] {
  const failures = new Map<string, string>()
  let said: string[] = []
  for (const line of lines) {
    said.push(line)
    if (!/^\((?:pass|fail|skip|todo)\) /.test(line)) continue
    if (line.startsWith('(fail) ') && !failures.has(line)) failures.set(line, said.slice(-MAX_SAID_LINES).join('\n'))
    said = []
  }
  return [...failures.values()]
}

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
  return mkdtempSync(`${SHARED_MEMORY}/harrier-test-`)
}

/** Ends once the text is written: what `process.stderr` has not given to a slow pipe is lost when the process exits. */
const say = (text: string) => Bun.write(Bun.stderr, text)

async function runAll(files: readonly string[]): Promise<Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-built-'))
  // the hundreds of processes that tests start are ready, and have answered, in half the time of the sources
  const built = ownTarget && (await builtFile(ownTarget, folder).catch((error: unknown) => void say(`${error}\n`)))
  if (built && Bun.spawnSync([built, '--version']).success) process.env.BUILT_PROGRAM = built
  const groups = groupsOf(files)
  const ran: Ran[] = []
  const worker = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const paths = group.map((file) => `./test/${file}`)
      ran.push(await run(paths, false))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, worker))
  rmSync(folder, { recursive: true, force: true })
  return ran
}

const folder = folderInMemory()
if (folder !== null) {
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}
const asked = process.argv.slice(2)
const tier = asked.length === 1 ? asked[0] : undefined
const isAll = tier === 'all' || tier === 'ci'
const files = [...new Bun.Glob('**/*.test.{ts,tsx}').scanSync(import.meta.dir)].toSorted()
const ran =
  asked.length > 0 && !isAll
    ? [await run(asked, true)]
    : await runAll(files.filter((file) => (isAll ? tier === 'all' || !LONG.includes(file) : !SLOW.test(file))))
const sum = (count: 'passed' | 'failed' | 'skipped') => ran.reduce((total, one) => total + one[count], 0)
const failed = sum('passed') + sum('failed') === 0 ? 1 : sum('failed')
// repeated at the end, so that they are not overlooked
for (const failure of ran.flatMap(({ failures }) => failures)) await say(`${failure}\n`)
await Bun.write(Bun.stdout, `${sum('skipped')} skipped\n${sum('passed')} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
