import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifyArchive } from '../../src/archive/verify/verify.ts'
import { type TestApp, testApp } from '../app.ts'
import { contentOf, exported, restored } from '../archive/archives.ts'
import { fitFile } from '../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { photo, png, video } from '../fixtures/media.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { done, imported, refused, seen } from './repairing.ts'

const METRE = 1 / 111_170
const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'

/** Forty minutes of hills, with a pause of the watch. */
function watch(): Uint8Array {
  const samples = Array.from({ length: 2401 }, (_, t) => ({
    ...{ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3, elevM: 400 + 15 * Math.sin(t / 90), hr: 130 + (t % 40) },
    ...{ cadence: 85, speedMps: 3 },
  }))
  return fitFile({
    startMs: START_MS,
    samples,
    session: { calories: 601 },
    timer: [
      [0, 0],
      [700, 4],
      [760, 0],
    ],
  })
}

function phone(): Uint8Array {
  const points = straightPoints({ n: 2401, startMs: START_MS, speedMps: 2.9, hr: 140 })
  return gpxFile({
    points: points.map((point, t) => ({
      ...point,
      // it stands for a minute, where the receiver trembles
      lat: (point.lat ?? 0) - 2.9 * METRE * Math.max(0, Math.min(60, t - 1190)) + (t % 3) * METRE,
      ele: 300 + 12 * Math.sin(t / 70),
    })),
    creator: null,
  })
}

async function split(app: TestApp, id: string, atElapsedS: number[]) {
  const before = await seen(app, id)
  const dry = await done(app, 'POST', `/workouts/${id}/split`, { atElapsedS, dryRun: true })
  expect(await seen(app, id)).toEqual(before)
  app.clock.nowMs += 1000
  const answer = await app.call('POST', `/workouts/${id}/split`, { json: { atElapsedS } })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  const { workouts } = answer.json
  expect(dry.parts.map((part: { distanceM: number }) => part.distanceM)).toEqual(
    workouts.map((part: { distanceM: number }) => part.distanceM),
  )
  return { before, parts: workouts, receiptId: answer.headers.get('harrier-receipt')! }
}

for (const [name, bytes] of [
  ['a.fit', watch()],
  ['b.gpx', phone()],
] as const)
  test(`the parts of ${name} add up to the whole, and undone it is the whole`, async () => {
    await using app = await testApp()
    const id = await imported(app, bytes, name)
    await done(app, 'PATCH', `/workouts/${id}`, { name: 'Long', notes: 'n', runType: 'Race' })
    const { before, parts, receiptId } = await split(app, id, [1200.5, 800])
    const whole = before.detail
    expect(parts).toHaveLength(3)
    const sum = (of: string) => parts.reduce((all: number, part: Record<string, number>) => all + part[of]!, 0)
    expect(Math.abs(sum('distanceM') - whole.distanceM)).toBeLessThanOrEqual(0.015)
    expect(Math.abs(sum('durationS') - whole.durationS)).toBeLessThanOrEqual(1)
    expect(Math.abs(sum('elevGainM') - whole.elevGainM)).toBeLessThan(0.1001)
    expect(Math.abs(sum('elevLossM') - whole.elevLossM)).toBeLessThan(0.1001)
    if (whole.calories !== null) expect(sum('calories')).toBe(whole.calories)
    expect(
      parts.map((part: { id: string; name: string; runType: string | null; notes: string | null }) => [
        part.name,
        part.runType,
        part.notes,
      ]),
    ).toEqual([
      ['Long', 'Race', 'n'],
      ['Long (2)', null, null],
      ['Long (3)', null, null],
    ])
    expect(parts[0].id).toBe(id)
    expect(parts.map((part: { startedAt: string }) => part.startedAt)).toEqual([
      '2025-11-01T07:00:00Z',
      '2025-11-01T07:13:20Z',
      '2025-11-01T07:20:00.500Z',
    ])
    for (const part of parts) {
      const splits = part.splits as { distanceM: number; elevGainM: number }[]
      expect(Math.abs(splits.reduce((all, one) => all + one.distanceM, 0) - part.distanceM)).toBeLessThan(0.02)
      expect(Math.abs(splits.reduce((all, one) => all + one.elevGainM, 0) - part.elevGainM)).toBeLessThan(0.11)
    }
    // the file is known, and every part gives it
    expect((await app.upload('/workouts/import', [{ name, bytes }])).json).toMatchObject({ action: 'skipped', id })
    for (const part of parts) {
      const file = await app.handle(
        new Request(`http://localhost/workouts/${part.id}/file`, { headers: { authorization: `Bearer ${app.token}` } }),
      )
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array(bytes))
    }
    await done(app, 'POST', `/receipts/${receiptId}/undo`, {})
    expect(await seen(app, id)).toEqual(before)
    expect((await done(app, 'GET', '/workouts')).totalCount).toBe(1)
  })

