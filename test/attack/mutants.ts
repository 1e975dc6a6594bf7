// Mutants of the program, each run against the tests of its folder and the contract: what no test notices is not guarded. By hand,
// never in CI: bun test/attack/mutants.ts [--server 120] [--page 40] [--seed 1] [--only file:line,…]
// Prints a line a mutant, then how many were noticed. The same seed over the same sources makes the same mutants.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Random, randomOf } from './random.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    server: { type: 'string', default: '120' },
    page: { type: 'string', default: '40' },
    only: { type: 'string' },
  },
})
const ROOT = resolve(import.meta.dir, '../..')
/** Two mutants are tested at a time, each in a copy of its own. */
const AT_ONCE = 2
const LIMIT_MS = 300_000

interface Mutant {
  readonly file: string
  readonly line: number
  readonly at: number
  readonly from: string
  readonly to: string
}

/** What a mutant changes: a comparison, an operator, a constant, or what is returned. */
const CHANGES: readonly (readonly [pattern: RegExp, changed: (found: string) => string])[] = [
  [
    / (?:<|<=|>|>=) (?=[\w(-])/g,
    (found) => (found.includes('=') ? found.replace('=', '') : found.replace(/[<>]/, '$&=')),
  ],
  [/ (?:===|!==) /g, (found) => (found === ' === ' ? ' !== ' : ' === ')],
  [/ (?:&&|\|\|) /g, (found) => (found === ' && ' ? ' || ' : ' && ')],
  [/(?<=[\w)\]!]) [+-] (?=[\w(])/g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  [/(?<=[\w)\]!]) [*/] (?=[\w(])/g, (found) => (found === ' * ' ? ' / ' : ' * ')],
  [/(?<![\w.'"$])\d[\d_]*(?:\.\d+)?(?![\w.'"])/g, (found) => String(Number(found.replaceAll('_', '')) + 1)],
  [/(?<=return )[^\n{`]+(?=\n)/g, () => 'undefined as never'],
]

/** Every place of a file at which it can be changed; not in comments, texts, imports and types. */
function places(file: string): Mutant[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  // what is not code becomes blanks, so that places stay
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, blank)
    .replace(/^(?:import|export type|export interface|interface|type)\b[\s\S]*?(?=\n(?:\S|$))/gm, blank)
  return CHANGES.flatMap(([pattern, changed]) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const from = text.slice(index, index + found.length)
      const to = changed(from)
      return from.trim() === '' || from === to
        ? []
        : [{ file, line: text.slice(0, index).split('\n').length, at: index, from, to }]
    }),
  )
}

function blank(found: string): string {
  return found.replace(/[^\n]/g, ' ')
}

function chosen(files: readonly string[], count: number, random: Random): Mutant[] {
  const mutants: Mutant[] = []
  while (mutants.length < count) {
    const found = places(random.of(files))
    if (found.length > 0) mutants.push(random.of(found))
  }
  return mutants
}

/** The tests of the nearest folder that has any, but those of browsers and processes, and the contract. */
function testsOf(file: string): string[] {
  let folder = dirname(file.replace(/^src\//, ''))
  const near = (at: string) =>
    [...new Bun.Glob('**/*.test.ts').scanSync(join(ROOT, 'test', at))]
      .filter((name) => !name.includes('.slow.') && (at !== '.' || !name.includes('/')))
      .map((name) => join('test', at, name))
  while (folder !== '.' && !(existsSync(join(ROOT, 'test', folder)) && near(folder).length > 0))
    folder = dirname(folder)
  return [...new Set([...near(folder), 'test/contract.test.ts'])]
}

async function isNoticed(copy: string, { file, at, from, to }: Mutant): Promise<boolean> {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, at) + to + text.slice(at + from.length))
  const tests = testsOf(file).map((name) => `./${name}`)
  const run = Bun.spawn([process.execPath, 'test', '--bail', '--timeout=60000', ...tests], {
    ...{ cwd: copy, stdout: 'ignore', stderr: 'ignore', timeout: LIMIT_MS },
    env: process.env.CORPUS_DIR ? { ...process.env, CORPUS_DIR: resolve(process.env.CORPUS_DIR) } : process.env,
  })
  const code = await run.exited
  writeFileSync(path, text)
  return code !== 0
}

const scan = (pattern: string) =>
  [...new Bun.Glob(pattern).scanSync(join(ROOT, 'src'))].map((name) => `src/${name}`).toSorted()
const server = scan('**/*.ts').filter((file) => !file.startsWith('src/web/'))
const page = scan('web/**/*.ts')
const random = randomOf(Number(values.seed))
const wanted = values.only?.split(',')
const mutants = [...chosen(server, Number(values.server), random), ...chosen(page, Number(values.page), random)].filter(
  ({ file, line }) => wanted === undefined || wanted.includes(`${file}:${line}`),
)
const waiting = [...mutants.entries()]
const noticed: boolean[] = []
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    const copy = mkdtempSync(join(tmpdir(), 'harrier-mutants-'))
    const skipped = /\/(?:node_modules|\.git|dist|data)$/
    cpSync(ROOT, copy, { recursive: true, filter: (from) => !skipped.test(from) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, mutant] = next
      noticed[place] = await isNoticed(copy, mutant)
      const { file, line, from, to } = mutant
      console.log(
        `${noticed[place] ? 'noticed' : 'MISSED '} ${file}:${line} ${JSON.stringify(from.trim())} -> ${JSON.stringify(to.trim())}`,
      )
    }
    rmSync(copy, { recursive: true })
  }),
)
const count = (from: number, to?: number) => {
  const part = noticed.slice(from, to)
  return `${part.filter(Boolean).length} of ${part.length}`
}
const ofServer = mutants.filter(({ file }) => !file.startsWith('src/web/')).length
console.log(`noticed: ${count(0, ofServer)} of the server, ${count(ofServer)} of the page`)
