import { join } from 'node:path'
import { ACTIVITIES, endurainRun, otherSportOf, STREAMS } from '../../formats/endurain/endurain.ts'
import type { Members } from '../../formats/json-bytes.ts'
import { nameOf } from '../../formats/service-run.ts'
import { smallZip } from '../../formats/small-zip.ts'
import { sportWord } from '../../formats/sport-words.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import {
  type Item,
  type MediaItem,
  NOTHING_TOLD,
  type TakeoutKind,
  type TakeoutSource,
  type Unpacking,
} from '../kind.ts'
import { otherFiles } from '../other-files.ts'
import { listRows, rowItem, warnOnce } from './rows.ts'

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
  recognises: (source) => {
    if (source.find('counts.json') === null) return false
    return [...source.entries()].some(({ name }) => ACTIVITY_LIST.test(name))
  },
  items,
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const [files, media] = [new Map<string, ZipEntry>(), new Map<string, ZipEntry[]>()]
  for (const entry of source.entries()) {
    const id = FILE.exec(entry.name)?.[1]
    if (id !== undefined) files.set(id, entry)
    const owner = MEDIA.exec(entry.name)?.[1]
    if (owner !== undefined) media.set(owner, [...(media.get(owner) ?? []), entry])
  }
  const gears = await gearNames(source, unpacking)
  const bare = new Map<string, Members>()
  for await (const row of rowsIn(source, ACTIVITY_LIST, unpacking)) {
    const sport = otherSportOf(row)
    if (sport !== null) yield { sport: sportWord(sport) }
    else if (files.has(String(row.id))) {
      const id = String(row.id)
      const photos = (media.get(id) ?? []).map((entry) => mediaItem(source, entry))
      yield await rowItem(source, { ...runOf(row, gears), entry: files.get(id)!, media: photos })
    } else bare.set(String(row.id), row)
  }
  yield* withStreams(source, unpacking, { bare, gears })
  yield* otherFiles(source, (name) =>
    [ACTIVITY_LIST, STREAM_LIST, GEAR_LIST, FILE, MEDIA].some((own) => own.test(name)),
  )
}

interface Bare {
  /** Rows of runs without a file, by id. */
  readonly bare: ReadonlyMap<string, Members>
  readonly gears: ReadonlyMap<unknown, string>
}

/** Runs without a file: with their streams as a ZIP, else from totals. */
async function* withStreams(source: TakeoutSource, unpacking: Unpacking, { bare, gears }: Bare): AsyncGenerator<Item> {
  if (bare.size === 0) return
  const streams = new Map<string, string[]>()
  // on the disk, since those of one run may be far apart
  for await (const row of rowsIn(source, STREAM_LIST, unpacking)) {
    const id = String(row.activity_id)
    if (!bare.has(id)) continue
    const path = join(source.tmpDir, crypto.randomUUID())
    await Bun.write(path, JSON.stringify(row))
    streams.set(id, [...(streams.get(id) ?? []), path])
  }
  for (const [id, row] of bare) {
    const run = runOf(row, gears)
    const parts = await Promise.all((streams.get(id) ?? []).map((path) => Bun.file(path).text()))
    if (parts.length === 0) yield await rowItem(source, { ...run, entry: null })
    else {
      const bytes = smallZip([
        { name: ACTIVITIES, bytes: Buffer.from(JSON.stringify([row])) },
        { name: STREAMS, bytes: Buffer.from(`[${parts.join(',')}]`) },
      ])
      yield {
        filename: `data/activity-${id}.zip`,
        file: await source.written(bytes),
        told: { ...NOTHING_TOLD, gear: run.told.gear },
      }
    }
  }
}

function runOf(row: Members, gears: Bare['gears']) {
  const { startMs: startedAtMs, totals, name, notes, external } = endurainRun(row)
  const told = { ...NOTHING_TOLD, name, notes, external, gear: gears.get(row.gear_id) ?? null }
  return { name: `${ACTIVITIES}, ${name ?? String(row.id)}`, told, startedAtMs, totals }
}

async function* rowsIn(source: TakeoutSource, list: RegExp, unpacking: Unpacking): AsyncGenerator<Members> {
  for (const entry of source.entries()) {
    if (list.test(entry.name)) yield* listRows(source, { entry, failed: warnOnce(entry.name, unpacking) })
  }
}

async function gearNames(source: TakeoutSource, unpacking: Unpacking): Promise<ReadonlyMap<unknown, string>> {
  const names = new Map<unknown, string>()
  for await (const { id, nickname } of rowsIn(source, GEAR_LIST, unpacking)) {
    const name = nameOf(nickname)
    if (name !== null) names.set(id, name)
  }
  return names
}

function mediaItem(source: TakeoutSource, entry: ZipEntry): MediaItem {
  return { filename: entry.name, caption: null, file: () => source.unpacked(entry) }
}
