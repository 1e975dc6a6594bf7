/** @returns standard output @throws Error when the command fails */
export function run(command: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: { ...process.env, ...env } })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`)
  return stdout.toString()
}
