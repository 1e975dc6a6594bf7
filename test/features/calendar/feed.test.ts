// The feed is read as calendar apps read it: by ical.js, the parser of Thunderbird.
import { describe, expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { DAY_MS } from '../../../src/engine/units.ts'
import { icsText } from '../../../src/features/calendar/ics.ts'
import { type Answer, type TestApp, testApp } from '../../app.ts'
import { bytesOf, loseAllBut } from '../../library/as-stored.ts'

const FEED = '/settings/calendar-feed'

interface Shown {
  readonly uid: string
  readonly summary: string
  readonly start: string
  readonly end: string
}

const addressOf = async (app: TestApp): Promise<string> => (await app.ok('POST', FEED)).path
const fetched = (app: TestApp, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  app.call('GET', path, { token: null, headers })

function eventsIn(text: string): Shown[] {
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, startDate, endDate } = new ICAL.Event(component)
    return { uid, summary, start: startDate.toString(), end: endDate.toString() }
  })
}

async function shown(app: TestApp): Promise<Shown[]> {
  const { status, text } = await fetched(app, await addressOf(app))
  expect(status).toBe(200)
  return eventsIn(text)
}

const added = async (app: TestApp, startedAt: string, more: object = {}): Promise<string> => {
  const { json } = await app.call('POST', '/workouts', {
    json: { startedAt, durationS: 1800, distanceM: 5230, ...more },
  })
  return json.id
}

