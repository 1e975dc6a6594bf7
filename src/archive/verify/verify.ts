import { stat } from 'node:fs/promises'
import { isObject } from '../../base/json-object.ts'
import { DISK_FULL } from '../../db/disk-full.ts'
import { openSnapshot } from '../../db/open.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import type { ZipItem } from '../../zip/writer.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { exportItems } from '../export/export.ts'
import { DATA_PATHS, editedFiles, LIBRARY_PATH, type OpenArchive, sha256Of } from '../format/data-rows.ts'
import type { RestoreSummary } from '../restore/report.ts'
import { openedArchive, restoreArchive } from '../restore/restore.ts'

interface KindCounts {
  readonly kind: string
  inArchive: number
  restored: number
  /** null: made anew of the archive of another program, and not compared. */
  equal: number | null
}

export interface Verified {
  readonly bytes: number
  /** Which program wrote it and when, by its manifest. */
  readonly origin: string
  readonly kinds: readonly KindCounts[]
  /** The first differences of each kind, one sentence each; empty: everything was restored unchanged. */
  readonly differences: readonly string[]
  readonly differencesCount: number
  /** What the restore said, though nothing differs. */
  readonly notes: readonly string[]
}

/** For the sums, the restore and the comparison. */
const READINGS = 3

/**
 * Restores an archive with the server's own code, exports what that gave, and compares both: data files and manifest row
 * by row, all other files by their hashes. The manifest has hashes of the tables of the library that wrote it, so that a
 * member that both ways leave out is found as well. An archive of another program is restored alone: what was left out
 * counts as a difference. Memory does not grow with the archive.
 * @param deps with an empty library that is thrown away afterwards
 * @throws Error with one sentence when it is not an archive that could be restored, or too damaged to compare; one that
 * `isDiskFull` knows
 */
export async function verifyArchive(deps: Deps, path: string): Promise<Verified> {
  const { maxArchiveBytes } = deps.config
  const { size: bytes } = await stat(path)
  const findings = new Findings()
  if (bytes > maxArchiveBytes) {
    findings.differ('archive', `The archive has ${bytes} bytes, MAX_ARCHIVE_BYTES allows ${maxArchiveBytes}`)
  }
  await using archive = await openedArchive(path, READINGS)
  const { harrierVersion, exportDate, sums } = archive.manifest
  const summary = await restored({ ...deps, by: { actor: 'command_line', left: () => {} } }, archive)
  for (const error of summary.errors) findings.differ('restore', error)
  if (sums !== null) await compareAgain(deps, archive, findings)
  else countGroups(summary, findings)
  return {
    bytes,
    origin: `written ${exportDate ?? 'at an unknown time'} by ${harrierVersion === null ? 'another program' : `Harrier ${harrierVersion}`}`,
    kinds: findings.kinds,
    notes: sums === null ? [] : summary.warnings,
    differences: findings.sentences(),
    differencesCount: findings.differencesCount,
  }
}

async function restored(deps: DepsBy, archive: OpenArchive): Promise<RestoreSummary> {
  const summary = await restoreArchive(deps, archive)
  // what found no space would be reported as a difference
  const full = summary.errors.find((error) => error.startsWith(DISK_FULL))
  if (full !== undefined) throw Object.assign(new Error(full), { code: 'ENOSPC' })
  const broken = Object.values(DATA_PATHS).find((path) => summary.errors.some((error) => error.startsWith(`${path} `)))
  if (broken !== undefined) throw new Error(summary.errors.find((error) => error.startsWith(`${broken} `)))
  return summary
}

/** What a restore says of an archive of another program, whose rows are not those that Harrier writes. */
function countGroups({ statistics, warnings }: RestoreSummary, findings: Findings): void {
  for (const [group, { imported, skipped, errors }] of Object.entries(statistics)) {
    const kind = NAMES[group] ?? group
    findings.kinds.push({ kind, inArchive: imported + skipped + errors, restored: imported, equal: null })
  }
  for (const warning of warnings) findings.differ('restore', warning)
}

