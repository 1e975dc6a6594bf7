import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { rowWith } from '../../rows.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

/** A pair that was worn before its first run here, metres. */
const shoe = async (model: string, initialMileageM: number, more: object = {}): Promise<string> =>
  (await app.ok('POST', '/shoes', { brand: 'Asics', model, initialMileageM, ...more })).id
const proposals = () => app.ok('GET', '/training/proposals')
const wear = (id: string, initialMileageM: number) => app.ok('PATCH', `/shoes/${id}`, { initialMileageM })
const retired = { retiredAt: '2025-10-01T00:00:00Z' }

// 90% of a limit, 700 km without one
describe('retiring a pair of shoes is proposed', () => {
  test('from 90% of 700 km, which is a convention', async () => {
    const id = await shoe('Novablast', 629_999)
    expect(await proposals()).toEqual([])
    await wear(id, 630_000)
    const numbers = { current: 630_000, proposed: 700_000, unit: 'm', confidence: 'low' }
    const proposal = { id: `retire-${id}-700000`, kind: 'retire', shoeId: id, evidence: [], loadsPct: null }
    expect(await proposals()).toEqual([{ ...proposal, ...numbers }])
    expect((await app.ok('GET', '/training/today')).proposals).toBe(1)
  })

  test('from 90% of its own limit, and of 700 km however long other pairs lasted', async () => {
    for (const metres of [400_000, 500_000, 900_000]) await shoe(`Old ${metres}`, metres, retired)
    await shoe('Novablast', 629_999)
    expect(await proposals()).toEqual([])
    const own = await shoe('Own', 360_000, { retireAtM: 400_000 })
    await shoe('Fresh', 359_999, { retireAtM: 400_000 })
    expect(await proposals()).toMatchObject([{ shoeId: own, proposed: 400_000, confidence: 'high' }])
  })

  test('again after 50 km when it was dismissed, and for another pair at once', async () => {
    const id = await shoe('Novablast', 640_000)
    const answer = await app.ok('POST', `/training/proposals/retire-${id}-700000`, { accept: false })
    expect([answer, await proposals()]).toEqual([null, []])
    const other = await shoe('Superblast', 640_000)
    expect(await proposals()).toMatchObject([{ shoeId: other }])
    await wear(id, 689_999)
    expect(await proposals()).toHaveLength(1)
    await wear(id, 690_000)
    expect(await proposals()).toHaveLength(2)
  })

  test('and done when it is accepted: the pair is retired today, and the default moves on', async () => {
    const id = await shoe('Novablast', 640_000)
    const next = await shoe('Superblast', 0)
    addWorkout(app.deps, { id: '0198a000-0000-7000-8000-000000000001', shoeId: next })
    await app.ok('PUT', '/settings/default-shoe', { shoeId: id })
    const events: string[] = []
    app.deps.events.subscribe(({ event }) => events.push(event))
    expect(await app.ok('POST', `/training/proposals/retire-${id}-700000`, { accept: true })).toBeNull()
    expect(events).toContain('shoe.updated')
    expect(rowWith(await app.ok('GET', '/shoes'), 'id', id).retiredAt).toBe('2025-11-20T13:05:11Z')
    expect((await app.ok('GET', '/settings/default-shoe')).defaultShoeId).toBe(next)
    expect(await proposals()).toEqual([])
    const again = await app.call('POST', `/training/proposals/retire-${id}-700000`, { json: { accept: true } })
    expect([again.status, again.text]).toEqual([404, '{"error":"Proposal not found","code":"proposal_not_found"}'])
  })
})
