// What a file states wrongly is corrected, and every correction is said: by the import, its receipt and the run.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { collectOld } from '../../../src/library/collect.ts'
import { rawFilePath } from '../../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../../app.ts'
import { BOTH_FEET, bothFeetFit, bothFeetGpx } from '../../fixtures/both-feet.ts'
import { chainedFit } from '../../fixtures/fit-writer.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { watchedFolder } from '../../imports/watch/watched.ts'
import { firstRecording, forgetOriginals } from '../../library/recordings.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const warned = (filename: string) => ({ filename, message: BOTH_FEET.reason })
const receiptWarnings = async (id: string) => (await app.ok('GET', `/receipts/${id}`)).warnings
const imported = async (...names: string[]) =>
  (
    await app.upload(
      '/workouts/import',
      names.map((name, day) => ({ name, bytes: bothFeetGpx({ startMs: START_MS + day * DAY_MS }) })),
    )
  ).json

describe('an import says what was corrected', () => {
  test('in its answer and its receipt; of a file with nothing to correct, or a duplicate, nothing', async () => {
    const { warnings, receiptId } = await imported('a.gpx')
    expect(warnings).toEqual([warned('a.gpx')])
    expect(await receiptWarnings(receiptId)).toEqual([warned('a.gpx')])
    const again = await imported('a.gpx')
    expect([again.action, again.warnings, await receiptWarnings(again.receiptId)]).toEqual(['skipped', [], []])
    const good = await app.upload('/workouts/import', [
      { name: 'good.fit', bytes: fitRun({ startMs: START_MS + DAY_MS }) },
    ])
    expect(good.json.warnings).toEqual([])
  })

  test('of several files, by name', async () => {
    const { successful, warnings, receiptId } = await imported('a.gpx', 'b.gpx')
    expect([successful, warnings]).toEqual([2, [warned('a.gpx'), warned('b.gpx')]])
    expect(await receiptWarnings(receiptId)).toEqual(warnings)
  })

  test('of a body that is one file', async () => {
    const { json } = await app.call('POST', '/workouts/import/raw?name=raw.fit', { body: bothFeetFit().slice() })
    expect(json.warnings).toEqual([warned('raw.fit')])
  })

  test('of a Strava export and a ZIP of files, and a preview of that', async () => {
    const row =
      'Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename\n' +
      '"Nov 1, 2025, 7:00:00 AM",Row,Run,600,1.8,activities/a.gpx\n'
    const bulk = zipUpload({ 'activities.csv': row, 'activities/a.gpx': bothFeetGpx() })
    const strava = (await app.upload('/workouts/import/bulk', [bulk])).json
    expect(strava.warnings).toEqual([warned('activities/a.gpx')])
    expect(await receiptWarnings(strava.receiptId)).toEqual(strava.warnings)
    const zip = zipUpload({
      'runs/b.gpx': bothFeetGpx({ startMs: START_MS + DAY_MS }),
      'runs/c.fit': fitRun({ startMs: START_MS + 2 * DAY_MS }),
    })
    const preview = (await app.upload('/workouts/import/archive', [zip], { dryRun: 'true' })).json
    const { warnings, receiptId } = (await app.upload('/workouts/import/archive', [zip])).json
    expect([preview.warnings, warnings]).toEqual([[warned('runs/b.gpx')], [warned('runs/b.gpx')]])
    expect(await receiptWarnings(receiptId)).toEqual(warnings)
  })

  test('of a watched file in the receipt of its round, and when it is read again', async () => {
    await using watched = await watchedFolder()
    watched.put('a.gpx', bothFeetGpx())
    await watched.settle()
    const [file] = await watched.files()
    const receipt = await watched.app.ok('GET', `/receipts/${file.receiptId}`)
    expect(receipt.warnings).toEqual([warned('a.gpx')])
    await watched.app.ok('DELETE', `/workouts/${file.workoutIds[0]}`)
    const again = await watched.app.ok('POST', `/watch-folder/files/${file.id}/import`)
    expect([again.action, again.warnings]).toEqual(['created', [warned('a.gpx')]])
  })
})

