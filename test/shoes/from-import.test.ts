import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MOST_SHOES } from '../../src/engine/limits.ts'
import type { Event } from '../../src/events/emitter.ts'
import { gearKey, shoeNamed } from '../../src/library/gear.ts'
import { NOW_MS, type TestApp, testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { addRows } from '../library/as-stored.ts'
import { removeRuns } from '../library/recordings.ts'

const DAY_MS = 86_400_000
const PATH = '/shoes/from-import'

let app: TestApp
let heard: Event[]
beforeEach(async () => {
  app = await testApp()
  heard = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
})
afterEach(() => app.close())

/** A Strava export with a run a day, in the order of their gear. */
async function importGear(...gear: readonly string[]) {
  const rows = gear.map((name, k) => ({
    ...{ 'Activity ID': k + 1, 'Activity Date': `Nov ${k + 1}, 2025, 7:00:00 AM`, 'Activity Name': `Run ${k + 1}` },
    ...{ 'Activity Type': 'Run', 'Activity Gear': name, 'Elapsed Time': 600, Distance: 1.8 },
  }))
  const { status, json } = await app.upload('/workouts/import/bulk', [
    zipUpload({ 'activities.csv': stravaCsv(rows), 'x.txt': '' }),
  ])
  expect([status, json.errors]).toEqual([200, 0])
  return json
}

const post = (names: unknown) => app.call('POST', PATH, { json: { names } })
const shoesOfRuns = async () =>
  (await app.ok('GET', '/workouts?sortOrder=asc')).items.map(({ shoeId }: { shoeId: string | null }) => shoeId)
const named = async () =>
  (await app.ok('GET', '/shoes')).map(({ brand, model }: Record<'brand' | 'model', string>) => ({ brand, model }))

describe('an import of a Strava export', () => {
  test('lists the shoes that it names, on how many runs, and whether they are stored', async () => {
    const { json } = await app.call('POST', '/shoes', { json: { brand: 'Hoka', model: 'Clifton 9' } })
    const answer = await importGear('Brooks Ghost 7', 'BROOKS  ghost 7', '', 'Hoka Clifton 9')
    const found = [
      { name: 'Brooks Ghost 7', runs: 2, runsWithoutShoe: 2, shoeId: null },
      { name: 'Hoka Clifton 9', runs: 1, runsWithoutShoe: 0, shoeId: json.id },
    ]
    expect(answer.shoesFound).toEqual(found)
    expect((await app.call('GET', PATH)).json).toEqual(found)
    // a later one lists its own alone, and lacks the member where there are none
    expect((await importGear('', '', '', '', 'Asics Novablast')).shoesFound).toEqual([
      { name: 'Asics Novablast', runs: 1, runsWithoutShoe: 1, shoeId: null },
    ])
    expect(await importGear('')).not.toHaveProperty('shoesFound')
  })
})

describe('shoes from an import', () => {
  test('are made and put on their runs, once', async () => {
    await importGear('Brooks Ghost 7', 'Bluey', 'brooks ghost 7', '')
    heard.length = 0
    const { status, json } = await post([' brooks GHOST 7 ', 'Bluey'])
    expect([status, json]).toEqual([
      200,
      {
        shoes: [
          { name: 'Brooks Ghost 7', shoeId: expect.any(String), created: true, runs: 2 },
          { name: 'Bluey', shoeId: expect.any(String), created: true, runs: 1 },
        ],
      },
    ])
    const [ghost, bluey] = json.shoes.map(({ shoeId }: { shoeId: string }) => shoeId)
    expect(await shoesOfRuns()).toEqual([ghost, bluey, ghost, null])
    expect(await named()).toEqual([
      { brand: 'Brooks', model: 'Ghost 7' },
      { brand: '–', model: 'Bluey' },
    ])
    expect(heard).toEqual([
      { event: 'shoe.created', data: { id: ghost } },
      { event: 'shoe.created', data: { id: bluey } },
      { event: 'workout.updated', data: { id: null } },
    ])

    heard.length = 0
    expect((await post(['Brooks Ghost 7', 'Bluey', 'BLUEY'])).json.shoes).toEqual([
      { name: 'Brooks Ghost 7', shoeId: ghost, created: false, runs: 0 },
      { name: 'Bluey', shoeId: bluey, created: false, runs: 0 },
    ])
    expect([heard, (await named()).length]).toEqual([[], 2])
    const found = (await app.call('GET', PATH)).json
    expect(found.map((shoe: { runsWithoutShoe: number }) => shoe.runsWithoutShoe)).toEqual([0, 0])
  })

  test('are found by what is imported later, whatever their name was made into', async () => {
    const long = `${'Brand '.repeat(20)}${'x'.repeat(80)}`
    await importGear('Bluey', long)
    const { json } = await post(['Bluey', long])
    expect(json.shoes.map(({ runs }: { runs: number }) => runs)).toEqual([1, 1])
    removeRuns(app.deps)
    await importGear('bluey', long)
    expect(await shoesOfRuns()).toEqual(json.shoes.map(({ shoeId }: { shoeId: string }) => shoeId))
  })

  test('leave runs alone that have a shoe, or whose shoe the runner took off', async () => {
    await importGear('Brooks Ghost 7', 'Brooks Ghost 7', 'Brooks Ghost 7')
    const other = (await app.call('POST', '/shoes', { json: { brand: 'Nike', model: 'Zoom' } })).json.id
    const { items } = (await app.call('GET', '/workouts')).json
    await app.call('PATCH', `/workouts/${items[0].id}`, { json: { shoeId: other } })
    await app.call('PATCH', `/workouts/${items[1].id}`, { json: { shoeId: null } })
    const [shoe] = (await post(['Brooks Ghost 7'])).json.shoes
    expect(shoe.runs).toBe(1)
    expect(await shoesOfRuns()).toEqual([shoe.shoeId, null, other])
  })

  test('need a recording that names them', async () => {
    expect((await post(['Nobody Runs'])).json).toEqual({
      shoes: [{ name: 'Nobody Runs', shoeId: null, created: false, runs: 0 }],
    })
    expect([await named(), heard]).toEqual([[], []])
  })

  test('come with the file of a run, too', async () => {
    const rows = [{ 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run', Filename: 'activities/1.fit' }]
    const table = stravaCsv(rows.map((row) => ({ ...row, 'Activity ID': 1, 'Activity Gear': 'Brooks Ghost 7' })))
    const zip = zipUpload({ 'activities.csv': table, 'activities/1.fit': fitRun({ startMs: START_MS + DAY_MS }) })
    await app.upload('/workouts/import/bulk', [zip])
    expect((await post(['Brooks Ghost 7'])).json.shoes).toMatchObject([{ created: true, runs: 1 }])
  })

  test('are all or none where there would be too many', async () => {
    const rows = Array.from({ length: MOST_SHOES - 1 }, (_, n) => {
      return { id: crypto.randomUUID(), brand: 'Brand', model: `${n}`, created_at: NOW_MS, updated_at: NOW_MS }
    })
    addRows(app.deps, 'shoe', rows)
    await importGear('Brooks Ghost 7', 'Hoka Clifton 9')
    heard.length = 0
    const refused = await post(['Brooks Ghost 7', 'Hoka Clifton 9'])
    expect([refused.status, refused.json]).toEqual([
      400,
      { error: 'That would be 1001 shoes; 1000 are the most allowed' },
    ])
    expect([(await named()).length, await shoesOfRuns(), heard]).toEqual([MOST_SHOES - 1, [null, null], []])
    expect((await post(['Brooks Ghost 7'])).json.shoes).toMatchObject([{ created: true, runs: 1 }])
    expect((await post(['Brooks Ghost 7'])).status).toBe(200)
  })
})

test('a gear name is parted into brand and model that a shoe can have', () => {
  expect(shoeNamed(' Brooks  Ghost 7 ')).toEqual({ brand: 'Brooks', model: 'Ghost 7' })
  expect(shoeNamed('Bluey')).toEqual({ brand: '–', model: 'Bluey' })
  const words = Array.from({ length: 40 }, (_, n) => `${1000 + n}`).join(' ')
  const { brand, model } = shoeNamed(words)
  expect([[brand, model].join(' '), brand.length <= 100, model.length <= 100]).toEqual([words, true, true])
  expect(shoeNamed(`A ${'👟'.repeat(150)}`)).toEqual({ brand: 'A', model: '👟'.repeat(100) })
  expect(gearKey('  HOKA\u00a0 Clifton 9 ')).toBe('hoka clifton 9')
})

test('what the dry run of an undo says of shoes that were made and put on is what the undo does', async () => {
  await importGear('Brooks Ghost 7', 'Nike')
  const receipt = (await post(['Brooks Ghost 7', 'Nike'])).headers.get('harrier-receipt')
  const undone = async (json: object) => (await app.call('POST', `/receipts/${receipt}/undo`, { json })).json
  expect(await undone({ dryRun: true })).toMatchObject({ undone: 4, kept: [] })
  expect(await undone({})).toMatchObject({ undone: 4, kept: [] })
  expect([await named(), await shoesOfRuns()]).toEqual([[], [null, null]])
})
