import type { Tx } from '../../db/open.ts'
import type { settings } from '../../db/schema-account.ts'
import { type Bodies, bodyOf } from '../../library/documents/rows.ts'
import { compact, runHead } from '../../library/documents/run.ts'
import { shoeExists } from '../../library/ids.ts'
import { recordingsByIds, samplesOf } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { packedMeta, unpackTrack } from '../../workers/pack.ts'
import type { ExportedLibrary } from '../export/library.ts'
import type { OpenArchive } from './data-rows.ts'

// Hashes of what a library consists of, made of the database itself and not of the rows of the archive: a verification that
// compared rows alone would not see a member that both the writing and the reading of rows leave out.

/** Whether Harrier wrote an archive, whose rows say all that documents carry. */
export function isExactArchive({ manifest: { paths } }: OpenArchive): boolean {
  return paths.recordings !== undefined
}

type HashedLibrary = Pick<ExportedLibrary, 'db' | 'hasFile' | 'hasMedia'>

interface Kind {
  /** Query of the ids of all that is hashed. */
  readonly ids: string
  /** null: there is no such thing. */
  readonly hash: (library: HashedLibrary, id: string) => string | null
}

const KINDS = {
  recordings: {
    ids: 'SELECT DISTINCT recording_id AS id FROM naming WHERE live = 1 ORDER BY recording_id',
    hash: recordingHash,
  },
  documents: {
    ids: 'SELECT id FROM workout ORDER BY id',
    hash: ({ db }, id) => hashed(documentParts(db, id)),
  },
  media: {
    ids: 'SELECT media.id FROM media JOIN workout ON workout.id = workout_id ORDER BY media.id',
    hash: ({ db, hasMedia }, id) => (hasMedia(id) ? hashed(bodyOf(db, 'media', id)) : null),
  },
  shoes: { ids: 'SELECT id FROM shoe ORDER BY id', hash: ({ db }, id) => hashed(shoeParts(db, id)) },
  goals: { ids: 'SELECT id FROM training_goal ORDER BY id', hash: ({ db }, id) => hashed(goalParts(db, id)) },
  races: { ids: 'SELECT id FROM race ORDER BY id', hash: ({ db }, id) => hashed(bodyOf(db, 'race', id)) },
  marks: { ids: 'SELECT id FROM truth_mark ORDER BY id', hash: ({ db }, id) => hashed(bodyOf(db, 'mark', id)) },
  places: { ids: 'SELECT id FROM place ORDER BY id', hash: ({ db }, id) => hashed(bodyOf(db, 'place', id)) },
  settings: { ids: "SELECT 'settings' AS id", hash: ({ db }) => hashed(filled(settingsParts(db)) as object) },
} as const satisfies Readonly<Record<string, Kind>>

export type Hashed = keyof typeof KINDS
export const HASHED = Object.keys(KINDS) as readonly Hashed[]

/** What a kind has that is hashed, by id. */
export function* hashedIds(tx: Tx, kind: Hashed): Generator<string> {
  for (const { id } of tx.$client.query<{ id: string }, []>(KINDS[kind].ids).iterate()) yield id
}

/** The rows of `hashes.json`. */
export function* hashRows(library: HashedLibrary) {
  for (const kind of HASHED) {
    for (const id of hashedIds(library.db, kind)) {
      const sha256 = hashOf(library, kind, id)
      if (sha256 !== null) yield { kind, id, sha256 }
    }
  }
}

/** null: there is no such thing. */
export function hashOf(library: HashedLibrary, kind: Hashed, id: string): string | null {
  return KINDS[kind].hash(library, id)
}

function hashed(value: object | null): string | null {
  return value && new Bun.CryptoHasher('sha256').update(canonical(value)).digest('hex')
}

/** The facts of a recording, with its samples. How its files are stored, and what is read of them, is not one of them. */
function recordingHash({ db, hasFile }: HashedLibrary, id: string): string | null {
  const [row] = recordingsByIds(db, [id])
  if (row === undefined) return null
  const { storedAs, receiptId: _, hasRaw: __, rawView: ___, hasRawHr: ____, ...facts } = row
  const isLost = storedAs === null || !hasFile(id)
  const file = isLost ? { fileSha256: null, fileSession: null, fileName: null, fileType: null } : {}
  const hash = new Bun.CryptoHasher('sha256').update(canonical(filled({ ...facts, ...file })))
  const packed = samplesOf(db, id)
  if (packed === null) return hash.digest('hex')
  const track = unpackTrack(packed)
  hash.update(canonical(packedMeta(track)))
  for (const [name, column] of Object.entries(track).toSorted(([a], [b]) => a.localeCompare(b))) {
    if (column instanceof Float64Array)
      hash.update(name).update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  }
  return hash.digest('hex')
}

/**
 * The document of a run and what its numbers are computed with. A shoe that was deleted or replaced is not in the archive,
 * nor the id of a route that is not there; efforts are as old as the restore where the archive does not list them.
 */
function documentParts(tx: Tx, id: string): object | null {
  const head = runHead(tx, id)
  if (head === null) return null
  const { words, shoeId, routeId, choices, ...body } = compact(head.body)
  const { load = NO_CHOICE, ...chosen } = choices ?? {}
  const { effortTimes: _, ours = [], ...asked } = head.asked
  const shoe = words?.shoeId
  const hasRoute = tx.$client.query('SELECT 1 FROM workout WHERE id = ? AND route_preview IS NOT NULL').get(id) !== null
  return {
    ...body,
    words: { ...words, ...(shoe == null || shoeExists(tx, shoe) ? {} : { shoeId: null }) },
    choices: { ...chosen, load },
    ...(shoe === undefined && shoeId !== undefined && shoeExists(tx, shoeId) ? { shoeId } : {}),
    ...(hasRoute ? { routeId } : {}),
    asked: { ...asked, ours },
  }
}

/** When a goal was set is not in archives. */
function goalParts(tx: Tx, id: string): object | null {
  const body = bodyOf(tx, 'goal', id)
  return body && { ...body, createdAt: null }
}

/** Members that came later are left out while they are null, as in archives from before. */
function shoeParts(tx: Tx, id: string): object | null {
  const body = bodyOf(tx, 'shoe', id)
  if (body === null) return null
  const { retiredAt, retireAtM, ...shoe } = body
  return { ...shoe, ...(filled({ retiredAt, retireAtM }) as object) }
}

/** The settings that archives have, with what applies where nothing is stored. */
function settingsParts(tx: Tx): object {
  const { training = null, ...row } = bodyOf(tx, 'settings', '') as Bodies['settings'] &
    Partial<typeof settings.$inferSelect>
  const {
    unitPreference,
    defaultShoeId = null,
    archiveId,
    createdAt,
    page = null,
    secondRecording = null,
    trimEndsM = null,
    ...rest
  } = row
  const { mapTiles: _, weatherLookups: __, updatedAt: ___, zonesVersion: ____, ...zones } = rest
  const isConfigured = zones.zoneBounds != null && zones.zoneMethod != null
  return {
    unitPreference: unitPreference ?? 'metric',
    defaultShoeId,
    training,
    ...(page === null ? {} : { page }),
    ...(secondRecording === null ? {} : { secondRecording }),
    ...(trimEndsM === null ? {} : { trimEndsM }),
    ...(isConfigured ? zones : {}),
  }
}

/** JSON with the members of objects in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    const isRecord = typeof member === 'object' && member !== null && !Array.isArray(member)
    return isRecord ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member
  })
}

/** Without members that are null, at any depth: columns that are added later are null in older libraries. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (one === null ? null : filled(one)))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, filled(member)]))
}
