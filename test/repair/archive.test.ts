// Runs by hand and every kind of repair, splits and joins travel in archives, and come back.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { contentOf, exported, restored } from '../archive/archives.ts'
import { line, verified } from '../archive/verify/verifying.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, gpxRun, hillyRun, START_MS } from '../fixtures/runs.ts'
import { done, imported } from './repairing.ts'

const DAY_MS = 86_400_000

/** One run of each repair, some undone, three by hand, the parts of a split and a join. */
async function library(app: TestApp): Promise<string[]> {
  const at = (day: number) => START_MS + day * DAY_MS
  const shoe = await done(app, 'POST', '/shoes', { brand: 'Brooks', model: 'Ghost' })
  const change = async (id: string, path: string, body: object, method = 'POST') => {
    app.clock.nowMs += 1000
    await done(app, method, `/workouts/${id}/${path}`, body)
  }
  const cut = await imported(app, hillyRun(at(0), { calories: 300 }))
  await change(cut, 'cut', { fromElapsedS: 200, toElapsedS: 400 })
  await change(cut, 'cut', { fromElapsedS: 600.5, toElapsedS: 700, closeGap: true })
  await change(cut, 'crop', { removeFromEndSeconds: 33 })
  await change(cut, 'intervals', { stretches: [{ startS: 30, endS: 60.5 }] }, 'PUT')
  const mended = await imported(app, gpxRun({ startMs: at(1) }), 'b.gpx')
  await change(mended, 'mend', { fromElapsedS: 100, toElapsedS: 130, channel: 'position', fill: 'interpolate' })
  await change(mended, 'mend', { fromElapsedS: 10, toElapsedS: 60, channel: 'heartRate', fill: 'gap' })
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, distanceM: t * 3, hr: 140 }))
  const indoor = await imported(app, fitFile({ startMs: at(2), samples, session: { subSport: 1 } }))
  await change(indoor, 'distance', { distanceM: 1900 })
  await change(indoor, 'shift', { offsetSeconds: -5400 })
  const moved = await imported(app, gpxRun({ startMs: at(3) }), 'd.gpx')
  await change(moved, 'shift', { startedAt: '2025-11-04T03:00:00.250Z' })
  await change(moved, 'shift', { timeZone: 'Asia/Kathmandu' })
  await change(moved, 'intervals', { stretches: [] }, 'PUT')
  const undone = await imported(app, hillyRun(at(4)))
  await change(undone, 'cut', { fromElapsedS: 200, toElapsedS: 400 })
  await change(undone, 'distance', { distanceM: 4000 })
  await change(undone, 'revert', {})
  const manual: string[] = []
  for (const body of [
    { startedAt: '2025-11-08T07:00:00Z', durationS: 2700, distanceM: 8000.25, shoeId: shoe.id, name: 'Treadmill' },
    {
      startedAt: '2025-11-09T07:00:00.123Z',
      durationS: 1800,
      distanceM: 5000,
      avgHeartRateBpm: 150,
      timeZone: 'Asia/Tokyo',
    },
    { startedAt: '2025-11-10T07:00:00Z', durationS: 1800, distanceM: 5000, elevGainM: 12.3, calories: 9, rpe: 3 },
  ]) {
    const answer = await app.call('POST', '/workouts', { json: body })
    expect(answer.status).toBe(201)
    manual.push(answer.json.id)
  }
  await change(manual[1]!, 'numbers', { distanceM: 5100, calories: 400, startedAt: '2025-11-09T06:00:00Z' }, 'PATCH')
  await change(manual[2]!, 'numbers', { elevGainM: null, durationS: 1750 }, 'PATCH')
  const whole = await imported(app, hillyRun(at(5)))
  const { workouts: parts } = await done(app, 'POST', `/workouts/${whole}/split`, { atElapsedS: [400, 900] })
  const ids = [
    await imported(app, gpxRun({ startMs: at(6) })),
    await imported(app, fitRun({ startMs: at(6) + 900_000 })),
  ]
  await change(ids[1]!, 'crop', { removeFromStartSeconds: 20 })
  await done(app, 'POST', '/workouts/join', { ids })
  const merged = await imported(app, fitRun({ startMs: at(7), hr: 150 }))
  const other = await imported(app, gpxRun({ startMs: at(7) + 5000, seconds: 595, hr: 120 }), 'e.gpx')
  await change(merged, 'merge', { otherId: other })
  const { recordings } = await done(app, 'GET', `/workouts/${merged}/sources`)
  await change(merged, 'field-sources', { heartRate: recordings[1].id, position: recordings[1].id }, 'PUT')
  const pairs: string[] = []
  for (const day of [8, 9]) {
    const pair = [
      await imported(app, gpxRun({ startMs: at(day) }), 'f.gpx'),
      await imported(app, gpxRun({ startMs: at(day) + 5000, seconds: 590 }), 'g.gpx'),
    ]
    await change(pair[0]!, 'merge', { otherId: pair[1] })
    pairs.push(...(day === 8 ? [pair[0]!] : pair))
  }
  await change(pairs[1]!, 'unmerge', {})
  const joined: string[] = []
  for (const k of [0, 1]) joined.push(await imported(app, gpxRun({ startMs: at(10) + k * 900_000 }), `h${k}.gpx`))
  await done(app, 'POST', '/workouts/join', { ids: joined })
  const { workouts: halves } = await done(app, 'POST', `/workouts/${joined[0]}/split`, { atElapsedS: [300] })
  const next = await imported(app, fitRun({ startMs: at(10) + 1_800_000 }))
  await done(app, 'POST', '/workouts/join', { ids: [halves[1].id, next] })
  pairs.push(joined[0]!, halves[1].id)
  const split = parts.map(({ id }: { id: string }) => id)
  return [cut, mended, indoor, moved, undone, ...manual, ...split, ids[0]!, merged, ...pairs]
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

  const raw = ({ deps: { db } }: TestApp) =>
    db.$client
      .query(
        'SELECT id, has_raw, raw_view FROM recording WHERE id IN (SELECT recording_id FROM naming WHERE live) ORDER BY id',
      )
      .all()
  expect(raw(target)).toEqual(raw(source))
  const { differences, kinds } = await verified(zip)
  expect(differences).toEqual([])
  expect(kinds).toContainEqual({ kind: 'repairs', ...line(24) })
  expect(kinds.find(({ kind }) => kind === 'recordings')).toMatchObject({ inArchive: 24, equal: 24 })

  // what was restored answers the same, and is undone to the same
  target.clock.nowMs = source.clock.nowMs
  const both = async (method: string, path: string, options = {}) => {
    const [one, other] = [await source.call(method, path, options), await target.call(method, path, options)]
    expect([path, other.status, other.json]).toEqual([path, one.status, one.json])
  }
  for (const id of ids) await both('GET', `/workouts/${id}`)
  for (const id of ids)
    for (const path of ['/sources', '/ground', '/best-efforts']) await both('GET', `/workouts/${id}${path}`)
  await both('GET', '/workouts?pageSize=100')
  for (const app of [source, target]) app.clock.nowMs += 1000
  for (const id of ids) await both('POST', `/workouts/${id}/revert`)
  for (const id of ids) await both('GET', `/workouts/${id}`)
  await both('GET', '/stats/best-efforts/all-time')
})

test('a restored run that was moved, split or joined is still known by its file', async () => {
  await using source = await testApp()
  await library(source)
  await using target = await testApp()
  expect((await restored(target, await exported(source))).json.success).toBe(true)
  const at = (day: number) => START_MS + day * DAY_MS
  for (const [name, bytes] of [
    ['x.gpx', gpxRun({ startMs: at(3) })],
    ['y.fit', hillyRun(at(5))],
    ['z.fit', fitRun({ startMs: at(6) + 900_000 })],
  ] as const) {
    expect((await target.upload('/workouts/import', [{ name, bytes }])).json.action).toBe('skipped')
  }
})
