// What is fast and what is small, printed, never judged: bun run bench [names]. CORPUS_DIR adds what needs real watch files.
import { argv, stderr } from 'node:process'

/** Each is a file of this folder. */
const BENCHES = ['import', 'idle', 'stats', 'training', 'coverage', 'load', 'page', 'size', 'backup', 'numbers']

const names = argv.slice(2)
if (names.some((name) => !BENCHES.includes(name))) {
  stderr.write(`Usage: bun run bench [${BENCHES.join('] [')}]\n`)
  process.exitCode = 2
} else {
  for (const name of BENCHES.filter((one) => names.length === 0 || names.includes(one))) {
    const { bench }: { readonly bench: () => unknown } = await import(`./${name}.ts`)
    await bench()
  }
}
