import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { archiveOf, entriesOf, exported, restored } from '../archive/archives.ts'
import { id as idOf, workout } from '../archive/restore/restoring.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'

// Unicode TR 36, 2.2: with these a name that ends in exe is drawn as one that ends in jpg.
const BIDI = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
const named = (name: string) => name.replace('*', BIDI)

test('names of files lose what would turn the order of their letters around, in an archive too', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun(), named('mor*ning.fit'))
  const files = [named('fin*ish.jpg'), 'ריצה تمرين.jpg'].map((name, k) => ({ name, bytes: jpeg(99 - k) }))
  const { json: photos } = await app.upload(`/workouts/${id}/media`, files)
  // letters of every direction stay
  expect(photos.map(({ filename }: { filename: string }) => filename)).toEqual(['finish.jpg', 'ריצה تمرين.jpg'])
  const headerOf = async (path: string) =>
    (await app.call('GET', `/workouts/${id}/${path}`)).headers.get('content-disposition')
  expect(await headerOf(`media/${photos[0].id}`)).toBe(`inline; filename="finish.jpg"; filename*=UTF-8''finish.jpg`)
  expect(await headerOf('file')).toContain(`filename*=UTF-8''morning.fit`)
  const sent = ['a*.gpx', 'b*.gpx'].map((name) => ({ name: named(name), bytes: 'no' }))
  const { json: bad } = await app.upload('/workouts/import', sent)
  expect(bad.errorDetails).toMatchObject([{ filename: 'a.gpx' }, { filename: 'b.gpx' }])
  const names = [...(await entriesOf(app, await exported(app))).keys()]
  expect(names.filter((name) => /\p{Bidi_Control}/u.test(name))).toEqual([])
  const archive = await archiveOf({
    'data/workouts.json': [workout(1)],
    'data/media-metadata.json': [{ id: idOf(50), workoutId: idOf(1), filename: named('a*b.jpg') }],
    [`workouts/${idOf(1)}/media/${idOf(50)}/a.jpg`]: jpeg(97),
  })
  expect((await restored(app, archive)).json.errors).toEqual([])
  expect((await app.call('GET', `/workouts/${idOf(1)}/media`)).json).toMatchObject([{ filename: 'ab.jpg' }])
})
