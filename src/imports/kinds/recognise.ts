import { FormatError } from '../../formats/format.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import { appleHealth } from './apple/apple.ts'
import { healthConnect } from './databases/health-connect.ts'
import { workoutTracker } from './databases/workout-tracker.ts'
import { garmin } from './garmin/garmin.ts'
import type { TakeoutKind } from './kind.ts'
import { endurain } from './services/endurain.ts'
import { fitTrackee } from './services/fittrackee.ts'
import { goldenCheetah, healthAutoExport, nike, plainZip, polarFlow } from './services/run-files.ts'
import { runkeeper } from './services/runkeeper.ts'
import { runtastic } from './services/runtastic.ts'
import { expectReadable, type TakeoutSource } from './source.ts'
import { strava } from './strava.ts'

/**
 * The first that recognises an upload reads it: those recognised by names come before those recognised by content, and a
 * ZIP of workout files comes last, since others hold such files, too.
 */
const TAKEOUT_KINDS: readonly TakeoutKind[] = [
  ...[strava, garmin, appleHealth, runkeeper, runtastic, polarFlow, fitTrackee, endurain],
  ...[workoutTracker, healthConnect, goldenCheetah, nike, healthAutoExport, plainZip],
]

/** Exports that are known by their beginning but cannot be read, with what to do instead. */
const REFUSED_KINDS: readonly (readonly [begins: RegExp, refusal: string])[] = [
  [
    /^\s*\[\s*\{\s*"name"\s*:[^{]*\}\s*,\s*\{\s*"sport"\s*:/,
    'Endomondo exports are not read; the GPX or TCX files that came with them are',
  ],
  [
    /^version=[\d.]+\s+\{"TABLE":"runalyze_/,
    'Backups of Runalyze are not read; import the original files that it keeps, as a ZIP',
  ],
  [/^\s*\{\s*"DeviceLog"\s*:/, 'This is the log of one Suunto workout, not an export: import it as a single file'],
]

/** What an upload is: an archive of Harrier or Tempo, or the export of a service. */
type Recognised = 'archive' | TakeoutKind

const ARCHIVED = ['manifest.json', 'data/workouts.json'] as const

/**
 * Recognises an upload by its content.
 * @throws FormatError for an export that is known but not read; with problem `unknown`, listing the kinds, for any other
 */
export async function recognised(source: TakeoutSource): Promise<Recognised> {
  const { zip, head, filename } = source
  // in the root, where a restore looks for them; archives have limits of their own
  if (zip !== null && ARCHIVED.every((name) => zip.find(name) !== null)) return 'archive'
  const names = await namesIn(source)
  const text = zip === null ? new TextDecoder().decode(head) : ''
  for (const [begins, refusal] of REFUSED_KINDS) if (begins.test(text)) throw new FormatError(refusal)
  const heads = new Map<ZipEntry, Uint8Array>()
  for (const kind of TAKEOUT_KINDS) {
    // what a table lists is refused by its own import
    if (kind.table === undefined) expectReadable(source)
    if (zip === null ? kind.begins?.(head, filename) : kind.names?.every((name) => names.has(name))) return kind
    for (const entry of kind.looksInto && zip !== null ? await source.largest(kind.looksInto) : []) {
      const known = heads.get(entry) ?? (await source.headOf(entry))
      heads.set(entry, known)
      if (kind.begins?.(known, entry.name)) return kind
    }
    if (await kind.recognises?.(source)) return kind
  }
  throw new FormatError(`This is not an export that Harrier can read: ${listedKinds()}`, { problem: 'unknown' })
}

/** `Garmin, Apple Health, …, a Strava export, an archive of Harrier or Tempo, or a ZIP of workout files` */
function listedKinds(): string {
  const services = TAKEOUT_KINDS.flatMap(({ origin, listed }) =>
    origin === 'zip' || origin === 'strava_archive' ? [] : [listed],
  )
  return [...services, 'Strava', 'an archive of Harrier or Tempo', 'or a ZIP of workout files'].join(', ')
}

async function namesIn(source: TakeoutSource): Promise<ReadonlySet<RegExp>> {
  const wanted = new Set(TAKEOUT_KINDS.flatMap(({ names = [] }) => names))
  const names = new Set<RegExp>()
  for await (const entry of source.entries()) {
    for (const name of wanted) if (name.test(entry.name) && wanted.delete(name)) names.add(name)
  }
  return names
}