/** Names of kinds, where they are not those of data files and groups. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ timeSeries: 'samples', bestEfforts: 'best efforts', mediaMetadata: 'media', rawFiles: 'original files' },
}
/** Kinds of entries whose rows are compared. */
const KINDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(DATA_PATHS).map(([kind, path]) => [path, NAMES[kind] ?? kind])),
  ...{ [LIBRARY_PATH]: 'library', 'manifest.json': 'manifest' },
}

async function compareAgain({ db, config }: Deps, archive: OpenArchive, findings: Findings): Promise<void> {
  const { zip } = archive
  const seen = new Set<string>()
  const options = { dataDir: config.dataDir, nowMs: 0, appVersion: '' }
  for await (const item of exportItems(openSnapshot(db), options)) {
    seen.add(item.name)
    await compareEntry(archive, item, findings)
  }
  for (const { name, isFolder } of zip.entries()) {
    if (!isFolder && !seen.has(name)) await compareEntry(archive, { name, source: none() }, findings)
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

/** @param item what an export of the restored library has under this name */
async function compareEntry(
  { zip }: OpenArchive,
  item: Pick<ZipItem, 'name' | 'source' | 'whenOpened'>,
  findings: Findings,
): Promise<void> {
  const { name, source } = item
  const isText = name in KINDS
  const [, folder] = /^workouts\/[^/]+\/(raw|recordings|media)\//.exec(name) ?? []
  const ofFiles = folder === undefined ? 'other files' : folder === 'media' ? 'media files' : 'original files'
  const counts = findings.kind(KINDS[name] ?? ofFiles)
  const readRows = name === 'manifest.json' ? manifestRows : isText ? rowsOf : hashOf
  const entry = zip.find(name)
  const file = typeof source === 'string' ? Bun.file(source) : null
  if (file !== null) item.whenOpened?.((await file.exists()) ? file.size : null)
  const archived = entry === null ? none() : zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })
  const [one, two] = [readRows(archived), readRows(file?.stream() ?? (source as AsyncIterable<Uint8Array>))]
  try {
    for (;;) {
      const [a, b] = [(await one.next()).value ?? null, (await two.next()).value ?? null]
      if (a === null && b === null) return
      if (a !== null) counts.inArchive += 1
      if (b !== null) counts.restored += 1
      // how many were lost is said of the library that wrote it
      if (a === b || name === 'README.txt') counts.equal = (counts.equal ?? 0) + 1
      else if (isText) findings.differ(counts.kind, `${counts.kind} ${rowDifference(a, b)}`)
      else findings.differ(counts.kind, `${name}: ${a === null || b === null ? lack(a) : 'other bytes restored'}`)
    }
  } catch (error) {
    if (!(error instanceof ZipError) || error.scope === 'archive') throw error
    findings.differ(counts.kind, `${name}: ${error.message}`)
  }
}

const lack = (archived: string | null) => (archived === null ? 'restored, but not in the archive' : 'not restored')

async function* hashOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  yield await sha256Of(pieces)
}

/** The rows of a data file without what separates them. */
async function* rowsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (!NO_ROW.test(line)) yield line.replace(/,$/, '')
  }
  if (!NO_ROW.test(rest)) yield rest
}

const NO_ROW = /^(\[|\]|\[\])?$/

/** What a manifest states, but for when, by whom and by which version the archive was written. */
async function* manifestRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const {
    exportDate: _,
    exportedBy: __,
    harrierVersion: ___,
    ...stated
  } = JSON.parse(Buffer.concat(await Array.fromAsync(pieces)).toString()) as Record<string, unknown>
  for (const [section, value] of Object.entries(stated)) {
    const members = isObject(value) ? Object.entries(value) : [['', value]]
    for (const [name, value] of members) yield JSON.stringify({ id: `${section} ${name}`, value })
  }
}

