import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { exported } from '../../archive/archives.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'

const HOST = 'pi.example:5001'
/** What Chrome says of what a phone shares: it opens the address itself, and no page did. */
const SHARED = { host: HOST, origin: 'null', 'sec-fetch-site': 'none' }

const ROW = {
  ...{ 'Activity ID': 7, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Name': 'Early', 'Activity Type': 'Run' },
  ...{ 'Elapsed Time': 600, 'Distance#2': 1800, Filename: 'activities/7.fit' },
}
const { bytes: STRAVA } = zipUpload({ 'activities.csv': stravaCsv([ROW]), 'activities/7.fit': fitRun() })

function form(...files: readonly (readonly [name: string, bytes: Uint8Array | string])[]): FormData {
  const body = new FormData()
  body.append('title', 'Morning')
  body.append('text', 'Shared')
  for (const [name, bytes] of files) {
    body.append('file', new File([typeof bytes === 'string' ? bytes : bytes.slice()], name))
  }
  return body
}

async function shared(
  app: TestApp,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = SHARED,
  token = app.token,
): Promise<string> {
  const cookie: Record<string, string> = token === '' ? {} : { cookie: `authToken=${token}` }
  const answer = await app.call('POST', '/share', { token: null, body, headers: { ...headers, ...cookie } })
  expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([303, '', 'no-store'])
  return answer.headers.get('location') ?? ''
}

const lastShare = async (app: TestApp) => (await app.call('GET', '/share')).json.lastShare

/** The receipt that a share led to. */
async function receiptOf(app: TestApp, body: FormData) {
  const [, id = ''] = /^\/app\/receipts\/([0-9a-f-]{36})$/.exec(await shared(app, body)) ?? []
  const { status, json } = await app.call('GET', `/receipts/${id}`)
  expect(status).toBe(200)
  return json
}

describe('what a phone shares', () => {
  test('is imported, and leads to its receipt; the run is there only once', async () => {
    await using app = await testApp()
    expect(await lastShare(app)).toBeNull()
    const created = await receiptOf(app, form(['run.fit', fitRun()]))
    const [{ id }] = (await app.ok('GET', '/workouts')).items
    expect(created).toMatchObject({ kind: 'import', origin: 'share_target', title: 'run.fit', counts: { created: 1 } })
    expect(created.items.items).toMatchObject([{ filename: 'run.fit', outcome: 'created', workoutId: id }])
    const several = form(['run.fit', fitRun()], ['b.fit', fitRun({ seconds: 700 })], ['c.txt', 'no run'])
    const again = await receiptOf(app, several)
    expect(again).toMatchObject({ origin: 'share_target', actor: 'browser', counts: { created: 1, errors: 1 } })
    const reason = 'Same file as the run of 1 November 2025'
    expect(again.items.items).toContainEqual(expect.objectContaining({ outcome: 'skipped', workoutId: id, reason }))
    expect(await lastShare(app)).toEqual({ at: '2025-11-20T13:05:11Z', error: null })
    const { recordings } = await app.ok('GET', `/workouts/${id}/sources`)
    expect(recordings[0].origin).toBe('share_target')
    expect(await app.ok('GET', '/auth/api-keys')).toEqual([])
  })

  test('may be an export of Strava or an archive, which leave receipts of their own', async () => {
    await using app = await testApp()
    const exports = await receiptOf(app, form(['export_7.zip', STRAVA]))
    expect(exports).toMatchObject({
      ...{ kind: 'import', origin: 'strava_archive', actor: 'browser', title: 'export_7.zip', counts: { created: 1 } },
    })
    expect((await app.ok('GET', '/workouts')).items[0].name).toBe('Early')
    const archive = await exported(app)

    await using other = await testApp()
    const restore = await receiptOf(other, form(['harrier-export.zip', archive]))
    expect(restore).toMatchObject({ origin: 'archive', title: 'harrier-export.zip', counts: { created: 1, errors: 0 } })
    expect(await lastShare(other)).toEqual({ at: '2025-11-20T13:05:11Z', error: null })
    const undone = await other.call('POST', `/receipts/${restore.id}/undo`, { json: {} })
    expect([undone.status, (await other.call('GET', '/workouts')).json.totalCount]).toEqual([200, 0])
  })

  test('without a session leads to the login, and nothing of it is read', async () => {
    await using app = await testApp()
    const key = (await app.call('POST', '/auth/api-keys')).json.key
    for (const token of ['', 'x', key]) {
      let isRead = false
      const pull = (controller: ReadableStreamDefaultController) => {
        isRead = true
        controller.close()
      }
      const body = new ReadableStream({ pull }, { highWaterMark: 0 })
      expect([token, await shared(app, body, SHARED, token), isRead]).toEqual([token, '/app/login?then=share', false])
    }
    expect(await lastShare(app)).toBeNull()
    expect((await app.call('GET', '/share', { token: null })).status).toBe(401)
  })

  test('comes from the browser itself, never from a page of another origin', async () => {
    await using app = await testApp()
    const cookie = `authToken=${app.token}`
    const evil = 'https://evil.example'
    for (const [site, origin, status] of [
      ['none', 'null', 303],
      ['none', null, 303],
      ['same-origin', `http://${HOST}`, 303],
      [null, 'null', 403],
      ['cross-site', 'null', 403],
      ['same-site', 'null', 403],
      ['none', evil, 403],
      ['cross-site', evil, 403],
      ['cross-site', null, 403],
    ] as const) {
      const sent = { ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) }
      const runs = async () => (await app.ok('GET', '/workouts')).totalCount
      const before = await runs()
      const body = form(['run.fit', fitRun({ seconds: 600 + before })])
      const answer = await app.call('POST', '/share', { token: null, headers: { ...sent, host: HOST, cookie }, body })
      expect([sent, answer.status, (await runs()) - before]).toEqual([sent, status, status === 303 ? 1 : 0])
    }
    // the rest of the service does not know the exception
    const elsewhere = await app.call('POST', '/shoes', { token: null, headers: { ...SHARED, cookie } })
    expect(elsewhere.status).toBe(403)
  })
})
