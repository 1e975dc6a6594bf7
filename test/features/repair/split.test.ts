import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { photo, png, video } from '../../fixtures/media.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { START_MS } from '../../fixtures/runs.ts'
import { butUpdated } from '../../fixtures/updated.ts'
import { refused, seen } from './repairing.ts'

const METRE = 1 / 111_170

/** Forty minutes of hills, with a pause of the watch. */
function watch(): Uint8Array {
  const samples = Array.from({ length: 2401 }, (_, t) => ({
    ...{ t, lat: 47 + t * 3 * METRE, lon: 8, distanceM: t * 3, elevM: 400 + 15 * Math.sin(t / 90), hr: 130 + (t % 40) },
    ...{ cadence: 85, speedMps: 3 },
  }))
  return fitFile({ startMs: START_MS, samples, session: { calories: 601 }, timer: pairs('0,0 700,4 760,0') })
}

function phone(): Uint8Array {
  const points = straightPoints({ n: 2401, startMs: START_MS, speedMps: 2.9, hr: 140 })
  const standing = points.map((point, t) => ({
    ...point,
    // it stands for a minute, where the receiver trembles
    lat: (point.lat ?? 0) - 2.9 * METRE * Math.max(0, Math.min(60, t - 1190)) + (t % 3) * METRE,
    ele: 300 + 12 * Math.sin(t / 70),
  }))
  return gpxFile({ points: standing, creator: null })
}

async function split(app: TestApp, id: string, atElapsedS: number[]) {
  const before = await seen(app, id)
  const dry = await app.ok('POST', `/workouts/${id}/split`, { atElapsedS, dryRun: true })
  expect(await seen(app, id)).toEqual(before)
  app.clock.nowMs += 1000
  const answer = await app.call('POST', `/workouts/${id}/split`, { json: { atElapsedS } })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  const { workouts } = answer.json
  expect(dry.parts).toMatchObject(workouts.map(({ distanceM }: { distanceM: number }) => ({ distanceM })))
  return { before, parts: workouts, receiptId: answer.headers.get('harrier-receipt')! }
}

for (const [name, bytes] of [
  ['a.fit', watch()],
  ['b.gpx', phone()],
] as const)
  test(`the parts of ${name} add up to the whole, and undone it is the whole`, async () => {
    await using app = await testApp()
    const id = await app.run(bytes, name)
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Long', notes: 'n', runType: 'Race' })
    const { before, parts, receiptId } = await split(app, id, [1200.5, 800])
    const whole = before.detail
    expect(parts).toHaveLength(3)
    const sum = (of: string) => parts.reduce((all: number, part: Record<string, number>) => all + part[of]!, 0)
    for (const [name, most] of Object.entries({ distanceM: 0.015, durationS: 1, elevGainM: 0.1001, elevLossM: 0.1001 }))
      expect(Math.abs(sum(name) - whole[name]), name).toBeLessThanOrEqual(most)
    if (whole.calories !== null) expect(sum('calories')).toBe(whole.calories)
    expect(parts).toMatchObject([
      { id, name: 'Long', runType: 'Race', notes: 'n', startedAt: '2025-11-01T07:00:00Z' },
      { name: 'Long (2)', runType: null, notes: null, startedAt: '2025-11-01T07:13:20Z' },
      { name: 'Long (3)', runType: null, notes: null, startedAt: '2025-11-01T07:20:00.500Z' },
    ])
    for (const part of parts) {
      const ofSplits = (name: string) =>
        part.splits.reduce((all: number, one: Record<string, number>) => all + one[name]!, 0)
      expect(Math.abs(ofSplits('distanceM') - part.distanceM)).toBeLessThan(0.02)
      expect(Math.abs(ofSplits('elevGainM') - part.elevGainM)).toBeLessThan(0.11)
    }
    // the file is known, and every part gives it
    expect((await app.upload('/workouts/import', [{ name, bytes }])).json).toMatchObject({ action: 'skipped', id })
    for (const part of parts) {
      const file = await app.handle(
        new Request(`http://localhost/workouts/${part.id}/file`, { headers: { authorization: `Bearer ${app.token}` } }),
      )
      expect(Buffer.compare(await file.bytes(), bytes)).toBe(0)
    }
    await app.ok('POST', `/receipts/${receiptId}/undo`, {})
    expect(await seen(app, id)).toEqual(before)
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(1)
  })

