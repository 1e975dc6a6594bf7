import { spawnSync } from 'node:child_process'

/** Python's zipfile is the witness from outside for both directions. */
export const hasPython = spawnSync('python3', ['-c', 'import zipfile']).status === 0
export const hasUnzip = spawnSync('unzip', ['-v']).status === 0

/** What a Python program prints, given as JSON. */
export function python(program: string, ...args: readonly string[]): unknown {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`python3 ended with ${status}: ${stderr}`)
  return stdout === '' ? null : JSON.parse(stdout)
}