test('photos and videos go to the part of their time, and come back', async () => {
  await using app = await testApp()
  const id = await imported(app, watch())
  const files: [string, Uint8Array][] = [
    ...([
      ['before.jpg', photo('2025:11:01 07:59:00')],
      ['first.jpg', photo('2025:11:01 08:05:00')],
      ['second.jpg', photo('2025:11:01 08:14:00')],
      ['elsewhere.jpg', photo('2025:11:01 15:35:00', '+08:00')],
      ['third.mp4', video(START_MS + 1700_000)],
    ] as [string, Uint8Array][]),
    ...([
      ['after.jpg', photo('2025:11:01 09:00:00')],
      ['silent.png', png(5)],
      ['odd.jpg', photo('0000:00:00 00:00:00')],
    ] as [string, Uint8Array][]),
  ]
  for (const [name, bytes] of files) await app.upload(`/workouts/${id}/media`, [{ name, bytes }])
  // one that came while the run went on, of a program that sends pictures at once
  const nowMs = app.clock.nowMs
  app.clock.nowMs = START_MS + 900_000
  await app.upload(`/workouts/${id}/media`, [{ name: 'live.png', bytes: png(6) }])
  app.clock.nowMs = nowMs
  const namesOf = async (run: string) =>
    (await done(app, 'GET', `/workouts/${run}/media`)).map(({ filename }: { filename: string }) => filename)
  const all = await done(app, 'GET', `/workouts/${id}/media`)
  const { before, parts, receiptId } = await split(app, id, [800, 1600])
  const [first, second, third] = parts.map((part: { id: string }) => part.id)
  const expectParted = async () => {
    expect(await Promise.all([first, second, third].map(namesOf))).toEqual([
      ['before.jpg', 'first.jpg', 'silent.png', 'odd.jpg'],
      ['live.png', 'second.jpg'],
      ['elsewhere.jpg', 'third.mp4', 'after.jpg'],
    ])
    const { id: mediaId } = (await done(app, 'GET', `/workouts/${third}/media`))[1]
    expect((await app.call('GET', `/workouts/${third}/media/${mediaId}`)).status).toBe(200)
  }
  await expectParted()
  const undone = await app.call('POST', `/receipts/${receiptId}/undo`, { json: {} })
  expect(undone.json.kept).toEqual([])
  expect(await done(app, 'GET', `/workouts/${id}/media`)).toEqual(all)
  expect(await seen(app, id)).toEqual(before)
  const redone = await app.call('POST', `/receipts/${undone.headers.get('harrier-receipt')}/undo`, { json: {} })
  expect(redone.json.kept).toEqual([])
  await expectParted()
  // with a part that was changed since all are kept, with their pictures
  await done(app, 'PATCH', `/workouts/${third}`, { name: 'Mine' })
  const { kept } = await done(app, 'POST', `/receipts/${redone.headers.get('harrier-receipt')}/undo`, {})
  expect(kept.map(({ workoutId }: { workoutId: string }) => workoutId).toSorted()).toEqual(
    [first, second, third].toSorted(),
  )
  await expectParted()
})

