import { zstdDecompressSync } from 'node:zlib'
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getTableColumns, type Table } from 'drizzle-orm'
import { isObject, UUID } from '../../base/json-object.ts'
import { media, recordings, samples } from '../../db/schema.ts'
import { settings } from '../../db/schema-account.ts'
import { observations } from '../../db/schema-documents.ts'
import { RECORDING_ORIGINS, SECOND_RECORDING } from '../../db/stored.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import { NUMBER_NAMES } from '../../engine/numbers.ts'
import type { MemberForm, MemberForms } from '../../engine/repair/kind.ts'
import { membersOf, REPAIR_KINDS, type Repair } from '../../engine/repair/repairs.ts'
import { PROFILE_RANGES } from '../../engine/training/profile.ts'
import { type Bodies, TABLES } from '../../library/documents/rows.ts'
import type { Asked, RunDocument } from '../../library/documents/run.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import type { StoredRecording } from '../../library/recordings.ts'
import { LATEST_START_MS } from './fields.ts'

// The rows of `library.json` (docs/archive.md): one for each document. Those of tables are checked by the columns of these,
// so that a column that is added later is in archives, and is missed there, without being named here.

export const LIBRARY_FORMAT = 1

export type TableKind = Exclude<keyof Bodies, 'media' | 'settings'>
const TABLE_KINDS = ['shoe', 'mark', 'goal', 'race', 'place'] as const satisfies readonly TableKind[]

type StoredSamples = typeof samples.$inferSelect
/** The columns that are blobs, as base64. */
const BLOBS = ['timeHr', 'track', 'rest'] as const
type Packed = Omit<StoredSamples, 'recordingId' | (typeof BLOBS)[number]> & Record<(typeof BLOBS)[number], string>

/** A recording in the row of a run that names it. */
export interface LibraryRecording extends Omit<StoredRecording, 'receiptId' | 'storedAs'> {
  /** Path of its original in the archive; null: it has none. */
  readonly file: string | null
  /** Whether an earlier run names it as well, as the parts of a split do. */
  readonly isShared: boolean
  /** What no original gives; null: there is none, or it is with an earlier run. */
  readonly rawData: RawData | null
  readonly samples: Packed | null
}

export interface RunRow {
  readonly kind: 'run'
  readonly id: string
  readonly to: RunDocument
  readonly asked: Asked
  /** By which the run is known before its numbers are derived. */
  readonly extent: { readonly startedAtMs: number; readonly distanceM: number; readonly durationS: number }
  readonly recordings: readonly LibraryRecording[]
  readonly media: readonly (typeof media.$inferSelect & { readonly file: string })[]
  readonly weather: readonly Omit<typeof observations.$inferSelect, 'runId'>[]
  /** Number of its rows in other data files. */
  readonly rows: { readonly routes: number; readonly splits: number; readonly timeSeries: number }
}

type TableRow = { [K in TableKind]: { readonly kind: K; readonly to: Bodies[K] } }[TableKind]
export type LibraryRow = RunRow | TableRow | { readonly kind: 'settings'; readonly to: Bodies['settings'] }

export function packedText(stored: StoredSamples): Packed {
  const { recordingId: _, timeHr, track, rest, ...about } = stored
  return { ...about, timeHr: timeHr.toBase64(), track: track.toBase64(), rest: rest.toBase64() }
}

/** Most bytes of a block unpacked: 16 columns of rows that have a value and none in turn (workers/columns.ts). */
const MOST_BLOCK_BYTES = 16 * (32 + 8 * MAX_ROWS)

/** @throws SyntaxError when it is not base64, RangeError for a block that would unpack to more than any block */
export function packedBytes({ timeHr, track, rest, ...about }: Packed) {
  const bytes = (text: string) => {
    const block = Uint8Array.fromBase64(text)
    zstdDecompressSync(block, { maxOutputLength: MOST_BLOCK_BYTES })
    return block
  }
  return { ...about, timeHr: bytes(timeHr), track: bytes(track), rest: bytes(rest) }
}

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Id = Type.String({ pattern: UUID.source })
const Ms = Type.Integer({ minimum: -8.64e15, maximum: 8.64e15 })
const Text = Type.String()
const words = (all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)))
const byName = <T extends TSchema>(schema: T) => Type.Record(Text, schema)

const OF_TYPE: Readonly<Record<string, TSchema>> = { string: Text, number: Type.Number(), boolean: Type.Boolean() }

