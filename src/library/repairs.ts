import type { Tx } from '../db/open.ts'
import { changesSamples, type Repair } from '../engine/repair/repairs.ts'
import type { NewRecording } from './commit.ts'
import type { Deps } from './deps.ts'
import {
  type Asked,
  activeRepairs,
  isJoined,
  mergeOf,
  plainRepair,
  type RunDocument,
  type RunHead,
  type RunRepair,
  type RunTrack,
} from './documents/run.ts'
import { askedNow } from './inputs.ts'
import { primaryId } from './recordings.ts'

/** A run's next document, and what its numbers are to be computed with. */
export interface Planned {
  readonly to: RunDocument
  readonly asked: Asked
  /** Recordings that it is the first to name. */
  readonly recordings?: readonly NewRecording[]
  /** Settings that were used and must still be those of now when it is written. */
  readonly settings?: Asked
  /** Whether the efforts are those of before a repair, with the times that they had. */
  readonly areReturned?: boolean
}

type Needs = Pick<Deps, 'config' | 'now'>

/**
 * The document with a further repair. One that changes the samples has the run scored with the zones stored now and split
 * in the preferred unit, and pins the recording whose samples count.
 */
export function withRepair(
  tx: Tx,
  deps: Needs,
  { body, asked }: Pick<RunHead, 'body' | 'asked'>,
  repair: Repair,
): Planned {
  const { zones: zonesBefore, effortTimes } = asked
  const times = effortTimes === undefined ? {} : { effortTimesBefore: effortTimes }
  const made = { id: Bun.randomUUIDv7(), madeAt: deps.now(), ...repair, zonesBefore, ...times }
  const { track } = body
  const isResampled = changesSamples(repair)
  const primary = isResampled && !isJoined(track) ? primaryId(tx, track) : null
  const pinned = primary === null ? {} : { primary }
  const to = { ...body, track: { ...track, ...pinned, repairs: [...track.repairs, made] } }
  if (!isResampled) return { to, asked }
  const settings = askedNow(tx, deps)
  return { to, asked: { ...asked, ...settings }, settings }
}

/**
 * The document with repairs undone; they stay listed. Once the samples are as recorded again, the effort is scored
 * with the zones from before the first of these repairs, and the best recording counts.
 * @param isTaken chooses among the active repairs
 * @returns null when there is none
 */
export function withoutRepairs(
  { now }: Pick<Deps, 'now'>,
  { body, asked }: Pick<RunHead, 'body' | 'asked'>,
  isTaken: (repair: RunRepair) => boolean,
): Planned | null {
  const { track } = body
  const taken = activeRepairs(track).filter(isTaken)
  if (taken.length === 0) return null
  const undoneAt = now()
  const repairs = track.repairs.map((repair) => (taken.includes(repair) ? { ...repair, undoneAt } : repair))
  const rest = activeRepairs({ repairs })
  const first = taken.find(isResampling)
  const isLatest = rest.every((repair) => repairs.indexOf(repair) < track.repairs.indexOf(taken[0]!))
  const isWhole = !rest.some(isResampling)
  const source = first && (isWhole ? earliest(track, first) : isLatest ? first : undefined)
  const { effortTimes, ...others } = asked
  const times = source === undefined ? effortTimes : source.effortTimesBefore
  return {
    to: { ...body, track: isWhole ? unpinned({ ...track, repairs }) : { ...track, repairs } },
    asked: {
      ...others,
      ...(source?.zonesBefore === undefined ? {} : { zones: source.zonesBefore }),
      ...(times === undefined ? {} : { effortTimes: times }),
    },
    areReturned: source !== undefined,
  }
}

function isResampling(repair: RunRepair): boolean {
  return changesSamples(plainRepair(repair))
}

/** The first of the repairs that were active when the next was made, up to this one; all but it are undone already. */
function earliest({ repairs }: Pick<RunTrack, 'repairs'>, last: RunRepair): RunRepair {
  const before = repairs
    .slice(0, repairs.indexOf(last))
    .find((repair) => (repair.undoneAt ?? 0) > last.madeAt && isResampling(repair))
  return before === undefined ? last : earliest({ repairs }, before)
}

function unpinned(track: RunTrack): RunTrack {
  if (isJoined(track)) return track
  const { primary: _, ...rest } = track
  // the samples of merged runs count whatever is repaired
  return mergeOf(track) !== undefined ? track : rest
}

/** The earlier document of a run, in which repairs that were made since stay listed as undone. */
export function withLater(earlier: RunDocument, current: RunDocument, undoneAt: number): RunDocument {
  const isSame = isJoined(earlier.track) === isJoined(current.track)
  const later = isSame
    ? current.track.repairs.filter(({ id }) => earlier.track.repairs.every((repair) => repair.id !== id))
    : []
  if (later.length === 0) return earlier
  const listed = later.map(({ apart: _, ...repair }) => ({ ...repair, undoneAt: repair.undoneAt ?? undoneAt }))
  return { ...earlier, track: { ...earlier.track, repairs: [...earlier.track.repairs, ...listed] } }
}
