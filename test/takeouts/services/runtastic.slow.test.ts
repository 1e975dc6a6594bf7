import { expect, test } from 'bun:test'
import { smallZip } from '../../../src/formats/small-zip.ts'
import { testApp } from '../../app.ts'
import { runtasticFiles } from '../../fixtures/runtastic.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { expectCutsRefused } from '../../formats/cuts.ts'
import { expectExport, PATH } from './expect-export.ts'

test('an export of adidas Running with 400 runs, old and new, is imported and undone', async () => {
  const runs = knownRuns(400)
  const files = runs.map((run) =>
    runtasticFiles(run, { isNew: run.number % 2 === 1, track: run.number % 3 === 0 ? 'gpx' : 'json' }),
  )
  const [ride, swim, unknown, broken] = knownRuns(404).slice(400)
  const cut = Object.entries(runtasticFiles(broken!)).map(([name, content]) => [name, content.slice(0, 90)])
  const file = zipUpload({
    ...Object.assign({}, ...files, ...[runtasticFiles(ride!, { sport: '22' })]),
    ...runtasticFiles(swim!, { sport: '18' }),
    ...runtasticFiles(unknown!, { sport: '4711' }),
    ...Object.fromEntries(cut),
    'Photos/Images-meta-data/ImagesMetaData.json': '{}',
  })
  const errors = Object.keys(runtasticFiles(broken!)).slice(0, 1)
  await expectExport(file, {
    ...{ kind: 'runtastic', runs, skippedSports: { ride: 1, swim: 1, other: 1 }, errors, ignored: 1 },
  })
}, 120_000)

test('a run without a track, and one with the shoe that its session names', async () => {
  const [first, second] = knownRuns(2)
  const shoe = JSON.stringify({ id: 'shoe-1', name: 'Brooks Ghost', equipment_type: 'shoe' })
  const file = zipUpload({
    ...runtasticFiles(first!, { track: 'none', sport: '14', more: { notes: 'indoors' } }),
    ...runtasticFiles(second!, { more: { user_equipment_ids: ['shoe-1'] } }),
    'User/Shoes/Shoe.json': shoe,
  })
  await using app = await testApp()
  expect((await app.upload(PATH, [file])).json).toMatchObject({ successful: 2, shoesCreated: 1 })
  const { items } = await app.ok('GET', '/workouts')
  expect(items[0]).toMatchObject({ distanceM: 150, avgHeartRateBpm: 120, shoeId: null, hasRoute: false })
  const [worn] = await app.ok('GET', '/shoes')
  expect(items[1]).toMatchObject({ shoeId: worn.id, hasRoute: true })
})

test('the original of a run is a ZIP of its parts, which is imported alone and refused when it is cut', async () => {
  const [run] = knownRuns(1)
  const parts = Object.entries(runtasticFiles(run!)).map(([name, content]) => ({ name, bytes: Buffer.from(content) }))
  const bytes = smallZip(parts)
  expectCutsRefused(bytes, 'a.zip')
  await using app = await testApp()
  const { json } = await app.upload(PATH, [zipUpload(runtasticFiles(run!))])
  expect(json).toMatchObject({ kind: 'runtastic', successful: 1 })
  const [stored] = (await app.ok('GET', '/workouts')).items
  const { recordings } = await app.ok('GET', `/workouts/${stored.id}/sources`)
  expect(recordings[0]).toMatchObject({ origin: 'runtastic', fileType: 'zip', filename: expect.stringMatching(/zip$/) })
  const original = await app.handle(
    new Request(`http://localhost/workouts/${stored.id}/export?format=original`, {
      headers: { authorization: `Bearer ${app.token}` },
    }),
  )
  expect(original.status).toBe(200)
  expect(Buffer.compare(Buffer.from(await original.arrayBuffer()), Buffer.from(bytes))).toBe(0)
  // alone it is an export of one run, which is stored already
  expect((await app.upload(PATH, [{ name: 'a.zip', bytes }])).json).toMatchObject({ kind: 'runtastic', skipped: 1 })
})