describe('the calendar feed', () => {
  test('shows runs with their times, races as days with their goal, and goals on their last day', async () => {
    await using app = await testApp()
    const named = await added(app, '2025-11-19T22:50:30Z', { name: 'Easy; with Ann, \\o/', notes: 'A secret' })
    const plain = await added(app, '2025-11-18T07:00:00+01:00', { distanceM: 21_097.5, durationS: 7265 })
    const race = await app.ok('POST', '/races', {
      date: '2026-06-14',
      name: 'City 10K',
      distanceM: 10_000,
      goalTimeS: 2405,
    })
    const past = await app.ok('POST', '/races', {
      date: '2019-12-31',
      name: 'Old',
      distanceM: 42_195,
      note: 'A secret',
    })
    const goal = (json: object) => app.ok('POST', '/training/goals', json)
    const block = await goal({
      ...{ metric: 'distanceM', period: 'dates', target: 200_000, name: 'Block' },
      ...{ from: '2025-11-01', to: '2025-12-31' },
    })
    const habit = await goal({ metric: 'runs', period: 'week', target: 3, activeTo: '2026-02-28' })
    await goal({ metric: 'movingTimeS', period: 'year', target: 360_000 })
    // the last day that there is has no next one
    const short = await goal({ metric: 'movingTimeS', period: 'week', target: 2700, activeTo: '9999-12-31' })
    const long = await goal({ metric: 'movingTimeS', period: 'month', target: 37_800, activeTo: '2026-03-31' })
    expect(await shown(app)).toEqual([
      // 7:00 in an offset of one hour is 6:00 in UTC, and 7265 s later 8:01:05
      {
        ...{ uid: `run-${plain}@harrier`, summary: 'Run · 21.1 km' },
        ...{ start: '2025-11-18T06:00:00Z', end: '2025-11-18T08:01:05Z' },
      },
      {
        ...{ uid: `run-${named}@harrier`, summary: 'Easy; with Ann, \\o/ · 5.2 km' },
        ...{ start: '2025-11-19T22:50:30Z', end: '2025-11-19T23:20:30Z' },
      },
      {
        ...{ uid: `race-${past.id}@harrier`, summary: 'Race: Old · 42.2 km' },
        ...{ start: '2019-12-31', end: '2020-01-01' },
      },
      {
        ...{ uid: `race-${race.id}@harrier`, summary: 'Race: City 10K · 10.0 km · goal 40:05' },
        ...{ start: '2026-06-14', end: '2026-06-15' },
      },
      {
        ...{ uid: `goal-${block.id}@harrier`, summary: 'Goal: Block · 200.0 km' },
        ...{ start: '2025-12-31', end: '2026-01-01' },
      },
      {
        ...{ uid: `goal-${habit.id}@harrier`, summary: 'Goal: 3 runs a week' },
        ...{ start: '2026-02-28', end: '2026-03-01' },
      },
      {
        ...{ uid: `goal-${short.id}@harrier`, summary: 'Goal: 45 min a week' },
        ...{ start: '9999-12-31', end: expect.any(String) },
      },
      {
        ...{ uid: `goal-${long.id}@harrier`, summary: 'Goal: 10 h 30 min a month' },
        ...{ start: '2026-03-31', end: '2026-04-01' },
      },
    ])
    const { text } = await fetched(app, await addressOf(app))
    expect(text).not.toContain('secret')
    expect(text).not.toMatch(/VALUE=DATE:\d{9}/)
    // 5230 m are 3.25 miles, 10 km 6.21
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    const words = (await shown(app)).map(({ summary }) => summary)
    expect(words).toContain('Easy; with Ann, \\o/ · 3.2 mi')
    expect(words).toContain('Race: City 10K · 6.2 mi · goal 40:05')
  })

  test('has runs of two years, and follows edits and deletions under the same UID', async () => {
    await using app = await testApp()
    const last = await added(app, '2023-11-20T13:05:11Z')
    await added(app, '2023-11-19T13:05:10Z')
    const path = await addressOf(app)
    const runs = async () => eventsIn((await fetched(app, path)).text).map(({ uid, summary }) => [uid, summary])
    expect(await runs()).toEqual([[`run-${last}@harrier`, 'Run · 5.2 km']])
    await app.call('PATCH', `/workouts/${last}`, { json: { name: 'Renamed' } })
    expect(await runs()).toEqual([[`run-${last}@harrier`, 'Renamed · 5.2 km']])
    await app.call('DELETE', `/workouts/${last}`)
    expect(await runs()).toEqual([])
  })

  test('keeps to RFC 5545: CRLF, lines of at most 75 bytes, whole characters, escaped texts, one stamp each', async () => {
    await using app = await testApp()
    const names = ['🏃‍♀️'.repeat(30), `${'ä'.repeat(70)};,\\`, `${'x'.repeat(66)}é`, 'BEGIN:VEVENT', ' blanks ']
    for (const [k, name] of names.entries()) await added(app, `2025-11-0${k + 1}T07:00:00Z`, { name })
    const { text, headers } = await fetched(app, await addressOf(app))
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(text).toStartWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:')
    expect(text).toEndWith('END:VEVENT\r\nEND:VCALENDAR\r\n')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const lines = text.split('\r\n')
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    // a line is folded no earlier than it has to be: the next character has up to 4 bytes
    const folded = lines.filter((_, k) => lines[k + 1]?.startsWith(' ') === true)
    for (const line of folded) expect(Buffer.byteLength(line)).toBeGreaterThan(71)
    expect(folded.length).toBeGreaterThan(5)
    expect(text).not.toContain('�')
    expect(text).toContain('SUMMARY:BEGIN:VEVENT · 5.2 km\r\n')
    expect(lines.filter((line) => line === 'DTSTAMP:20251120T130511Z')).toHaveLength(names.length)
    expect(eventsIn(text).map(({ summary }) => summary)).toEqual(names.map((name) => `${name} · 5.2 km`))
    // as restored archives may have them
    const odd = icsText([{ uid: 'a', summary: 'a\r\nb\u0000\ud83cc', when: { day: 0 } }], 0)
    expect(odd).toContain('\r\nSUMMARY:a\\nb �c\r\nDTSTART;VALUE=DATE:19700101\r\n')
    expect(eventsIn(odd)[0]?.summary).toBe('a\nb �c')
  })

  test('names nothing that contains the name of a hidden place, in any spelling', async () => {
    await using app = await testApp()
    const at = { lat: 48.137, lon: 11.575 }
    await app.ok('POST', '/places', { name: 'Café-Straße 7', hideM: 300, ...at })
    await app.ok('POST', '/places', { name: '🏠', hideM: 300, lat: 40, lon: 11 })
    const home = await app.ok('POST', '/places', { name: 'Home', lat: 30, lon: 11 })
    for (const [k, name] of ['From cafe strasse 7', 'CAFÉ–STRASSE7 loop', 'To 🏠', 'Homeward', 'Café 7'].entries())
      await added(app, `2025-11-0${k + 1}T07:00:00Z`, { name })
    await app.ok('POST', '/races', { date: '2026-01-01', name: 'Round Café-Straße 7', distanceM: 5000 })
    const dates = { from: '2025-11-01', to: '2026-01-02' }
    await app.ok('POST', '/training/goals', { metric: 'load', period: 'dates', target: 900, name: '10 x 🏠', ...dates })
    const words = async () => (await shown(app)).map(({ summary }) => summary)
    const run = 'Run · 5.2 km'
    const rest = ['Café 7 · 5.2 km', 'Race · 5.0 km', 'Goal: load 900']
    expect(await words()).toEqual([run, run, run, 'Homeward · 5.2 km', ...rest])
    await app.ok('PATCH', `/places/${home.id}`, { hideM: 100 })
    expect(await words()).toEqual([run, run, run, run, ...rest])
  })
})