test('a part is repaired and reverted to its stretch, and outlives the others', async () => {
  await using app = await testApp({ env: { UNDO_DAYS: '0' } })
  const id = await imported(app, watch())
  await done(app, 'POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 })
  const { parts } = await split(app, id, [1000])
  const [first, second] = parts
  expect(second).toMatchObject({ startedAt: '2025-11-01T07:18:20Z', durationS: 1300, distanceM: 3900 })
  const bare = { ...second }
  await done(app, 'POST', `/workouts/${second.id}/cut`, { fromElapsedS: 200, toElapsedS: 300, closeGap: true })
  app.clock.nowMs += 1000
  const reverted = await done(app, 'POST', `/workouts/${second.id}/revert`)
  // the crop of before went as well, which was not in this part
  expect(reverted).toEqual({ ...bare, splits: reverted.splits })
  expect(await refused(app, `POST /workouts/${second.id}/revert`, {})).toMatch(/no repair/)
  expect((await app.call('DELETE', `/workouts/${first.id}`)).status).toBe(204)
  expect((await app.call('GET', `/workouts/${second.id}/file`)).status).toBe(200)
  expect((await app.call('DELETE', `/workouts/${second.id}`)).status).toBe(204)
  expect(existsSync(join(app.deps.config.dataDir, 'files', 'raw', id))).toBe(false)
})

test('parts travel in archives', async () => {
  await using source = await testApp()
  const { parts } = await split(source, await imported(source, watch()), [800, 1600])
  const zip = await exported(source)
  const content = await contentOf(source)
  await using target = await testApp()
  target.clock.nowMs = source.clock.nowMs
  expect((await restored(target, zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
  const after = await contentOf(target)
  for (const [name, text] of content) expect(`${name} ${after.get(name)}`).toBe(`${name} ${text}`)
  for (const { id } of parts) expect(await seen(target, id)).toEqual(await seen(source, id))
  await using scratch = await testApp()
  const path = join(scratch.deps.config.dataDir, 'a.zip')
  await Bun.write(path, zip)
  expect((await verifyArchive(scratch.deps, path)).differences).toEqual([])
  expect((await target.upload('/workouts/import', [{ name: 'x.fit', bytes: watch() }])).json).toMatchObject({
    ...{ action: 'skipped', id: parts[0].id },
  })
})

test('parts are joined again, and that is undone', async () => {
  await using app = await testApp()
  const whole = await imported(app, watch())
  const { before, parts } = await split(app, whole, [1000])
  const ids = parts.map(({ id }: { id: string }) => id)
  const both = await Promise.all(ids.map((id: string) => seen(app, id)))
  app.clock.nowMs += 1000
  const answer = await app.call('POST', '/workouts/join', { json: { ids } })
  expect(answer.status).toBe(200)
  for (const name of ['distanceM', 'durationS', 'elevGainM', 'calories']) {
    expect([name, answer.json[name]]).toEqual([name, before.detail[name]])
  }
  const undone = await done(app, 'POST', `/receipts/${answer.headers.get('harrier-receipt')}/undo`, {})
  expect(undone.kept).toEqual([])
  expect(await Promise.all(ids.map((id: string) => seen(app, id)))).toEqual(both)
})

test('refused, with nothing changed', async () => {
  await using app = await testApp()
  const id = await imported(app, fitRun())
  const before = await seen(app, id)
  const cases: [unknown, RegExp][] = [
    [{ atElapsedS: [] }, /atElapsedS/],
    [{ atElapsedS: [9.9] }, /at least 10 s/],
    [{ atElapsedS: [100, 109] }, /at least 10 s/],
    [{ atElapsedS: [591] }, /at least 10 s/],
    [{ atElapsedS: [700] }, /at least 10 s/],
    [{ atElapsedS: Array.from({ length: 10 }, (_, k) => 20 * (k + 1)) }, /atElapsedS/],
    [{ atElapsedS: 100 }, /atElapsedS/],
  ]
  for (const [body, message] of cases) expect(await refused(app, `POST /workouts/${id}/split`, body)).toMatch(message)
  expect(await seen(app, id)).toEqual(before)
  expect((await app.call('POST', `/workouts/${UNKNOWN}/split`, { json: { atElapsedS: [100] } })).status).toBe(404)
})
