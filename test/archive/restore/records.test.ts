import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { archiveOf, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { counts, id, library, shoe, workout } from './restoring.ts'

describe('shoes', () => {
  test('a shoe that is here already keeps its runs, under its own id', async () => {
    await using app = await testApp()
    const own = (await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Mach 5' } })).json.id
    const zip = await archiveOf({
      'data/shoes.json': [shoe(11, 'Hoka', 'Mach 5'), shoe(12, 'Hoka', 'Mach 5')],
      'data/workouts.json': [
        workout(1, { shoeId: id(11) }),
        workout(2, { shoeId: id(12) }),
        workout(3, { shoeId: id(13) }),
      ],
      'data/settings.json': { defaultShoeId: id(11) },
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.shoes).toEqual(counts(1, 1))
    expect(json.warnings).toEqual([`Workouts whose shoe does not exist, restored without one: ${id(3)}`])
    const shoeOf = async (n: number) => (await app.call('GET', `/workouts/${id(n)}`)).json.shoeId
    expect([await shoeOf(1), await shoeOf(2), await shoeOf(3)]).toEqual([own, id(12), null])
    expect((await app.call('GET', '/settings/default-shoe')).json.defaultShoeId).toBe(own)
    expect((await restored(app, zip)).json.statistics.shoes).toEqual(counts(0, 2))
    expect((await app.call('GET', '/shoes')).json).toHaveLength(2)
  })

  test('a shoe that cannot be one is an error, and the others are restored', async () => {
    await using app = await testApp()
    const zip = await archiveOf({
      'data/shoes.json': [{ brand: 'x' }, 5, shoe(1, '', 'b'), shoe(2, 'x'.repeat(150), 'Y'), shoe(2, 'again', 'z')],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.shoes).toEqual(counts(1, 1, 3))
    expect(json.errors).toEqual(['Shoes without an id (2 times)', `Shoes without brand or model: ${id(1)}`])
    expect((await app.call('GET', '/shoes')).json[0]).toMatchObject({ brand: 'x'.repeat(100), model: 'Y' })
  })
})

describe('best efforts', () => {
  const effort = (n: number, more: Readonly<Record<string, unknown>>) => ({
    id: id(n),
    distance: '1K',
    distanceM: 1000,
    calculatedAt: '2024-06-01T00:00:00Z',
    ...more,
  })
  const records = async (app: TestApp) => (await app.call('GET', '/stats/best-efforts')).json.distances
  const kilometre = async (app: TestApp) =>
    (await records(app)).find(({ distance }: { distance: string }) => distance === '1K')

  test('a faster archived one replaces a slower stored one, until its workout goes', async () => {
    await using app = await testApp()
    const [first = '', second = ''] = await library(app)
    // 1 km at 3.1 m/s
    expect(await kilometre(app)).toMatchObject({ workoutId: second, timeS: 323 })
    const zip = await archiveOf({ 'data/best-efforts.json': [effort(1, { timeS: 250, workoutId: first })] })
    expect((await restored(app, zip)).json.statistics.bestEfforts).toEqual(counts(1))
    expect(await kilometre(app)).toMatchObject({ workoutId: first, timeS: 250, timeMs: 250_000 })
    expect((await restored(app, zip)).json.statistics.bestEfforts).toEqual(counts(0, 1))
    expect(dataOf(await entriesOf(app, await exported(app)), 'data/best-efforts.json')[2]).toMatchObject({
      id: id(1),
      calculatedAt: '2024-06-01T00:00:00Z',
    })
    await app.call('DELETE', `/workouts/${first}`)
    expect(await kilometre(app)).toMatchObject({ workoutId: second, timeS: 323 })
  })

  test('a crop or a recalculation forgets it, but not that of a workout without samples', async () => {
    await using app = await testApp()
    const [first = ''] = await library(app)
    const faster = await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/best-efforts.json': [effort(1, { timeS: 250, workoutId: first })],
    })
    const ofSummary = await archiveOf({
      'data/best-efforts.json': [effort(2, { distance: '5K', distanceM: 5000, timeS: 1500, workoutId: id(1) })],
    })
    await restored(app, faster)
    await restored(app, ofSummary)
    await app.call('POST', `/workouts/${first}/crop`, { json: { removeFromEndSeconds: 1 } })
    expect(await kilometre(app)).toMatchObject({ timeS: 323 })
    await restored(app, faster)
    expect(await kilometre(app)).toMatchObject({ timeS: 250 })
    await app.call('POST', '/stats/best-efforts/recalculate')
    expect(await kilometre(app)).toMatchObject({ timeS: 323 })
    expect((await records(app)).at(-1)).toMatchObject({ distance: '5K', timeS: 1500, workoutId: id(1) })
  })

  test('a slower one, one of an unknown distance and one of an unknown workout change nothing', async () => {
    await using app = await testApp()
    const [first = ''] = await library(app)
    const before = await records(app)
    const zip = await archiveOf({
      'data/best-efforts.json': [
        effort(1, { timeS: 324, workoutId: first }),
        effort(2, { distance: '3K', distanceM: 3000, timeS: 100, workoutId: first }),
        effort(3, { timeS: 100, workoutId: id(404) }),
      ],
    })
    const { json } = await restored(app, zip)
    expect(json.statistics.bestEfforts).toEqual(counts(0, 2, 1))
    expect(json.warnings).toEqual(['Rows of bestEfforts without their workout, skipped: 1'])
    expect(await records(app)).toEqual(before)
  })
})
