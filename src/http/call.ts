import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { type Repeated, takesKey } from './idempotency.ts'
import { type JsonBody, json } from './json.ts'
import { responses } from './openapi.ts'
import { type Query, query } from './query.ts'
import { type PathIds, pathIds, type Reader } from './standard.ts'

/** What a call states beside its method and path; other members are options of the route as Elysia has them. */
interface Stated {
  /** Ids in the path and what they are of: `{ id: 'Workout' }`. */
  readonly path?: PathIds
  readonly query?: TObject
  /** A JSON body, with the exceptions of `json` where it has some. */
  readonly body?: TObject | JsonBody<unknown>
  /** The answer with 200. */
  readonly answer?: TSchema
  /** Answers of other statuses that have a schema of their own. */
  readonly answers?: Readonly<Record<number, TSchema>>
  /** Statuses without a schema of their own, beside those that follow from the form of the call. */
  readonly statuses?: readonly number[]
  /** What it does, where summary and schemas do not say it. */
  readonly says?: string
  /** A change of it leaves a receipt, whose id is in a header. */
  readonly receipt?: true
  /** It takes an Idempotency-Key, and what doing it twice would do. */
  readonly idempotent?: Repeated
  /** As OpenAPI has them, where no schema can say it. */
  readonly requestBody?: object
  readonly responses?: Readonly<Record<number, object>>
  readonly tags?: readonly string[]
}

type Read<O extends Stated> = Omit<O, keyof Stated> &
  (O extends { path: infer P } ? { params: Reader<Record<keyof P & string, string>> } : unknown) &
  (O extends { query: infer Q extends TObject } ? Query<Static<Q>> : unknown) &
  (O extends { body: JsonBody<infer T> } ? JsonBody<T> : unknown) &
  (O extends { body: infer B extends TObject } ? JsonBody<Static<B>> : unknown) &
  (O extends { answer: unknown } | { answers: unknown } ? { response: Answers<O> } : unknown)

type Answers<O> = (O extends { answer: infer A } ? { 200: A } : unknown) &
  (O extends { answers: infer M } ? M : unknown)

/**
 * The options of a route: all that a call states, for the program and for the document.
 * @param id its name in generated clients
 * @param summary one line without final period
 */
export function call<const O extends Stated>(id: string, summary: string, stated: O): Read<O> {
  const { path, query: asked, body, answer, answers, statuses = [], says, receipt, idempotent, ...rest } = stated
  const { requestBody, responses: own, tags, ...options } = rest
  const detail = {
    ...{ operationId: id, summary, receipt, idempotent },
    ...(says !== undefined && { description: says }),
    ...(tags !== undefined && { tags }),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...responses(...statuses).responses, ...own },
  }
  const made = {
    ...options,
    ...(path !== undefined && { params: pathIds(path) }),
    ...(asked !== undefined && query(asked)),
    ...(body !== undefined && ('parse' in body ? body : json(body))),
    ...((answer ?? answers) !== undefined && {
      response: { ...(answer !== undefined && { 200: answer }), ...answers },
    }),
    detail,
  }
  const { parse = [] } = made as { readonly parse?: readonly unknown[] }
  // built member by member from what was stated
  return { ...made, ...(idempotent !== undefined && { parse: [takesKey(idempotent), ...parse] }) } as unknown as Read<O>
}