/** A row of a table; columns that came later may be missing. @param given what JSON columns are, and columns of some words alone */
function rowOf(table: Table, given: Readonly<Record<string, TSchema>> = {}, left: readonly string[] = []) {
  const members = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (left.includes(name)) return []
    const ofType = column.enumValues === undefined ? OF_TYPE[column.dataType] : words(column.enumValues)
    const ofName = name === 'id' ? Id : name.endsWith('At') && column.dataType === 'number' ? Ms : undefined
    const schema = given[name] ?? ofName ?? ofType ?? Type.Unknown()
    const known = column.notNull ? schema : nullable(schema)
    return [[name, column.notNull && !column.hasDefault ? known : Type.Optional(known)] as const]
  })
  return Type.Object(Object.fromEntries(members))
}

const Said = Type.Partial(
  Type.Object({
    ...Object.fromEntries(NUMBER_NAMES.map((name) => [name, nullable(Type.Number())])),
    hrZoneSeconds: nullable(Type.Array(Type.Number(), { minItems: 5, maxItems: 5 })),
  }),
)
const Climb = nullable(Type.Object({ gainM: Type.Number(), lossM: Type.Number() }))
const Zones = nullable(
  Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { minItems: 5, maxItems: 5 }),
)

const FORMS: { readonly [F in keyof MemberForms]: TSchema } = {
  recordedMs: Type.Number({ minimum: 0 }),
  movedMs: Ms,
  metres: Type.Number({ minimum: 0 }),
  factor: nullable(Type.Number({ minimum: 0 })),
  kcal: nullable(Type.Number()),
  climb: Climb,
  flag: Type.Boolean(),
  timeZone: nullable(Text),
  numbers: Said,
  shifts: byName(Type.Number()),
  fields: byName(Id),
  recording: nullable(Id),
}
const formOf = (form: MemberForm) => (typeof form === 'string' ? FORMS[form] : words(form))

const some = <T extends TProperties>(members: T) => Type.Partial(Type.Object(members))
const WORDS = { name: nullable(Text), notes: nullable(Text), runType: nullable(Text) }
const Effort = Type.Object({
  ...{ id: Id, distanceIndex: Type.Integer({ minimum: 0 }), timeMs: Type.Integer({ minimum: 1 }) },
  ...{ calculatedAt: Ms, statedAt: Type.Optional(Ms) },
})
const SaidOfRun = some({
  words: some({ ...WORDS, rpe: nullable(Type.Integer()), shoeId: nullable(Id) }),
  shoeId: Id,
  carried: some({
    ...{ words: some(WORDS), numbers: Said, efforts: Type.Array(Effort), effortIds: byName(Id) },
    place: Type.Object({ timeZone: nullable(Text), utcOffsetMinutes: nullable(Type.Integer()) }),
  }),
})

const REPAIR = {
  ...{ id: Id, madeAt: Ms },
  ...some({
    ...{ undoneAt: Ms, zonesBefore: Zones, effortTimesBefore: byName(Ms) },
    number: Type.Integer({ minimum: 2 }),
    apart: Type.Object({
      runs: Type.Array(Type.Object({ id: Id, recordingId: Id, said: SaidOfRun, photos: Type.Array(Id) })),
      given: SaidOfRun,
    }),
  }).properties,
}
export function repairOf(kind: Repair['kind']) {
  const members = membersOf(kind).map(([name, form]) => [name, formOf(form)])
  return Type.Object({ ...REPAIR, kind: Type.Literal(kind), ...Object.fromEntries(members) })
}
const Repairs = Type.Array(Type.Union((Object.keys(REPAIR_KINDS) as Repair['kind'][]).map(repairOf)))
const Track = Type.Recursive((This) =>
  Type.Union([
    Type.Object({ recordings: Type.Array(Id, { minItems: 1 }), primary: Type.Optional(Id), repairs: Repairs }),
    Type.Object({
      ...{ join: Type.Array(This, { minItems: 1 }), id: Id, madeAt: Ms, gap: words(['pause', 'straight', 'none']) },
      ...{ climb: Climb, caloriesKcal: nullable(Type.Number()), startedAt: Ms, durationS: Type.Number({ minimum: 0 }) },
      repairs: Repairs,
    }),
  ]),
)

const Stretch = Type.Object({ startMs: Type.Number(), endMs: Type.Number() })
const Run = Type.Object({
  ...SaidOfRun.properties,
  ...{ track: Track, routeId: Id, createdAt: Ms },
  choices: Type.Optional(
    some({
      load: Type.Object({
        loadSource: Text,
        loadManual: nullable(Type.Number()),
        excludeFromEstimates: Type.Boolean(),
      }),
      ...{ leftOut: Type.Literal(true), wasRaced: Type.Literal(true), stated: Type.Literal(true) },
      ...{ efforts: byName(Type.Boolean()), intervals: Type.Object({ stretches: Type.Array(Stretch) }) },
    }),
  ),
})

