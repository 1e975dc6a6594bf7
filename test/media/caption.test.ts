import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { addWorkout } from '../library/feature-app.ts'

const RUN = '0198b000-0000-7000-8000-000000000001'
const OTHER = '0198b000-0000-7000-8000-000000000002'
const NOBODY = '0198b000-0000-7000-8000-00000000dead'

let app: TestApp
let mediaId: string
beforeEach(async () => {
  app = await testApp()
  for (const id of [RUN, OTHER]) addWorkout(app.deps, { id })
  const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'a.png', bytes: png() }], { caption: 'Start' })
  mediaId = json[0].id
})
afterEach(() => app.close())

const edit = (json: unknown, path = `/workouts/${RUN}/media/${mediaId}`) => app.call('PATCH', path, { json })
const captionNow = async () => (await app.call('GET', `/workouts/${RUN}/media`)).json[0].caption

test('a caption stays for a body that does not name it, and for media of another run', async () => {
  const { status, json } = await edit({ filename: 'b.png' })
  expect([status, json.caption, json.filename]).toEqual([200, 'Start', 'a.png'])
  for (const path of [`${OTHER}/media/${mediaId}`, `${RUN}/media/${NOBODY}`]) {
    const answer = await edit({ caption: 'x' }, `/workouts/${path}`)
    expect([path, answer.status, answer.json]).toEqual([path, 404, { error: 'Media not found' }])
  }
  expect(await captionNow()).toBe('Start')
})

describe('a caption becomes', () => {
  test.each<[string, unknown, string | null]>([
    ['what was sent, without blanks around it', { caption: '  Finish line ' }, 'Finish line'],
    ['1000 characters, counted as people do', { caption: '🏃'.repeat(1000) }, '🏃'.repeat(1000)],
    ['none by null', { caption: null }, null],
    ['none by blanks', { caption: ' \n ' }, null],
  ])('%s', async (_name, body, caption) => {
    const before = (await app.call('GET', `/workouts/${RUN}/media`)).json[0]
    const { status, json } = await edit(body)
    expect([status, json]).toEqual([200, { ...before, caption }])
    expect(await captionNow()).toBe(caption)
  })
})
