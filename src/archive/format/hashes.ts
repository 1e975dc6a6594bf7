import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import type { settings } from '../../db/schema-account.ts'
import { type Bodies, bodyOf, type TABLES } from '../../library/documents/rows.ts'
import { compact, runHead } from '../../library/documents/run.ts'
import { shoeExists } from '../../library/ids.ts'
import { samplesOf } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { packedMeta, unpackTrack } from '../../workers/pack.ts'
import type { OpenArchive } from './data-rows.ts'

// Hashes of what a library consists of, made of the database itself and not of the rows of the archive: a verification that
// compared rows alone would not see a member that both the writing and the reading of rows leave out.

/** Not listed in the manifest's dataFormat: nothing but a verification reads it. */
export const HASHES_PATH = 'data/hashes.json'

/** Whether an archive was written by a library of documents, so that its rows say all that these carry. */
export function isExactArchive({ zip, manifest }: OpenArchive): boolean {
  return manifest.paths.recordings !== undefined && zip.find(HASHES_PATH) !== null
}

export const HASHED = ['recordings', 'documents', 'media', 'shoes', 'goals', 'settings'] as const
export type Hashed = (typeof HASHED)[number]

export interface HashRow {
  readonly kind: Hashed
  readonly id: string
  readonly sha256: string
}

export interface HashedLibrary {
  readonly db: Tx
  /** Whether the original of a recording is there, which an archive needs. */
  readonly hasFile: (recordingId: string) => boolean
  /** Whether a photo or video is there. */
  readonly hasMedia: (id: string) => boolean
}

const IDS: { readonly [K in Hashed]: string } = {
  recordings: 'SELECT DISTINCT recording_id AS id FROM naming WHERE live = 1 ORDER BY recording_id',
  documents: 'SELECT id FROM workout ORDER BY id',
  media: 'SELECT media.id FROM media JOIN workout ON workout.id = workout_id ORDER BY media.id',
  shoes: 'SELECT id FROM shoe ORDER BY id',
  goals: 'SELECT id FROM training_goal ORDER BY id',
  settings: "SELECT 'settings' AS id",
}

/** What a kind has that is hashed, by id. */
export function* hashedIds(tx: Tx, kind: Hashed): Generator<string> {
  for (const { id } of tx.$client.query<{ id: string }, []>(IDS[kind]).iterate()) yield id
}

export function* hashRows(library: HashedLibrary): Generator<HashRow> {
  for (const kind of HASHED) {
    for (const id of hashedIds(library.db, kind)) {
      if (kind === 'media' && !library.hasMedia(id)) continue
      const sha256 = hashOf(library, kind, id)
      if (sha256 !== null) yield { kind, id, sha256 }
    }
  }
}

/** null: there is no such thing. */
export function hashOf(library: HashedLibrary, kind: Hashed, id: string): string | null {
  const { db } = library
  if (kind === 'recordings') return recordingHash(library, id)
  if (kind === 'documents') return hashed(documentParts(db, id))
  if (kind === 'settings') return hashed(filled(settingsParts(db)) as object)
  return hashed(bodyOf(db, OTHERS[kind], id))
}

const OTHERS = { media: 'media', shoes: 'shoe', goals: 'goal' } as const satisfies Partial<
  Record<Hashed, keyof typeof TABLES>
>

function hashed(value: object | null): string | null {
  return value && new Bun.CryptoHasher('sha256').update(canonical(value)).digest('hex')
}

/** The facts of a recording, with its samples. How its files are stored, and what is read of them, is not one of them. */
function recordingHash({ db, hasFile }: HashedLibrary, id: string): string | null {
  const row = db.select().from(recordings).where(eq(recordings.id, id)).get()
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

/** The settings that archives have, with what applies where nothing is stored. */
function settingsParts(tx: Tx): object {
  const { training = null, ...row } = bodyOf(tx, 'settings', '') as Bodies['settings'] &
    Partial<typeof settings.$inferSelect>
  const { unitPreference, defaultShoeId = null, archiveId, createdAt, ...rest } = row
  const { mapTiles: _, weatherLookups: __, updatedAt: ___, zonesVersion: ____, ...zones } = rest
  const isConfigured = zones.zoneBounds != null && zones.zoneMethod != null
  return { unitPreference: unitPreference ?? 'metric', defaultShoeId, training, ...(isConfigured ? zones : {}) }
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
