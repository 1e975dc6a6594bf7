import type { MediaItem } from '../../../features/media/exported.ts'
import { ACTIVITIES, endurainRun, otherSportOf, STREAMS } from '../../../formats/endurain/endurain.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { type Members, membersOf } from '../../../formats/json.ts'
import { nameOf } from '../../../formats/service-run.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type Unpacking } from '../kind.ts'
import { otherFiles } from '../nested.ts'
import { RunSpool } from '../run-spool.ts'
import type { TakeoutSource } from '../source.ts'
import { listRows, rowItem } from './rows.ts'

/** Lists may be in numbered parts. */
const ACTIVITY_LIST = /(?:^|\/)data\/activities(?:_\d+)?\.json$/
const STREAM_LIST = /(?:^|\/)data\/activity_streams(?:_\d+)?\.json$/
const GEAR_LIST = /(?:^|\/)data\/gears?\.json$/
const FILE = /(?:^|\/)activity_files\/([^/.]+)\.(?:fit|gpx|tcx)(?:\.gz)?$/i
const MEDIA = /(?:^|\/)activity_media\/([^/_]+)_[^/]+$/

/** Endurain: lists of activities and of their streams, and the files that were uploaded. */
export const endurain: TakeoutKind = {
  origin: 'endurain',
  listed: 'Endurain',
  names: [/^(?:[^/]+\/){0,2}counts\.json$/, ACTIVITY_LIST],
  items,
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const [files, media] = [new Map<string, ZipEntry>(), new Map<string, ZipEntry[]>()]
  for await (const entry of source.entries()) {
    const id = FILE.exec(entry.name)?.[1]
    if (id !== undefined) files.set(id, entry)
    const owner = MEDIA.exec(entry.name)?.[1]
    if (owner !== undefined) media.set(owner, [...(media.get(owner) ?? []), entry])
  }
  const gears = await gearNames(source, unpacking)
  const spool = await RunSpool.open(source.tmpDir)
  try {
    /** Places in the spool of runs without a file, by id: of the row, and behind it of its streams. */
    const bare = new Map<string, number>()
    for await (const row of rowsIn(source, ACTIVITY_LIST, unpacking)) {
      const id = String(row.id)
      const entry = files.get(id)
      const sport = otherSportOf(row)
      if (sport !== null) yield { sport: sportWord(sport) }
      else if (entry !== undefined) {
        const photos = (media.get(id) ?? []).map((photo) => mediaItem(source, photo))
        yield await rowItem(source, { ...runOf(row, gears), entry, media: () => photos })
      } else if (!bare.has(id)) {
        bare.set(id, 2 * bare.size)
        spool.add(bare.get(id)!, Buffer.from(JSON.stringify(row)))
        await spool.flush()
      }
    }
    for await (const row of bare.size === 0 ? [] : rowsIn(source, STREAM_LIST, unpacking)) {
      const place = bare.get(String(row.activity_id))
      if (place === undefined) continue
      spool.add(place + 1, Buffer.from(`${spool.size(place + 1) === 0 ? '' : ','}${JSON.stringify(row)}`))
      await spool.flush()
    }
    for (const [id, place] of bare) yield await bareItem(source, { id, place, spool, gears })
  } finally {
    await spool.close()
  }
  yield* otherFiles(source, (name) =>
    [ACTIVITY_LIST, STREAM_LIST, GEAR_LIST, FILE, MEDIA].some((own) => own.test(name)),
  )
}

interface Bare {
  readonly id: string
  readonly place: number
  readonly spool: RunSpool
  readonly gears: ReadonlyMap<unknown, string>
}

/** A run without a file: with its streams as a ZIP, else from totals. */
async function bareItem(source: TakeoutSource, { id, place, spool, gears }: Bare): Promise<Item> {
  const filename = `data/activity-${id}.zip`
  if (spool.size(place + 1) > MAX_UNPACKED_BYTES) return { filename, error: 'Its streams are larger than 100 MiB' }
  const row = await spool.bytes(place)
  const streams = await spool.bytes(place + 1)
  const run = runOf(membersOf(JSON.parse(new TextDecoder().decode(row))), gears)
  if (streams.length === 0) return await rowItem(source, { ...run, entry: null })
  const listed = (bytes: Uint8Array) => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')])
  const parts = [
    { name: ACTIVITIES, bytes: listed(row) },
    { name: STREAMS, bytes: listed(streams) },
  ]
  const told = { ...NOTHING_TOLD, gear: run.told.gear }
  return { filename, file: await source.packed(parts), told }
}

function runOf(row: Members, gears: Bare['gears']) {
  const { startMs: startedAtMs, totals, name, notes, external } = endurainRun(row)
  const told = { ...NOTHING_TOLD, name, notes, external, gear: gears.get(row.gear_id) ?? null }
  return { name: `${ACTIVITIES}, ${name ?? String(row.id)}`, told, startedAtMs, totals }
}

async function* rowsIn(source: TakeoutSource, list: RegExp, unpacking: Unpacking): AsyncGenerator<Members> {
  for await (const entry of source.entries()) {
    if (list.test(entry.name)) yield* listRows(source, entry, unpacking)
  }
}

async function gearNames(source: TakeoutSource, unpacking: Unpacking): Promise<ReadonlyMap<unknown, string>> {
  const names = new Map<unknown, string>()
  for await (const { id, nickname, active, is_active: wasActive } of rowsIn(source, GEAR_LIST, unpacking)) {
    const name = nameOf(nickname)
    if (name === null) continue
    names.set(id, name)
    unpacking.shoe(name, [active, wasActive].some((is) => is === false || is === 0) ? Number.NaN : null)
  }
  return names
}

function mediaItem(source: TakeoutSource, entry: ZipEntry): MediaItem {
  const file = (maxBytes: number) => source.unpacked(entry, maxBytes)
  return { filename: entry.name, caption: null, size: entry.size, file }
}