const AskedOf = Type.Object({
  ...{ zones: Zones, splitUnitM: Type.Number({ minimum: 100, maximum: 100_000 }) },
  elevation: nullable(Type.Object({ thresholdM: Type.Number(), minDistanceM: Type.Number() })),
  ours: Type.Optional(Type.Array(words(['splits', 'effort', 'bestEfforts']))),
  effortTimes: Type.Optional(byName(Ms)),
})

const blobs = Object.fromEntries(BLOBS.map((name) => [name, Text]))
const Recording = Type.Composite([
  rowOf(
    recordings,
    {
      ...{ origin: words(RECORDING_ORIGINS), kind: words(['file', 'row', 'manual', 'archive']), totals: Said },
      ...{ words: byName(Type.Union([Text, Type.Number(), Type.Null()])), channels: Type.Array(Text) },
      ...{ splits: Type.Array(Type.Unknown()), rawView: byName(Type.Unknown()), laps: Type.Array(Type.Unknown()) },
      ...{ corrections: Type.Array(Type.Unknown()), startedAt: Type.Integer({ maximum: LATEST_START_MS }) },
    },
    ['receiptId', 'storedAs'],
  ),
  Type.Object({
    ...{ file: nullable(Text), isShared: Type.Boolean(), rawData: nullable(byName(Type.Unknown())) },
    samples: nullable(rowOf(samples, blobs, ['recordingId'])),
  }),
])

type Range = keyof typeof PROFILE_RANGES
const ranged = (name: Range) => Type.Number({ minimum: PROFILE_RANGES[name][0], maximum: PROFILE_RANGES[name][1] })
const ranges = (...names: readonly Range[]) => Object.fromEntries(names.map((name) => [name, nullable(ranged(name))]))
const Training = Type.Object({
  ...{ sex: nullable(words(['female', 'male'])), minRunsPerWeek: ranged('minRunsPerWeek') },
  ...{ fitnessDays: ranged('fitnessDays'), fatigueDays: ranged('fatigueDays') },
  ...ranges('fitnessSeed', 'referenceHeartRateBpm'),
  paceZoneBorders: nullable(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
  entries: Type.Array(
    Type.Object({
      from: nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      ...ranges('maxHeartRateBpm', 'restingHeartRateBpm', 'lthrBpm', 'thresholdPaceS', 'massKg', 'heightCm'),
    }),
  ),
})
const Settings = Type.Partial(
  Type.Object({
    ...rowOf(
      settings,
      {
        ...{ archiveId: Id, zoneBounds: Zones, secondRecording: words(SECOND_RECORDING) },
        page: Type.Object({
          cards: Type.Array(Type.Object({ id: Text, shown: Type.Boolean() })),
          effort: nullable(words(['load', 'relative'])),
        }),
      },
      ['id'],
    ).properties,
    training: nullable(Training),
  }),
)

const Count = Type.Integer({ minimum: 0 })
const SCHEMAS: Readonly<Partial<Record<string, TSchema>>> = {
  run: Type.Object({
    ...{ id: Id, to: Run, asked: AskedOf, recordings: Type.Array(Recording, { minItems: 1 }) },
    extent: Type.Object({
      ...{ startedAtMs: Type.Integer({ maximum: LATEST_START_MS }), distanceM: Type.Number({ minimum: 0 }) },
      durationS: Type.Number({ minimum: 0 }),
    }),
    media: Type.Array(Type.Composite([rowOf(media), Type.Object({ file: Text })])),
    weather: Type.Array(rowOf(observations, {}, ['runId'])),
    rows: Type.Object({ routes: Count, splits: Count, timeSeries: Count }),
  }),
  settings: Type.Object({ to: Settings }),
  ...Object.fromEntries(TABLE_KINDS.map((kind) => [kind, Type.Object({ to: rowOf(TABLES[kind]) })])),
}

/** @returns the row, or why it is not sound: the member and what it should be */
export function checkedRow(row: unknown): LibraryRow | { readonly error: string; readonly id: string | null } {
  const { kind = null, id = null, to = null } = isObject(row) ? row : {}
  const schema = typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind) ? SCHEMAS[kind] : undefined
  if (schema !== undefined && Value.Check(schema, row)) return row as Static<TSchema> as LibraryRow
  const first = schema && Value.Errors(schema, row).First()
  const named = kind === 'settings' ? kind : (id ?? (isObject(to) ? to.id : null))
  return {
    error: first ? `${first.path}: ${first.message}` : 'of no kind that is known',
    id: typeof named === 'string' ? named : null,
  }
}
