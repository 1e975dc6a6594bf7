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
  /** Uses one input, which is known when it fails, and has to be done with it in time and in little memory. */
  input<Result>(seed: Seed, use: () => Promise<Result>): Promise<Result>
}

/** One way in. A case throws what is a defect, and answers for everything else. */
export interface Attack {
  readonly name: string
  /** Share of the time. */
  readonly share: number
  /** After so many cases a new process goes on: apps that are closed stay in memory for a while. */
  readonly casesAProcess?: number
  /** Made once; cases have nothing else in common. */
  prepare(): Promise<(one: Case) => Promise<Outcome>>
}

/** What must not be, found by us. */
export class Defect extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Defect'
  }
}

/** Every number of a value is one. @throws Defect with the first place that is not */
export function expectFinite(value: unknown, at: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Defect(`${at} is ${value}`)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const key in value) expectFinite((value as Record<string, unknown>)[key], `${at}.${key}`)
}