test('photos and videos go to the part of their time, and come back', async () => {
  await using app = await testApp()
  const id = await app.run(watch())
  for (const [name, bytes] of [
    ['before.jpg', photo('2025:11:01 07:59:00')],
    ['first.jpg', photo('2025:11:01 08:05:00')],
    ['second.jpg', photo('2025:11:01 08:14:00')],
    ['elsewhere.jpg', photo('2025:11:01 15:35:00', '+08:00')],
    ['third.mp4', video(START_MS + 1700_000)],
    ['after.jpg', photo('2025:11:01 09:00:00')],
    ['silent.png', png(5)],
    ['odd.jpg', photo('0000:00:00 00:00:00')],
  ] as const)
    await app.upload(`/workouts/${id}/media`, [{ name, bytes }])
  // one that came while the run went on, of a program that sends pictures at once
  const nowMs = app.clock.nowMs
  app.clock.nowMs = START_MS + 900_000
  await app.upload(`/workouts/${id}/media`, [{ name: 'live.png', bytes: png(6) }])
  app.clock.nowMs = nowMs
  const namesOf = async (run: string) =>
    (await app.ok('GET', `/workouts/${run}/media`)).map(({ filename }: { filename: string }) => filename)
  const all = await app.ok('GET', `/workouts/${id}/media`)
  const { before, parts, receiptId } = await split(app, id, [800, 1600])
  const [first, second, third] = parts.map((part: { id: string }) => part.id)
  const expectParted = async () => {
    expect(await Promise.all([first, second, third].map(namesOf))).toEqual([
      ['before.jpg', 'first.jpg', 'silent.png', 'odd.jpg'],
      ['live.png', 'second.jpg'],
      ['elsewhere.jpg', 'third.mp4', 'after.jpg'],
    ])
    const { id: mediaId } = (await app.ok('GET', `/workouts/${third}/media`))[1]
    expect((await app.call('GET', `/workouts/${third}/media/${mediaId}`)).status).toBe(200)
  }
  await expectParted()
  const undone = await app.ok('POST', `/receipts/${receiptId}/undo`, {})
  expect(undone.kept).toEqual([])
  expect(await app.ok('GET', `/workouts/${id}/media`)).toEqual(all)
  expect(await seen(app, id)).toEqual(before)
  const redone = await app.ok('POST', `/receipts/${undone.receiptId}/undo`, {})
  expect(redone.kept).toEqual([])
  await expectParted()
  // with a part that was changed since all are kept, with their pictures
  await app.ok('PATCH', `/workouts/${third}`, { name: 'Mine' })
  const { kept } = await app.ok('POST', `/receipts/${redone.receiptId}/undo`, {})
  expect(kept.map(({ workoutId }: { workoutId: string }) => workoutId).toSorted()).toEqual(
    [first, second, third].toSorted(),
  )
  await expectParted()
})

test('a part is repaired and reverted to its section, and outlives the others', async () => {
  await using app = await testApp({ env: { UNDO_DAYS: '0' } })
  const id = await app.run(watch())
  await app.ok('POST', `/workouts/${id}/crop`, { removeFromStartSeconds: 100 })
  const { parts } = await split(app, id, [1000])
  const [first, second] = parts
  expect(second).toMatchObject({ startedAt: '2025-11-01T07:18:20Z', durationS: 1300, distanceM: 3900 })
  const bare = { ...second }
  await app.ok('POST', `/workouts/${second.id}/cut`, { fromElapsedS: 200, toElapsedS: 300, closeGap: true })
  app.clock.nowMs += 1000
  const reverted = await app.ok('POST', `/workouts/${second.id}/revert`)
  // the crop of before went as well, which was not in this part
  expect(butUpdated(reverted)).toEqual({ ...butUpdated(bare), splits: reverted.splits })
  expect(await refused(app, `POST /workouts/${second.id}/revert`, {})).toMatch(/no repair/)
  expect((await app.call('DELETE', `/workouts/${first.id}`)).status).toBe(204)
  expect((await app.call('GET', `/workouts/${second.id}/file`)).status).toBe(200)
  expect((await app.call('DELETE', `/workouts/${second.id}`)).status).toBe(204)
  expect(existsSync(join(app.deps.config.dataDir, 'files', 'raw', id))).toBe(false)
})

test('inside a pause is refused, at either end of it is not', async () => {
  await using app = await testApp()
  const id = await app.run(watch())
  const at = (second: number) => ({ atElapsedS: [second], dryRun: true })
  for (const second of [700.5, 730, 759]) {
    expect(await refused(app, `POST /workouts/${id}/split`, at(second))).toBe(
      `The run is paused from 700 to 760 s, so it cannot be split at ${second} s; split it at an end of the pause`,
    )
  }
  for (const second of [700, 760]) await app.ok('POST', `/workouts/${id}/split`, at(second))
})

test.each<[string, readonly number[], string, string]>([
  ['all parts', [0, 1, 2], 'Long', 'Long (3)'],
  ['the later parts', [1, 2], 'Long (2)', 'Long (3)'],
  ['parts of which the longest was renamed, unless they', [0, 2], 'Mine', 'Mine'],
])('joined again, %s have the name of the earliest', async (_which, places, name, ofLast) => {
  await using app = await testApp()
  const id = await app.run(watch())
  await app.ok('PATCH', `/workouts/${id}`, { name: 'Long' })
  const { before, parts } = await split(app, id, [300, 900])
  await app.ok('PATCH', `/workouts/${parts[2].id}`, { name: ofLast })
  const ids = places.map((place) => parts[place].id)
  const joined = await app.ok('POST', '/workouts/join', { ids })
  expect(joined.name).toBe(name)
  if (places.length < 3) return
  for (const of of ['distanceM', 'durationS', 'elevGainM', 'calories']) {
    expect([of, joined[of]]).toEqual([of, before.detail[of]])
  }
})
