import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFile } from '../test/process/built-file.ts'
import { atRest } from './against-library.ts'
import { memoryText, startCommand, startServer } from './server.ts'
import { fillLibrary } from './stats.ts'

const STARTS = 5
/** The work of a start, the sweep and the collection after it, is over by then. */
const STABLE_MS = 20_000

/** What the process costs while nobody asks it anything, how soon it answers, and how large the database is. */
export async function benchIdle(): Promise<void> {
  const built = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
  const commands = [
    { name: 'sources', budgetMs: 110, command: await startCommand() },
    { name: 'one file', budgetMs: 60, command: [await builtFile('harrier-linux-x64', built)] },
  ]
  for (const workouts of [5_000, 10_000]) {
    const dataDir = await mkdtemp(join(tmpdir(), 'harrier-bench-'))
    const file = join(dataDir, 'harrier.sqlite')
    fillLibrary(file, workouts)
    // a first start reads the samples of all runs, for minutes
    const first = await startServer(dataDir)
    await atRest(first)
    await first.stop()
    const { size } = await stat(file)
    console.log(`idle: ${workouts} stored one-hour runs, ${(size / workouts / 1000).toFixed(1)} KB each (budget 20)`)
    const answers = commands.map((): number[] => [])
    for (let i = 0; i < STARTS; i += 1) {
      for (const [at, { command, name }] of commands.entries()) {
        const server = await startServer(dataDir, command)
        answers[at]!.push(server.firstAnswerMs)
        if (i === STARTS - 1) {
          await Bun.sleep(STABLE_MS)
          const memory = memoryText(await server.memory(), 34)
          console.log(`  ${name.padEnd(8)} ${memory}, ${STABLE_MS / 1000} s after the start`)
        }
        await server.stop()
      }
    }
    for (const [at, { name, budgetMs }] of commands.entries()) {
      const sorted = answers[at]!.toSorted((a, b) => a - b)
      const [best, median] = [sorted[0] ?? Number.NaN, sorted[STARTS >> 1] ?? Number.NaN]
      console.log(
        `  ${name.padEnd(8)} first answer ${best.toFixed(0)} ms at best, ${median.toFixed(0)} ms as a rule (budget ${budgetMs} at 10,000)`,
      )
    }
    await rm(dataDir, { recursive: true, force: true })
  }
  await rm(built, { recursive: true, force: true })
}
