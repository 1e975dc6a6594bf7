import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '../../../app.ts'
import { garminTakeout, SHOES, type TrueRun } from '../../../fixtures/garmin-takeout.ts'
import { buildZip } from '../../../fixtures/zip-builder.ts'
import { PATH } from '../exports.ts'

const TAKEOUT = garminTakeout({ runs: 24, seconds: 120 })
const FILE = { name: 'garmin.zip', bytes: new Uint8Array(buildZip(TAKEOUT.entries)) }

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  expect(app.logged).toEqual([])
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  await app.close()
})

async function storedRuns() {
  const { items } = await app.ok('GET', '/workouts?pageSize=100')
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are compared
  return items.toReversed() as any[]
}

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

test('every run is stored once, with what file, row and gear say of it', async () => {
  const { json } = await app.upload(PATH, [FILE])
  const { errorDetails, receiptId, ...counts } = json
  expect(counts).toEqual({
    ...{ kind: 'garmin_takeout', totalProcessed: 25, successful: 24, skipped: 0, updated: 0, merged: 0, errors: 1 },
    ...{ skippedOther: TAKEOUT.rides + TAKEOUT.swims, skippedSports: { ride: TAKEOUT.rides, swim: TAKEOUT.swims } },
    ...{ ignored: TAKEOUT.others, shoesCreated: 3, mediaImported: 0, warnings: [] },
  })
  expect(errorDetails[0].filename).toMatch(/UploadedFiles_0-_Part\d\.zip\/runner@example\.org_\d+\.fit$/)
  const names = new Map<string, string>()
  for (const { id, brand, model, retiredAt } of await app.ok('GET', '/shoes')) {
    expect([model, retiredAt]).toEqual([model, model === 'Ghost 7' ? '2025-06-07T00:00:00Z' : null])
    names.set(id, `${brand} ${model}`.replace('– ', ''))
  }
  expect([...names.values()].toSorted()).toEqual([...SHOES].toSorted())
  const stored = await storedRuns()
  expect(stored).toHaveLength(24)
  for (const [k, run] of TAKEOUT.runs.entries()) {
    const detail = await app.ok('GET', `/workouts/${stored[k].id}`)
    expect([k, truthOf(detail, names)]).toEqual([k, expectedOf(run)])
    expect(detail.distanceM).toBeWithin(run.distanceM * 0.997, run.distanceM * 1.003)
    const { recordings } = await app.ok('GET', `/workouts/${stored[k].id}/sources`)
    expect(recordings).toMatchObject([{ origin: 'garmin_takeout', kind: run.from === 'row' ? 'row' : 'file' }])
    // in other units than the row
    if (run.from !== 'row') continue
    const measured = { distanceM: run.distanceM, durationS: run.seconds, movingTimeS: run.seconds }
    expect(detail).toMatchObject({
      ...{ ...measured, elevGainM: 12.5, elevLossM: 11, maxSpeedMps: 4.2, avgHeartRateBpm: 140, maxHeartRateBpm: 171 },
      ...{ avgCadenceRpm: 85, calories: null, hasRoute: false },
    })
  }
  const { counts: noted, items } = await app.ok('GET', `/receipts/${receiptId}?pageSize=100`)
  expect(noted).toMatchObject({ created: 27, errors: 1, ignored: TAKEOUT.others + TAKEOUT.rides + TAKEOUT.swims })
  const reasons = items.items.map(({ reason }: { reason: string | null }) => reason)
  expect(reasons).toContain(`${TAKEOUT.rides} rides, ${TAKEOUT.swims} swims skipped (not runs)`)
})

// biome-ignore lint/suspicious/noExplicitAny: the answer of the service
function truthOf(detail: any, shoes: ReadonlyMap<string, string>) {
  const { startedAt, durationS, name, runType, shoeId, source, utcOffsetMinutes, hasRoute } = detail
  const offset = hasRoute ? null : utcOffsetMinutes
  return { startedAt, durationS, name, runType, shoe: shoeId && shoes.get(shoeId), source, offset }
}

function expectedOf({ startMs, seconds, name, shoe, isRace, from, isIndoor, offsetMinutes }: TrueRun) {
  const hasRoute = from !== 'row' && !isIndoor
  return {
    ...{ startedAt: iso(startMs), durationS: seconds, name, runType: isRace ? 'Race' : null, shoe },
    ...{ source: from === 'tcx and row' ? 'tcx_import' : 'fit_import', offset: hasRoute ? null : offsetMinutes },
  }
}

test('a dry run says what is in it and stores nothing; then it is imported, undone, and imported once more', async () => {
  const { json: dry } = await app.upload(PATH, [FILE], { dryRun: 'true' })
  expect(dry).toMatchObject({ successful: 24, skipped: 0, errors: 1, skippedSports: { ride: TAKEOUT.rides } })
  const distanceM = TAKEOUT.runs.reduce((sum, run) => sum + run.distanceM, 0)
  const [firstRunAt, lastRunAt] = [0, -1].map((at) => iso(TAKEOUT.runs.at(at)!.startMs))
  const shown = { firstRunAt, lastRunAt, runs: 24, distanceM: dry.preview.distanceM, shoes: [...SHOES].toSorted() }
  expect(dry.preview).toEqual(shown)
  expect(dry.preview.distanceM).toBeWithin(distanceM * 0.997, distanceM * 1.003)
  expect([await storedRuns(), await app.ok('GET', '/shoes')]).toEqual([[], []])
  const { json: first } = await app.upload(PATH, [], { uploadId: dry.uploadId })
  expect(first).toMatchObject({ successful: 24, errors: 1 })
  const again = await app.upload(PATH, [FILE])
  expect(again.json).toMatchObject({ successful: 0, updated: 0, skipped: 24, errors: 1, shoesCreated: 0 })
  expect(await app.ok('POST', `/receipts/${first.receiptId}/undo`)).toMatchObject({ kept: [] })
  expect([await storedRuns(), await app.ok('GET', '/shoes')]).toEqual([[], []])
  const wanted = await app.upload(PATH, [FILE], { includeDeleted: 'true' })
  expect(wanted.json).toMatchObject({ successful: 24, errors: 1, shoesCreated: 3 })
})

