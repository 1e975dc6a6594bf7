// The wrapper of `bun run test`: the same tests, with the sum in a form that one line of a script can read.

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * The counts that `bun test` prints last. A file that could not be loaded, or an error between tests, counts as failed,
 * and so does a run that found no test or ended without its summary, since nothing was tested then.
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
  return { passed, skipped, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed }
}

/** The lines of tests that failed, each once, in their order. */
export function failuresOf(output: string): string[] {
  return [...new Set(output.split('\n').filter((line) => line.startsWith('(fail) ')))]
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

export function sumOf(summaries: readonly Summary[]): Summary {
  const total = (count: keyof Summary) => summaries.reduce((sum, summary) => sum + summary[count], 0)
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
}

/** Long, since a busy machine must not make tests fail. */
const TIMEOUT_MS = 120_000

/** @param print gets the output as it comes */
async function run(args: readonly string[], print: (text: string) => void): Promise<Summary> {
  const tests = Bun.spawn([process.execPath, 'test', `--timeout=${TIMEOUT_MS}`, ...args], {
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of tests.stderr) {
    const text = decoder.decode(chunk, { stream: true })
    print(text)
    output += text
  }
  return summaryOf(output, await tests.exited)
}

if (import.meta.main) {
  const heard: string[] = []
  const now = (text: string) => {
    heard.push(text)
    process.stderr.write(text)
  }
  const asked = process.argv.slice(2)
  const files = [...new Bun.Glob('**/*.test.{ts,tsx}').scanSync(import.meta.dir)].toSorted()
  const [first = [], ...others] =
    asked.length > 0 ? [asked] : lanes(files).map((lane) => lane.map((file) => `./test/${file}`))
  // the output of the others is printed after that of the first, so that lines are never mixed
  const texts: string[][] = others.map(() => [])
  const { passed, failed, skipped } = sumOf(
    await Promise.all([
      run(first, now),
      ...others.map((lane, index) => run(lane, (text) => void texts[index]?.push(text))),
    ]),
  )
  for (const text of texts.flat()) process.stderr.write(text)
  // repeated at the end, so that they are not overlooked
  for (const line of failuresOf([heard, ...texts].flat().join(''))) process.stderr.write(`${line}\n`)
  await Bun.write(Bun.stdout, `${skipped} skipped\n${passed} passed, ${failed} failed\n`)
  process.exit(failed > 0 ? 1 : 0)
}
