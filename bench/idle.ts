import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFile, ownTarget } from '../test/process/built-file.ts'
import { filledLibrary } from './library.ts'
import { atRest, median, memoryText, startCommand, startServer, tell } from './server.ts'

const STARTS = 5
/** The work of a start, the sweep and the collection after it, is over by then. */
const STABLE_MS = 20_000

/** What the process costs while nobody asks it anything, how soon it answers, and how large the database is. */
export async function bench(sizes: readonly number[] = [5_000, 10_000]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
  const commands = [
    { name: 'sources', budgetMs: 300, command: await startCommand() },
    { name: 'one file', budgetMs: 100, command: [await builtFile(ownTarget!, folder)] },
  ]
  for (const workouts of sizes) {
    const dataDir = await filledLibrary(workouts)
    // a first start finds the ground of all runs
    const first = await startServer(dataDir)
    await atRest(first)
    await first.stop()
    const { size } = await stat(join(dataDir, 'harrier.sqlite'))
    console.log(`idle: ${workouts} stored one-hour runs, ${(size / workouts / 1000).toFixed(1)} KB each (budget 20)`)
    for (const { name, budgetMs, command } of commands) {
      const answers: number[] = []
      for (let i = 0; i < STARTS; i += 1) {
        const server = await startServer(dataDir, command)
        answers.push(server.firstAnswerMs)
        if (i === STARTS - 1) {
          await Bun.sleep(STABLE_MS)
          tell(`${name}, ${STABLE_MS / 1000} s after the start`, memoryText(await server.memory(), 40))
        }
        await server.stop()
      }
      const best = Math.min(...answers).toFixed(0)
      tell(`${name}, first answer`, `${best} ms at best, ${median(answers).toFixed(0)} as a rule (budget ${budgetMs})`)
    }
    await first.remove()
  }
  await rm(folder, { recursive: true, force: true })
}
