import { LENGTHS } from '../../../base/texts.ts'
import { MOST_SHOES } from '../../../engine/limits.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { type Members, membersOf, parsedJson } from '../../../formats/json.ts'
import { GPS, HEART, SESSION } from '../../../formats/runtastic/runtastic.ts'
import { isRunSport, sportOf } from '../../../formats/runtastic/session.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import { cleanText, textOf } from '../../../formats/text-values.ts'
import type { ZipArchive, ZipEntry } from '../../../zip/reader.ts'
import { baseName } from '../../../zip/unpack.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type Unpacking } from '../kind.ts'
import { otherFiles } from '../nested.ts'
import { messageOf, type TakeoutSource } from '../source.ts'

const MOST_SESSION_BYTES = 1024 * 1024
const SHOE = /(?:^|\/)User\/Shoes\/[^/]+\.json$/

/** adidas Running, formerly Runtastic: sessions whose track and heart rate are files of their own. */
export const runtastic: TakeoutKind = {
  origin: 'runtastic',
  listed: 'adidas Running (Runtastic)',
  names: [SESSION],
  items,
}

async function* items(source: TakeoutSource, { expect }: Unpacking): AsyncGenerator<Item> {
  const { zip } = source
  if (zip === null) return
  const sessions: ZipEntry[] = []
  const [tracks, rates] = [new Map<string, ZipEntry>(), new Map<string, ZipEntry>()]
  for await (const entry of source.entries()) {
    if (SESSION.test(entry.name)) sessions.push(entry)
    else if (GPS.test(entry.name)) tracks.set(idIn(entry.name), entry)
    else if (HEART.test(entry.name)) rates.set(idIn(entry.name), entry)
  }
  expect(sessions.length)
  const shoes = await shoeNames(source, zip)
  for (const entry of sessions) {
    const id = idIn(entry.name)
    try {
      yield await itemOf(source, zip, { entry, parts: [tracks.get(id), rates.get(id)], shoes })
    } catch (error) {
      yield { filename: entry.name, error: messageOf(error) }
    }
  }
  yield* otherFiles(source, (name) => [SESSION, GPS, HEART, SHOE].some((known) => known.test(name)))
}

/** The id at the end of a file name, whatever stands before it. */
function idIn(path: string): string {
  const stem = baseName({ name: path }).replace(/\.\w+$/, '')
  return stem.slice(stem.lastIndexOf('_') + 1).toLowerCase()
}

interface Session {
  readonly entry: ZipEntry
  readonly parts: readonly (ZipEntry | undefined)[]
  readonly shoes: ReadonlyMap<string, string>
}

async function itemOf(source: TakeoutSource, zip: ZipArchive, { entry, parts, shoes }: Session): Promise<Item> {
  const filename = entry.name
  const session = await zip.bytes(entry, MOST_SESSION_BYTES)
  const about = parsed(session)
  const sport = sportOf(about)
  if (!isRunSport(sport)) return { sport: sportWord(sport ?? '') }
  const files = [{ name: placed(entry), bytes: session }]
  for (const part of parts) {
    if (part === undefined || !source.isFirst(part)) continue
    files.push({ name: placed(part), bytes: await zip.bytes(part, MAX_UNPACKED_BYTES) })
  }
  const worn = Array.isArray(about.user_equipment_ids) ? about.user_equipment_ids : []
  const gear = worn.map((id) => shoes.get(textOf(id) ?? '')).find((name) => name !== undefined) ?? null
  const told = { ...NOTHING_TOLD, gear }
  return { filename: filename.replace(/\.json$/, '.zip'), file: await source.packed(files), told }
}

/** The path without folders that packing the export again put around it. */
function placed({ name }: ZipEntry): string {
  return name.slice(name.indexOf('Sport-sessions/'))
}

async function shoeNames(source: TakeoutSource, zip: ZipArchive): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for await (const entry of source.entries()) {
    if (!SHOE.test(entry.name) || names.size === MOST_SHOES) continue
    try {
      const { id, name } = parsed(await zip.bytes(entry, MOST_SESSION_BYTES))
      const shown = cleanText(textOf(name), LENGTHS.name)
      if (typeof id === 'string' && shown !== null) names.set(id, shown)
    } catch (error) {
      messageOf(error)
    }
  }
  return names
}

function parsed(bytes: Uint8Array): Members {
  return membersOf(parsedJson(bytes, 'adidas Running'))
}