test('without new shoes it assigns those that there are', async () => {
  const shoe = await app.ok('POST', '/shoes', { brand: 'brooks', model: 'GHOST 7' })
  const { json } = await app.upload(PATH, [FILE], { createShoes: 'false' })
  expect(json).toMatchObject({ successful: 24, shoesCreated: 0 })
  const worn = (await storedRuns()).filter(({ shoeId }) => shoeId !== null)
  expect(worn).toHaveLength(TAKEOUT.runs.filter(({ shoe: name }) => name === SHOES[0]).length)
  expect(new Set(worn.map(({ shoeId }) => shoeId))).toEqual(new Set([shoe.id]))
})

test('runs that are stored already get names and shoes from it, but what the runner wrote stays', async () => {
  const parts = TAKEOUT.entries.filter(({ name }) => String(name).endsWith('.zip'))
  const files = await uploaded(parts.map((part) => ({ ...part, name: String(part.name).split('/').at(-1)! })))
  const rowsAlone = TAKEOUT.runs.filter(({ from }) => from === 'row').length
  expect(files.json).toMatchObject({ kind: 'zip', successful: 24 - rowsAlone })
  const named = (await storedRuns()).find(({ startedAt }) => startedAt === iso(TAKEOUT.runs[4]!.startMs))
  await app.ok('PATCH', `/workouts/${named.id}`, { name: 'My own', shoeId: null })
  const dry = await app.upload(PATH, [FILE], { dryRun: 'true' })
  const { json } = await app.upload(PATH, [], { uploadId: dry.json.uploadId })
  const { successful, updated, skipped } = json
  expect(dry.json).toMatchObject({ successful, updated, skipped })
  expect([successful, updated + skipped]).toEqual([rowsAlone, 24 - rowsAlone])
  const stored = await storedRuns()
  expect(stored.map(({ name }) => name)).toEqual(TAKEOUT.runs.map(({ name }, k) => (k === 4 ? 'My own' : name)))
  expect(stored.find(({ id }) => id === named.id).shoeId).toBeNull()
  expect((await app.upload(PATH, [FILE])).json).toMatchObject({ successful: 0, updated: 0, skipped: 24 })
})

const uploaded = async (entries: Parameters<typeof buildZip>[0]) =>
  await app.upload(PATH, [{ name: 'a.zip', bytes: new Uint8Array(buildZip(entries)) }])

test('an export may be repacked; one with nothing to import names what was looked for', async () => {
  const { entries } = garminTakeout({ runs: 12, seconds: 120, prefix: 'my export/garmin/' })
  expect((await uploaded(entries)).json).toMatchObject({ kind: 'garmin_takeout', successful: 12 })
  const { status, json } = await uploaded([{ name: 'DI_CONNECT/DI-Connect-User/user_profile.json', data: '{}' }])
  const error =
    'The Garmin export has neither activity files (UploadedFiles_….zip) nor summaries (…_summarizedActivities.json)'
  expect([status, json]).toEqual([400, expect.objectContaining({ error })])
  expect((await app.ok('GET', '/receipts')).items[0].counts.errors).toBe(1)
})

test('cut summaries, a broken ZIP and a ZIP within a ZIP cost only themselves', async () => {
  const { entries } = garminTakeout({ runs: 12, seconds: 120 })
  const changed = entries.map((entry) => {
    const data = Buffer.from(entry.data ?? '')
    if (/0_summarized|Part1/.test(String(entry.name))) return { ...entry, data: data.subarray(0, data.length / 2) }
    if (/Part2/.test(String(entry.name))) return { ...entry, data: buildZip([{ name: 'a.zip', data }]) }
    return /gear/.test(String(entry.name)) ? { ...entry, data: '[{"gearDTOS":' } : entry
  })
  const { json } = await uploaded(changed)
  expect(json.successful).toBeGreaterThan(3)
  const named = (end: string) => expect.stringMatching(new RegExp(`${end}$`))
  const error = 'The ZIP archive is cut off: its table of contents is missing'
  expect(json.errorDetails).toContainEqual({ filename: expect.any(String), error })
  const within = { filename: named('Part2\\.zip/a\\.zip'), error: 'A ZIP within a ZIP of the export is not opened' }
  expect(json.errorDetails).toContainEqual(within)
  expect(json.warnings).toEqual([
    {
      filename: named('_0_summarizedActivities.json'),
      message: 'The file is cut off: only what is before that was read',
    },
    { filename: named('_gear.json'), message: 'The file is not JSON' },
  ])
})
