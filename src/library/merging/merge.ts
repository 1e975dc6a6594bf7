import { existsSync, readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { invalid, notApplicable } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { media, workouts } from '../../db/schema.ts'
import type { MergeRepair } from '../../engine/repair/merge.ts'
import type { Channel } from '../../engine/run/channels.ts'
import type { LayeredRun } from '../../workers/merge.ts'
import type { Deps, DepsBy } from '../deps.ts'
import {
  activeRepairs,
  isJoined,
  leftOutTogether,
  mergeOf,
  type RecordedTrack,
  type RunApart,
  type RunDocument,
  type RunHead,
  type RunRepair,
  type RunWords,
  runHead,
  type SaidOfRun,
} from '../documents/run.ts'
import { mediaFilePath } from '../files/paths.ts'
import { askedNow } from '../inputs.ts'
import { primaryId, recordingsByIds, type StoredRecording, samplesOf } from '../recordings.ts'

// Several recordings of one run become one: one document names them all, and says how they are laid together.

const MOST_LAYERS = 8
/** Repairs that each run may have when it is merged, and those that one may have, whose clock then counts. */
const ALLOWED: readonly RunRepair['kind'][] = ['merge', 'numbers']
const ON_CLOCK: readonly RunRepair['kind'][] = ['crop', 'cut', 'mend', 'distance']
const TYPES: readonly (string | null)[] = ['fit', 'tcx', 'gpx']

/** A recording for each channel that the runner chose it for. */
export type Fields = Readonly<Partial<Record<Channel, string>>>

interface MergingRun {
  readonly row: typeof workouts.$inferSelect
  readonly head: RunHead
  readonly track: RecordedTrack
  /** With samples that count: the recording whose clock counts first. */
  readonly layers: readonly { readonly id: string; readonly shiftS: number }[]
}

/**
 * The run that two become: the first keeps its id, the other goes to the trash.
 * @param chosen overrides where channels come from
 * @throws AppError 400 for unknown, joined or repaired runs, and when nothing fits
 */
export async function plannedMerge(deps: DepsBy, [id, otherId]: readonly [string, string], chosen: Fields = {}) {
  const { db } = deps
  if (id === otherId) throw invalid('A run cannot be merged with itself', { field: 'otherId' })
  const runs = [mergingRun(db, id, 'id'), mergingRun(db, otherId, 'otherId')] as const
  if (runs.every(isChanged)) throw notApplicable('Both recordings were changed; revert the changes of one first')
  const sorted = runs.toSorted((a, b) => Number(isChanged(b)) - Number(isChanged(a)) || byClock(db)(a, b))
  const [first, second] = sorted as [MergingRun, MergingRun]
  const layers = [...first.layers, ...second.layers]
  if (layers.length > MOST_LAYERS)
    throw invalid(`One run is based on at most ${MOST_LAYERS} recordings`, { code: 'limit_reached' })
  const layered = ({ row, layers: own }: MergingRun): LayeredRun => ({
    ...{ startMs: row.startedAt, durationS: row.durationS, distanceM: row.distanceM },
    layers: own.map((layer) => ({ samples: samplesOf(db, layer.id)!, shiftS: layer.shiftS })),
  })
  const { found } = await deps.worker.ask('merge', { runs: [layered(first), layered(second)] })
  if ('refusal' in found) throw notApplicable(found.refusal)
  const changes = activeRepairs(first.track)
  if (found.tail !== null && changes.some((repair) => repair.kind === 'distance' && repair.factor !== null)) {
    throw notApplicable(
      'The other recording continues after the one that was scaled to a set distance; revert that first',
    )
  }
  const known = layers.map((layer) => layer.id)
  for (const [channel, wanted] of Object.entries(chosen)) {
    if (known.includes(wanted)) continue
    const fault = { code: 'recording_not_found', field: `choices.${channel}` } as const
    throw invalid(`${wanted} is not a recording of these runs with recorded points`, fault)
  }
  const mended = changes.flatMap((repair) => (repair.kind === 'mend' ? repair.channel : []))
  const isOpen = (channel: string) => mended.every((one) => one !== 'all' && one !== channel)
  const best = Object.entries(found.chosen).flatMap(([channel, place]) =>
    isOpen(channel) ? [[channel, known[place]!]] : [],
  )
  const rest = second.track.recordings.filter((one) => one !== second.layers[0]?.id)
  const starter = second.layers[0]?.id ?? rest.shift()!
  const primary = first.layers[0]?.id
  const energies = runs.flatMap(({ row }) => row.calories ?? [])
  const shiftMs = first === runs[0] ? 0 : (found.shiftsS[first.layers.length] ?? 0) * 1000
  const merged = mergedDocument(runs, shiftMs)
  const ofFirst = runsApart(db, first.head, primary ?? first.track.recordings[0]!)
  const merge: Merging = {
    kind: 'merge',
    shiftsS: {
      ...Object.fromEntries(layers.map((layer, k) => [layer.id, found.shiftsS[k]!]).filter(([one]) => one !== primary)),
      ...withoutSamples(first),
      ...withoutSamples(second),
      ...(second.layers.length === 0 ? { [starter]: 0 } : {}),
    },
    fields: withoutPrimary({ ...Object.fromEntries(best), ...chosen }, primary),
    tail: found.tail === null ? null : known[found.tail]!,
    caloriesKcal: energies.length === 0 ? null : Math.max(...energies),
    apart: { runs: [...ofFirst, ...runsApart(db, second.head, starter)], given: saidOf(merged) },
  }
  const track: RecordedTrack = {
    recordings: [...first.track.recordings, ...new Set([starter, ...second.layers.map((one) => one.id), ...rest])],
    ...(primary === undefined ? {} : { primary }),
    repairs: [
      ...withMerge(deps, runs[0].track, merge),
      ...runs[0].track.repairs.filter(({ kind }) => kind !== 'merge'),
      ...(isChanged(runs[1]) ? runs[1].track.repairs.filter(({ kind }) => ON_CLOCK.includes(kind)) : []),
    ],
  }
  const settings = askedNow(db, deps)
  const [{ head }, other] = runs
  const to = { ...merged, track }
  const movedMedia = (tx: Tx) =>
    newMedia(tx, deps.config.dataDir, [id, otherId]).map((row) => {
      return { kind: 'media', id: row.id, to: { ...row, workoutId: id } } as const
    })
  const receipt = { kind: 'merge', title: 'Merged 2 recordings of one run', workoutId: id } as const
  const run = { id, from: head.seq, to, asked: { ...head.asked, ...settings }, settings }
  return {
    receipt,
    gone: [other.head],
    runs: [run],
    movedMedia,
    before: runs.map(({ row }) => row),
    fields: fieldSources(recordingsByIds(db, track.recordings), track),
    cutAwayS: found.tail !== null && changes.some(({ kind }) => kind === 'crop') ? found.tailS : null,
  }
}

export type Merging = MergeRepair & Pick<RunRepair, 'apart'>

/** Recordings of merged runs that have no samples, by id. */
function withoutSamples({ track, layers }: MergingRun): MergeRepair['shiftsS'] {
  const shifts = Object.entries(mergeOf(track)?.shiftsS ?? {})
  return Object.fromEntries(shifts.filter(([id]) => layers.every((layer) => layer.id !== id)))
}

/** The repairs of a merged run that is laid together in another way. @param next null: it is one recording again */
export function withMerge(
  { now }: Pick<Deps, 'now'>,
  track: RecordedTrack,
  next: Merging | null,
): readonly RunRepair[] {
  const [undoneAt, made] = [now(), next && { ...next, id: Bun.randomUUIDv7(), madeAt: now() }]
  const before = track.repairs.filter(({ kind }) => kind === 'merge')
  const undone = before.map(({ apart: _, ...repair }) => ({ ...repair, undoneAt: repair.undoneAt ?? undoneAt }))
  return made === null ? undone : [...undone, made]
}

/** The recordings of a run whose samples may count. */
export function layerIds(tx: Tx, track: RecordedTrack): readonly string[] {
  const ids = [track.primary, ...Object.keys(mergeOf(track)?.shiftsS ?? {})]
  return ids.filter((id) => id !== undefined).filter((id) => samplesOf(tx, id) !== null)
}

/** The channels of a merge that do not come from the recording whose clock counts. */
export function withoutPrimary(fields: Fields, primary: string | undefined): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, id]) => id !== primary))
}

