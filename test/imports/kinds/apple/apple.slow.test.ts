import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { zippedFiles } from '../../../../src/formats/small-zip.ts'
import { type TestApp, testApp } from '../../../app.ts'
import { exported, restored } from '../../../archive/archives.ts'
import {
  type AppleRun,
  appleExport,
  appleRecord,
  appleRuns,
  appleXml,
  PHONE,
  routeName,
} from '../../../fixtures/apple-export.ts'
import { zipUpload } from '../../../fixtures/strava-zip.ts'
import { buildZip } from '../../../fixtures/zip-builder.ts'
import { PATH } from '../exports.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(async () => {
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
  await app.close()
})

const [OUTDOOR, , , INDOOR, PAUSED] = appleRuns(5) as [AppleRun, AppleRun, AppleRun, AppleRun, AppleRun]

async function imported(files: Readonly<Record<string, string>>) {
  const { status, json } = await app.upload(PATH, [zipUpload(files)])
  expect({ status, errors: json.errorDetails }).toEqual({ status: 200, errors: [] })
  return json
}

async function onlyRun(files: Readonly<Record<string, string>>) {
  await imported(files)
  const { items } = await app.ok('GET', '/workouts')
  expect(items).toHaveLength(1)
  return await app.ok('GET', `/workouts/${items[0].id}`)
}

describe('a run of an Apple Health export', () => {
  test('has the route, the watch’s heart rate, cadence, totals, weather and device', async () => {
    const run = await onlyRun(appleExport([OUTDOOR]))
    expect(run).toMatchObject({
      ...{ startedAt: new Date(OUTDOOR.startMs).toISOString().replace('.000', ''), durationS: OUTDOOR.seconds },
      ...{ timerTimeS: OUTDOOR.seconds, distanceM: OUTDOOR.metres, avgHeartRateBpm: OUTDOOR.heartRate },
      ...{ minHeartRateBpm: OUTDOOR.heartRate, avgCadenceSpm: OUTDOOR.steps, hasRoute: true, calories: 321 },
      ...{ source: 'json_import', device: 'Anna’s Apple Watch', utcOffsetMinutes: 60 },
    })
    expect(run.weather).toMatchObject({ source: 'apple_health', temperature: 12.2, humidity: 65 })
    const series = await app.ok('GET', `/workouts/${run.id}/time-series?pageSize=5000`)
    const rates = new Set(series.items.map((row: { heartRateBpm: number | null }) => row.heartRateBpm))
    expect([...rates]).toEqual([OUTDOOR.heartRate])
    // points that the watch itself calls 250 m wrong are left out
    const east = run.route.coordinates.map(([lon]: [number]) => lon)
    expect(Math.max(...east)).toBeCloseTo(8, 4)
    const { recordings } = await app.ok('GET', `/workouts/${run.id}/sources`)
    expect(recordings[0]).toMatchObject({ origin: 'apple_health', fileType: 'zip' })
  })

  test('without a route has its distance from records, scaled to the total, and the time zone of the watch', async () => {
    const run = await onlyRun(appleExport([INDOOR]))
    expect(run).toMatchObject({
      ...{ distanceM: INDOOR.metres, durationS: INDOOR.seconds, avgHeartRateBpm: INDOOR.heartRate },
      ...{ utcOffsetMinutes: 60, elevGainM: null },
    })
    const { items } = await app.ok('GET', `/workouts/${run.id}/time-series?pageSize=5000`)
    type Row = Readonly<Record<'elapsedSeconds' | 'distanceM', number | null>>
    const reached = (atS: number) =>
      items.findLast((row: Row) => row.elapsedSeconds! <= atS && row.distanceM !== null).distanceM
    const { numbers } = await app.ok('GET', `/workouts/${run.id}/sources`)
    expect(numbers.distanceM.others).toMatchObject([{ origin: 'samples', value: INDOOR.metres }])
    // records of 10 s
    expect(Math.abs(reached(INDOOR.seconds / 2) - INDOOR.metres / 2)).toBeLessThan(32)
    await app.call('DELETE', `/workouts/${run.id}?forever=true`)
    // of a phone alone its steps count, 3 in 10 s, of one source
    expect((await onlyRun(appleExport([{ ...INDOOR, source: PHONE }]))).avgCadenceSpm).toBe(18)
  })

  test('has the pauses of its events, and without records and route its totals', async () => {
    const run = await onlyRun(appleExport([PAUSED]))
    expect(run).toMatchObject({ durationS: PAUSED.seconds, timerTimeS: PAUSED.seconds - 60, distanceM: PAUSED.metres })
    expect(run.movingTimeS).toBeLessThanOrEqual(PAUSED.seconds - 60)
    await app.call('DELETE', `/workouts/${run.id}`)
    const bare = await onlyRun(appleExport([{ ...OUTDOOR, hasRoute: false, hasRecords: false }]))
    expect(bare).toMatchObject({ distanceM: OUTDOOR.metres, avgHeartRateBpm: OUTDOOR.heartRate })
  })
})

