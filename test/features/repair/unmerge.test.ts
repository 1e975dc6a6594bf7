// What was of one recording before a merge (words, shoe, photos) is of it again after, whatever else is kept of that time.
import { describe, expect, test } from 'bun:test'
import { collectOld } from '../../../src/library/collect.ts'
import { type TestApp, testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'
import { jpeg } from '../../fixtures/media.ts'
import { phone, watch } from '../../fixtures/two-recordings.ts'

const FILES = [
  ['watch.fit', watch()],
  ['phone.gpx', phone()],
  ['strap.fit', watch({ hr: 160, hasPositions: false, startS: 10, seconds: 1780 })],
] as const

/** What a runner sees of a run beside its numbers. */
async function aboutRun(app: TestApp, id: string) {
  const { name, notes, rpe, runType, shoeId } = await app.ok('GET', `/workouts/${id}`)
  const photos = (await app.ok('GET', `/workouts/${id}/media`)).map(({ filename }: { filename: string }) => filename)
  return { name, notes, rpe, runType, shoeId, photos: photos.toSorted() }
}

/** Runs of the first files, each with words, shoe and photo of its own. */
async function withRuns(app: TestApp, count: number) {
  const ids: string[] = []
  for (const [k, [name, bytes]] of FILES.slice(0, count).entries()) {
    const id = await app.run(bytes, name)
    const shoe = await app.ok('POST', '/shoes', { brand: 'Shoe', model: `No. ${k}` })
    await app.ok('PATCH', `/workouts/${id}`, { name: `Run ${k}`, notes: `Notes ${k}`, rpe: 4 + k, shoeId: shoe.id })
    await app.upload(`/workouts/${id}/media`, [{ name: `${k}.jpg`, bytes: jpeg(100 + k) }])
    ids.push(id)
  }
  const about = await Promise.all(ids.map((id) => aboutRun(app, id)))
  expect(about.map(({ notes, photos }) => [notes, photos])).toEqual(ids.map((_, k) => [`Notes ${k}`, [`${k}.jpg`]]))
  return { ids, about }
}

const merge = (app: TestApp, [id, otherId]: readonly string[]) => app.ok('POST', `/workouts/${id}/merge`, { otherId })

async function separated(app: TestApp, id: string, sourceId: string | null = null): Promise<string[]> {
  const { workouts } = await app.ok('POST', `/workouts/${id}/unmerge`, { sourceId })
  return workouts.map((one: { id: string }) => one.id)
}

const aboutAll = (app: TestApp, ids: readonly string[]) => Promise.all(ids.map((id) => aboutRun(app, id)))

/** Deletes a run for ever; the photos of the other are still there. */
async function expectOwnFiles(app: TestApp, [gone, stays]: readonly string[]): Promise<void> {
  await app.ok('DELETE', `/workouts/${gone}`)
  await app.call('DELETE', `/trash/${gone}`)
  const [photo] = await app.ok('GET', `/workouts/${stays}/media`)
  expect((await app.call('GET', `/workouts/${stays}/media/${photo.id}`)).status).toBe(200)
}

/** How recordings become runs of their own again, after what happened meanwhile. */
const WAYS: Readonly<Record<string, (app: TestApp, ids: readonly [string, string]) => Promise<string[]>>> = {
  'as it was': (app, [id]) => separated(app, id),
  'when nothing is kept for undo': (app, [id]) => separated(app, id),
  'once the other run is gone from the trash': async (app, [id, otherId]) => {
    expect((await app.call('DELETE', `/trash/${otherId}`)).status).toBe(204)
    return await separated(app, id)
  },
  'again and again': async (app, [id, otherId]) => {
    for (let round = 0; round < 2; round += 1) {
      expect((await separated(app, id)).toSorted()).toEqual([id, otherId].toSorted())
      await merge(app, [id, otherId])
    }
    return await separated(app, id)
  },
}
const ORDERS = { watch: [0, 1], phone: [1, 0] } as const

describe('separating what was merged', () => {
  const cases = Object.keys(WAYS).flatMap((way) =>
    Object.entries(ORDERS).map(([of, order]) => [way, of, order] as const),
  )
  test.each(cases)('%s, into the run of the %s, gives each its words, shoe and photo back', async (way, _, order) => {
    await using app = await testApp({ env: way.includes('nothing is kept') ? { UNDO_DAYS: '0' } : {} })
    const { ids, about } = await withRuns(app, 2)
    const ordered = order.map((place) => ids[place]!) as [string, string]
    await merge(app, ordered)
    const whole = await aboutRun(app, ordered[0])
    expect(whole.photos).toEqual(['0.jpg', '1.jpg'])
    expect(whole.notes.split('\n\n').toSorted()).toEqual(['Notes 0', 'Notes 1'])
    const now = await WAYS[way]!(app, ordered)
    expect(now[0]).toBe(ordered[0])
    expect(await aboutAll(app, now)).toEqual(order.map((place) => about[place]!))
    await expectOwnFiles(app, now)
  })

  test.each(Object.entries(ORDERS))(
    'holds in a library that an archive brought there, into the run of the %s',
    async (_, order) => {
      await using app = await testApp()
      const { ids, about } = await withRuns(app, 2)
      await merge(
        app,
        order.map((place) => ids[place]!),
      )
      await using other = await testApp()
      // takes the place of the archive's pair
      const own = await other.ok('POST', '/shoes', { brand: 'Shoe', model: 'No. 1' })
      expect((await restored(other, await exported(app))).status).toBe(200)
      await using third = await testApp()
      await restored(third, await exported(other))
      const expected = about.map((one, k) => ({ ...one, shoeId: k === 1 ? own.id : one.shoeId }))
      for (const there of [other, third]) {
        const now = await separated(there, ids[order[0]]!)
        expect(await aboutAll(there, now)).toEqual(order.map((place) => expected[place]!))
        await expectOwnFiles(there, now)
      }
    },
  )

  test('what the runner said of the merged run stays with it, and so do photos added to it', async () => {
    await using app = await testApp()
    const { ids, about } = await withRuns(app, 2)
    const [id, otherId] = ids as [string, string]
    await merge(app, ids)
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Both', notes: 'Notes 0\n\nNotes 1\n\nboth', shoeId: null })
    await app.upload(`/workouts/${id}/media`, [{ name: 'both.jpg', bytes: jpeg(200) }])
    await separated(app, id)
    const notes = 'Notes 0\n\nNotes 1\n\nboth'
    expect(await aboutAll(app, ids)).toEqual([
      { ...about[0]!, name: 'Both', notes, shoeId: null, photos: ['0.jpg', 'both.jpg'] },
      about[1]!,
    ])
    // notes that are there already are not added again
    expect((await merge(app, [id, otherId])).notes).toBe(notes)
    await separated(app, id)
    expect((await merge(app, [otherId, id])).notes).toBe(notes)
  })

  test.each([
    ['ab ac', 1],
    ['ab ac', 2],
    ['bc ab', 0],
    ['bc ab', 2],
    ['cb ca', 1],
    ['ca bc', 2],
  ])('holds for three, merged as %s, whichever leaves first', async (pairs, leaving) => {
    await using app = await testApp()
    const { ids, about } = await withRuns(app, 3)
    const of = (letter: string) => ids['abc'.indexOf(letter)]!
    for (const [id, otherId] of pairs.split(' ')) await merge(app, [of(id!), of(otherId!)])
    const id = of(pairs.split(' ')[1]![0]!)
    expect((await aboutRun(app, id)).photos).toEqual(['0.jpg', '1.jpg', '2.jpg'])
    const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    const [, first] = await separated(app, id, recordings[leaving].id)
    expect(about).toContainEqual(await aboutRun(app, first!))
    const all = await aboutAll(app, [...(await separated(app, id)), first!])
    expect(all.toSorted((x, y) => x.rpe - y.rpe)).toEqual(about)
  })

  test('is undone and done again with the photos', async () => {
    await using app = await testApp()
    const { ids, about } = await withRuns(app, 2)
    const [id] = ids as [string]
    const merged = (await app.call('POST', `/workouts/${id}/merge`, { json: { otherId: ids[1] } })).headers
    const whole = await aboutRun(app, id)
    const { headers } = await app.call('POST', `/workouts/${id}/unmerge`, { json: {} })
    const undo = async (receipt: string | null) =>
      (await app.ok('POST', `/receipts/${receipt}/undo`)).receiptId as string
    const undone = await undo(headers.get('harrier-receipt'))
    expect(await aboutRun(app, id)).toEqual(whole)
    const redone = await undo(undone)
    expect(await aboutAll(app, ids)).toEqual(about)
    await undo(redone)
    await undo(merged.get('harrier-receipt'))
    expect(await aboutAll(app, ids)).toEqual(about)
    app.clock.nowMs += 6 * 86_400_000
    await collectOld(app.deps)
    expect(await aboutAll(app, ids)).toEqual(about)
  })
})
