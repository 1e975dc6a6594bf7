import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { archiveOf, entriesOf, exported, restored } from '../archive/archives.ts'
import { id, workout } from '../archive/restore/restoring.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'

// Unicode TR 36, 2.2: with these a name that ends in exe is drawn as one that ends in jpg.
const BIDI = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
const named = (name: string) => name.replace('*', BIDI)

test('names of files lose what would turn the order of their letters around', async () => {
  await using app = await testApp()
  const { json: run } = await app.upload('/workouts/import', [{ name: named('mor*ning.fit'), bytes: fitRun() }])
  const { json: photos } = await app.upload(`/workouts/${run.id}/media`, [
    { name: named('fin*ish.jpg'), bytes: jpeg(99) },
  ])
  expect(photos[0].filename).toBe('finish.jpg')
  const photo = await app.call('GET', `/workouts/${run.id}/media/${photos[0].id}`)
  expect(photo.headers.get('content-disposition')).toBe(`inline; filename="finish.jpg"; filename*=UTF-8''finish.jpg`)
  const original = await app.call('GET', `/workouts/${run.id}/file`)
  expect(original.headers.get('content-disposition')).toContain(`filename*=UTF-8''morning.fit`)
  const { json: bad } = await app.upload('/workouts/import', [
    { name: named('a*.gpx'), bytes: 'no' },
    { name: named('b*.gpx'), bytes: 'no' },
  ])
  expect(bad.errorDetails.map(({ filename }: { filename: string }) => filename)).toEqual(['a.gpx', 'b.gpx'])
  const names = [...(await entriesOf(app, await exported(app))).keys()]
  expect(names.filter((name) => /\p{Bidi_Control}/u.test(name))).toEqual([])
})

test('in an archive that is restored, too; letters of every direction stay', async () => {
  await using app = await testApp()
  const media = [
    { id: id(50), workoutId: id(1), filename: named('a*b.jpg') },
    { id: id(51), workoutId: id(1), filename: 'ריצה تمرين.jpg' },
  ]
  const { json } = await restored(
    app,
    await archiveOf({
      'data/workouts.json': [workout(1)],
      'data/media-metadata.json': media,
      [`workouts/${id(1)}/media/${id(50)}/a.jpg`]: jpeg(99),
      [`workouts/${id(1)}/media/${id(51)}/b.jpg`]: jpeg(98),
    }),
  )
  expect(json.errors).toEqual([])
  const { json: list } = await app.call('GET', `/workouts/${id(1)}/media`)
  expect(list.map(({ filename }: { filename: string }) => filename).toSorted()).toEqual(['ab.jpg', 'ריצה تمرين.jpg'])
})
