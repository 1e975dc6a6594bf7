// Every real watch file in archives; the library with everything is walked in walk.test.ts.
import { expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, testApp } from '../app.ts'
import { corpusDir, corpusTest } from '../corpus.ts'
import { jpeg } from '../fixtures/media.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { contentOf, exported, restored } from './archives.ts'
import { counts } from './restore/restoring.ts'
import { line, verified } from './verify/verifying.ts'

/** Every real watch file that is one, with shoes, zones, edits, photos and a crop on top. */
async function corpusLibrary(app: TestApp): Promise<number> {
  const { id: shoe } = await app.ok('POST', '/shoes', { brand: 'Nike', model: 'Pegasus', initialMileageM: 1234.5 })
  for (const folder of ['fit', 'fit-gz', 'gpx', 'csv', 'bad']) {
    const path = join(corpusDir ?? '', folder)
    for (const name of readdirSync(path).sort()) {
      const units = name.length % 2 === 0 ? 'metric' : 'imperial'
      const file = { name, bytes: new Uint8Array(readFileSync(join(path, name))) }
      await app.upload('/workouts/import', [file], { unitPreference: units })
    }
  }
  const exportOfStrava = join(corpusDir ?? '', 'strava-export')
  const names = readdirSync(exportOfStrava, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  const files = names.map((name) => [name, new Uint8Array(readFileSync(join(exportOfStrava, name)))] as const)
  const bulk = await app.upload('/workouts/import/bulk', [zipUpload(Object.fromEntries(files))])
  expect(bulk.json).toMatchObject({ errorDetails: expect.any(Array), mediaImported: expect.any(Number) })
  const { items, totalCount } = await app.ok('GET', '/workouts?pageSize=100')
  for (const [n, { id }] of items.entries()) {
    const shoeId = n % 3 === 0 ? shoe : null
    const edit = { name: `Lauf ${n} 🏃`, notes: `${n}\n"quoted"`, rpe: (n % 10) + 1, shoeId }
    if (n % 2 === 0) await app.call('PATCH', `/workouts/${id}`, { json: edit })
    if (n % 5 === 0) await app.upload(`/workouts/${id}/media`, [{ name: `${n}.jpg`, bytes: jpeg(1000 + n) }])
    if (n % 7 === 0) await app.call('POST', `/workouts/${id}/crop`, { json: { removeFromStartSeconds: 30.25 } })
    if (n % 11 === 0) await app.call('POST', `/workouts/${id}/recalculate-splits`)
  }
  return totalCount
}

corpusTest(
  'with every real watch file: all files of the second archive are equal, a verification finds no difference',
  async () => {
    await using source = await testApp()
    const stored = await corpusLibrary(source)
    expect(stored).toBeGreaterThan(60)
    const zip = await exported(source)
    await using target = await testApp()
    const answer = await restored(target, zip)
    expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
    expect(answer.json.statistics.workouts).toEqual(counts(stored))
    const [before, after] = [await contentOf(source), await contentOf(target)]
    expect([...after.keys()]).toEqual([...before.keys()])
    for (const [name, content] of before) expect(after.get(name) === content ? name : `${name} differs`).toBe(name)
    const { differences, kinds } = await verified(zip)
    expect(differences).toEqual([])
    for (const of of kinds) expect(of).toEqual({ kind: of.kind, ...line(of.inArchive) })
  },
  600_000,
)
