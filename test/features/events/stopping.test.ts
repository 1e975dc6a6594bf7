// A process that is asked to end finishes the file in hand of an import, and says what was imported and what was not.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, type TestApp, type TestFile, testApp } from '../../app.ts'
import { exported } from '../../archive/archives.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'

// a busy machine is no fault
setDefaultTimeout(60_000)

const RUNS = 60
const FILES = Array.from({ length: RUNS }, (_, k) => fitRun({ startMs: START_MS - k * 864e5, seconds: 120 + k }))
const fileOf = (bytes: Uint8Array, k: number): TestFile => ({ name: `${k}.fit`, bytes })
const ofStrava = (_: Uint8Array, k: number) => ({
  ...{ 'Activity ID': k, 'Activity Date': 'Nov 3, 2025, 7:00:00 AM', 'Activity Type': 'Run' },
  ...{ 'Elapsed Time': 120 + k, 'Distance#2': 3 * (120 + k), Filename: `activities/${k}.fit` },
})
const named = (folder: string) => Object.fromEntries(FILES.map((bytes, k) => [`${folder}/${k}.fit`, bytes]))

const archive = async (): Promise<readonly TestFile[]> => {
  await using app = await testApp()
  await app.upload('/workouts/import', FILES.map(fileOf))
  return [{ name: 'archive.zip', bytes: await exported(app) }]
}
const strava = async () => [zipUpload({ 'activities.csv': stravaCsv(FILES.map(ofStrava)), ...named('activities') })]

/** Ends the process, as far as the app knows, at the first news of an import's progress. */
function endsAtFirst(app: TestApp): { readonly ended: () => unknown[] } {
  const ended: unknown[] = []
  app.deps.events.subscribe(({ event, data }) => {
    if (event === 'import.progress') app.deps.events.close()
    if (event === 'import.done') ended.push(data)
  })
  return { ended: () => ended }
}

const stored = async (app: TestApp): Promise<number> => (await app.ok('GET', '/workouts')).totalCount

describe('an import that the end of the process cuts short', () => {
  test.each<[path: string, of: string, files: () => Promise<readonly TestFile[]>]>([
    ['/workouts/import', 'files', async () => FILES.map(fileOf)],
    ['/workouts/import/bulk', 'an export of Strava', strava],
    ['/workouts/import/archive', 'a ZIP of files', async () => [zipUpload(named('runs'))]],
    ['/workouts/import/archive', 'an export of Strava', strava],
    ['/workouts/import/archive', 'an archive', archive],
    ['/workouts/import/export', 'an archive', archive],
  ])('by %s of %s answers 503 with what was imported', async (path, of, files) => {
    const sent = await files()
    await using app = await testApp()
    const { ended } = endsAtFirst(app)
    const { status, json } = await app.upload(path, sent)
    const runs = await stored(app)
    expect(runs).toBeWithin(1, RUNS)
    const [what, again] = of === 'files' ? ['files', 'them'] : ['runs', 'the file']
    const sentence = new RegExp(
      `^Harrier is stopping: (\\d+) of ${RUNS} ${what} are done, the others were not imported; send ${again} again$`,
    )
    expect([status, json]).toEqual([503, expect.objectContaining({ error: expect.stringMatching(sentence) })])
    expect(Number(sentence.exec(json.error)?.[1])).toBe(runs)
    expect(ended()).toEqual([expect.objectContaining({ successful: runs, stopped: json.error })])
    // what was imported has a finished receipt, which says the same, and undoes it
    const { items } = await app.ok('GET', '/receipts')
    expect(items).toMatchObject([{ finishedAt: expect.any(String), counts: { created: runs } }])
    const [receipt] = items
    expect(JSON.stringify(await app.ok('GET', `/receipts/${receipt.id}?pageSize=100`))).toContain(json.error)
    expect((await app.ok('POST', `/receipts/${receipt.id}/undo`)).undone).toBeGreaterThanOrEqual(runs)
    expect(await stored(app)).toBe(0)
    // an import that comes then imports nothing
    const late: Answer = await app.upload(path, sent)
    expect([late.status, late.json.error]).toEqual([503, expect.stringContaining('Harrier is stopping')])
    expect(await stored(app)).toBe(0)
    expect(app.logged).toEqual([])
  })
})
