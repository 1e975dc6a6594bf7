import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'

const HEAD = /^# HELP (harrier_\w+) .+\n# TYPE \1 (gauge|counter)\n/
const LINE = /^(\w+)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

/** Reads Prometheus text 0.0.4 as strictly as its definition: HELP and TYPE once and first, samples of one metric together. */
function parsed(text: string) {
  const found = new Map<string, { labels: Record<string, string>; value: number }[]>()
  for (const block of text.split(/^(?=# HELP)/m)) {
    const [head = '', name = '', type] = HEAD.exec(block) ?? []
    expect([block, name !== '', found.has(name), block.endsWith('\n')]).toEqual([block, true, false, true])
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    const samples = block
      .slice(head.length, -1)
      .split('\n')
      .map((line) => {
        const [, sample, labels = '', value] = LINE.exec(line) ?? []
        expect([line, sample]).toEqual([line, name])
        const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
          ([, key = '', of = '']) => [key, of] as const,
        )
        return { labels: Object.fromEntries(pairs), value: Number(value) }
      })
    expect([name, new Set(samples.map(({ labels }) => JSON.stringify(labels))).size]).toEqual([name, samples.length])
    found.set(name, samples)
  }
  return found
}

const TOKEN = 'a-token-of-metrics'
const NOBODY = '0198a000-0000-7000-8000-00000000000f'

test('a strict parser reads the figures, and requests are counted by pattern and status, without ids', async () => {
  await using app = await testApp({ env: { METRICS_TOKEN: TOKEN } })
  const id = await app.run(fitRun())
  for (const call of [`GET /workouts/${id}`, `GET /workouts/${id}`, `HEAD /workouts/${id}`, `GET /workouts/${NOBODY}`])
    await app.call(...(call.split(' ') as [string, string]))
  await app.call('GET', '/workouts/tempo', { token: null })
  await app.call('GET', `/nothing/${id}`)
  await app.call('PROPFIND', '/workouts')
  await app.call('GET', '/workouts')
  const answer = await app.call('GET', '/metrics', { token: TOKEN })
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const metrics = parsed(answer.text)
  const value = (name: string) => metrics.get(`harrier_${name}`)?.[0]?.value
  const flags = ['runs', 'runs_outdated', 'backup_failed', 'database_damaged'].map(value)
  expect(flags).toEqual([1, 0, 0, 0])
  expect(value('last_import_timestamp_seconds')).toBe(app.clock.nowMs / 1000)
  expect(value('disk_free_bytes')).toBeGreaterThan(0)
  expect(value('memory_resident_bytes')).toBeGreaterThan(1e6)
  const queues = metrics.get('harrier_queue_length')?.map(({ labels }) => labels.queue)
  expect(queues).toEqual(['imports', 'weather', 'watch_folder'])
  const requests = metrics.get('harrier_http_requests_total')!
  const counts = requests.map(
    ({ labels: { method, route, status }, value }) => `${method} ${route} ${status}: ${value}`,
  )
  const counted = ['POST /workouts/import 200: 1', 'GET /workouts/:id 200: 2', 'HEAD /workouts/:id 200: 1']
  counted.push('GET /workouts/:id 404: 1', 'GET /workouts/:id 401: 1', 'GET unmatched 404: 1', 'GET /workouts 200: 1')
  expect(counts).toEqual(expect.arrayContaining(counted))
  expect(requests.some(({ labels }) => labels.method === 'other')).toBe(true)
  expect(answer.text).not.toContain(id)
  expect(answer.text).not.toContain('runner')
})

test('is for sessions, keys that read, and a token that opens nothing else', async () => {
  await using app = await testApp({ env: { METRICS_TOKEN: TOKEN } })
  const status = async (token: string | null, path = '/metrics') => (await app.call('GET', path, { token })).status
  for (const [scope, expected] of Object.entries({ read: 200, full: 200, upload: 403 })) {
    const { key } = await app.ok('POST', '/auth/api-keys', { label: scope, scope })
    expect([scope, await status(key)]).toEqual([scope, expected])
  }
  expect(await status(TOKEN)).toBe(200)
  for (const token of [null, `${TOKEN}x`, 'x']) expect([token, await status(token)]).toEqual([token, 401])
  for (const path of ['/workouts', '/metrics/x', '/settings/backup', '/auth/api-keys'])
    expect([path, await status(TOKEN, path)]).toEqual([path, 401])
  expect((await app.call('POST', '/metrics', { token: TOKEN })).status).toBe(401)
  await using without = await testApp()
  expect((await without.call('GET', '/metrics', { token: TOKEN })).status).toBe(401)
  expect((await without.call('GET', '/metrics')).status).toBe(200)
})
