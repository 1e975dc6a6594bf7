import { describe, expect, test } from 'bun:test'
import { FORMAT_NAMES } from '../../src/formats/registry.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun } from '../fixtures/runs.ts'

const HOST = 'pi.example:5001'
/** What Chrome says of what a phone shares: it opens the address itself, and no page did. */
const SHARED = { host: HOST, origin: 'null', 'sec-fetch-site': 'none' }

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

describe('what a phone shares', () => {
  test('is imported, and leads to its run, which is there only once', async () => {
    await using app = await testApp()
    expect(await lastShare(app)).toBeNull()
    const place = await shared(app, form(['run.fit', fitRun()]))
    const { json } = await app.call('GET', '/workouts')
    expect(place).toBe(`/app/runs/${json.items[0].id}?shared=created`)
    expect(await shared(app, form(['run.fit', fitRun()]))).toBe(`/app/runs/${json.items[0].id}?shared=skipped`)
    expect(await lastShare(app)).toEqual({ at: '2025-11-20T13:05:11Z', error: null })
    const { json: sources } = await app.call('GET', `/workouts/${json.items[0].id}/sources`)
    expect(sources.recordings[0].origin).toBe('share_target')
    expect((await app.call('GET', '/auth/api-keys')).json).toEqual([])
  })

  test('of several files leads to the receipt, with what became of them', async () => {
    await using app = await testApp()
    const files = form(['a.fit', fitRun()], ['b.fit', fitRun({ seconds: 700 })], ['c.txt', 'no run'])
    const [, id = ''] = /^\/app\/receipts\/(.+)$/.exec(await shared(app, files)) ?? []
    const { json: receipt } = await app.call('GET', `/receipts/${id}`)
    expect(receipt).toMatchObject({ origin: 'share_target', actor: 'browser', counts: { created: 2, errors: 1 } })
    expect((await lastShare(app)).error).toBeNull()
  })

  test('and cannot be imported leads to the list, and the reason is to be asked for', async () => {
    await using app = await testApp({ env: { MAX_UPLOAD_BYTES: '100000' } })
    const noRun = `The file is no ${FORMAT_NAMES} workout`
    for (const [body, error] of [
      [form(['a.bin', 'no run']), noRun],
      [form(['a.bin', 'no run'], ['b.bin', 'no run']), noRun],
      [form(), 'What was shared is no file'],
      [form(['a.fit', 'x'.repeat(100_001)]), 'The uploaded files exceed the limit of 100000 bytes'],
      ['no form', 'The request body must be multipart/form-data'],
    ] as const) {
      expect(await shared(app, body)).toBe('/app/runs?shared=refused')
      expect((await lastShare(app)).error).toBe(error)
    }
    app.deps.db.$client.run('ALTER TABLE recording RENAME TO gone')
    expect(await shared(app, form(['run.fit', fitRun()]))).toBe('/app/runs?shared=refused')
    expect(app.logged.filter((line) => line.startsWith('error'))).toHaveLength(1)
    expect((await lastShare(app)).error).toBe('An unexpected error, which is in the log')
  })

  test('without a session leads to the login, and nothing of it is read', async () => {
    await using app = await testApp()
    const key = (await app.call('POST', '/auth/api-keys')).json.key
    for (const token of ['', 'x', key]) {
      let isRead = false
      const body = new ReadableStream(
        {
          pull: (controller) => {
            isRead = true
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      expect([token, await shared(app, body, SHARED, token), isRead]).toEqual([token, '/app/login?then=share', false])
    }
    expect(await lastShare(app)).toBeNull()
    expect((await app.call('GET', '/share', { token: null })).status).toBe(401)
  })

  test.each([
    [SHARED, 303],
    [{ host: HOST, 'sec-fetch-site': 'none' }, 303],
    [{ host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }, 303],
    [{ host: HOST, origin: 'null' }, 403],
    [{ host: HOST, origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: HOST, origin: 'null', 'sec-fetch-site': 'same-site' }, 403],
    [{ host: HOST, origin: 'https://evil.example', 'sec-fetch-site': 'none' }, 403],
    [{ host: HOST, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: HOST, 'sec-fetch-site': 'cross-site' }, 403],
  ] as const)('comes from the browser itself, never from a page of another origin: %p is %i', async (sent, status) => {
    await using app = await testApp()
    const headers = { ...sent, cookie: `authToken=${app.token}` }
    const answer = await app.call('POST', '/share', { token: null, headers, body: form(['run.fit', fitRun()]) })
    expect(answer.status).toBe(status)
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(status === 303 ? 1 : 0)
    // the rest of the service does not know the exception
    const elsewhere = await app.call('POST', '/shoes', { token: null, headers: { ...SHARED, cookie: headers.cookie } })
    expect(elsewhere.status).toBe(403)
  })
})