/** A run whose corrected cadence is that of one foot, unless the file's values count. */
async function cadenceOf(of: TestApp, id: string) {
  const run = await of.ok('GET', `/workouts/${id}?includeRaw=false`)
  const { items } = await of.ok('GET', `/workouts/${id}/time-series`)
  return [run.avgCadenceRpm, run.maxCadenceRpm, items[300].cadenceRpm]
}
const [CORRECTED, STATED] = [
  [86, 86, 86],
  [172, 172, 172],
]
const declined = async (id: string) => (await app.ok('GET', `/workouts/${id}/sources`)).choices
const patched = async (id: string, json: unknown) => {
  const { status, headers, json: answer } = await app.call('PATCH', `/workouts/${id}`, { json })
  return { status, answer, receiptId: headers.get('harrier-receipt') }
}

describe('a run with corrections', () => {
  test('lists them with its sources, and says in its detail how many there are', async () => {
    const id = await app.run(bothFeetGpx(), 'a.gpx')
    const { corrections, choices, recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(corrections).toEqual([{ ...BOTH_FEET, recordingId: recordings[0].id }])
    expect(choices).toEqual({ stated: false })
    expect((await app.ok('GET', `/workouts/${id}`)).corrections).toBe(1)
    const good = await app.run(fitRun({ startMs: START_MS + DAY_MS }))
    expect((await app.ok('GET', `/workouts/${good}/sources`)).corrections).toEqual([])
    expect((await app.ok('GET', `/workouts/${good}`)).corrections).toBe(0)
  })

  for (const [name, bytes] of [
    ['a.fit', bothFeetFit()],
    ['a.gpx', bothFeetGpx()],
  ] as const) {
    test(`counts what ${name} states when they are declined, and again what was corrected`, async () => {
      const id = await app.run(bytes, name)
      const before = [await app.ok('GET', `/workouts/${id}`), await app.ok('GET', `/workouts/${id}/sources`)]
      expect(await cadenceOf(app, id)).toEqual(CORRECTED)
      const { status, answer, receiptId } = await patched(id, { stated: true })
      expect([status, answer.stated]).toEqual([200, true])
      expect(await cadenceOf(app, id)).toEqual(STATED)
      const sources = await app.ok('GET', `/workouts/${id}/sources`)
      expect(sources.choices).toEqual({ stated: true })
      expect(sources.corrections).toEqual([{ ...BOTH_FEET, recordingId: sources.recordings[0].id }])
      expect(sources.recordings[0]).toMatchObject({ filename: name, addedAt: before[1].recordings[0].addedAt })
      expect(await app.ok('GET', `/receipts/${receiptId}`)).toMatchObject({
        ...{ kind: 'edit', title: 'Edited corrections', workoutId: id, canUndo: true },
        counts: { changed: 1 },
      })
      // asked for again it changes nothing
      expect((await patched(id, { stated: true })).receiptId).toBeNull()

      await app.ok('POST', `/receipts/${receiptId}/undo`)
      const undone = [await app.ok('GET', `/workouts/${id}`), await app.ok('GET', `/workouts/${id}/sources`)]
      expect(undone).toEqual(before)

      await app.ok('PATCH', `/workouts/${id}`, { stated: true })
      expect((await patched(id, { stated: false })).answer.stated).toBe(false)
      expect(await cadenceOf(app, id)).toEqual(CORRECTED)
      expect(await declined(id)).toEqual({ stated: false })
    })
  }

  test('keeps its file, and is known as a duplicate of it, also once nothing can be undone any more', async () => {
    const id = await app.run(bothFeetGpx(), 'a.gpx')
    await app.ok('PATCH', `/workouts/${id}`, { stated: true })
    await collectOld({ ...app.deps, now: () => app.clock.nowMs + 40 * DAY_MS })
    const { text } = await app.call('GET', `/workouts/${id}/file`)
    expect(text === new TextDecoder().decode(bothFeetGpx())).toBe(true)
    expect((await app.ok('GET', `/workouts/${id}/sources`)).recordings).toHaveLength(1)
    expect((await imported('a.gpx')).action).toBe('skipped')
    expect(await app.ok('GET', '/settings/files')).toMatchObject({ missing: { count: 0 } })
    await app.ok('PATCH', `/workouts/${id}`, { stated: false })
    expect(await cadenceOf(app, id)).toEqual(CORRECTED)
  })

  test('takes other members of the same call, under one receipt', async () => {
    const id = await app.run(bothFeetGpx(), 'a.gpx')
    const { answer, receiptId } = await patched(id, { stated: true, name: 'As stated', rpe: 6 })
    expect(answer).toMatchObject({ stated: true, name: 'As stated', rpe: 6 })
    expect((await app.ok('GET', `/receipts/${receiptId}`)).title).toBe('Edited name, effort, corrections')
    // a later edit joins it, and one undo takes back both
    expect((await patched(id, { notes: 'flat' })).receiptId).toBe(receiptId)
    await app.ok('POST', `/receipts/${receiptId}/undo`)
    expect(await app.ok('GET', `/workouts/${id}`)).toMatchObject({ name: null, rpe: null, notes: null })
    expect(await cadenceOf(app, id)).toEqual(CORRECTED)
  })

  test('of a file of several runs is read again as the run that it is', async () => {
    const week = chainedFit(
      fitRun({ startMs: START_MS }),
      bothFeetFit({ startMs: START_MS + DAY_MS }),
      bothFeetFit({ startMs: START_MS + 2 * DAY_MS, seconds: 700 }),
    )
    await app.upload('/workouts/import', [{ name: 'week.fit', bytes: week }])
    const { items } = await app.ok('GET', '/workouts?sortBy=startedAt&sortOrder=asc')
    await app.ok('PATCH', `/workouts/${items[2].id}`, { stated: true })
    expect(await app.ok('GET', `/workouts/${items[2].id}`)).toMatchObject({
      ...{ durationS: 700, avgCadenceRpm: 172, startedAt: items[2].startedAt },
    })
    expect(await cadenceOf(app, items[1].id)).toEqual(CORRECTED)
  })

  test('beside a row of Strava keeps what the row states', async () => {
    const row =
      'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Calories,Filename\n' +
      '7,"Nov 1, 2025, 7:00:00 AM",Lake,Run,600,1.8,99,activities/a.gpx\n'
    const zip = zipUpload({ 'activities.csv': row, 'activities/a.gpx': bothFeetGpx() })
    await app.upload('/workouts/import/bulk', [zip])
    const { items } = await app.ok('GET', '/workouts')
    await app.ok('PATCH', `/workouts/${items[0].id}`, { stated: true })
    expect(await cadenceOf(app, items[0].id)).toEqual(STATED)
    expect(await app.ok('GET', `/workouts/${items[0].id}`)).toMatchObject({ name: 'Lake', calories: 99, sources: 2 })
  })
})

describe('declining corrections is refused', () => {
  const refusalOf = async (id: string) => {
    const { status, answer, receiptId } = await patched(id, { stated: true, name: 'x' })
    expect([status, receiptId, (await app.ok('GET', `/workouts/${id}`)).name]).toEqual([400, null, null])
    return answer.error
  }

  test('for a run without any, and an unknown one', async () => {
    expect(await refusalOf(await app.run(fitRun()))).toBe('Nothing in the files of this run was corrected')
    const unknown = '0198a000-0000-7000-8000-00000000ffff'
    expect((await patched(unknown, { stated: true })).status).toBe(404)
  })

  test('while a repair of the samples is active; reverted, it works', async () => {
    const id = await app.run(bothFeetGpx(), 'a.gpx')
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 60 })
    expect(await refusalOf(id)).toBe('Revert the repairs of this run first')
    await app.ok('POST', `/workouts/${id}/revert`)
    await app.ok('PATCH', `/workouts/${id}`, { stated: true })
    expect(await cadenceOf(app, id)).toEqual(STATED)
  })

  test('for a joined run and a part of a split one', async () => {
    const id = await app.run(bothFeetGpx({ seconds: 1200 }), 'a.gpx')
    const other = await app.run(bothFeetGpx({ startMs: START_MS + 1_300_000 }), 'b.gpx')
    const { workouts } = await app.ok('POST', `/workouts/${other}/split`, { atElapsedS: [300] })
    const joined = await app.ok('POST', '/workouts/join', { ids: [id, workouts[0].id] })
    const sentence = 'Corrections of a joined, merged or split run cannot be declined'
    expect([await refusalOf(joined.id), await refusalOf(workouts[1].id)]).toEqual([sentence, sentence])
    expect((await app.ok('GET', `/workouts/${joined.id}/sources`)).corrections).toHaveLength(2)
  })

  test('without its original', async () => {
    const id = await app.run(bothFeetGpx(), 'a.gpx')
    const { storedAs } = firstRecording(app.deps, id)
    rmSync(rawFilePath(app.deps.config.dataDir, storedAs!))
    expect(await refusalOf(id)).toBe('The original file of this run is missing, so it cannot be read again')
    forgetOriginals(app.deps)
    expect(await refusalOf(id)).toBe('The original file of this run is missing, so it cannot be read again')
  })
})
