import { expect, spyOn, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { countOf } from '../../library/as-stored.ts'
import { refused, seen } from './repairing.ts'

const METRE = 1 / 111_170

/** `seconds` at 3 m/s due north over hills, which begins so many seconds after the first. */
function watch(startS: number, seconds: number, northM: number): Uint8Array {
  const samples = Array.from({ length: seconds + 1 }, (_, t) => ({
    ...{ t, lat: 47 + (northM + t * 3) * METRE, lon: 8, distanceM: t * 3, hr: 130 + (t % 20), cadence: 85 },
    ...{ elevM: 400 + 15 * Math.sin((northM + t * 3) / 300), speedMps: 3 },
  }))
  return fitFile({ startMs: START_MS + startS * 1000, samples, session: { calories: seconds / 4 } })
}

/** Of a phone, a minute after the watch died. */
function phone(startS: number, seconds: number, northM: number): Uint8Array {
  const points = straightPoints({ n: seconds + 1, startMs: START_MS + startS * 1000, speedMps: 3, hr: 150 })
  return gpxFile({
    points: points.map((point) => ({ ...point, lat: (point.lat ?? 0) + northM * METRE })),
    creator: null,
  })
}

async function three(app: TestApp): Promise<[string, string, string]> {
  const first = await app.run(watch(0, 1200, 0))
  const second = await app.run(watch(1500, 900, 4200), 'b.fit')
  const third = await app.run(phone(2460, 600, 7080), 'c.gpx')
  await app.ok('PATCH', `/workouts/${first}`, { name: 'Short', notes: 'one' })
  await app.ok('PATCH', `/workouts/${second}`, { notes: 'two', rpe: 6 })
  return [first, second, third]
}

const joined = async (app: TestApp, ids: readonly string[], gap?: string) => {
  const body = { ids, ...(gap === undefined ? {} : { gap }) }
  const before = await Promise.all(ids.map((id) => seen(app, id)))
  const dry = await app.ok('POST', '/workouts/join', { ...body, dryRun: true })
  expect(await Promise.all(ids.map((id) => seen(app, id)))).toEqual(before)
  app.clock.nowMs += 1000
  const answer = await app.call('POST', '/workouts/join', { json: body })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  for (const [name, value] of Object.entries(dry.after)) expect([name, answer.json[name]]).toEqual([name, value])
  return { before, run: answer.json, receiptId: answer.headers.get('harrier-receipt')! }
}

const sum = (before: { detail: Record<string, number> }[], of: string) =>
  before.reduce((all, one) => all + (one.detail[of] ?? 0), 0)

test('three parts are one run, of which each part is known', async () => {
  await using app = await testApp()
  const ids = await three(app)
  const { before, run } = await joined(app, [ids[2], ids[0], ids[1]])
  expect(run).toMatchObject({ id: ids[0], name: 'Short', notes: 'one\n\ntwo', rpe: 6, durationS: 3060, calories: 525 })
  for (const [name, most] of Object.entries({ distanceM: 0.015, elevGainM: 0.1001, elevLossM: 0.1001 }))
    expect(Math.abs(run[name] - sum(before, name)), name).toBeLessThanOrEqual(most)
  const splits = run.splits as { distanceM: number }[]
  expect(Math.abs(splits.reduce((all, one) => all + one.distanceM, 0) - run.distanceM)).toBeLessThan(0.02)
  // 3,600, 2,700 and 1,800 m: nothing of 5 km is in one of them
  const { efforts } = await seen(app, ids[0])
  const best = ['400m', '1/2 mile', '1K', '1 mile', '2 mile'].map((distance) => ({ distance }))
  expect(efforts.distances).toMatchObject(best)
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
  const { recordings } = await app.ok('GET', `/workouts/${ids[0]}/sources`)
  expect(recordings.map(({ origin }: { origin: string }) => origin)).toEqual(['joined', 'upload', 'upload', 'upload'])
  const file = await app.call('GET', `/workouts/${ids[0]}/sources/${recordings[0].id}/file`)
  expect([file.status, file.json]).toEqual([
    404,
    expect.objectContaining({ error: 'The recording has no original file' }),
  ])
  // each file is known
  for (const [name, bytes] of [
    ['a.fit', watch(0, 1200, 0)],
    ['b.fit', watch(1500, 900, 4200)],
    ['c.gpx', phone(2460, 600, 7080)],
  ] as const) {
    const { json } = await app.upload('/workouts/import', [{ name, bytes }])
    expect(json).toMatchObject({ action: 'skipped', id: ids[0] })
  }
})

test('reverted after repairs, it is the join as it was, also where a part has more points than all of it', async () => {
  await using app = await testApp()
  const first = await app.run(watch(0, 1200, 0))
  const second = await app.run(watch(1500, 600, 4200), 'b.fit')
  await app.ok('POST', `/workouts/${first}/crop`, { removeFromEndSeconds: 1000 })
  const { run } = await joined(app, [first, second])
  expect(run).toMatchObject({ durationS: 2100, distanceM: 2400 })
  const all = await seen(app, first)
  for (const [path, body] of [
    ['cut', { fromElapsedS: 50, toElapsedS: 100, closeGap: true }],
    ['shift', { offsetSeconds: 7200 }],
    ['distance', { distanceM: 2500 }],
    ['distance', { distanceM: null }],
    ['mend', { fromElapsedS: 1600, toElapsedS: 1700, channel: 'heartRate', fill: 'gap' }],
    ['revert', {}],
  ] as const)
    await app.ok('POST', `/workouts/${first}/${path}`, body)
  expect(await seen(app, first)).toEqual(all)
  expect(await refused(app, `POST /workouts/${first}/revert`, {})).toMatch(/no repair/)
})

test('nobody sees some of the runs, however slow the machine that undoes a join or a split', async () => {
  await using app = await testApp()
  const ids = await three(app)
  const { receiptId } = await joined(app, ids)
  const counts = new Set<number>()
  let isOver = false
  const look = async () => {
    while (!isOver) {
      counts.add(countOf(app.deps, 'workout'))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  // each look at the clock finds that a second has passed
  let aheadMs = performance.now()
  const clock = spyOn(performance, 'now').mockImplementation(() => (aheadMs += 1000))
  const undone = async (receipt: string) => {
    isOver = false
    const looking = look()
    const answer = await app.call('POST', `/receipts/${receipt}/undo`, { json: {} })
    isOver = true
    await looking
    expect([answer.status, answer.json.kept]).toEqual([200, []])
    return answer.headers.get('harrier-receipt')!
  }
  try {
    await undone(await undone(await undone(receiptId)))
    expect([...counts].toSorted()).toEqual([1, 3])
    counts.clear()
    const at = { atElapsedS: [200, 400, 600, 800] }
    const split = await app.call('POST', `/workouts/${ids[0]}/split`, { json: at })
    await undone(await undone(split.headers.get('harrier-receipt')!))
    expect([...counts].toSorted()).toEqual([3, 7])
  } finally {
    clock.mockRestore()
  }
})

test('with a straight line across the gaps, or without the gaps', async () => {
  await using app = await testApp()
  const ids = await three(app)
  const { before, run, receiptId } = await joined(app, ids, 'straight')
  // 600 and 180 m are between them
  expect(Math.abs(run.distanceM - sum(before, 'distanceM') - 780)).toBeLessThan(1)
  expect(run.durationS).toBe(3060)
  await app.ok('POST', `/receipts/${receiptId}/undo`, {})
  for (const id of ids) expect((await app.call('GET', `/workouts/${id}/file`)).status).toBe(200)
  const closed = await joined(app, ids, 'none')
  expect(closed.run.durationS).toBe(2700)
  expect(Math.abs(closed.run.distanceM - sum(before, 'distanceM'))).toBeLessThanOrEqual(0.015)
})

test('a best effort may span two parts that follow each other at once', async () => {
  await using app = await testApp()
  const first = await app.run(watch(0, 900, 0))
  const second = await app.run(watch(901, 900, 2703), 'b.fit')
  await joined(app, [first, second])
  const { efforts } = await seen(app, first)
  expect(efforts.distances.map(({ distance }: { distance: string }) => distance)).toContain('5K')
})

test.each([1, 2])('of two runs of which %d are left out, the joined one is only when both are', async (out) => {
  await using app = await testApp()
  const ids = [await app.run(watch(0, 300, 0)), await app.run(watch(360, 300, 900), 'b.fit')]
  for (const id of ids.slice(0, out)) await app.ok('PATCH', `/workouts/${id}`, { leftOut: true })
  expect((await app.ok('POST', '/workouts/join', { ids })).leftOut).toBe(out === 2)
})