/** Whether its samples are not as they were recorded: the times of its repairs are on its clock. */
function isChanged({ track }: MergingRun): boolean {
  return activeRepairs(track).some(({ kind }) => ON_CLOCK.includes(kind))
}

/** A run that is to be joined or merged with others. @param field that names it @throws AppError 400 for an unknown one */
export function knownRun(tx: Tx, id: string, field: string) {
  const row = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  const head = runHead(tx, id)
  if (row === undefined || head === null)
    throw invalid(`There is no workout ${id}`, { code: 'workout_not_found', field })
  return { row, head }
}

function mergingRun(tx: Tx, id: string, field: string): MergingRun {
  const { row, head } = knownRun(tx, id, field)
  const { track } = head.body
  if (isJoined(track)) throw notApplicable('A joined run cannot be merged')
  const first = primaryId(tx, track)
  const allowed = first === null ? ALLOWED : [...ALLOWED, ...ON_CLOCK]
  if (activeRepairs(track).some(({ kind }) => !allowed.includes(kind))) {
    throw notApplicable('A run whose recording was split or moved in time cannot be merged; revert the changes first')
  }
  const others = Object.entries(mergeOf(track)?.shiftsS ?? {}).filter(([one]) => samplesOf(tx, one) !== null)
  const layers = others.map(([one, shiftS]) => ({ id: one, shiftS }))
  return { row, head, track, layers: first === null ? [] : [{ id: first, shiftS: 0 }, ...layers] }
}

