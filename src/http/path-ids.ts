import { type TObject, Type } from '@sinclair/typebox'
import { notFound } from '../base/errors.ts'
import { isObject, UUID } from '../base/json-object.ts'
import { type Reader, reader } from './standard.ts'

type Thing = Parameters<typeof notFound>[0]

/**
 * The route option `params` of a route with ids in its path: `pathIds({ id: 'Workout', mediaId: 'Media' })`. An id that
 * is not a UUID is treated like an unknown one: 404 with the text of its thing.
 */
export function pathIds<K extends string>(things: Readonly<Record<K, Thing>>): Reader<Record<K, string>> {
  const entries = Object.entries<Thing>(things)
  const properties = Object.fromEntries(
    entries.map(([key, thing]) => [key, Type.String({ format: 'uuid', description: `${thing} id` })]),
  )
  const schema: TObject = Type.Object(properties)
  return reader(schema, (params) => {
    const sent = isObject(params) ? params : {}
    const ids = entries.map(([key, thing]) => {
      const id = sent[key]
      if (typeof id !== 'string' || !UUID.test(id)) throw notFound(thing)
      return [key, id.toLowerCase()]
    })
    return Object.fromEntries(ids)
  })
}