describe('the address of the feed', () => {
  test('is shown once and stored as a hash; a new one or a withdrawal ends it', async () => {
    await using app = await testApp()
    expect(await app.ok('GET', FEED)).toEqual({ createdAt: null })
    const { status, json } = await app.call('POST', FEED)
    expect([status, json]).toEqual([
      201,
      { path: expect.stringMatching(/^\/calendar\/[\w-]{43}\.ics$/), createdAt: '2025-11-20T13:05:11Z' },
    ])
    const state = await app.call('GET', FEED)
    expect([state.json, state.text.includes(json.path)]).toEqual([{ createdAt: '2025-11-20T13:05:11Z' }, false])
    expect(bytesOf(app.deps).includes(json.path.slice(10, -4))).toBe(false)
    expect((await fetched(app, `/api${json.path}`)).status).toBe(200)
    const next = await addressOf(app)
    expect([(await fetched(app, json.path)).status, (await fetched(app, next)).status]).toEqual([404, 200])
    expect((await app.call('DELETE', FEED)).status).toBe(204)
    expect([(await fetched(app, next)).status, await app.ok('GET', FEED)]).toEqual([404, { createdAt: null }])
    expect((await app.call('DELETE', FEED)).status).toBe(204)
  })

  test('that is unknown or withdrawn is one 404, and after ten of them 429; a right one always passes', async () => {
    await using app = await testApp()
    const [withdrawn, path] = [await addressOf(app), await addressOf(app)]
    const wrong = [withdrawn, path.slice(0, -4), path.replace('.ics', '.ICS'), path.replace('.ics', 'x.ics')]
    const others = [
      '/calendar/.ics',
      '/calendar/x',
      '/calendar/%00.ics',
      `${path}?x=1`.replace('/calendar/', '/calendar/y'),
    ]
    for (const address of [...wrong, ...others]) {
      const { status, json, headers } = await fetched(app, address)
      expect([address, status, json]).toEqual([
        address,
        404,
        { error: 'Calendar not found', code: 'calendar_not_found' },
      ])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    // credentials change nothing: it is the token that opens it
    expect((await app.call('GET', withdrawn)).status).toBe(404)
    expect((await fetched(app, withdrawn)).status).toBe(404)
    const { status, headers } = await fetched(app, withdrawn)
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect((await fetched(app, path)).status).toBe(200)
    for (const method of ['POST', 'DELETE']) {
      expect((await app.call(method, path, { token: null })).status).toBe(401)
      expect((await app.call(method, path)).status).toBe(405)
    }
  })

  test('opens the feed and nothing else, and needs a session to be made', async () => {
    await using app = await testApp()
    const token = (await addressOf(app)).slice(10, -4)
    expect((await app.call('GET', '/workouts', { token })).status).toBe(401)
    const keyOf = async (scope: string): Promise<string> => (await app.ok('POST', '/auth/api-keys', { scope })).key
    const [full, read, upload] = [await keyOf('full'), await keyOf('read'), await keyOf('upload')]
    const asked = async (method: string, key: string) => (await app.call(method, FEED, { token: key })).status
    // a key must not make what outlives it
    expect([await asked('POST', full), await asked('POST', read), await asked('POST', upload)]).toEqual([401, 401, 401])
    expect([await asked('GET', full), await asked('GET', read), await asked('GET', upload)]).toEqual([200, 200, 403])
    expect([await asked('DELETE', upload), await asked('DELETE', read), await asked('DELETE', full)]).toEqual([
      403, 403, 204,
    ])
  })

  test('is kept by nobody and in no log, and answers 304 until something that it shows changes', async () => {
    await using app = await testApp()
    await added(app, '2025-11-19T07:00:00Z')
    const path = await addressOf(app)
    const { headers } = await fetched(app, path)
    expect([headers.get('cache-control'), headers.get('x-robots-tag'), headers.get('x-content-type-options')]).toEqual([
      'private, no-cache',
      'noindex',
      'nosniff',
    ])
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    app.pass(DAY_MS)
    const same = await fetched(app, path, known)
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', headers.get('etag')])
    await added(app, '2025-11-20T07:00:00Z')
    expect((await fetched(app, path, known)).status).toBe(200)
    const head = await app.call('HEAD', path, { token: null })
    expect([head.status, head.text]).toEqual([200, ''])
    loseAllBut(app.deps, 'user', 'api_key')
    expect((await fetched(app, path)).status).toBe(500)
    expect(app.logged.join('\n')).toContain('GET /calendar/… failed')
    expect(app.logged.join('\n')).not.toContain(path.slice(10, -4))
  })
})
