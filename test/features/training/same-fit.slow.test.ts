import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { madeRuns, storeRuns } from '../../library/made-library.ts'
import { profile, raced, steady } from './days-ago.ts'

setDefaultTimeout(120_000)

const RUNS = madeRuns({ years: 1, perWeek: 2 })
const MAXIMUM = { entries: [{ from: null, maxHeartRateBpm: 197, restingHeartRateBpm: 44 }] }
const ZONES = { calculationMethod: 'AgeBased', age: 52 }
const USUAL_ZONES = { calculationMethod: 'AgeBased', age: 33 }

/** With its runs in order of import. */
type Library = Readonly<{ app: TestApp; ids: readonly string[] }>

/** A year of runs whose facts are stored, and eight imported files, two of them races. */
async function library(): Promise<Library> {
  const app = await testApp()
  await app.ok('PUT', '/settings/heart-rate-zones', USUAL_ZONES)
  const stored = storeRuns(app, RUNS, 365)
  const ids = [await raced(app, 60, { seconds: 2700, speedMps: 4, hr: 176 })]
  ids.push(await raced(app, 18, { seconds: 1500, speedMps: 4.1, hr: 181 }))
  for (const day of [3, 7, 11, 15, 31, 45]) {
    ids.push(await steady(app, day, { seconds: 2400 - 5 * day, speedMps: 3.3 + day / 300, hr: 139 + (day % 9) }))
  }
  // edits of the same minutes are one receipt
  app.clock.nowMs += 3_600_000
  return { app, ids: [...ids, ...stored] }
}

async function undo({ app }: Library): Promise<void> {
  const [{ id }] = (await app.ok('GET', '/receipts')).items
  await app.ok('POST', `/receipts/${id}/undo`)
}

type Change = (made: Library) => Promise<unknown>

const patched = (place: number, values: unknown): Change => {
  return ({ app, ids }) => app.ok('PATCH', `/workouts/${ids[place]}`, values)
}

function zoned(zones: unknown): Change {
  return ({ app }) => app.ok('POST', '/settings/heart-rate-zones/update-with-recalc', zones)
}

const CASES: readonly (readonly [title: string, change: Change, back: Change])[] = [
  ['a race that becomes a run', patched(0, { runType: null }), undo],
  ['a run that becomes a race', patched(4, { runType: 'Race' }), undo],
  ['a run that is excluded from predictions', patched(2, { excludeFromEstimates: true }), undo],
  ['a race that is excluded from predictions', patched(1, { excludeFromEstimates: true }), undo],
  ['a crop', ({ app, ids }) => app.ok('POST', `/workouts/${ids[5]}/crop`, { removeFromStartSeconds: 700 }), undo],
  ['a deleted race', ({ app, ids }) => app.call('DELETE', `/workouts/${ids[1]}`), undo],
  ['a deleted run', ({ app, ids }) => app.call('DELETE', `/workouts/${ids[6]}`), undo],
  // a setting has no receipt: it is set back
  ['other zones', zoned(ZONES), zoned(USUAL_ZONES)],
  ['another maximum', ({ app }) => profile(app, MAXIMUM), ({ app }) => profile(app, {})],
]

const PATHS = [
  ...['load', 'today', 'vo2max?weeks=60', 'predictions', 'zones', 'intensity', 'proposals'].map(
    (of) => `/training/${of}`,
  ),
  ...['/truth/fitness', '/truth/conditions', '/settings/training'],
]

/** All that is read from the fit, once it is that of now. */
async function readings({ app, ids }: Library): Promise<Record<string, unknown>> {
  for (const path of ['/training/today', '/truth/fitness']) {
    while ((await app.ok('GET', path)).recomputing) await Bun.sleep(20)
  }
  const answers: Record<string, unknown> = {}
  for (const path of [...PATHS, ...ids.slice(0, 8).map((id) => `/workouts/${id}/training`)]) {
    const { status, json } = await app.call('GET', path)
    answers[path] = status === 404 ? null : json
  }
  return answers
}

describe('every estimate is, to the digit, that of a library which was never otherwise:', async () => {
  const used = await library()
  const before = await readings(used)
  afterAll(() => used.app.close())

  test('there is a fit, of the runs and of fitness at one heart rate', () => {
    expect(before).toMatchObject({
      '/training/vo2max?weeks=60': { fitness: { rows: { R: 2 } } },
      '/truth/fitness': { change: { unit: '%', reasons: [] } },
    })
  })

  test.each(CASES)('%s, and undone', async (_, change, back) => {
    await change(used)
    expect(await readings(used)).not.toEqual(before)
    await back(used)
    expect(await readings(used)).toEqual(before)
  })
})
