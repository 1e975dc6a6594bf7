// bun run dev: serves from the sources and restarts when one of them changes. `bun --watch` follows only the imports of the
// process itself, not the files of the Worker, nor those of the page, which another process bundles. `bun --hot` fails at
// the lock of the data folder.
import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** Changes within this time cause one restart: editors write files in several steps, and Git changes many at once. */
const CALM_MS = 100

/**
 * Runs a program until this process is told to stop. When a file in its folder or below changes, the program is ended as
 * by Ctrl+C and started anew. One that ends by itself, such as for an error in what was just written, waits for the next
 * change.
 * @param entry path of its first file
 */
export function runAnew(entry: string): { stop(): Promise<void> } {
  const start = () => Bun.spawn([process.execPath, entry], { stdio: ['inherit', 'inherit', 'inherit'] })
  let program = start()
  let calm: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const end = async () => {
    program.kill('SIGTERM')
    await program.exited
  }
  const restart = async () => {
    await end()
    if (!isStopped) program = start()
  }
  let restarts = Promise.resolve()
  const watcher: FSWatcher = watch(dirname(entry), { recursive: true }, () => {
    clearTimeout(calm)
    calm = setTimeout(() => (restarts = restarts.then(restart)), CALM_MS)
  })
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(calm)
      watcher.close()
      await restarts
      await end()
    },
  }
}

if (import.meta.main) {
  const running = runAnew(process.argv[2] ?? join(import.meta.dir, '../src/main.ts'))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void running.stop().then(() => process.exit(0)))
  }
}
