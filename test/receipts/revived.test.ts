import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun } from '../fixtures/runs.ts'
import { headerOf, undo } from './library.ts'

test('an archive from before a photo brings a deleted run back without it; the deletion undone brings the photo', async () => {
  await using app = await testApp()
  const { id } = (await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])).json
  const archive = await exported(app)
  await app.upload(`/workouts/${id}/media`, [{ name: 'later.jpg', bytes: jpeg(300) }])
  const deletion = headerOf(await app.call('DELETE', `/workouts/${id}`))
  expect((await restored(app, archive)).json).toMatchObject({ success: true })
  const photos = async () => (await app.call('GET', `/workouts/${id}/media`)).json
  expect(await photos()).toEqual([])
  await app.call('DELETE', `/workouts/${id}?forever=true`)
  expect((await undo(app, deletion)).answer).toMatchObject({ undone: 1, kept: [] })
  expect(await photos()).toMatchObject([{ filename: 'later.jpg' }])
})
