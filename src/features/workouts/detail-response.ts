import type { Static } from '@sinclair/typebox'
import type { Deps } from '../../library/deps.ts'
import type { TextPieces } from '../../library/files/raw-data.ts'
import { workoutDetailJson } from './detail.ts'
import type { DetailParameters } from './schemas.ts'

interface Status {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The detail object as a response. @throws AppError 404 */
export async function detailResponse(
  deps: Deps,
  id: string,
  { includeRaw = true, includeRoute = true }: Static<typeof DetailParameters>,
  how: Status = {},
): Promise<Response> {
  return jsonResponse(await workoutDetailJson(deps, id, { includeRaw, includeRoute }), how)
}

/** JSON text as a response. */
export function jsonResponse(text: string | TextPieces, { status = 200, headers = {} }: Status = {}): Response {
  // pieces are combined as they are, since joining them to one text would copy everything
  const body = typeof text === 'string' ? text : new Blob([...text])
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })
}
