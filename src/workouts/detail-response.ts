import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import type { TextPieces } from '../library/files/raw-data.ts'
import { workoutDetailJson } from './detail.ts'
import type { DetailParameters } from './schemas.ts'

/** The detail object as a response. @throws AppError 404 */
export async function detailResponse(
  deps: Deps,
  id: string,
  asked: Static<typeof DetailParameters>,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const { includeRaw = true, includeRoute = true } = asked
  return jsonResponse(await workoutDetailJson(deps, id, { includeRaw, includeRoute }), { status, headers })
}

/** JSON text as a response. */
export function jsonResponse(
  text: string | Uint8Array<ArrayBuffer> | TextPieces,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  // pieces are combined as they are, since joining them to one text would copy everything
  const body = typeof text === 'string' || text instanceof Uint8Array ? text : new Blob([...text])
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}
