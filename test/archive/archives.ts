import { join } from 'node:path'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { openZip } from '../../src/zip/reader.ts'
import { type ZipItem, zipStream } from '../../src/zip/writer.ts'
import type { Answer, TestApp } from '../app.ts'

/** Entries of a ZIP by name. */
export type Entries = Map<string, Uint8Array<ArrayBuffer>>

/** The archive of an app's library. */
export async function exported(app: TestApp): Promise<Uint8Array<ArrayBuffer>> {
  const request = new Request('http://localhost/workouts/export', {
    method: 'POST',
    headers: { authorization: `Bearer ${app.token}` },
  })
  const answer = await app.handle(request)
  if (answer.status !== 200) throw new Error(`The export answered ${answer.status}: ${await answer.text()}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** Restores an archive, then derives its runs, as the service does of itself afterwards. */
export async function restored(app: TestApp, zip: Uint8Array): Promise<Answer> {
  const answer = await app.upload('/workouts/import/export', [{ name: 'archive.zip', bytes: zip }])
  const events = { ...app.deps.events, emit: () => {} }
  if (answer.status === 200) await upgradeWorkouts({ ...app.deps, events }, new AbortController().signal)
  return answer
}

/** Reads an archive in the data folder of an app. */
export async function entriesOf(app: TestApp, zip: Uint8Array): Promise<Entries> {
  const path = join(app.deps.config.dataDir, `${crypto.randomUUID()}.zip`)
  await Bun.write(path, zip)
  const archive = await openZip(path, { maxUnpackedBytes: 2 ** 40 })
  const entries: Entries = new Map()
  for (const entry of archive.entries()) {
    entries.set(entry.name, new Uint8Array(await archive.bytes(entry, 2 ** 30)))
  }
  await archive.close()
  return entries
}

/** A ZIP of texts, bytes or values (as JSON), in this order. */
export async function zipOf(entries: Readonly<Record<string, unknown>> | Entries): Promise<Uint8Array<ArrayBuffer>> {
  const listed = entries instanceof Map ? [...entries] : Object.entries(entries)
  async function* items(): AsyncGenerator<ZipItem> {
    for (const [name, value] of listed) yield { name, source: once(bytesOf(value)), compress: true, modifiedMs: 0 }
  }
  return new Uint8Array(await new Response(zipStream(items())).arrayBuffer())
}

export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A data file of an archive, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of rows and compare them
export function dataOf(entries: Entries, path: string): any {
  return JSON.parse(textOf(entries, path))
}

export function textOf(entries: Entries, path: string): string {
  const bytes = entries.get(path)
  if (bytes === undefined) throw new Error(`The archive has no ${path}`)
  return new TextDecoder().decode(bytes)
}

/** Every path of an archive with its bytes; the manifest without the time of the export. */
export async function contentOf(app: TestApp): Promise<Map<string, string>> {
  const entries = await entriesOf(app, await exported(app))
  const content = new Map<string, string>()
  for (const [name, bytes] of entries) {
    const isText = name.startsWith('data/') || !name.includes('/')
    content.set(name, isText ? new TextDecoder().decode(bytes) : Buffer.from(bytes).toString('base64'))
  }
  content.set('manifest.json', textOf(entries, 'manifest.json').replace(/"exportDate": "[^"]+"/, ''))
  return content
}

export const DATA_FORMAT = {
  settings: 'data/settings.json',
  shoes: 'data/shoes.json',
  workouts: 'data/workouts.json',
  routes: 'data/routes.json',
  splits: 'data/splits.json',
  timeSeries: 'data/time-series.json',
  mediaMetadata: 'data/media-metadata.json',
  bestEfforts: 'data/best-efforts.json',
}

/** What Harrier writes besides. */
export const OWN_FORMAT = { ...DATA_FORMAT, library: 'data/library.json' }

/** An archive whose manifest says that its data files are as they were written. */
export async function summed(entries: Entries): Promise<Uint8Array<ArrayBuffer>> {
  const manifest = dataOf(entries, 'manifest.json')
  for (const path of Object.keys(manifest.sums)) {
    manifest.sums[path] = new Bun.CryptoHasher('sha256').update(entries.get(path) ?? '').digest('hex')
  }
  return await zipOf(new Map(entries).set('manifest.json', bytesOf(manifest)))
}

/** The archive with other rows in a data file. */
// biome-ignore lint/suspicious/noExplicitAny: rows of archives are read and changed
export function withRows(entries: Entries, path: string, change: (rows: any[]) => void): Entries {
  const rows = dataOf(entries, path)
  change(rows)
  const lines = rows.map((row: unknown) => JSON.stringify(row)).join(',\n')
  return new Map(entries).set(path, bytesOf(`[\n${lines}\n]\n`))
}

/** A whole archive with empty data files, but for those that are given by path. */
export async function archiveOf(given: Readonly<Record<string, unknown>>): Promise<Uint8Array<ArrayBuffer>> {
  const empty = Object.fromEntries(Object.values(DATA_FORMAT).map((path) => [path, '[]']))
  const manifest = { version: '1.0.0', tempoVersion: '2.1.0', dataFormat: DATA_FORMAT, statistics: {} }
  return await zipOf({ ...empty, 'data/settings.json': {}, 'manifest.json': manifest, ...given })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
