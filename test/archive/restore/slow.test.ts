import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../src/deps.ts'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { archiveOf } from '../archives.ts'
import { counts, workout } from './restoring.ts'
import { tempoLibrary } from './tempo-archive.ts'

// docs/api.md 1.1: 200 leaves 10 s after the body arrived when the work continues, then one space every 10 s. Here 10 s
// take 20 ms.

const SILENCE_MS = 10_000
const FAST_MS = 20
const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval }

beforeEach(() => {
  const fast = (ms: number | undefined) => (ms === SILENCE_MS ? FAST_MS : ms)
  Object.assign(globalThis, {
    setTimeout: (work: () => void, ms?: number) => real.setTimeout(work, fast(ms)),
    setInterval: (work: () => void, ms?: number) => real.setInterval(work, fast(ms)),
  })
})
afterEach(() => void Object.assign(globalThis, real))

/** Reading a watch file waits until it is let go. */
function heldAnalyzer(app: TestApp): { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { analyze } = app.deps.analyzer
  const held: Deps['analyzer']['analyze'] = async (job) => {
    await promise
    return await analyze(job)
  }
  Object.assign(app.deps.analyzer, { analyze: held })
  return { release: resolve }
}

function posted(app: TestApp, path: string, file: { name: string; bytes: Uint8Array | string }): Promise<Response> {
  const body = new FormData()
  body.append('file', new File([file.bytes.slice() as BlobPart], file.name))
  const headers = { authorization: `Bearer ${app.token}` }
  return app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
}

const stravaZip = () => {
  const row = { 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  return zipUpload({
    'activities.csv': stravaCsv([{ ...row, Filename: 'activities/1.fit' }]),
    'activities/1.fit': fitRun(),
  })
}

/** A bulk import that waits for its watch file. */
async function busy(app: TestApp): Promise<{ release: () => void; bulk: Response }> {
  const { release } = heldAnalyzer(app)
  return { release, bulk: await posted(app, '/workouts/import/bulk', stravaZip()) }
}

const restoring = async (app: TestApp, files: Parameters<typeof archiveOf>[0]) =>
  posted(app, '/workouts/import/export', { name: 'a.zip', bytes: await archiveOf(files) })

describe('an answer that takes longer than proxies wait', () => {
  test('of a bulk import: 200 while it works, blanks, then the summary', async () => {
    await using app = await testApp()
    const { release } = heldAnalyzer(app)
    const answer = await posted(app, '/workouts/import/bulk', stravaZip())
    // nothing is stored yet, and the head is there
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(0)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    real.setTimeout(release, 5 * FAST_MS)
    const text = await answer.text()
    expect(text).toMatch(/^ {3,}\{/)
    expect(JSON.parse(text)).toMatchObject({ totalProcessed: 1, successful: 1, errors: 0, warnings: [] })
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(1)
  })

  test('of a restore that reads an original', async () => {
    await using app = await testApp()
    const { release } = heldAnalyzer(app)
    const answer = await restoring(app, tempoLibrary())
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    real.setTimeout(release, 5 * FAST_MS)
    const text = await answer.text()
    expect(text).toMatch(/^ {3,}\{/)
    expect(JSON.parse(text)).toMatchObject({ success: true, errors: [], statistics: { workouts: counts(1) } })
  })

  test('of a restore that waits for its turn behind a bulk import', async () => {
    await using app = await testApp()
    const { release, bulk } = await busy(app)
    const answer = await restoring(app, { 'data/workouts.json': [workout(1)] })
    release()
    const [first, second] = await Promise.all([bulk.json(), answer.json()])
    expect(first).toMatchObject({ successful: 1 })
    expect(second).toMatchObject({ success: true, statistics: { workouts: counts(1) } })
  })

  test('of a restore that fails after its 200 left: success false, and why, in all nine groups', async () => {
    await using app = await testApp()
    const { release, bulk } = await busy(app)
    const answer = await restoring(app, { 'data/workouts.json': [workout(1)], 'data/splits.json': '[{' })
    expect(answer.status).toBe(200)
    release()
    await bulk.text()
    const summary = (await answer.json()) as { statistics: object }
    expect(summary).toMatchObject({ success: false, errors: ['data/splits.json is not valid JSON'] })
    expect(Object.keys(summary.statistics)).toHaveLength(9)
  })

  test('of a restore whose database is gone says so in the same form, without any SQL', async () => {
    await using app = await testApp()
    const { release, bulk } = await busy(app)
    const answer = await restoring(app, { 'data/workouts.json': [workout(1)] })
    app.deps.db.$client.run('DROP TABLE shoe')
    release()
    await bulk.text()
    expect(await answer.json()).toMatchObject({
      success: false,
      errors: ['The restore ended early because of an unexpected error; it can be repeated'],
    })
    expect(app.logged.some((line) => line.includes('no such table'))).toBe(true)
  })

  test('of an import that ends early is its summary, and what was stored is counted', async () => {
    await using app = await testApp()
    const { release, bulk } = await busy(app)
    const { emit } = app.deps.events
    Object.assign(app.deps.events, {
      emit: (stated: Parameters<typeof emit>[0]) => {
        if (stated.event === 'import.progress') throw new Error('words of a library')
        emit(stated)
      },
    })
    const files = new FormData()
    for (const day of [1, 2]) {
      files.append('files', new File([fitRun({ startMs: START_MS + day * 864e5 }).slice()], `${day}.fit`))
    }
    const headers = { authorization: `Bearer ${app.token}` }
    const several = await app.handle(
      new Request('http://localhost/workouts/import', { method: 'POST', headers, body: files }),
    )
    expect([bulk.status, several.status]).toEqual([200, 200])
    release()
    const error = 'The import ended early because of an unexpected error; it can be repeated'
    const counts = { skipped: 0, updated: 0, errors: 1 }
    expect(await bulk.json()).toMatchObject({
      ...{ totalProcessed: 2, successful: 1, ...counts },
      errorDetails: [{ filename: 'activities.csv', error }],
      ...{ skippedOther: 0, mediaImported: 0, warnings: [] },
    })
    expect(await several.json()).toMatchObject({ ...counts, errorDetails: [{ filename: '', error }], skippedOther: 0 })
    expect(await readdir(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
    expect(app.logged.some((line) => line.includes('words of a library'))).toBe(true)
  })

  test('what is not an archive is refused at once, even while another import runs', async () => {
    await using app = await testApp()
    const { release, bulk } = await busy(app)
    for (const path of ['/workouts/import/export', '/workouts/import/bulk']) {
      const answer = await posted(app, path, { name: 'a.zip', bytes: 'words' })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({ error: expect.any(String) })
    }
    release()
    await bulk.text()
  })
})
