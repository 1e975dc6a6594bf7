/**
 * What this thread works in `task`, milliseconds: of a busy machine's clock, only the part that is its own.
 * @throws what `task` throws
 */
export function workedMs(task: () => void): number {
  const before = process.threadCpuUsage()
  task()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
