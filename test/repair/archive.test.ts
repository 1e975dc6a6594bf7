// Runs by hand, what the runner said, every kind of repair, splits and joins travel in archives, and come back.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { contentOf, exported, restored } from '../archive/archives.ts'
import { line, verified } from '../archive/verify/verifying.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { rowsOf } from '../library/as-stored.ts'

const DAY_MS = 86_400_000

/** One run of each repair, some undone, three by hand, the parts of a split and a join. */
async function library(app: TestApp): Promise<string[]> {
  const at = (day: number) => START_MS + day * DAY_MS
  const shoe = await app.ok('POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
  const change = async (id: string, path: string, body: object, method = 'POST') => {
    app.clock.nowMs += 1000
    await app.ok(method, `/workouts/${id}${path}`, body)
  }
  // nine runs at 3 m/s and one at 4, whose short efforts are unusual, and a ride of which one effort counts
  const said: string[] = []
  for (let day = 0; day < 9; day += 1) said.push(await app.run(fitRun({ startMs: at(-9 - day), seconds: 650 })))
  said.push(await app.run(fitRun({ startMs: at(-20), seconds: 650, speedMps: 4 })))
  said.push(await app.run(fitRun({ startMs: at(-21), seconds: 1200, speedMps: 9 })))
  await change(said[9]!, '', { efforts: false, runType: null }, 'PATCH')
  await change(said[10]!, '/best-efforts/5000', { isRecord: true }, 'PATCH')
  await change(said[0]!, '/best-efforts/400', { isRecord: false }, 'PATCH')
  await change(said[1]!, '', { leftOut: true }, 'PATCH')
  const laps = [0, 200].map((startS) => ({ startS, elapsedS: 200, intensity: 2 }))
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
  said.push(await app.run(fitFile({ startMs: at(-22), samples, laps })))
  const cut = await app.run(hillyRun(at(0), { calories: 300 }))
  await change(cut, '/cut', { fromElapsedS: 200, toElapsedS: 400 })
  await change(cut, '/cut', { fromElapsedS: 600.5, toElapsedS: 700, closeGap: true })
  await change(cut, '/crop', { removeFromEndSeconds: 33 })
  await change(cut, '/intervals', { stretches: [{ startS: 30, endS: 60.5 }] }, 'PUT')
  const mended = await app.run(gpxRun({ startMs: at(1) }), 'b.gpx')
  await change(mended, '/mend', { fromElapsedS: 100, toElapsedS: 130, channel: 'position', fill: 'interpolate' })
  await change(mended, '/mend', { fromElapsedS: 10, toElapsedS: 60, channel: 'heartRate', fill: 'gap' })
  const indoor = await app.run(fitFile({ startMs: at(2), samples, session: { subSport: 1 } }))
  await change(indoor, '/distance', { distanceM: 1900 })
  await change(indoor, '/shift', { offsetSeconds: -5400 })
  const moved = await app.run(gpxRun({ startMs: at(3) }), 'd.gpx')
  await change(moved, '/shift', { startedAt: '2025-11-04T03:00:00.250Z' })
  await change(moved, '/shift', { timeZone: 'Asia/Kathmandu' })
  await change(moved, '/intervals', { stretches: [] }, 'PUT')
  const undone = await app.run(hillyRun(at(4)))
  await change(undone, '/cut', { fromElapsedS: 200, toElapsedS: 400 })
  await change(undone, '/distance', { distanceM: 4000 })
  await change(undone, '/revert', {})
  const manual: string[] = []
  const half = { durationS: 1800, distanceM: 5000 }
  for (const body of [
    { startedAt: '2025-11-08T07:00:00Z', durationS: 2700, distanceM: 8000.25, shoeId: shoe.id, name: 'Treadmill' },
    { ...half, startedAt: '2025-11-09T07:00:00.123Z', avgHeartRateBpm: 150, timeZone: 'Asia/Tokyo' },
    { ...half, startedAt: '2025-11-10T07:00:00Z', elevGainM: 12.3, calories: 9, rpe: 3 },
  ])
    manual.push((await app.ok('POST', '/workouts', body)).id)
  await change(manual[1]!, '/numbers', { distanceM: 5100, calories: 400, startedAt: '2025-11-09T06:00:00Z' }, 'PATCH')
  await change(manual[2]!, '/numbers', { elevGainM: null, durationS: 1750 }, 'PATCH')
  const whole = await app.run(hillyRun(at(5)))
  const { workouts: parts } = await app.ok('POST', `/workouts/${whole}/split`, { atElapsedS: [400, 900] })
  const ids = [await app.run(gpxRun({ startMs: at(6) })), await app.run(fitRun({ startMs: at(6) + 900_000 }))]
  await change(ids[1]!, '/crop', { removeFromStartSeconds: 20 })
  await app.ok('POST', '/workouts/join', { ids })
  const merged = await app.run(fitRun({ startMs: at(7), hr: 150 }))
  const other = await app.run(gpxRun({ startMs: at(7) + 5000, seconds: 595, hr: 120 }), 'e.gpx')
  await change(merged, '/merge', { otherId: other })
  const { recordings } = await app.ok('GET', `/workouts/${merged}/sources`)
  await change(merged, '/field-sources', { heartRate: recordings[1].id, position: recordings[1].id }, 'PUT')
  const pairs: string[] = []
  for (const day of [8, 9]) {
    const pair = [
      await app.run(gpxRun({ startMs: at(day) }), 'f.gpx'),
      await app.run(gpxRun({ startMs: at(day) + 5000, seconds: 590 }), 'g.gpx'),
    ]
    await change(pair[0]!, '/merge', { otherId: pair[1] })
    pairs.push(...(day === 8 ? [pair[0]!] : pair))
  }
  await change(pairs[1]!, '/unmerge', {})
  const joined: string[] = []
  for (const k of [0, 1]) joined.push(await app.run(gpxRun({ startMs: at(10) + k * 900_000 }), `h${k}.gpx`))
  await app.ok('POST', '/workouts/join', { ids: joined })
  const { workouts: halves } = await app.ok('POST', `/workouts/${joined[0]}/split`, { atElapsedS: [300] })
  const next = await app.run(fitRun({ startMs: at(10) + 1_800_000 }))
  await app.ok('POST', '/workouts/join', { ids: [halves[1].id, next] })
  const again = await app.run(gpxRun({ startMs: at(11) }), 'i.gpx')
  const { workouts: both } = await app.ok('POST', `/workouts/${again}/split`, { atElapsedS: [300] })
  await app.ok('POST', '/workouts/join', { ids: both.map(({ id }: { id: string }) => id) })
  pairs.push(joined[0]!, halves[1].id, again)
  const split = parts.map(({ id }: { id: string }) => id)
  return [...said, cut, mended, indoor, moved, undone, ...manual, ...split, ids[0]!, merged, ...pairs]
}

test('export, restore, export: every file is equal, and a verification finds no difference', async () => {
  await using source = await testApp()
  const ids = await library(source)
  const zip = await exported(source)
  const content = await contentOf(source)
  await using target = await testApp()
  target.clock.nowMs = source.clock.nowMs + DAY_MS
  expect((await restored(target, zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
  const after = await contentOf(target)
  for (const [name, text] of content) expect(`${name} ${after.get(name)}`).toBe(`${name} ${text}`)

  const raw = ({ deps }: TestApp) => rowsOf(deps, 'recording', 'id', 'has_raw', 'raw_view', 'laps')
  const live = raw(target).map(({ id }) => id)
  expect(raw(target)).toEqual(raw(source).filter(({ id }) => live.includes(id)))
  const { differences, kinds } = await verified(zip)
  expect(differences).toEqual([])
  expect(kinds).toContainEqual({ kind: 'repairs', ...line(25) })
  expect(kinds.find(({ kind }) => kind === 'recordings')).toMatchObject({ inArchive: 37, equal: 37 })

  // what was restored answers the same, and is undone to the same
  target.clock.nowMs = source.clock.nowMs
  const both = async (method: string, path: string, options = {}) => {
    const [one, other] = [await source.call(method, path, options), await target.call(method, path, options)]
    expect([path, other.status, other.json]).toEqual([path, one.status, one.json])
  }
  for (const id of ids) await both('GET', `/workouts/${id}`)
  for (const id of ids)
    for (const path of ['/sources', '/ground', '/best-efforts', '/laps']) await both('GET', `/workouts/${id}${path}`)
  await both('GET', '/workouts?pageSize=100')
  // what was moved, split or joined is still known by its file
  for (const [name, bytes] of [
    ['x.gpx', gpxRun({ startMs: START_MS + 3 * DAY_MS })],
    ['y.fit', hillyRun(START_MS + 5 * DAY_MS)],
    ['z.fit', fitRun({ startMs: START_MS + 6 * DAY_MS + 900_000 })],
  ] as const) {
    expect((await target.upload('/workouts/import', [{ name, bytes }])).json.action).toBe('skipped')
  }
  for (const app of [source, target]) app.clock.nowMs += 1000
  for (const id of ids) await both('POST', `/workouts/${id}/revert`)
  for (const id of ids) await both('GET', `/workouts/${id}`)
  await both('GET', '/stats/best-efforts')
}, 60_000)
