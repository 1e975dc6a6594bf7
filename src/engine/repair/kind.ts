import type { NumberName, Said } from '../numbers.ts'
import type { Channel } from '../run/channels.ts'
import type { ClimbLimit, Span, Track } from '../track.ts'

/** A stretch on the clock of the recording, milliseconds since it began. */
export interface RecordedStretch {
  readonly fromMs: number
  readonly toMs: number
}

/** Limits for the numbers of the samples that are left; the totals of the devices no longer hold. */
export interface Remains {
  /** Most climb that the remaining samples may have; null: no limit needed, they climb no more than the whole. */
  readonly climbLimit: ClimbLimit | null
  readonly caloriesKcal: number | null
}

/** Forms that a member of a repair may have beside a choice of words: in archives, and in what the API answers. */
export interface MemberForms {
  /** Milliseconds on the clock of the recording. */
  readonly recordedMs: number
  /** Milliseconds by which the run is moved, either way. */
  readonly movedMs: number
  readonly metres: number
  readonly factor: number | null
  readonly kcal: number | null
  readonly climb: ClimbLimit | null
  readonly flag: boolean
  readonly timeZone: string | null
  /** Numbers of the run by name; null: the number is unknown. */
  readonly numbers: Said
  /** Seconds by id of a recording. */
  readonly shifts: Readonly<Record<string, number>>
  /** Ids of recordings by channel. */
  readonly fields: Readonly<Partial<Record<Channel, string>>>
  /** Id of a recording. */
  readonly recording: string | null
}

/** The form of a member: the name of one, or the words to choose from. */
export type MemberForm = keyof MemberForms | readonly string[]
type FormOf<T> = [T] extends [string]
  ? readonly T[]
  : { [F in keyof MemberForms]: [T, MemberForms[F]] extends [MemberForms[F], T] ? F : never }[keyof MemberForms]

/** Numbers that a repair replaces, whatever recordings state. */
export interface Restated {
  /** As the runner states them; null: the number is unknown. */
  readonly said?: Said
  /** Those that the repaired samples give now. */
  readonly measured?: readonly NumberName[]
  /** true: where the samples give no such number, that of the device stays. */
  readonly keepsUnmeasured?: boolean
}

/** Everything that one kind of repair means; engine/repair/repairs.ts lists the kinds. */
export interface RepairKind<R extends { readonly kind: string }> {
  readonly kind: R['kind']
  /** The members beside the kind, in the order in which archives have them. */
  readonly members: { readonly [K in Exclude<keyof R, 'kind'>]: FormOf<R[K]> }
  /** Makes the totals of devices, rows and archives invalid, because the run is no longer the whole; absent: never. */
  leavesPart?(repair: R): boolean
  /** Whether its samples are other ones after it; absent: never, unless it leaves a part. */
  changesSamples?(repair: R): boolean
  /** The track after it; absent: unchanged. @param span converts a stretch to elapsed seconds of this track */
  track?(track: Track, repair: R, span: (stretch: RecordedStretch) => Span): Track
  /** The stretch whose time it takes out of the run, so that later parts move up; null: none. */
  closedGap?(repair: R): RecordedStretch | null
  /** Absent: none. */
  restated?(repair: R): Restated
  /** Milliseconds by which it moves the run in time; absent: 0. */
  movedMs?(repair: R): number
}

/** @param limit null: no limit needed */
export function withClimbLimit(track: Track, climbLimit: ClimbLimit | null): Track {
  return climbLimit === null ? track : { ...track, climbLimit }
}
