import { expect } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { TestApp, TestFile } from '../../app.ts'
import { contentOf } from '../../archive/archives.ts'
import { jpeg, png } from '../../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'

const DAY_MS = 86_400_000
/** Of the mixed runs; those of the small library are later. */
const FIRST_MS = Date.UTC(2020, 0, 5, 7)

/** Runs of several kinds, one a day: FIT, GPX, gzipped, a damaged file, one that is there twice. @param from first day */
export function mixedFiles(count: number, from = 0): TestFile[] {
  return Array.from({ length: count }, (_, place): TestFile => {
    const startMs = FIRST_MS + (from + place) * DAY_MS
    const made = { startMs, seconds: 120 + (place % 5) * 60, speedMps: 2.5 + (place % 7) / 5 }
    const first = { startMs: FIRST_MS + from * DAY_MS, seconds: 120, speedMps: 2.5 }
    const name = String(from + place).padStart(4, '0')
    const others: Record<number, TestFile> = {
      3: { name: `${name}.gpx`, bytes: gpxRun({ ...made, name: `Run ${place}` }) },
      5: { name: `${name}.fit.gz`, bytes: gzipSync(fitRun(made)) },
      7: { name: `${name}.fit`, bytes: 'no run at all' },
      9: { name: `${name}.fit`, bytes: fitRun(first) },
    }
    return others[place % 10] ?? { name: `${name}.fit`, bytes: fitRun(made) }
  })
}

/** A few runs with shoes, words, photos, a crop, and a row without a file. */
export async function smallLibrary(app: TestApp): Promise<string[]> {
  const { id: defaultShoeId } = await app.ok('POST', '/shoes', { brand: 'Saucony', model: 'Kinvara' })
  await app.ok('PUT', '/settings/default-shoe', { defaultShoeId })
  const files: TestFile[] = [
    { name: 'one.fit', bytes: fitRun({ startMs: START_MS - 9 * DAY_MS, seconds: 1500, speedMps: 3.3 }) },
    { name: 'two.gpx', bytes: gpxRun({ startMs: START_MS - 8 * DAY_MS, seconds: 900, name: 'Zwei' }) },
    { name: 'three.fit', bytes: fitRun({ startMs: START_MS - 7 * DAY_MS, seconds: 1200, speedMps: 3.1 }) },
  ]
  const ids: string[] = []
  for (const file of files) ids.push((await app.upload('/workouts/import', [file])).json.id)
  await app.upload('/workouts/import/bulk', [zipUpload({ 'activities.csv': ROW })])
  ids.push((await app.ok('GET', '/workouts?keyword=Without')).items[0].id)
  await app.ok('PATCH', `/workouts/${ids[0]}`, { runType: 'Race', notes: 'line\none "quoted"', rpe: 9 })
  await app.ok('PATCH', `/workouts/${ids[0]}/best-efforts/804.672`, { isRecord: false })
  await app.ok('PATCH', `/workouts/${ids[1]}`, { loadSource: 'manual', loadManual: 120 })
  await app.upload(`/workouts/${ids[0]}/media`, [
    { name: 'start.png', bytes: png(3) },
    { name: 'end.jpg', bytes: jpeg(700) },
  ])
  await app.ok('POST', `/workouts/${ids[2]}/crop`, { removeFromStartSeconds: 60 })
  return ids
}

const ROW = [
  'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename',
  '1,"Oct 29, 2025, 7:00:00 AM",Without file,Run,600,1.8,',
  '',
].join('\n')

/** All of a library but the moment of its export, and repairs that were undone, which are kept. */
export async function libraryContent(app: TestApp): Promise<Map<string, string>> {
  const content = await contentOf(app)
  const undone = (_: string, member: unknown) =>
    Array.isArray(member) ? member.filter((one) => typeof one !== 'object' || !('undoneAt' in (one ?? {}))) : member
  content.set('data/library.json', JSON.stringify(JSON.parse(content.get('data/library.json') ?? '[]', undone)))
  content.set(
    'manifest.json',
    (content.get('manifest.json') ?? '').replace(/"(document|data\/library\.json)": "\w+"/g, ''),
  )
  return content
}

export function expectSame(after: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): void {
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
  for (const [name, content] of before) expect(`${name} ${after.get(name)}`).toBe(`${name} ${content}`)
}

/** What undoing a receipt answers. */
export async function undo(app: TestApp, id: string | null, json: object = {}) {
  const { status, json: answer, headers } = await app.call('POST', `/receipts/${id}/undo`, { json })
  return { status, answer, header: headers.get('Harrier-Receipt') }
}

export const headerOf = (answer: { readonly headers: Headers }) => answer.headers.get('Harrier-Receipt')
