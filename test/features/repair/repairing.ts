// What the tests of repairs ask of the service.
import { expect } from 'bun:test'
import type { TestApp } from '../../app.ts'
import { butUpdated } from '../../fixtures/updated.ts'

export const imported = (app: TestApp, bytes: Uint8Array, name = 'a.fit') => app.run(bytes, name)
export const done = (app: TestApp, method: string, path: string, body?: object) => app.ok(method, path, body)

/** All that is served of a run: nothing of it may differ when a repair was undone. */
export async function seen(app: TestApp, id: string) {
  const of = async (path: string) => await app.ok('GET', `/workouts/${id}${path}`)
  return {
    detail: butUpdated(await of('')),
    samples: await of('/samples'),
    efforts: await of('/best-efforts'),
    laps: await of('/laps'),
    records: await app.ok('GET', '/stats/best-efforts'),
  }
}

/** A dry run says what the call then does, and does nothing. */
export async function tried(app: TestApp, id: string, call: string, body: object) {
  const before = await seen(app, id)
  const [method, path] = call.split(' ') as [string, string]
  const { json: dry, headers } = await app.call(method, `/workouts/${id}${path}`, { json: { ...body, dryRun: true } })
  expect(headers.get('harrier-receipt')).toBeNull()
  expect(await seen(app, id)).toEqual(before)
  const after = await app.ok(method, `/workouts/${id}${path}`, body)
  expect([before.detail, after]).toMatchObject([dry.before, dry.after])
  return { before: before.detail, after }
}

export async function refused(app: TestApp, call: string, json: unknown): Promise<string> {
  const [method, path] = call.split(' ') as [string, string]
  const answer = await app.call(method, path, { json })
  expect([answer.status, typeof answer.json?.error]).toEqual([400, 'string'])
  return answer.json.error
}

/** A change that has to succeed, and its undo. */
export async function undoable(app: TestApp, call: string, body: object) {
  const [method, path] = call.split(' ') as [string, string]
  const { status, text, json, headers } = await app.call(method, path, { json: body })
  expect([status, text]).toEqual([200, text])
  const undo = (more = {}) => app.ok('POST', `/receipts/${headers.get('harrier-receipt')}/undo`, more)
  return { json, undo }
}
