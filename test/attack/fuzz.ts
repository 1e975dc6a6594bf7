// bun run fuzz [minutes] [--seed N] [--attack name] [--case K] [--cases N]: spoiled files, archives and requests, the same
// ones for the same seed. Each attack runs in a process of its own, so that a hang or a crash is one case's, too.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { apple } from './apple.ts'
import { archives } from './archives.ts'
import type { Attack } from './attack.ts'
import { type Finding, MOST_KINDS, runCases } from './cases.ts'
import { http } from './http.ts'
import { parsers } from './parsers.ts'
import { zips } from './zips.ts'

const ATTACKS: readonly Attack[] = [parsers, apple, zips, archives, http]
const MINUTE_MS = 60_000
/** A case that takes longer is taken for one that never ends. */
const HANG_MS = 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    attack: { type: 'string' },
    case: { type: 'string' },
    cases: { type: 'string' },
    /** Internal: this process works on the cases of one attack. */
    child: { type: 'string' },
    until: { type: 'string' },
    save: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))

// until the end is reached nothing is proven
process.exitCode = 1
if (values.child !== undefined) {
  await runCases(attackOf(values.child), {
    seed,
    from: Number(values.case ?? 0),
    cases: Number(values.cases),
    untilMs: Number(values.until),
    saveTo: values.save ?? null,
    print: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  })
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exit((await attackAll()) ? 0 : 1)

/** @returns whether nothing was found */
async function attackAll(): Promise<boolean> {
  const chosen = values.attack === undefined ? ATTACKS : [attackOf(values.attack)]
  const minutes = Number(positionals[0] ?? (values.cases === undefined ? 1 : Number.POSITIVE_INFINITY))
  const sum = chosen.reduce((all, { share }) => all + share, 0)
  const folder = mkdtempSync(join(tmpdir(), `harrier-fuzz-${seed}-`))
  console.log(`bun run fuzz --seed ${seed}`)
  let found = 0
  for (const attack of chosen) {
    const untilMs = Date.now() + (minutes * MINUTE_MS * attack.share) / sum
    const findings = await attackOnce(attack, untilMs)
    for (const finding of findings) await tell(attack, finding, folder)
    found += findings.length
  }
  if (found > 0) console.log(`${found} findings; what was sent is in ${folder}`)
  return found === 0
}

/** Runs an attack until its time or its cases are used up; a finding does not end it. */
async function attackOnce(attack: Attack, untilMs: number): Promise<Finding[]> {
  const one = values.case === undefined ? null : Number(values.case)
  const findings = new Map<string, Finding>()
  let left = one === null ? Number(values.cases ?? Number.POSITIVE_INFINITY) : 1
  let from = one ?? 0
  const total = { inputs: 0, accepted: 0, slowestMs: 0, peakMiB: 0 }
  while (left > 0 && Date.now() < untilMs && findings.size < MOST_KINDS) {
    const cases = Math.min(left, attack.casesAProcess ?? left)
    const { found, next, sums } = await child(attack, { from, cases, untilMs, saveTo: null })
    total.inputs += sums.inputs
    total.accepted += sums.accepted
    total.slowestMs = Math.max(total.slowestMs, sums.slowestMs)
    total.peakMiB = Math.max(total.peakMiB, sums.peakMiB)
    left -= next - from
    from = next
    for (const finding of found) if (!findings.has(finding.kind)) findings.set(finding.kind, finding)
  }
  const share = total.inputs === 0 ? 0 : Math.round((100 * total.accepted) / total.inputs)
  const figures = `${total.inputs} inputs, ${share} % accepted, slowest ${Math.round(total.slowestMs)} ms, peak RSS ${Math.round(total.peakMiB)} MiB`
  console.log(`${attack.name}: ${figures}, ${findings.size} findings`)
  return [...findings.values()]
}

/** Repeats the case of a finding and saves its inputs. */
async function tell(attack: Attack, finding: Finding, folder: string): Promise<void> {
  const saveTo = join(folder, `${attack.name}-${finding.number}`)
  mkdirSync(saveTo)
  const repeated = await child(attack, { from: finding.number, cases: 1, untilMs: Date.now() + HANG_MS, saveTo })
  writeFileSync(join(saveTo, 'finding.txt'), finding.text)
  console.log(`\n${finding.text}`)
  console.log(`  bun run fuzz --seed ${seed} --attack ${attack.name} --case ${finding.number}`)
  if (repeated.found.length === 0) console.log('  (once only: repeated alone, the case passes)')
}

interface Work {
  readonly from: number
  readonly cases: number
  readonly untilMs: number
  readonly saveTo: string | null
}

/** Works in another process until it is done, or until that dies. */
async function child(attack: Attack, { from, cases, untilMs, saveTo }: Work) {
  const args = ['--child', attack.name, '--seed', String(seed), '--case', String(from), '--until', String(untilMs)]
  if (saveTo !== null) args.push('--save', saveTo)
  const process_ = Bun.spawn([process.execPath, import.meta.path, ...args, '--cases', String(cases)], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let last: { number: number; inputs: number; accepted: number; slowestMs: number; peakMiB: number } | null = null
  const found: Finding[] = []
  let isHanging = false
  const watch = () =>
    setTimeout(() => {
      isHanging = true
      process_.kill('SIGKILL')
    }, HANG_MS)
  let timer = watch()
  let statedMs = Date.now()
  const end = () => process_.kill('SIGKILL')
  process.once('exit', end)
  let rest = ''
  const errors = new Response(process_.stderr).text()
  const decoder = new TextDecoder()
  for await (const chunk of process_.stdout) {
    clearTimeout(timer)
    timer = watch()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const stated = JSON.parse(line)
      last = stated.sums
      if (stated.finding !== undefined) found.push(stated.finding)
      if (stated.finding !== undefined) console.log(`found at case ${stated.finding.number}: ${stated.finding.kind}`)
      if (Date.now() - statedMs > MINUTE_MS) {
        console.log(`${new Date().toISOString()} ${attack.name} ${JSON.stringify(stated.sums)}`)
        statedMs = Date.now()
      }
    }
  }
  clearTimeout(timer)
  process.off('exit', end)
  const exitCode = await process_.exited
  const number = last?.number ?? from
  if (exitCode !== 0) {
    const kind = isHanging ? `A case takes more than ${HANG_MS / 1000} s` : `The process ended with ${exitCode}`
    found.push({ kind, number, text: `${kind}, at case ${number} or soon after\n${(await errors).slice(-2000)}` })
  }
  return { found, next: Math.max(number, from + 1), sums: last ?? { inputs: 0, accepted: 0, slowestMs: 0, peakMiB: 0 } }
}

function attackOf(name: string): Attack {
  const found = ATTACKS.find((attack) => attack.name === name)
  if (found !== undefined) return found
  process.stderr.write(
    `Usage: bun run fuzz [minutes] [--seed N] [--attack ${ATTACKS.map((one) => one.name).join('|')}]\n`,
  )
  process.exit(2)
}
