import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { phone, watch } from '../fixtures/two-recordings.ts'
import { done, imported, refused, seen } from './repairing.ts'

const merged = async (app: TestApp, id: string, otherId: string) =>
  await done(app, 'POST', `/workouts/${id}/merge`, { otherId })

/** Separates, and judges that undoing it restores the merged run. @returns what is seen of the runs apart */
async function separated(app: TestApp, id: string, otherId: string) {
  const before = await seen(app, id)
  const apart = await app.call('POST', `/workouts/${id}/unmerge`, { json: {} })
  expect([apart.status, apart.text]).toEqual([200, apart.text])
  expect(apart.json.workouts.map((one: { id: string }) => one.id)).toEqual([id, otherId])
  const runs = [await seen(app, id), await seen(app, otherId)] as const
  const back = await app.call('POST', `/receipts/${apart.headers.get('harrier-receipt')}/undo`, { json: {} })
  expect(back.json).toMatchObject({ undone: 2, kept: [] })
  expect(await seen(app, id)).toEqual(before)
  expect((await app.call('GET', `/workouts/${otherId}`)).status).toBe(404)
  await done(app, 'POST', `/receipts/${back.headers.get('harrier-receipt')}/undo`, {})
  expect([await seen(app, id), await seen(app, otherId)]).toEqual([...runs])
  return runs
}

const CHANGES: readonly (readonly [call: string, body: object])[] = [
  ['crop', { removeFromStartSeconds: 80, removeFromEndSeconds: 300 }],
  ['cut', { fromElapsedS: 600, toElapsedS: 700, closeGap: true }],
  ['mend', { channel: 'position', fromElapsedS: 600, toElapsedS: 640, fill: 'interpolate' }],
  ['shift', { offsetSeconds: 3600 }],
  ['distance', { distanceM: 5600 }],
]

describe('a merged run that was changed can be separated', () => {
  describe.each(['run', 'other'] as const)('with the clock of the %s', (which) => {
    test.each(CHANGES)('%s stays with the recording that it was made on', async (call, body) => {
      await using app = await testApp()
      const a = await imported(app, watch({ hr: null }))
      const b = await imported(app, phone({ hr: 141 }), 'phone.gpx')
      const before = await seen(app, b)
      // the same change of the watch alone
      await done(app, 'POST', `/workouts/${a}/${call}`, body)
      const { detail: alone } = await seen(app, a)
      await done(app, 'POST', `/workouts/${a}/revert`, {})
      const { detail: whole } = await seen(app, a)
      const [id, otherId] = which === 'run' ? [a, b] : [b, a]
      await merged(app, id, otherId)
      await done(app, 'POST', `/workouts/${id}/${call}`, body)
      await separated(app, id, otherId)
      const of = async (run: string) => (await seen(app, run)).detail
      const { startedAt, distanceM, durationS, elevGainM, calories, splits, route } = alone
      expect(await of(a)).toMatchObject({ startedAt, distanceM, durationS, elevGainM, calories, splits, route })
      const { detail } = before
      expect(await of(b)).toMatchObject({
        ...{ startedAt: detail.startedAt, distanceM: detail.distanceM, durationS: detail.durationS },
        ...{ avgHeartRateBpm: 141, splits: detail.splits, sources: 1 },
      })
      const reverted = await done(app, 'POST', `/workouts/${a}/revert`, {})
      for (const name of ['startedAt', 'distanceM', 'durationS', 'elevGainM', 'avgHeartRateBpm', 'splits']) {
        expect([name, reverted[name]]).toEqual([name, whole[name]])
      }
    })
  })

  test('a crop from before the merge, which was changed again', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ hr: null }))
    const b = await imported(app, phone({ hr: 141 }), 'phone.gpx')
    await done(app, 'POST', `/workouts/${b}/crop`, { removeFromStartSeconds: 80 })
    const before = [await seen(app, a), await seen(app, b)]
    await merged(app, a, b)
    expect(await separated(app, a, b)).toMatchObject([
      { detail: { durationS: 1800, distanceM: 5454, avgHeartRateBpm: null } },
      { detail: before[1]!.detail, samples: before[1]!.samples },
    ])
    await merged(app, a, b)
    await done(app, 'POST', `/workouts/${a}/revert`, {})
    const [, phoneRun] = await separated(app, a, b)
    expect(phoneRun.detail).toMatchObject({ durationS: 1780, avgHeartRateBpm: 141 })
  })

  test('where a dead battery ended the recording, what concerns the rows that followed is taken back', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ seconds: 1200 }))
    const b = await imported(app, phone(), 'phone.gpx')
    const plain = [await seen(app, a), await seen(app, b)]
    await merged(app, a, b)
    await done(app, 'POST', `/workouts/${a}/crop`, { removeFromStartSeconds: 100 })
    await done(app, 'POST', `/workouts/${a}/distance`, { distanceM: 6000 })
    const [cropped, other] = await separated(app, a, b)
    // the battery died after 1200 s, of which 100 are cut away
    expect(cropped.detail).toMatchObject({ durationS: 1100, sources: 1 })
    expect(Math.abs(cropped.detail.distanceM - 1100 * 3.03)).toBeLessThan(1)
    expect(other.samples).toEqual(plain[1]!.samples)
    await done(app, 'POST', `/workouts/${a}/revert`, {})
    await merged(app, a, b)
    await done(app, 'POST', `/workouts/${a}/crop`, { removeFromStartSeconds: 1300 })
    await done(app, 'POST', `/workouts/${a}/mend`, {
      ...{ channel: 'position', fromElapsedS: 100, toElapsedS: 140, fill: 'gap' },
    })
    const [left] = await separated(app, a, b)
    expect(left.detail).toMatchObject({ durationS: 1200, distanceM: plain[0]!.detail.distanceM })
    const { repairs } = await done(app, 'GET', `/workouts/${a}/sources`)
    expect(repairs.filter(({ undoneAt }: { undoneAt: string | null }) => undoneAt === null)).toEqual([])
  })

  test('into a new run when the former one is no longer kept', async () => {
    await using app = await testApp()
    const a = await imported(app, phone({ hr: 141 }), 'phone.gpx')
    const b = await imported(app, watch({ hr: null }))
    await merged(app, a, b)
    await done(app, 'POST', `/workouts/${a}/crop`, { removeFromStartSeconds: 80 })
    expect((await app.call('DELETE', `/trash/${b}`)).status).toBe(204)
    const { workouts } = await done(app, 'POST', `/workouts/${a}/unmerge`, {})
    expect(workouts).toMatchObject([
      { id: a, durationS: 1720, avgHeartRateBpm: null, calories: 382 },
      { durationS: 1780, avgHeartRateBpm: 141, calories: null },
    ])
  })

  test('but not while its recordings belong to several runs', async () => {
    await using app = await testApp()
    const a = await imported(app, watch({ hr: null }))
    const b = await imported(app, phone({ hr: 141 }), 'phone.gpx')
    await merged(app, a, b)
    const split = await app.call('POST', `/workouts/${a}/split`, { json: { atElapsedS: [900] } })
    expect(split.status).toBe(200)
    expect(await refused(app, `POST /workouts/${a}/unmerge`, {})).toBe(
      'This run was split after it was merged; undo the split first, since its recordings belong to several runs',
    )
    await done(app, 'POST', `/receipts/${split.headers.get('harrier-receipt')}/undo`, {})
    const c = await imported(app, watch({ startS: 4000 }), 'c.fit')
    await done(app, 'POST', '/workouts/join', { ids: [a, c] })
    expect(await refused(app, `POST /workouts/${a}/unmerge`, {})).toContain('joined')
  })
})
