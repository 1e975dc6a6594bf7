// The wrapper of `bun run test`: the same tests, with the sum in a form that one line of a script can read.

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * The counts that `bun test` prints last. A file that could not be loaded, or an error between tests, counts as failed,
 * and so does a run that found nothing or ended without its summary: what was not tested has not passed.
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

if (import.meta.main) {
  const run = Bun.spawn([process.execPath, 'test', ...process.argv.slice(2)], { stdout: 'inherit', stderr: 'pipe' })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of run.stderr) {
    await Bun.write(Bun.stderr, chunk)
    output += decoder.decode(chunk, { stream: true })
  }
  const exitCode = await run.exited
  const { passed, failed, skipped } = summaryOf(output, exitCode)
  await Bun.write(Bun.stdout, `${skipped} skipped\n${passed} passed, ${failed} failed\n`)
  process.exit(failed > 0 && exitCode === 0 ? 1 : exitCode)
}
