import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attack, type Case, Defect } from './attack.ts'
import { randomOf } from './random.ts'

/** A defect, and how to see it again. */
export interface Finding {
  /** The same for the same defect. */
  readonly kind: string
  readonly number: number
  readonly text: string
}

export interface CasesOptions {
  readonly seed: number
  readonly from: number
  readonly cases: number
  readonly untilMs: number
  /** Folder that every input goes to before it is used; null: none is kept. */
  readonly saveTo: string | null
  readonly print: (line: { readonly sums: object; readonly finding?: Finding }) => void
}

/** Most time, and most processor time, of one input, milliseconds. */
const SLOWEST_MS = 2000
const MOST_BYTES = 300 * 1_048_576
/** Growth after which garbage is collected, so that a peak is that of one input. */
const GROWTH_BYTES = 16 * 1_048_576
const TELL_MS = 1000
/** Most kinds of findings of one attack. */
export const MOST_KINDS = 20

/** Runs cases until the time is over or enough kinds of findings are found. */
export async function runCases(attack: Attack, options: CasesOptions): Promise<void> {
  const { seed, from, cases, untilMs, saveTo, print } = options
  const sums = { number: from, inputs: 0, accepted: 0, slowestMs: 0, peakMiB: 0 }
  let saved = 0
  let collectedBytes = process.memoryUsage.rss()
  const input: Case['input'] = async ({ name, bytes }, use) => {
    if (saveTo !== null) writeFileSync(join(saveTo, `${saved++}-${name.replace(/[^\w.]/g, '_').slice(-60)}`), bytes)
    const peak = peakBytes()
    const startedMs = performance.now()
    const cpu = process.cpuUsage()
    const [settled] = await Promise.allSettled([use()])
    const tookMs = performance.now() - startedMs
    const { user, system } = process.cpuUsage(cpu)
    sums.slowestMs = Math.max(sums.slowestMs, tookMs)
    const after = peakBytes()
    sums.peakMiB = Math.max(sums.peakMiB, after / 1_048_576)
    // a finding also when the input was accepted; processor time counts too, since a busy machine is slow anyway
    if (tookMs > SLOWEST_MS && (user + system) / 1000 > SLOWEST_MS) {
      throw new Defect(`${bytes.length} bytes took ${Math.round(tookMs)} ms`)
    }
    if (after > peak && after > MOST_BYTES) throw new Defect(`The process grew to ${Math.round(after / 1_048_576)} MiB`)
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
  const run = await attack.prepare()
  const kinds = new Set<string>()
  const parent = process.ppid
  let statedMs = 0
  for (let number = from; number < from + cases && Date.now() < untilMs && kinds.size < MOST_KINDS; number += 1) {
    sums.number = number
    if (Date.now() - statedMs > TELL_MS || saveTo !== null) {
      print({ sums })
      statedMs = Date.now()
      // the process that started this one has ended
      if (process.ppid !== parent) return
    }
    try {
      const outcome = await run({ random: randomOf(seed, attack.name, number), input })
      sums.inputs += outcome.inputs
      sums.accepted += outcome.accepted
      const bytes = process.memoryUsage.rss()
      if (bytes > collectedBytes + GROWTH_BYTES) {
        Bun.gc(true)
        collectedBytes = process.memoryUsage.rss()
      }
    } catch (error) {
      sums.inputs += 1
      // the same defect is one finding, however many inputs show it
      const kind = kindOf(error)
      if (!kinds.has(kind)) print({ sums, finding: { kind, number, text: textOf(error) } })
      kinds.add(kind)
    }
  }
  sums.number += 1
  print({ sums })
}

/** The largest resident memory so far, which Linux gives in KiB. */
function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024
}

/** Numbers and names of the one case left out. */
function kindOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const deepest = cause instanceof Error ? cause : error
  const message = error instanceof Error ? error.message : String(error)
  const place = deepest instanceof Error ? (/at .*src\/.*/.exec(deepest.stack ?? '')?.[0] ?? '') : ''
  return `${message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#').slice(0, 80)} ${place}`
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : ''
  return `${error.message}\n${error instanceof Defect ? '' : error.stack}${cause}`
}