function rowDifference(archived: string | null, restoredRow: string | null): string {
  const [a, b] = [parsed(archived), parsed(restoredRow)]
  const row = isObject(a) ? a : isObject(b) ? b : {}
  const id = row.id ?? (isObject(row.to) ? row.to.id : null) ?? row.kind ?? row.workoutId
  const named = typeof id === 'string' ? id : (archived ?? restoredRow ?? '').trim().slice(0, MOST_SHOWN)
  if (a === null || b === null) return `${named}: ${lack(archived)}`
  const { field, one, other } = firstDifference(a, b)
  return `${named}: ${field} is ${shown(one)} in the archive, ${shown(other)} restored`
}

function parsed(row: string | null): unknown {
  try {
    return row === null ? null : JSON.parse(row)
  } catch {
    return row
  }
}

const MOST_SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

/** The first value, at any depth, that differs, with its path, such as `recordings[0].laps[2].distanceM`. */
function firstDifference(one: unknown, other: unknown, field = ''): { field: string; one: unknown; other: unknown } {
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
    const [a, b] = [one, other] as Readonly<Record<string, unknown>>[]
    for (const key of Object.keys({ ...a, ...b })) {
      if (Bun.deepEquals(a![key], b![key])) continue
      return firstDifference(
        a![key],
        b![key],
        Array.isArray(one) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`,
      )
    }
  }
  return { field: field === '' ? 'the row' : field, one, other }
}

const MOST_NAMED = 5

/** Results of a verification: counts for each kind, and its first differences as sentences. */
class Findings {
  differencesCount = 0
  readonly kinds: KindCounts[] = []
  private readonly named = new Map<string, { count: number; readonly sentences: string[] }>()

  kind(kind: string): KindCounts {
    const known = this.kinds.find((line) => line.kind === kind)
    if (known === undefined) this.kinds.push({ kind, inArchive: 0, restored: 0, equal: 0 })
    return known ?? this.kinds.at(-1)!
  }

  /** @param sentence the difference, with id and field */
  differ(kind: string, sentence: string): void {
    this.differencesCount += 1
    const named = this.named.get(kind) ?? { count: 0, sentences: [] }
    named.count += 1
    if (named.sentences.length < MOST_NAMED) named.sentences.push(sentence)
    this.named.set(kind, named)
  }

  /** The first differences of each kind, and how many more there are. */
  sentences(): string[] {
    return [...this.named].flatMap(([kind, { count, sentences }]) => {
      const more = count - sentences.length
      return more === 0 ? sentences : [...sentences, `${kind}: ${more} more differences`]
    })
  }
}

export function countsTable(kinds: readonly KindCounts[]): string {
  const rows = kinds.map(({ kind, inArchive, restored, equal }) => [kind, inArchive, restored, equal ?? 'rebuilt'])
  return [['', 'in the archive', 'restored', 'equal'], ...rows]
    .map(([kind, ...cells]) => `  ${String(kind).padEnd(14)}${cells.map((cell) => String(cell).padStart(16)).join('')}`)
    .join('\n')
}

const COUNTED = ['shoes', 'workouts', 'routes', 'splits', 'timeSeries', 'mediaFiles', 'bestEfforts'] as const
const MOST_PROBLEMS = 100

/**
 * Reads every byte of an archive that was just written: the sums of the data files, and the checksums of all others. It
 * takes seconds and no disk space; `verifyArchive` checks what a restore would make of it.
 * @returns what it contains, as a sentence, and reasons why it would not be restored completely
 * @throws Error when it is not an archive that could be restored
 */
export async function readArchive(path: string) {
  await using archive = await openedArchive(path)
  const { zip, manifest } = archive
  const edited = await editedFiles(archive, () => {})
  const problems = (edited ?? ['manifest.json']).map((name) => `${name} is not as it was written`)
  let [files, bytes] = [0, 0]
  for (const entry of zip.entries()) {
    if (entry.isFolder || entry.name.startsWith('data/')) continue
    if (entry.name.startsWith('workouts/')) files += 1
    try {
      for await (const piece of zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })) bytes += piece.length
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      problems.push(`${entry.name}: ${error.message}`)
    }
  }
  const rows = COUNTED.map((kind) => `${manifest.statistics[kind] ?? 0} ${kind}`)
  return {
    summary: `${rows.join(', ')}; ${files} originals and photos, ${bytes} bytes beside the data`,
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}
