// The wrapper of `bun run test`: the same tests on all processors, with the sum in a form that one line of a script can read.
// `bun run test` leaves out files named *.slow.test.ts (browsers, kills, whole processes); `bun run test all` runs everything;
// anything else goes to `bun test` as it is.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFile, ownTarget } from './process/built-file.ts'

/**
 * Code is compiled to the last stage only when it runs several times as often as is usual: most code of tests does not run
 * often enough to regain the time that this takes. Servers that tests start do not get it.
 */
const COMPILER = {
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '400000',
  BUN_JSC_thresholdForFTLOptimizeSoon: '20000',
}
/** Most lines of what a failed test said that are repeated at the end, so that it is not overlooked. */
const MOST_LINES = 40
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

/** What failed, each with what was said before it and since the last result. */
function failures(output: string): string[] {
  const found: string[] = []
  let said: string[] = []
  for (const line of output.split('\n')) {
    said.push(line)
    if (/^\((?:pass|skip|todo)\) /.test(line)) said = []
    else if (/^(?:\(fail\) |✗ |# Unhandled error)/.test(line)) found.push(said.splice(0).slice(-MOST_LINES).join('\n'))
  }
  return found
}

/** Of the summary that `bun test` prints last: `12 pass`, `1 fail`, `2 errors`. */
function count(output: string, word: string): number {
  const lines = output.split('\n')
  return Number.parseInt(lines.findLast((line) => new RegExp(`^\\s*\\d+ ${word}s?$`).test(line.trimEnd())) ?? '0', 10)
}

const folder = folderInMemory()
if (folder !== null) {
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}
const asked = process.argv.slice(2)
const isAll = asked[0] === 'all'
const rest = isAll ? asked.slice(1) : asked
const isWhole = rest.every((argument) => argument.startsWith('-'))
if (isWhole && isAll) {
  // the hundreds of processes that tests start are ready, and have answered, in half the time of the sources
  const at = mkdtempSync(join(tmpdir(), 'harrier-built-'))
  const built = ownTarget && (await builtFile(ownTarget, at).catch((error: unknown) => console.error(error)))
  if (built && Bun.spawnSync([built, '--version']).success) process.env.BUILT_PROGRAM = built
}
const tier = isAll ? [] : ['--path-ignore-patterns=**/*.slow.test.*']
const parallel = [`--parallel=${availableParallelism() + 1}`, '--no-isolate', '--timings=test/timings.json', ...tier]
// long, since a busy machine must not make tests fail
const command = [process.execPath, 'test', '--timeout=120000', ...(isWhole ? parallel : []), ...rest]
const tests = Bun.spawn(command, { env: { ...COMPILER, ...process.env }, stdout: 'inherit', stderr: 'pipe' })
let output = ''
const decoder = new TextDecoder()
for await (const chunk of tests.stderr) {
  const text = decoder.decode(chunk, { stream: true })
  output += text
  await Bun.write(Bun.stderr, text)
}
const code = await tests.exited
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
output = output.replace(/\u001b\[[0-9;]*m/g, '')
for (const failure of failures(output)) await Bun.write(Bun.stderr, `${failure}\n`)
const passed = count(output, 'pass')
// a file that could not be loaded counts as failed, and so does a run that found no test or ended without its summary
const failed = count(output, 'fail') + count(output, 'error') || Number(code !== 0 || passed === 0)
await Bun.write(
  Bun.stdout,
  `${count(output, 'skip') + count(output, 'todo')} skipped\n${passed} passed, ${failed} failed\n`,
)
process.exit(failed > 0 ? 1 : 0)