/** FIT before TCX before GPX before others; more channels, then more samples decide between equal ones. */
function byClock(tx: Tx): (a: MergingRun, b: MergingRun) => number {
  const rank = ({ layers }: MergingRun): readonly number[] => {
    const [recording] = recordingsByIds(tx, [layers[0]?.id ?? ''])
    if (recording === undefined) return [TYPES.length + 1, 0, 0]
    const place = TYPES.indexOf(recording.fileType)
    const count = samplesOf(tx, recording.id)?.sampleCount ?? 0
    return [place === -1 ? TYPES.length : place, -recording.channels.length, -count]
  }
  return (a, b) => {
    const [x, y] = [rank(a), rank(b)]
    return x[0]! - y[0]! || x[1]! - y[1]! || x[2]! - y[2]!
  }
}

/** The photos and videos of the second run that the first does not have. */
function newMedia(tx: Tx, dataDir: string, [id, otherId]: readonly [string, string]) {
  const own = mediaOf(tx, id)
  const bytes = (row: Row) => readFileSync(mediaFilePath(dataDir, row.id))
  type Row = (typeof own)[number]
  const isSame = (a: Row, b: Row) =>
    a.fileSizeBytes === b.fileSizeBytes &&
    a.mimeType === b.mimeType &&
    areThere(dataDir, a, b) &&
    bytes(a).equals(bytes(b))
  return mediaOf(tx, otherId).filter((row) => !own.some((one) => isSame(one, row)))
}

function areThere(dataDir: string, ...rows: readonly { readonly id: string }[]): boolean {
  return rows.every(({ id }) => existsSync(mediaFilePath(dataDir, id)))
}

type Row = MergingRun['row']

