import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { consoleLog } from '../../../src/base/log.ts'
import { FORMAT_NAMES } from '../../../src/formats/registry.ts'
import { type Answer, type CallOptions, type TestApp, testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { fitRun, gpxRun } from '../../fixtures/runs.ts'
import { buildZip } from '../../fixtures/zip-builder.ts'
import { lose } from '../../library/as-stored.ts'

async function uploadKey(app: TestApp): Promise<string> {
  return (await app.call('POST', '/auth/api-keys', { json: { scope: 'upload' } })).json.key
}

const raw = (app: TestApp, body: BodyInit, sent: { query?: string; headers?: Record<string, string> } = {}) =>
  app.call('POST', `/workouts/import/raw${sent.query ?? ''}`, { body, headers: sent.headers ?? {} })
const stranger = (app: TestApp, method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  app.call(method, path, { token: null, ...options })
const nameOf = async (app: TestApp, id: string) =>
  (await app.call('GET', `/workouts/${id}/sources`)).json.recordings.at(-1).filename
const leftovers = ({ deps }: TestApp) => readdirSync(join(deps.config.dataDir, 'tmp'))

describe('a body that is one file', () => {
  test('is imported as a single upload is, whatever type it says it is; of several runs it answers the summary', async () => {
    await using app = await testApp()
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/vnd.ant.fit', '']
    for (const [place, type] of types.entries()) {
      const body = fitRun({ seconds: 600 + place }).slice()
      const { status, json } = await raw(app, body, { headers: type === '' ? {} : { 'content-type': type } })
      expect([type, status, json.action, json.durationS]).toEqual([type, 200, 'created', 600 + place])
    }
    const again = await raw(app, fitRun().slice())
    expect([again.status, again.json.action]).toEqual([200, 'skipped'])
    const uploaded = await app.upload('/workouts/import', [{ name: 'x.fit', bytes: fitRun() }])
    expect({ ...again.json, receiptId: null }).toEqual({ ...uploaded.json, receiptId: null })
    const row = (id: number) => ({
      ...{ 'Activity ID': id, 'Activity Date': `Nov ${id + 2}, 2025, 7:00:00 AM`, 'Activity Type': 'Run' },
      ...{ 'Elapsed Time': 600 + id, 'Distance#2': 1800 },
    })
    const several = await raw(app, stravaCsv([row(1), row(2)]).slice(), { query: '?name=activities.csv' })
    expect([several.status, several.json.totalProcessed, several.json.successful]).toEqual([200, 2, 2])
    expect(leftovers(app)).toEqual([])
  })

  test('is refused as a form, empty, too large, or as no run, and leaves nothing', async () => {
    await using app = await testApp({ env: { MAX_UPLOAD_BYTES: '400000' } })
    const form = new FormData()
    form.append('file', new File([fitRun().slice()], 'a.fit'))
    const zip = buildZip([{ name: 'a.txt', data: 'x' }]).slice()
    for (const [body, status, error] of [
      [form, 400, 'POST /workouts/import'],
      [new Uint8Array(0), 400, 'empty'],
      [zip, 400, 'ZIP'],
      [new Uint8Array(400_001), 413, ''],
      [new Uint8Array(gzipSync(fitRun()).subarray(0, 40)), 400, 'The gzip file is cut off or damaged'],
    ] as const) {
      const answer = await raw(app, body)
      expect([answer.status, answer.json]).toEqual([
        status,
        expect.objectContaining({ error: expect.stringContaining(error) }),
      ])
    }
    expect((await app.call('POST', '/workouts/import/raw')).json).toEqual(
      expect.objectContaining({ error: expect.stringContaining('empty') }),
    )
    expect([leftovers(app), (await app.ok('GET', '/workouts')).totalCount]).toEqual([[], 0])
  })

  test.each([
    ['?name=Morning%20run.fit', {}, 'Morning run.fit'],
    ['?name=..%2F..%2Fetc%2Frun.fit', {}, 'run.fit'],
    ['?name=query.fit', { 'x-filename': 'header.fit' }, 'query.fit'],
    ['', { 'x-filename': 'L%C3%A4ufe.fit', 'content-disposition': 'attachment; filename=b.fit' }, 'Läufe.fit'],
    ['', { 'content-disposition': "attachment; filename=x; filename*=UTF-8''%E8%B7%91.fit" }, '跑.fit'],
    ['', {}, 'upload.fit'],
    [`?name=${'x'.repeat(400)}`, {}, 'x'.repeat(200)],
  ] as const)('is named by query, header or content: %s %p', async (query, headers, expected) => {
    await using app = await testApp()
    const { json } = await raw(app, fitRun().slice(), { query, headers })
    expect(await nameOf(app, json.id)).toBe(expected)
  })
})

describe('an upload address', () => {
  test('takes a file by POST and PUT, with and without a name, and a form, and answers 201', async () => {
    await using app = await testApp()
    const key = await uploadKey(app)
    const at = (seconds: number) => ({ body: fitRun({ seconds }).slice() })
    const answers: Answer[] = []
    for (const [k, way] of [
      ...['POST /in/KEY', 'PUT /in/KEY', 'POST /api/in/KEY/a%20run.fit', 'PUT /in/KEY/b.fit', 'PUT /in/KEY/'],
      'PUT /in/KEY/%zz.fit',
    ].entries()) {
      const [method = '', path = ''] = way.replace('KEY', key).split(' ')
      answers.push(await stranger(app, method, path, at(600 + k)))
    }
    for (const { status, json } of answers) expect([status, json.action]).toEqual([201, 'created'])
    const names = await Promise.all(answers.map(({ json }) => nameOf(app, json.id)))
    expect(names).toEqual(['upload.fit', 'upload.fit', 'a run.fit', 'b.fit', 'upload.fit', 'upload.fit'])
    const form = new FormData()
    form.append('anything', new File([fitRun().slice()], 'a.fit'))
    const one = await stranger(app, 'POST', `/in/${key}`, { body: form })
    expect([one.status, one.json.action, one.headers.get('cache-control')]).toEqual([201, 'skipped', 'no-store'])
    form.append('anything', new File(['x'], 'b.fit'))
    const two = await stranger(app, 'PUT', `/in/${key}/ignored`, { body: form })
    expect([two.status, two.json.skipped, two.json.errors]).toEqual([201, 1, 1])
    const wrong = await stranger(app, 'POST', `/in/${key}`, { body: 'no run' })
    expect([wrong.status, wrong.json.error]).toEqual([400, `This file is not a ${FORMAT_NAMES} workout`])
    expect((await app.call('GET', '/workouts')).json.totalCount).toBe(6)
    // whoever knows the key may send from wherever
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    expect((await stranger(app, 'POST', `/in/${key}`, { ...at(600), headers })).status).toBe(201)
    expect(existsSync(join(app.deps.config.dataDir, 'tmp'))).toBe(true)
    expect(leftovers(app)).toEqual([])
  })

  test('without a key, with an unknown or revoked one, or one that may do more, is 401 and counts', async () => {
    await using app = await testApp()
    const key = await uploadKey(app)
    const { json: keys } = await app.call('GET', '/auth/api-keys')
    const full = (await app.call('POST', '/auth/api-keys')).json.key
    const read = (await app.call('POST', '/auth/api-keys', { json: { scope: 'read' } })).json.key
    const put = (path: string, options: CallOptions = {}) =>
      stranger(app, 'PUT', path, { body: fitRun().slice(), ...options })
    await app.call('DELETE', `/auth/api-keys/${keys[0].id}`)
    const made = [key, full, read, `${read}x`, encodeURIComponent(`${read}/..`), app.token]
    const wrong = [...made, 'tmp_x', 'x', '%00', 'tmp_y']
    for (const sent of wrong) {
      const { status, json, headers } = await put(`/in/${sent}/a.fit`)
      expect([sent, status, json]).toEqual([
        sent,
        401,
        expect.objectContaining({ error: 'Invalid or expired credentials' }),
      ])
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
    const blocked = await put('/in/tmp_z')
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900'])
    const other = await uploadKey(app)
    expect((await put(`/in/${other}/a.fit`)).status).toBe(201)
    // a credential beside it does not make up for the one in the path
    expect((await put('/in/tmp_z', { token: app.token })).status).toBe(429)
    app.clock.nowMs += 15 * 60_000
    expect((await put('/in/tmp_z')).status).toBe(401)
  })

  test('has what FitoTrack says beside the file as notes, where the file has none', async () => {
    await using app = await testApp()
    const key = await uploadKey(app)
    const described = new TextDecoder().decode(gpxRun()).replace('<trk>', '<trk><desc>Of the file</desc>')
    for (const [body, comment, notes] of [
      [gpxRun({ seconds: 601 }).slice(), Buffer.from('über den Fluss').toString('latin1'), 'über den Fluss'],
      [described, 'along_the_river', 'Of the file'],
    ] as const) {
      const headers = { 'FitoTrack-Comment': comment, 'FitoTrack-Type': 'workout-gpx' }
      const { json } = await stranger(app, 'POST', `/in/${key}`, { body, headers })
      expect((await app.call('GET', `/workouts/${json.id}`)).json.notes).toBe(notes)
    }
  })

  test('never shows up in the log', async () => {
    const lines: string[] = []
    await using app = await testApp()
    const key = await uploadKey(app)
    const { error } = consoleLog('debug', { write: (line) => void lines.push(line) })
    app.deps.log.error = error
    lose(app.deps, 'recording')
    const { status, json } = await stranger(app, 'POST', `/in/${key}/secret-name.fit`, { body: fitRun().slice() })
    expect([status, json]).toEqual([500, expect.objectContaining({ error: 'Internal server error' })])
    expect(lines.join('')).toContain('POST /in/… failed')
    expect(lines.join('')).not.toContain(key)
    expect(lines.join('')).not.toContain('secret-name')
  })
})
