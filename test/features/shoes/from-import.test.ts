import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { removeRuns } from '../../library/recordings.ts'
import { each, said } from '../../rows.ts'

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

const made = async (...names: readonly string[]) => (await app.ok('POST', PATH, { names })).shoes
const shoesOfRuns = async () => each((await app.ok('GET', '/workouts?sortOrder=asc')).items, 'shoeId')
const named = async () => said(await app.ok('GET', '/shoes'), 'brand', 'model')

test('an import of a Strava export lists the shoes that it names, on how many runs, and whether they are stored', async () => {
  const { id } = await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Clifton 9' })
  const answer = await importGear('Brooks Ghost 7', 'BROOKS  ghost 7', '', 'Hoka Clifton 9')
  const found = [
    { name: 'Brooks Ghost 7', runs: 2, runsWithoutShoe: 2, shoeId: null },
    { name: 'Hoka Clifton 9', runs: 1, runsWithoutShoe: 0, shoeId: id },
  ]
  expect([answer.shoesFound, await app.ok('GET', PATH)]).toEqual([found, found])
  // a later one lists its own alone, and lacks the member where there are none
  expect((await importGear('', '', '', '', 'Asics Novablast')).shoesFound).toEqual([
    { name: 'Asics Novablast', runs: 1, runsWithoutShoe: 1, shoeId: null },
  ])
  expect(await importGear('')).not.toHaveProperty('shoesFound')
})

describe('shoes from an import', () => {
  test('are made and put on their runs, once', async () => {
    await importGear('Brooks Ghost 7', 'Bluey', 'brooks ghost 7', '')
    heard.length = 0
    const [ghost, bluey] = await made(' brooks GHOST 7 ', 'Bluey', 'Nobody Runs')
    expect([ghost, bluey]).toMatchObject([
      { name: 'Brooks Ghost 7', created: true, runs: 2 },
      { name: 'Bluey', created: true, runs: 1 },
    ])
    expect(await shoesOfRuns()).toEqual([ghost.shoeId, bluey.shoeId, ghost.shoeId, null])
    const names = [
      ['Brooks', 'Ghost 7'],
      ['–', 'Bluey'],
    ]
    expect(await named()).toEqual(names)
    expect(heard).toEqual([
      { event: 'shoe.created', data: { id: ghost.shoeId } },
      { event: 'shoe.created', data: { id: bluey.shoeId } },
      { event: 'workout.updated', data: { id: null } },
    ])
    heard.length = 0
    const again = [ghost, bluey].map((shoe) => ({ ...shoe, created: false, runs: 0 }))
    expect(await made('Brooks Ghost 7', 'Bluey', 'BLUEY')).toEqual(again)
    // they need a recording that names them
    const nobody = { name: 'Nobody Runs', shoeId: null, created: false, runs: 0 }
    expect(await made('Nobody Runs')).toEqual([nobody])
    expect([heard, await named()]).toEqual([[], names])
    expect(each(await app.ok('GET', PATH), 'runsWithoutShoe')).toEqual([0, 0])
  })

  test('are found by what is imported later, whatever their name was made into', async () => {
    const long = `${'Brand '.repeat(20)}${'x'.repeat(80)}`
    await importGear('Bluey', long)
    const shoes = await made('Bluey', long)
    expect(each(shoes, 'runs')).toEqual([1, 1])
    removeRuns(app.deps)
    await importGear('bluey', long)
    expect(await shoesOfRuns()).toEqual(each(shoes, 'shoeId'))
  })

  test('leave runs alone that have a shoe, or whose shoe the runner took off', async () => {
    await importGear('Brooks Ghost 7', 'Brooks Ghost 7', 'Brooks Ghost 7')
    const { id: other } = await app.ok('POST', '/shoes', { brand: 'Nike', model: 'Zoom' })
    const { items } = await app.ok('GET', '/workouts')
    for (const [k, shoeId] of [other, null].entries()) await app.ok('PATCH', `/workouts/${items[k].id}`, { shoeId })
    const [shoe] = await made('Brooks Ghost 7')
    expect(shoe.runs).toBe(1)
    expect(await shoesOfRuns()).toEqual([shoe.shoeId, null, other])
  })
})

test('what the dry run of an undo says of shoes that were made and put on is what the undo does', async () => {
  await importGear('Brooks Ghost 7', 'Nike')
  const { headers } = await app.call('POST', PATH, { json: { names: ['Brooks Ghost 7', 'Nike'] } })
  const receipt = headers.get('harrier-receipt')
  const undone = (json: object) => app.ok('POST', `/receipts/${receipt}/undo`, json)
  expect(await undone({ dryRun: true })).toMatchObject({ undone: 4, kept: [] })
  expect(await undone({})).toMatchObject({ undone: 4, kept: [] })
  expect([await named(), await shoesOfRuns()]).toEqual([[], [null, null]])
})
