import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'

const PATHS = [
  '/workouts?pageSize=5',
  '/shoes',
  '/races',
  '/places',
  '/training/goals',
  '/stats/weekly',
  '/stats/yearly',
]

test('an answer that its client has is 304, until something changes', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun())
  const paths = [...PATHS, `/workouts/${run}?includeRaw=false`, `/workouts/${run}`, `/workouts/${run}/neighbours`]
  await app.deps.loads.refresh()
  const tags = await Promise.all(paths.map(async (path) => (await app.call('GET', path)).headers.get('etag') ?? ''))
  for (const [k, path] of paths.entries()) {
    const headers = { 'if-none-match': tags[k]! }
    const same = await app.call('GET', path, { headers })
    expect([path, same.status, same.text, same.headers.get('etag')]).toEqual([path, 304, '', tags[k]!])
    expect((await app.call('GET', path, { headers, token: null })).status).toBe(401)
    const weak = { 'if-none-match': `"other", W/${tags[k]}` }
    expect((await app.call('HEAD', path, { headers: weak })).status).toBe(304)
    await app.ok('POST', '/shoes', { brand: 'A', model: path })
    expect((await app.call('GET', path, { headers })).status).toBe(200)
    tags.splice(
      0,
      tags.length,
      ...(await Promise.all(paths.map(async (one) => (await app.call('GET', one)).headers.get('etag')!))),
    )
  }
  app.clock.nowMs += 900_000
  expect((await app.call('GET', '/shoes', { headers: { 'if-none-match': tags[1]! } })).status).toBe(200)
  // `*` is of what is there alone, and the tag of another address is none of this one
  const dead = '/workouts/0198a000-0000-7000-8000-00000000dead'
  expect((await app.call('GET', dead, { headers: { 'if-none-match': '*' } })).status).toBe(404)
  const etag = (await app.call('GET', '/shoes')).headers.get('etag')!
  expect((await app.call('GET', '/workouts?page=99', { headers: { 'if-none-match': etag } })).status).toBe(404)
  // what is not there has none, and other answers neither
  expect((await app.call('GET', '/workouts/0198a000-0000-7000-8000-00000000dead')).headers.get('etag')).toBe(null)
  expect((await app.call('GET', '/receipts')).headers.get('etag')).toBe(null)
})

test('a run that was changed since is neither changed nor deleted', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun())
  const path = `/workouts/${run}`
  const tagNow = async () => (await app.call('GET', `${path}?includeRaw=false`)).headers.get('etag')!
  const sent = async (method: string, tag: string, json?: object) =>
    await app.call(method, path, { headers: { 'if-match': tag }, ...(json && { json }) })
  const first = await tagNow()
  // what else happens does not matter, nor that its load is told an hour later
  app.clock.nowMs += 3_600_001
  const [told] = (await app.ok('GET', '/changes?after=0')).items.slice(-1)
  expect(told).toMatchObject({ id: run, change: 'updated', at: '2025-11-20T14:05:11.001Z' })
  await app.ok('POST', '/shoes', { brand: 'A', model: 'B' })
  expect((await sent('PATCH', first, { name: 'Hills' })).status).toBe(200)
  const refused = await sent('PATCH', first, { name: 'Flat' })
  const error = { error: 'The run was changed since', code: 'workout_changed', field: 'If-Match' }
  expect([refused.status, refused.json]).toEqual([412, error])
  expect((await sent('DELETE', first)).status).toBe(412)
  expect((await app.ok('GET', path)).name).toBe('Hills')
  expect((await sent('PATCH', `"x", ${await tagNow()}`, { name: 'Flat' })).status).toBe(200)
  expect((await sent('PATCH', '*', { name: 'Steep' })).status).toBe(200)
  expect((await sent('DELETE', await tagNow())).status).toBe(204)
  expect((await sent('DELETE', '*')).status).toBe(404)
})