/** The runner's own words first, then those of Strava, then others; the notes of both. @param shiftMs of given repetitions */
function mergedDocument(runs: readonly [MergingRun, MergingRun], shiftMs: number): RunDocument {
  const [{ head, row }, other] = runs
  const wordsOf = ({ head: { body } }: MergingRun) => body.words ?? {}
  const ranked = runs.toSorted(
    (a, b) => Number(b.row.source === 'strava_import') - Number(a.row.source === 'strava_import'),
  )
  const first = <K extends 'name' | 'rpe' | 'runType' | 'shoeId'>(word: K): Row[K] | null =>
    ranked.find((one) => one.row[word] !== null)?.row[word] ?? null
  const notes = joinedNotes(row.notes, other.row.notes)
  const set = {
    ...wordsOf(other),
    ...wordsOf(runs[0]),
    ...(wordsOf(runs[0]).notes === undefined && wordsOf(other).notes === undefined ? {} : { notes }),
  }
  const stated = { name: first('name'), notes, rpe: first('rpe'), runType: first('runType') }
  const shoeId = head.body.shoeId ?? other.head.body.shoeId
  const { source, device } = row
  const [own, others] = [head.body.choices, other.head.body.choices]
  const given = own?.intervals ?? others?.intervals
  const choices = leftOutTogether({ ...others, ...own }, [head.body, other.head.body])
  const stretches = given?.stretches.map(({ startMs, endMs }) => ({
    startMs: startMs + shiftMs,
    endMs: endMs + shiftMs,
  }))
  return {
    ...head.body,
    words: set,
    choices: {
      ...choices,
      ...(stretches === undefined ? {} : { intervals: { stretches } }),
    },
    ...(shoeId === undefined ? {} : { shoeId }),
    carried: { ...other.head.body.carried, ...head.body.carried, words: { ...stated, source, device } },
  }
}

/** Where each channel of a run comes from; empty: it is made of one recording. */
export function fieldSources(
  recordings: readonly StoredRecording[],
  track: RecordedTrack,
): Readonly<Partial<Record<Channel, string>>> {
  const fields = mergeOf(track)?.fields ?? {}
  const primary = recordings.find(({ id }) => id === track.primary)
  const own = (primary?.channels ?? []) as readonly Channel[]
  return { ...Object.fromEntries(own.map((channel) => [channel, primary!.id])), ...fields }
}

// What the runs of a merge were beside their recordings, so that each is itself again when they are separated.

function saidOf({ track: _, choices: __, routeId: ___, createdAt: ____, ...said }: RunDocument): SaidOfRun {
  return said
}

/** What was said of a run before a merge, and what the runner said since. @param given what the merge gave it */
export function saidApart({ words = {}, shoeId }: RunDocument, given: SaidOfRun, before: SaidOfRun): SaidOfRun {
  const since = Object.entries(words).filter(([word, one]) => one !== given.words?.[word as keyof RunWords])
  const worn = shoeId === undefined || shoeId === given.shoeId ? {} : { shoeId }
  return { ...before, words: { ...before.words, ...Object.fromEntries(since) }, ...worn }
}

/** The runs that one is merged of, as they would be now; one that is not merged is its own, of that recording. */
function runsApart(tx: Tx, { id, body }: RunHead, recordingId: string): RunApart[] {
  const merged = isJoined(body.track) ? undefined : mergeOf(body.track)?.apart
  const said = saidOf(body)
  const { runs, given } = merged ?? { runs: [{ id, recordingId, said, photos: [] }], given: said }
  const others = runs.flatMap((run) => (run.id === id ? [] : run.photos))
  const photos = mediaOf(tx, id).flatMap((row) => (others.includes(row.id) ? [] : row.id))
  return runs.map((run) => (run.id === id ? { ...run, said: saidApart(body, given, run.said), photos } : run))
}

export function mediaOf(tx: Tx, runId: string) {
  return tx.select().from(media).where(eq(media.workoutId, runId)).all()
}

/** The notes of two runs; what one of them has already, as after an earlier merge, is not repeated. */
function joinedNotes(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  const has = (text: string, part: string) => `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`)
  return has(one, other) ? one : has(other, one) ? other : `${one}\n\n${other}`
}
