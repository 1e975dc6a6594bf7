import { describe, expect, test } from 'bun:test'
import { hiddenCircle } from '../../../src/library/places.ts'
import { type Answer, type TestApp, testApp } from '../../app.ts'
import { fitFile } from '../../fixtures/fit.ts'
import { greyPng, photoAt } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'

const DAY_MS = 86_400_000
const HOME = { lat: 47, lon: 8 }
const M_PER_DEG = 111_195

const stranger = (app: TestApp, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  app.call('GET', path, { token: null, headers })
const browser = (app: TestApp, path: string) => stranger(app, path, { accept: 'text/html,*/*;q=0.8' })

/** 3 m/s to the north from home, 3.6 km, with heart rate and hills. */
function northward(startMs = START_MS): Uint8Array {
  const samples = Array.from({ length: 1201 }, (_, t) => ({
    ...{ t, lat: HOME.lat + (3 * t) / M_PER_DEG, lon: HOME.lon, distanceM: 3 * t, hr: 140 + (t % 10) },
    elevM: 400 + 20 * Math.sin(t / 90),
  }))
  return fitFile({ startMs, samples })
}

async function shared(app: TestApp, id: string, body: object = {}): Promise<string> {
  return (await app.ok('POST', `/workouts/${id}/share`, body)).url
}

describe('the address of a run', () => {
  test('opens a page for everybody, without script, cookie or a mention of the run’s id, which no one may index', async () => {
    await using app = await testApp()
    const id = await app.run(fitRun({ seconds: 1500 }))
    await app.ok('PATCH', `/workouts/${id}`, { name: 'Lake & <b>hills</b>', notes: 'Felt good' })
    const made = await app.ok('POST', `/workouts/${id}/share`, { days: 30 })
    expect(made).toEqual({
      ...{ workoutId: id, url: expect.stringMatching(/^\/s\/[\w-]{22}$/), createdAt: '2025-11-20T13:05:11Z' },
      show: { map: true, pace: true, heartRate: false, photos: false, notes: false, startTime: false },
      ...{ expiresAt: '2025-12-20T13:05:11Z', name: 'Lake & <b>hills</b>', startedAt: '2025-11-01T07:00:00Z' },
      utcOffsetMinutes: 60,
    })
    const { status, headers, text } = await browser(app, made.url)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect([headers.get('set-cookie'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'sha256-")
    for (const words of [
      'Lake &amp; &lt;b&gt;hills&lt;/b&gt;',
      '4.50 km',
      '25:00',
      '5:33 /km',
      '1 November 2025',
      '20 December 2025',
    ])
      expect(text).toContain(words)
    // nothing that was not asked for, no code, and no other address
    for (const words of ['<script', 'Felt good', 'bpm', '08:00', id, '/app', '/assets', 'http'])
      expect([words, text.includes(words)]).toEqual([words, false])
  })

  test('shows what the runner chose, in the runner’s unit', async () => {
    await using app = await testApp()
    const id = await app.run(northward())
    await app.ok('PATCH', `/workouts/${id}`, { notes: 'Felt good' })
    await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
    const show = { map: false, pace: false, heartRate: true, notes: true, startTime: true }
    const { text } = await browser(app, await shared(app, id, { show }))
    for (const words of ['2.24 mi', '20:00', '144 bpm', 'Felt good', '1 November 2025, 08:00', 'Heart rate over'])
      expect(text).toContain(words)
    for (const words of ['Map of', 'Pace', '/mi', '/km']) expect([words, text.includes(words)]).toEqual([words, false])
  })

  test('is one at most, listed until it is withdrawn, expires, or the run is deleted; all of these are one 404', async () => {
    await using app = await testApp()
    const [id, other] = [await app.run(northward()), await app.run(fitRun({ startMs: START_MS + DAY_MS }))]
    const first = await shared(app, id)
    const second = await shared(app, id, { days: 7 })
    const third = await shared(app, other)
    // it outlives the session
    const { key: token } = await app.ok('POST', '/auth/api-keys', { scope: 'read' })
    const urls = async () => (await app.call('GET', '/shares', { token })).json.map(({ url }: { url: string }) => url)
    expect((await urls()).toSorted()).toEqual([second, third].toSorted())
    const gone = async (url: string) => {
      const found = [await browser(app, url), await stranger(app, url), await stranger(app, `${url}/photos/1`)]
      return found.map(({ status, text }) => `${status} ${text}`)
    }
    const unknown = await gone('/s/aaaaaaaaaaaaaaaaaaaaaa')
    expect(unknown[0]).toContain('This link doesn’t work')
    expect(unknown.slice(1)).toEqual(Array(2).fill('404 {"error":"Share not found","code":"share_not_found"}'))
    expect(await gone(first)).toEqual(unknown)
    await app.ok('DELETE', `/workouts/${other}/share`)
    await app.ok('DELETE', `/workouts/${other}/share`)
    expect([await gone(third), await urls()]).toEqual([unknown, [second]])
    const { headers } = await app.call('DELETE', `/workouts/${id}`)
    expect([await gone(second), await urls()]).toEqual([unknown, []])
    await app.ok('POST', `/receipts/${headers.get('harrier-receipt')}/undo`)
    expect([(await browser(app, second)).status, await urls()]).toEqual([200, [second]])
    app.clock.nowMs += 7 * DAY_MS
    expect([await gone(second), await urls()]).toEqual([unknown, []])
  })

  test('is made by a session alone; a key that reads follows it, one that uploads sees none of it', async () => {
    await using app = await testApp()
    const id = await app.run(northward())
    await shared(app, id)
    const keyed = async (scope: string, method: string, path: string) => {
      const { key } = await app.ok('POST', '/auth/api-keys', { scope })
      const { status, json } = await app.call(method, path, { token: key })
      return [status, json?.code ?? null]
    }
    for (const path of ['/shares', `/workouts/${id}/shared-view`]) {
      expect(await keyed('read', 'GET', path)).toEqual([200, null])
      expect(await keyed('upload', 'GET', path)).toEqual([403, 'key_scope'])
    }
    expect(await keyed('read', 'DELETE', `/workouts/${id}/share`)).toEqual([403, 'key_scope'])
    expect(await keyed('full', 'POST', `/workouts/${id}/share`)).toEqual([401, 'session_required'])
    expect(await keyed('full', 'DELETE', `/workouts/${id}/share`)).toEqual([204, null])
    expect((await app.call('GET', '/shares', { token: null })).status).toBe(401)
  })

  test('may be opened 60 times a minute, whether it is known or not', async () => {
    await using app = await testApp()
    for (let k = 0; k < 60; k += 1) expect((await stranger(app, '/s/x')).status).toBe(404)
    const refused = await stranger(app, '/s/x')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '49'])
    app.clock.nowMs += 49_000
    expect((await stranger(app, '/s/x')).status).toBe(404)
  })

  test('is never in an archive', async () => {
    await using app = await testApp()
    const id = await app.run(northward())
    const url = await shared(app, id)
    const zip = await app.call('POST', '/workouts/export')
    expect(zip.status).toBe(200)
    expect(zip.text.includes(url.slice(3))).toBe(false)
  })
})

describe('of a run with something hidden, others see', () => {
  test('the rest alone, with its own numbers, rounded, and no name, note or time that tells more', async () => {
    await using app = await testApp()
    const id = await app.run(northward(START_MS + 61_000))
    const view = async (query = '') =>
      await app.ok('GET', `/workouts/${id}/shared-view?notes=true&startTime=true&heartRate=true${query}`)
    await app.ok('PATCH', `/workouts/${id}`, { name: '3.6 km from the door', notes: 'Past Grandma’s' })
    const whole = await view()
    expect(whole).toMatchObject({
      isTrimmed: false,
      distanceM: 3600,
      timeS: 1200,
      time: '08:01',
      name: '3.6 km from the door',
    })
    const place = await app.ok('POST', '/places', { name: 'Grandma’s', ...HOME, hideM: 500 })
    const trimmed = await view()
    expect(trimmed).toMatchObject({ isTrimmed: true, name: null, notes: null, date: '2025-11-01' })
    expect(trimmed.time).toMatch(/^08:(00|15)$/)
    const circle = hiddenCircle({ ...place, ...HOME, hideM: 500 }, app.deps)!
    const apartM = ([lon, lat]: [number, number]) =>
      Math.hypot((lat - circle.lat) * M_PER_DEG, (lon - circle.lon) * M_PER_DEG * Math.cos((lat * Math.PI) / 180))
    for (const spot of trimmed.route.coordinates) expect(apartM(spot)).toBeGreaterThan(500)
    // of what is left alone: by the route that is shown, and by 3 m/s
    const first = trimmed.route.coordinates[0][1]
    const leftM = 3600 - (first - HOME.lat) * M_PER_DEG
    // the circle is another one at each run of this test, since it follows from the id of the place
    expect(Math.abs(trimmed.distanceM - leftM)).toBeLessThan(51)
    expect(Math.abs(trimmed.timeS - leftM / 3)).toBeLessThan(31.5)
    expect([trimmed.distanceM % 100, trimmed.timeS % 60]).toEqual([0, 0])
    expect(trimmed.series.distanceM.at(-1)).toBeCloseTo(leftM, -1)
    const url = await shared(app, id, { show: { notes: true, startTime: true } })
    const { text } = await browser(app, url)
    expect(text).toContain(`${(trimmed.distanceM / 1000).toFixed(1)} km`)
    expect(text).toContain('numbers included, is the rest')
    for (const words of ['Grandma', 'door', '3.6 km', '20:00', '47.00', '08:01'])
      expect([words, text.includes(words)]).toEqual([words, false])
    await app.ok('PATCH', `/places/${place.id}`, { hideM: null })
    expect(await view()).toEqual(whole)
  })

  test('nothing but rounded totals where all of it is hidden', async () => {
    await using app = await testApp()
    const id = await app.run(fitRun({ seconds: 125 }))
    await app.ok('POST', '/places', { name: 'Home', ...HOME, hideM: 2000 })
    const { route, series, splits, elevGainM, paceS, isTrimmed, distanceM, timeS } = await app.ok(
      'GET',
      `/workouts/${id}/shared-view`,
    )
    expect([route, series, splits, elevGainM, paceS]).toEqual([null, null, [], null, null])
    expect([isTrimmed, distanceM, timeS]).toEqual([true, 400, 120])
    expect((await browser(app, await shared(app, id))).status).toBe(200)
  })

  test('photos of what they may see, without what their files say', async () => {
    await using app = await testApp()
    const id = await app.run(northward())
    const jpegAt = async (northM: number) => {
      const pixels = greyPng(
        40,
        30,
        Buffer.concat(Array.from({ length: 30 }, () => Buffer.from([0, ...Array(40).fill(northM % 251)]))),
      )
      const plain = await new Bun.Image(pixels).jpeg().bytes()
      // the segment with the place stands before the picture
      return Buffer.concat([photoAt(HOME.lat + northM / M_PER_DEG, HOME.lon).subarray(0, -2), plain.subarray(2)])
    }
    const names = [0, 100, 2000, 3000]
    const photos = await Promise.all(
      names.map(async (m) => ({ name: `${m}.jpg`, bytes: new Uint8Array(await jpegAt(m)) })),
    )
    const noPlace = { name: 'nowhere.png', bytes: greyPng(2, 1, Buffer.from([0, 9, 9])) }
    const { json: stored } = await app.upload(`/workouts/${id}/media`, [...photos, noPlace])
    expect(stored.map(({ placedBy }: { placedBy: string | null }) => placedBy)).toEqual([
      'gps',
      'gps',
      'gps',
      'gps',
      null,
    ])
    for (const [k, { id: media }] of stored.entries())
      await app.ok('PATCH', `/workouts/${id}/media/${media}`, { caption: `Nr ${'abcde'[k]}` })
    const captions = async () =>
      (await app.ok('GET', `/workouts/${id}/shared-view?photos=true`)).photos.map(
        ({ caption }: { caption: string }) => caption,
      )
    expect(await captions()).toEqual(['Nr a', 'Nr b', 'Nr c', 'Nr d', 'Nr e'])
    const { id: place } = await app.ok('POST', '/places', { name: 'Home', ...HOME, hideM: 500 })
    expect(await captions()).toEqual(['Nr c', 'Nr d'])
    const url = await shared(app, id, { show: { photos: true } })
    expect((await browser(app, url)).text).toContain(`<img loading="lazy" src="${url}/photos/2" alt="Nr d">`)
    const answer = await app.handle(new Request(`http://localhost${url}/photos/1`))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    expect([bytes.slice(0, 4), /exif|xmp/i.test(bytes)]).toEqual(['RIFF', false])
    for (const wrong of ['0', '3', 'x', '-1', '1.5'])
      expect((await stranger(app, `${url}/photos/${wrong}`)).status).toBe(404)
    const plain = await shared(app, id, { show: { photos: false } })
    expect([
      (await stranger(app, `${plain}/photos/1`)).status,
      (await browser(app, plain)).text.includes('<img'),
    ]).toEqual([404, false])
    await app.ok('DELETE', `/places/${place}`)
    expect(await captions()).toHaveLength(5)
  })
})

test('a treadmill run and one typed in have pages, too', async () => {
  await using app = await testApp()
  const typed = (
    await app.ok('POST', '/workouts', { startedAt: '2025-11-03T07:00:00Z', durationS: 2700, distanceM: 8000 })
  ).id
  const { text } = await browser(app, await shared(app, typed))
  for (const words of ['8.00 km', '45:00', '3 November 2025']) expect(text).toContain(words)
  expect([text.includes('<svg'), text.includes('NaN'), text.includes('null')]).toEqual([false, false, false])
  expect((await app.call('POST', '/workouts/0198a000-0000-7000-8000-0000000000ff/share', { json: {} })).status).toBe(
    404,
  )
  for (const days of [0, 366, 1.5]) {
    const { status, json } = await app.call('POST', `/workouts/${typed}/share`, { json: { days } })
    expect([status, json.field]).toEqual([400, 'days'])
  }
})
