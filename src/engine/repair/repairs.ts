import type { Said } from '../numbers.ts'
import type { Span, Track } from '../track.ts'
import { createClock, type RecordedClock } from './clock.ts'
import { CROP, type CropRepair } from './crop.ts'
import { CUT, type CutRepair, seamS } from './cut.ts'
import { DISTANCE, type DistanceRepair } from './distance.ts'
import { JOIN, type JoinRepair } from './join.ts'
import type { MemberForm, RecordedStretch, RepairKind, Restated } from './kind.ts'
import { MEND, type MendRepair } from './mend.ts'
import { MERGE, type MergeRepair } from './merge.ts'
import { ENTERED_NUMBERS, type NumbersRepair } from './numbers.ts'
import { SHIFT, type ShiftRepair } from './shift.ts'
import { SPLIT, type SplitRepair } from './split.ts'

// The changes that the runner made to a run. All times are on the clock of the original recording, so that the meaning
// of a repair does not depend on which others are active.

export type Repair =
  | CropRepair
  | CutRepair
  | SplitRepair
  | JoinRepair
  | MergeRepair
  | MendRepair
  | DistanceRepair
  | ShiftRepair
  | NumbersRepair

/** Every kind of repair by its name; what follows, settling and archives read this table alone. */
export const REPAIR_KINDS: { readonly [K in Repair['kind']]: RepairKind<Extract<Repair, { readonly kind: K }>> } = {
  crop: CROP,
  cut: CUT,
  split: SPLIT,
  join: JOIN,
  merge: MERGE,
  mend: MEND,
  distance: DISTANCE,
  shift: SHIFT,
  numbers: ENTERED_NUMBERS,
}

function kindOf({ kind }: Repair): RepairKind<Repair> {
  return REPAIR_KINDS[kind]
}

/** The members of a kind beside its name, with their forms, in the order in which archives have them. */
export function membersOf(kind: Repair['kind']): [name: string, form: MemberForm][] {
  return Object.entries<MemberForm>(REPAIR_KINDS[kind].members)
}

/** Whether a repair makes the totals of devices, rows and archives invalid, because the run is no longer the whole. */
export function leavesPart(repair: Repair): repair is Extract<Repair, { readonly caloriesKcal: unknown }> {
  return kindOf(repair).leavesPart?.(repair) === true
}

export function changesSamples(repair: Repair): boolean {
  return leavesPart(repair) || kindOf(repair).changesSamples?.(repair) === true
}

export function changesEffort(repair: Repair): boolean {
  return changesSamples(repair) || rescores(restated(repair))
}

export function restated(repair: Repair): Restated {
  return kindOf(repair).restated?.(repair) ?? {}
}

/** Whether such numbers change the relative effort. */
export function rescores({ said = {}, measured = [] }: Restated): boolean {
  return said.avgHeartRateBpm !== undefined || said.durationS !== undefined || measured.includes('avgHeartRateBpm')
}

/** As repairs leave it. @returns null: none, whatever recordings state; undefined: that of the recordings */
export function restatedHeartRate(repairs: readonly Repair[]): Said['avgHeartRateBpm'] {
  for (const repair of repairs.toReversed()) {
    const { said, measured } = restated(repair)
    if (leavesPart(repair) || measured?.includes('avgHeartRateBpm')) return null
    if (said?.avgHeartRateBpm !== undefined) return said.avgHeartRateBpm
  }
  return undefined
}

/** The track after applying repairs in order. @throws RangeError when a crop leaves no time */
export function repaired(recorded: Track, repairs: readonly Repair[]): Track {
  const clock = createClock()
  let track = recorded
  for (const repair of repairs) {
    const beganMs = track.startMs - recorded.startMs
    const elapsedS = (ms: number) => (clock.trackMs(ms) - beganMs) / 1000
    const span = ({ fromMs, toMs }: RecordedStretch): Span => ({ startS: elapsedS(fromMs), endS: elapsedS(toMs) })
    const kind = kindOf(repair)
    const changed = kind.track?.(track, repair, span) ?? track
    const gap = kind.closedGap?.(repair) ?? null
    if (gap !== null) clock.close(gap, seamS(track) * 1000)
    track = changed
  }
  const offsetMs = offsetOf(repairs)
  return offsetMs === 0 ? track : { ...track, startMs: track.startMs + offsetMs }
}

/** By how much the runner moved the run in time, milliseconds; several shifts add up. */
export function offsetOf(repairs: readonly Repair[]): number {
  return repairs.reduce((sum, repair) => sum + (kindOf(repair).movedMs?.(repair) ?? 0), 0)
}

/** Smallest step of the clock, which remains at a seam, milliseconds. */
const SEAM_MS = 1

/** @param repairs those that are active */
export function recordedClock(repairs: readonly Repair[]): RecordedClock {
  const clock = createClock()
  for (const repair of repairs) {
    const gap = kindOf(repair).closedGap?.(repair) ?? null
    if (gap !== null) clock.close(gap, SEAM_MS)
  }
  return clock
}
