import type { Seed } from './mutate.ts'
import type { Random } from './random.ts'

/** What one case did. */
export interface Outcome {
  /** Files or requests. */
  readonly inputs: number
  /** How many of them were not refused: an attack that gets nowhere shows nothing. */
  readonly accepted: number
}

export interface Case {
  readonly random: Random
  /** Runs `use` with one input, which a finding then names; too much time or memory is a Defect. */
  input<Result>(seed: Seed, use: () => Promise<Result>): Promise<Result>
}

/** An attack on one way in. Each case throws on a defect and returns its outcome otherwise. */
export interface Attack {
  readonly name: string
  /** Its share of the total time. */
  readonly share: number
  /** Number of cases after which a new process continues, since closed apps stay in memory for a while. */
  readonly casesAProcess?: number
  /** Called once in each process; its result runs one case. Cases share nothing else. */
  prepare(): Promise<(one: Case) => Promise<Outcome>>
}

/** A defect found by a check of an attack. */
export class Defect extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Defect'
  }
}

/** Checks that all numbers in a value are finite. @throws Defect that names the first one that is not */
export function expectFinite(value: unknown, at: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Defect(`${at} is ${value}`)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const key in value) expectFinite((value as Record<string, unknown>)[key], `${at}.${key}`)
}