describe('an Apple Health export', () => {
  test('keeps of each run a ZIP of its parts, which archives carry and which is imported alone', async () => {
    const files = appleExport([PAUSED])
    await imported(files)
    const zip = await exported(app)
    await using other = await testApp()
    expect((await restored(other, zip)).status).toBe(200)
    const [run] = (await other.ok('GET', '/workouts')).items
    expect(run).toMatchObject({ distanceM: PAUSED.metres, avgHeartRateBpm: PAUSED.heartRate, hasRoute: true })
    expect((await other.upload(PATH, [zipUpload(files)])).json).toMatchObject({ successful: 0, updated: 0, skipped: 1 })
    const address = `http://localhost/workouts/${run.id}/export?format=original`
    const headers = { authorization: `Bearer ${other.token}` }
    const bytes = await (await other.handle(new Request(address, { headers }))).bytes()
    expect([...zippedFiles(bytes).keys()]).toEqual(['export.xml', `workout-routes/${routeName(PAUSED)}`])
    await using alone = await testApp()
    expect((await alone.upload(PATH, [{ name: 'a.zip', bytes }])).json).toMatchObject({ successful: 1, errors: 0 })
    const [again] = (await alone.ok('GET', '/workouts')).items
    expect(again).toMatchObject({ distanceM: PAUSED.metres, timerTimeS: PAUSED.seconds - 60, hasRoute: true })
  })

  test('of a phone that moved to another time zone creates nothing either', async () => {
    const files = appleExport([OUTDOOR, INDOOR])
    await imported(files)
    const moved = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        text.replace(/Date="(\S+ \S+) \+0100"/g, (_, local) => {
          const ms = Date.parse(`${local.replace(' ', 'T')}Z`) + 2 * 3_600_000
          return `Date="${new Date(ms).toISOString().replace('T', ' ').replace('.000Z', '')} +0300"`
        }),
      ]),
    )
    expect(await imported(moved)).toMatchObject({ successful: 0, updated: 0, skipped: 2 })
  })

  test('is read bare, with a garbled or Chinese name, and with the copies of a Mac', async () => {
    const xml = [...appleXml([INDOOR])].join('')
    const bare = await app.upload(PATH, [{ name: 'whatever.xml', bytes: new TextEncoder().encode(xml) }])
    expect(bare.json).toMatchObject({ kind: 'apple_health', successful: 1 })
    expect(await imported(appleExport([INDOOR], { folder: 'apple_health_export/', name: '导出.xml' }))).toMatchObject({
      skipped: 1,
    })
    const garbled = buildZip([
      { name: '__MACOSX/apple_health_export/._export.xml', data: '\0\x05\x16\x07'.repeat(400) },
      { name: Uint8Array.from([0xe5, 0xaf, 0xbc, 0xff, 0xfe, 0x2e, 0x78, 0x6d, 0x6c]), data: xml, method: 8 },
    ])
    const answer = await app.upload(PATH, [{ name: 'export.zip', bytes: new Uint8Array(garbled) }])
    expect(answer.json).toMatchObject({ kind: 'apple_health', skipped: 1, errors: 0 })
  })

  test('passes over controls and damaged elements', async () => {
    const damaged = ` <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="a<b" value="1"/>\n <Workout workoutActivityType=Running>\n`
    const note = appleRecord({ type: 'BodyMass', unit: 'kg', value: 70, source: '\x0b\x01', fromMs: OUTDOOR.startMs })
    const files = appleExport([OUTDOOR], { records: [note, '\x0b\n', damaged] })
    files['apple_health_export/export.xml'] = files['apple_health_export/export.xml']!.replaceAll('9.1"', '9\x0b1"')
    const json = await imported(files)
    expect(json).toMatchObject({ successful: 1 })
    expect(json.warnings).toEqual([
      { filename: 'apple_health_export/export.xml', message: 'Could not be read: 2 parts of the export' },
    ])
  })

  test('with a DTD that is not at the beginning, or without workouts, is refused in words for the runner', async () => {
    for (const [runs, workouts, error] of [
      [[OUTDOOR], '<!DOCTYPE x [<!ENTITY a "b">]>', expect.stringContaining('(DTD)')],
      [[], ' '.repeat(2000), 'The Apple Health export has no workouts, only other health data'],
    ] as const) {
      const { status, json } = await app.upload(PATH, [zipUpload(appleExport(runs, { workouts }))])
      expect([status, json]).toEqual([400, expect.objectContaining({ error })])
    }
  })

  test('passes over copies of other apps, but not when nothing else is known of that time', async () => {
    const copy = (run: AppleRun): AppleRun => ({ ...run, source: 'Strava', hasRoute: false, hasRecords: false })
    const lone = { ...copy(OUTDOOR), startMs: OUTDOOR.startMs + 40 * DAY_MS }
    const files = appleExport([OUTDOOR, copy({ ...OUTDOOR, startMs: OUTDOOR.startMs + 2000 }), lone])
    const json = await imported(files)
    expect(json).toMatchObject({ successful: 2, skipped: 1 })
    const { items } = (await app.ok('GET', `/receipts/${json.receiptId}`)).items
    const reason = 'A copy of a run of another app, without data'
    expect(items).toContainEqual(expect.objectContaining({ reason }))
    expect(await imported(files)).toMatchObject({ successful: 0, skipped: 3 })
    const two = ['Strava', 'Garmin Connect'].map((source) => ({ ...lone, startMs: lone.startMs + DAY_MS, source }))
    expect(await imported(appleExport(two))).toMatchObject({ successful: 1, skipped: 1 })
    await using other = await testApp()
    await other.upload(PATH, [zipUpload(appleExport([OUTDOOR]))])
    const late = await other.upload(PATH, [zipUpload(appleExport([copy(OUTDOOR)]))])
    expect(late.json).toMatchObject({ successful: 0, skipped: 1 })
  })

  test('damaged in its ZIP keeps the runs before the damage, and says so', async () => {
    const noise = Array.from({ length: 40_000 }, (_, k) => Bun.hash(`${k}`).toString(36)).join('\n')
    const runs = [INDOOR, { ...PAUSED, hasRoute: false }]
    const xml = [...appleXml(runs, { workouts: `<!-- ${noise.repeat(3)} -->` })].join('')
    const wrongSum = buildZip([{ name: 'export.xml', data: xml, method: 8, claims: { crc: 1 } }])
    const brokenData = buildZip([{ name: 'export.xml', data: xml, method: 8 }])
    brokenData.fill(0xff, Math.floor(0.9 * brokenData.length), Math.floor(0.9 * brokenData.length) + 300)
    for (const [zip, action] of [
      [wrongSum, 'successful'],
      [brokenData, 'skipped'],
    ] as const) {
      const { json } = await app.upload(PATH, [{ name: 'export.zip', bytes: new Uint8Array(zip) }])
      expect(json).toMatchObject({ errors: 0, [action]: 2 })
      const message = expect.stringMatching(/^The file is .*the ZIP archive.*: only what is before that was imported$/)
      expect(json.warnings).toEqual([{ filename: 'export.xml', message }])
    }
  })
})
