import type { TestApp } from './app.ts'

/**
 * One call with the runner's session.
 * @param body sent as JSON, a text as it is
 * @returns status and decoded body; null for an empty one
 */
export async function ask(
  app: TestApp,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const sent = typeof body === 'string' ? { body, headers: { 'content-type': 'application/json' } } : { json: body }
  const { status, text, json } = await app.call(method, path, body === undefined ? {} : sent)
  return { status, body: text === '' ? null : json }
}
