import type { FitnessProfile, FitnessRun } from './fitness-rows.ts'
import type { LatentFitness } from './latent-fitness.ts'
import type { RowKind } from './row-weights.ts'

/** A row of the fit: what one run says, and how far it is believed. */
export interface KeptRow {
  /** Of its run in `ids`. */
  readonly place: number
  readonly id: string
  readonly day: number
  readonly kind: RowKind
  /** For E its precision. */
  readonly weight: number
  /** ln of speed, without what the fit explains. */
  readonly residual: number
}

/** The one fitness of the library at a revision of its training data, with what it was fitted to. */
export interface KeptFitness {
  readonly revision: number
  /** Local day of the service that it was fitted on, and up to. */
  readonly today: number
  readonly profile: FitnessProfile
  /** Runs that are not left out, in order of start. */
  readonly ids: readonly string[]
  /** Local day of each. */
  readonly days: Int32Array
  run(place: number): FitnessRun
  readonly rows: readonly KeptRow[]
  /** null: fewer than four rows H, P and R. */
  readonly fit: LatentFitness | null
}
